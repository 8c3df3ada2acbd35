"""The results of several runs of the study that differ in their seed, side by side.

The tree of a seed has copies of the run's results/, data/judged and data/per_query. Tests within
one run are left out: over seeds they are made anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import judgement
from ecqg.evaluation.per_query import RELEVANT_FOLDER, Ranks, read_per_query
from ecqg.evaluation.test_sets import label
from ecqg.tables import flat_values, read_table, read_values

ACCURACY, ATTENTION, OTHERS = "accuracy", "attention", "others"  # the first two every seed has


@dataclass(frozen=True, slots=True)
class Trees:
    """Metrics by name, one value for each seed."""

    seeds: list[int]
    accuracy: dict[tuple[str, str, str], list[float]]  # (system, test set, top1) -> by seed
    attention: dict[tuple[str, str], list[float]]  # (system, measure) -> by seed
    others: dict[str, list[float]]  # path of the file and keys -> by seed
    ranks: dict[tuple[str, str], list[Ranks]]  # (system, test set) -> by seed, where kept


def read_trees(trees: Mapping[int, Path]) -> Trees:
    """Read the trees of at least one seed.

    A count that some seed lacks (of a kind that never occurred) is NaN there. Raises InputError
    where a tree has other systems, test sets or measures of attention than the first.
    """
    if not trees:
        raise InputError("no seeds", remedy="give the metrics of at least one run")
    flat = {seed: _read(folder) for seed, folder in trees.items()}
    first, *rest = flat
    for seed in rest:
        odd = sorted(k for k in flat[first].keys() ^ flat[seed].keys() if k[0] != OTHERS)
        if odd:
            raise InputError(
                f"{' '.join(odd[0])} is not in the results of both seed {first} and seed {seed}",
                file=trees[seed],
                remedy="run the same study for all seeds",
            )
    accuracy: dict[tuple[str, str, str], list[float]] = {}
    attention: dict[tuple[str, str], list[float]] = {}
    others: dict[str, list[float]] = {}
    for key in dict.fromkeys(key for metrics in flat.values() for key in metrics):
        values = [metrics.get(key, math.nan) for metrics in flat.values()]
        kind, *names = key
        if kind == ACCURACY:
            accuracy[names[0], names[1], names[2]] = values
        elif kind == ATTENTION:
            attention[names[0], names[1]] = values
        else:
            others[" ".join(names)] = values
    supervised = {test_set for system, test_set, _ in accuracy if system == paths.SUPERVISED}
    return Trees(list(trees), accuracy, attention, others, _ranks(trees, supervised))


def _read(folder: Path) -> dict[tuple[str, ...], float]:
    """Every number of a tree, by its kind and names."""
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="keep each seed's results there")
    judged = folder / paths.JUDGED.name
    numbers: dict[tuple[str, ...], float] = {}
    for row in read_table(judged / paths.ACCURACY.name, judgement.ACCURACY):
        numbers[ACCURACY, row["system"], _label(row), f"top{row['k']}"] = float(row["accuracy"])
    for row in read_table(judged / paths.RANKING.name, judgement.RANKING):
        names = ("ranking", row["system"], _label(row), row["measure"])
        numbers[OTHERS, *names] = float(row["value"])
    results = folder / paths.RESULTS.name
    for file in sorted(results.rglob("*.csv")):
        for name, value in flat_values(read_values(file)):
            if not isinstance(value, int | float) or isinstance(value, bool):
                continue
            if file.parent.name == ATTENTION and "/" not in name:
                numbers[ATTENTION, file.stem, name] = float(value)
            else:
                where = file.relative_to(results).as_posix()
                numbers[OTHERS, where, name.replace("/", ".")] = float(value)
    return numbers


def _label(row: Mapping[str, str]) -> str:
    name = f"{row['test_set']}_{row['subset']}" if row["subset"] else row["test_set"]
    return label(name, row["collection"])


def _ranks(
    trees: Mapping[int, Path], supervised: Iterable[str]
) -> dict[tuple[str, str], list[Ranks]]:
    """Ranks per question of each system and test set that every tree has.

    `supervised` are the labels of the test sets that have a system of their own.
    """
    own = {name.rpartition("/")[2]: name for name in supervised}
    found: dict[tuple[str, str], list[Ranks]] = {}
    for tree in trees.values():
        kept = tree / paths.per_query().parent.name
        for file in sorted(kept.rglob("*.csv")):
            if file.parent.name == RELEVANT_FOLDER:
                continue
            collection, *_, system, name = file.relative_to(kept).parts
            test_set = Path(name).stem
            shown = own.get(test_set) if collection == paths.SUPERVISED else None
            key = system, shown or label(test_set, collection)
            found.setdefault(key, []).append(read_per_query(file))
    return {key: ranks for key, ranks in found.items() if len(ranks) == len(trees)}
