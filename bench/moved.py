"""How far a run has moved from the committed one, beside what another seed moves.

    ECQG_NUMERICS=native ecqg repro        # in a second clone, so that nothing is up to date there
    python bench/moved.py ../second

Points of accuracy (metrics/), the mean of absolute differences over test sets, top-1 and top-5. Two
seeds differ by 2 s / sqrt(pi) in the mean, with the standard deviation s of docs/seeds.csv, where
values are normal.
"""

from __future__ import annotations

import argparse
import json
from math import pi, sqrt
from pathlib import Path

import pandas as pd


def main() -> None:
    """Print a row for each system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the clone of the other run")
    other = parser.parse_args().other
    table = pd.read_csv("docs/seeds.csv")
    whole = table["against"].isna() & table["subset"].isna() & table["seed"].isna()
    spread = table[whole & (table["metric"] == "accuracy")].set_index(["system", "test_set", "k"])
    print("| system | moved | seeds | share |\n|---|---|---|---|")
    for file in sorted(Path("metrics").glob("*.json")):
        ours, theirs = (json.loads((at / file).read_text("utf-8")) for at in (Path(), other))
        keys = [(t, k) for t, of in ours.items() if isinstance(of, dict) for k in (1, 5)]
        if not keys:
            continue
        moved = [abs(ours[t][f"top{k}"] - theirs[t][f"top{k}"]) for t, k in keys]
        seeds = [2 / sqrt(pi) * float(spread.loc[(file.stem, t, k), "deviation"]) for t, k in keys]
        share = sum(moved) / sum(seeds)
        cells = (f"{sum(of) / len(keys):.2f}" for of in (moved, seeds))
        print(f"| {file.stem} | {' | '.join(cells)} | {100 * share:.0f} % |")


if __name__ == "__main__":
    main()
