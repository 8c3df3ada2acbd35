"""The metrics of several runs of the study that differ in their seed, side by side.

The tree of a seed is a copy of the run's metrics/, and in per_query/ a copy of data/per_query.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.per_query import Ranks, read_per_query
from ecqg.evaluation.test_sets import label
from ecqg.files import read_json

PER_QUERY = "per_query"
STUDY = ("retrieval", "attention")  # folders whose metrics every seed must have
# Its numbers are tests within one run; over seeds they are made anew.
COMPARISON = paths.COMPARISON.name


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
        odd = sorted(k for k in flat[first].keys() ^ flat[seed].keys() if k[0] in STUDY)
        if odd:
            raise InputError(
                f"{'/'.join(odd[0])} is not in the metrics of both seed {first} and seed {seed}",
                file=trees[seed],
                remedy="run the same study for all seeds",
            )
    accuracy: dict[tuple[str, str, str], list[float]] = {}
    attention: dict[tuple[str, str], list[float]] = {}
    others: dict[str, list[float]] = {}
    for key in dict.fromkeys(key for metrics in flat.values() for key in metrics):
        values = [metrics.get(key, math.nan) for metrics in flat.values()]
        folders, (file, *names) = key[: -_depth(key)], key[-_depth(key) :]
        if folders[:1] == ("retrieval",) and len(names) == 3:
            collection = folders[1] if len(folders) > 1 else Path(file).stem
            accuracy[names[0], label(names[1], collection), names[2]] = values
        elif folders == ("attention",) and len(names) == 2:
            attention[names[0], names[1]] = values
        else:
            others["/".join([*folders, file]) + " " + ".".join(names)] = values
    return Trees(list(trees), accuracy, attention, others, _ranks(trees))


def _depth(key: tuple[str, ...]) -> int:
    """How many last parts of a key are the file and what is in it."""
    return len(key) - next(i for i, part in enumerate(key) if part.endswith(".json"))


def _read(folder: Path) -> dict[tuple[str, ...], float]:
    """Every number in the JSON files of a tree, by folders, file and keys."""
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="keep each seed's metrics there")
    numbers: dict[tuple[str, ...], float] = {}
    for file in sorted(folder.rglob("*.json")):
        if file.name != COMPARISON:
            _flatten(read_json(file), file.relative_to(folder).parts, numbers)
    return numbers


def _flatten(value: Any, key: tuple[str, ...], out: dict[tuple[str, ...], float]) -> None:
    if isinstance(value, dict):
        for name, inner in value.items():
            _flatten(inner, (*key, str(name)), out)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        out[key] = float(value)


def _ranks(trees: Mapping[int, Path]) -> dict[tuple[str, str], list[Ranks]]:
    """Ranks per question of each system and test set that every tree has."""
    found: dict[tuple[str, str], list[Ranks]] = {}
    for tree in trees.values():
        kept = tree / PER_QUERY
        for file in sorted(kept.rglob("*.csv")):
            collection, *_, system, name = file.relative_to(kept).parts
            key = system, label(Path(name).stem, collection)
            found.setdefault(key, []).append(read_per_query(file))
    return {key: ranks for key, ranks in found.items() if len(ranks) == len(trees)}
