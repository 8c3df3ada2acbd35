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
from ecqg.report.premises import Rows, read_premises

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
    ranks: dict[tuple[str, str], list[Ranks]]  # (system, test set) that every tree has -> by seed
    premises: list[list[Rows]]  # of those seeds that have any


def read_trees(trees: Mapping[int, Path]) -> Trees:
    """Read the trees of at least one seed.

    A count that some seed lacks (of a kind that never occurred) is NaN there. Raises InputError
    where a tree has other systems, test sets or measures of attention than the first.
    """
    tidy = read_tidy(trees)
    first, *rest = trees
    found = {seed: {*filter(required, _keys(rows))} for seed, rows in tidy.groupby("seed")}
    for seed in rest:
        if odd := sorted(map(_in_words, found[first] ^ found[seed])):
            raise InputError(
                f"{odd[0]} is not in the results of both seed {first} and seed {seed}",
                file=trees[seed],
                remedy="run the same study for all seeds",
            )
    wide = tidy.pivot(index=KEY, columns="seed", values="value")[[*trees]]
    values = dict(zip(wide.index, wide.to_numpy().tolist(), strict=True))
    named = tidy[["name", "collection", "test_set", "subset"]].drop_duplicates()
    ranks: dict[tuple[str, str], list[Ranks]] = {}
    for tree in trees.values():
        for file in sorted((tree / paths.PER_QUERY.name).glob("*/*/*.csv")):
            ranks.setdefault((file.parent.name, file.stem), []).append(read_per_query(file))
    return Trees(
        [*trees],
        tidy,
        {key: values[key] for key in _keys(tidy)},
        {name: tuple(place) for name, *place in named.itertuples(index=False)},
        {key: of for key, of in ranks.items() if len(of) == len(trees)},
        [of for tree in trees.values() if (of := read_premises(tree / paths.PREMISES))],
    )


def read_tidy(trees: Mapping[int, Path]) -> DataFrame:
    """All numbers of all trees as one tidy table (ecqg.report.numbers), seed by seed.

    Attention of a system without accuracies is left out: a file of an earlier study, which DVC does
    not remove.
    """
    import pandas as pd

    if not trees:
        raise InputError("no seeds", remedy="give the metrics of at least one run")
    found = []
    for seed, tree in trees.items():
        if not tree.is_dir():
            raise InputError("no such folder", file=tree, remedy="keep each seed's results there")
        results = tree / paths.RESULTS.name
        # The premises have columns of their own.
        measured = sorted(f for f in results.rglob("*.csv") if f.name != paths.PREMISES.name)
        numbers = read_numbers(tree / paths.JUDGED.name, measured, results, seed)
        judged = numbers.loc[numbers["metric"] == ACCURACY, "system"]
        numbers = numbers[numbers["system"].isin(["", *judged])]
        found.append(numbers.drop_duplicates(KEY, keep="last"))
    return pd.concat(found, ignore_index=True)


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


def _in_words(key: Key) -> str:
    """What is required: 'accuracy dpr nq_like top1', 'attention dpr entropy'."""
    system, name, metric, k = key
    return f"{metric} {system} {name} top{k}" if name else f"attention {system} {metric}"
