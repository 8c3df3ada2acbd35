"""How far runs have moved from others of the same seeds, beside what another seed moves.

    ECQG_NUMERICS=native ecqg repro                      # in a second clone, a seed each
    git commit -am native && ecqg seeds HEAD --keep native   # a record: native/seed-1.zip
    python bench/moved.py docs/seeds native

Points of accuracy: the mean of absolute differences over whole test sets, top-1 and top-5. It is of
the records that both folders have by name, mean and range over them, and of all pairs of records in
the first folder.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from ecqg.report.numbers import ACCURACY
from ecqg.report.records import SUFFIX, read_record
from ecqg.report.seed_trees import read_tidy

Accuracies = dict[str, dict[tuple[str, int], float]]  # by system, then by test set and k


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
    for system in first[both[0]]:
        moved = [change(first[name][system], other[name][system]) for name in both]
        seeds = mean(
            change(one[system], two[system]) for one, two in combinations(first.values(), 2)
        )
        share, low, high = (100 * of(moved) / seeds for of in (mean, min, max))
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


def change(one: dict[tuple[str, int], float], other: dict[tuple[str, int], float]) -> float:
    """The mean of absolute differences."""
    return mean(abs(one[key] - other[key]) for key in one)


if __name__ == "__main__":
    main()
