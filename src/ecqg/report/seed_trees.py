"""The results of several runs of the study that differ in their seed, side by side.

The tree of a seed has copies of the run's results/, data/judged and data/per_query. Tests within
one run are left out: over seeds they are made anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.topk import Ranks, read_per_query
from ecqg.report.numbers import ACCURACY, KEY, read_numbers

if TYPE_CHECKING:
    from pandas import DataFrame

Key = tuple[str, str, str, int]  # system, test set, metric, k: numbers.KEY


@dataclass(frozen=True, slots=True)
class Trees:
    """Metrics, one value for each seed."""

    seeds: list[int]
    tidy: DataFrame  # all numbers, a row each (ecqg.report.numbers), seed by seed
    numbers: dict[Key, list[float]]  # by seed, in the order in which the runs have them
    places: dict[str, tuple[str, str, str]]  # test set -> collection, test set, subset
    ranks: dict[tuple[str, str], list[Ranks]]  # (system, test set) -> by seed


def read_trees(trees: Mapping[int, Path]) -> Trees:
    """Read the trees of at least one seed.

    A count that some seed lacks (of a kind that never occurred) is NaN there. Raises InputError
    where a tree has other systems, test sets or measures of attention than the first.
    """
    tidy = read_tidy(trees)
    first, *rest = trees
    found = {seed: {*filter(required, _keys(rows))} for seed, rows in tidy.groupby("seed")}
    for seed in rest:
        if odd := sorted(map(in_words, found[first] ^ found[seed])):
            raise InputError(
                f"{odd[0]} is not in the results of both seed {first} and seed {seed}",
                file=trees[seed],
                remedy="run the same study for all seeds",
            )
    wide = tidy.pivot(index=KEY, columns="seed", values="value")[[*trees]]
    values = dict(zip(wide.index, wide.to_numpy().tolist(), strict=True))
    numbers = {key: values[key] for key in _keys(tidy)}
    named = tidy[["name", "collection", "test_set", "subset"]].drop_duplicates()
    places = {name: tuple(place) for name, *place in named.itertuples(index=False)}
    return Trees([*trees], tidy, numbers, places, _ranks(trees))


def read_tidy(trees: Mapping[int, Path]) -> DataFrame:
    """All numbers of all trees as one tidy table (ecqg.report.numbers), seed by seed."""
    import pandas as pd

    if not trees:
        raise InputError("no seeds", remedy="give the metrics of at least one run")
    return pd.concat([_read(seed, folder) for seed, folder in trees.items()], ignore_index=True)


def _read(seed: int, folder: Path) -> DataFrame:
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="keep each seed's results there")
    results = folder / paths.RESULTS.name
    # The premises have columns of their own.
    measured = sorted(f for f in results.rglob("*.csv") if f.name != paths.PREMISES.name)
    numbers = read_numbers(folder / paths.JUDGED.name, measured, results, seed)
    return numbers.drop_duplicates(KEY, keep="last")


def _keys(numbers: DataFrame) -> list[Key]:
    """The keys of a table, each once, in its order."""
    return list(dict.fromkeys(numbers[KEY].itertuples(index=False, name=None)))


def required(key: Key) -> bool:
    """Whether every seed must have it: accuracies, and measures of attention."""
    return key[2] == ACCURACY or is_attention(key)


def is_attention(key: Key) -> bool:
    """Whether it is a system's mean of a measure of attention."""
    system, name, metric, _ = key
    return bool(system) and not name and "/" not in metric


def in_words(key: Key) -> str:
    """Where the number stands: 'accuracy dpr nq_like top1', or file and keys."""
    system, name, metric, k = key
    if metric == ACCURACY:
        return f"{metric} {system} {name} top{k}"
    if is_attention(key):
        return f"attention {system} {metric}"
    if name:
        return f"ranking {system} {name} {metric}"
    return f"attention/{system}.csv {metric.replace('/', '.')}" if system else metric


def _ranks(trees: Mapping[int, Path]) -> dict[tuple[str, str], list[Ranks]]:
    """Ranks per question of each system and test set that every tree has."""
    found: dict[tuple[str, str], list[Ranks]] = {}
    for tree in trees.values():
        for file in sorted((tree / paths.PER_QUERY.name).glob("*/*/*.csv")):
            key = file.parent.name, file.stem
            found.setdefault(key, []).append(read_per_query(file))
    return {key: ranks for key, ranks in found.items() if len(ranks) == len(trees)}
