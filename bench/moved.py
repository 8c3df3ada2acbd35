"""How far runs have moved from others of the same seeds, beside what another seed moves.

    ECQG_NUMERICS=native ecqg repro                      # in a second clone, a seed each
    git commit -am native && ecqg seeds HEAD --keep native   # a record: native/seed-1.zip
    python bench/moved.py docs/seeds native

Points of accuracy: the mean of absolute differences over whole test sets, those that both have,
top-1 and top-5. It is of the records that both folders have by name, mean and range over them, and
of all pairs of records in the first folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from ecqg.report.numbers import ACCURACY
from ecqg.report.records import SUFFIX, read_record
from ecqg.report.seed_trees import read_tidy

Of = dict[tuple[str, int], float]  # by test set and k
Accuracies = dict[str, Of]  # by system


def main() -> None:
    """Print a row for each system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path, help="a folder of records")
    parser.add_argument("other", type=Path, help="another")
    options = parser.parse_args()
    first, other = (
        {f.stem: read(f) for f in at.glob(f"*{SUFFIX}")} for at in vars(options).values()
    )
    both = sorted(first.keys() & other.keys())
    print(f"{', '.join(both)}\n\n| system | moved | seeds | share |\n|---|---|---|---|")
    for system, of in first[both[0]].items():
        if system not in other[both[0]]:
            continue
        keys = sorted(of.keys() & other[both[0]][system].keys())
        moved = [change(first[name][system], other[name][system], keys) for name in both]
        pairs = combinations(first.values(), 2)
        seeds = mean(change(one[system], two[system], keys) for one, two in pairs)
        share, low, high = (100 * how(moved) / seeds for how in (mean, min, max))
        cells = f"{mean(moved):.2f} | {seeds:.2f} | {share:.0f} % ({low:.0f}..{high:.0f})"
        print(f"| {system} | {cells} |")


def read(record: Path) -> Accuracies:
    """On whole test sets."""
    with TemporaryDirectory() as scratch:
        tree = Path(scratch, "run")
        read_record(record, tree)
        rows = read_tidy({1: tree})
    rows = rows[(rows["metric"] == ACCURACY) & (rows["subset"] == "") & rows["k"].isin([1, 5])]
    found: Accuracies = {}
    for system, test_set, k, value in rows[["system", "test_set", "k", "value"]].itertuples(
        index=False
    ):
        found.setdefault(system, {})[test_set, k] = value
    return found


def change(one: Of, other: Of, keys: Sequence[tuple[str, int]]) -> float:
    """The mean of absolute differences."""
    return mean(abs(one[key] - other[key]) for key in keys)


if __name__ == "__main__":
    main()
