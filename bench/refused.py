"""How often does `ecqg verify` refuse a run that nothing is wrong with?

    python bench/refused.py docs/seeds docs/replication

Both folders have records of seeds of the same study; those of the second may have fewer systems.
Of one seed after the other is asked what `ecqg verify` would say, had others been committed: of
each of the first folder by the rest of it, of each of the second by all of the first, and, as
those are one draw of seeds and may be a lucky one, of seeds of both by as many as the first folder
has, all drawn at random. Prints in Markdown how many are refused and for what, and how many
metrics are outside their intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from ecqg.commands.verdict import known_claims
from ecqg.report.formats import Row, Table
from ecqg.report.markdown import grid
from ecqg.report.numbers import ACCURACY, nested
from ecqg.report.records import SUFFIX
from ecqg.report.revisions import extract_seeds
from ecqg.report.seed_trees import Key, Trees, read_trees
from ecqg.report.verdict import Run, Verdict, judge_run, read_filtered, read_headline

Picks = Iterable[tuple[int, list[int]]]  # a seed, and those that it is judged by
Numbers = dict[Key, dict[int, float]]  # by seed


def main() -> None:
    """Print a row for each way to choose who is judged by whom."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("committed", type=Path, help="a folder of records")
    parser.add_argument("fresh", type=Path, help="another, of other seeds")
    parser.add_argument("--draws", type=int, default=1000, help="at random (default: %(default)s)")
    options = parser.parse_args()
    committed, fresh = map(trees_of, (options.committed, options.fresh))
    claims = known_claims()
    headline, filtered = read_headline().keys(), read_filtered().keys()
    questions = nested(committed.tidy[committed.tidy.metric == ACCURACY], "name", "questions")
    own, both = by_seed([committed]), by_seed([committed, fresh])

    def verdicts(numbers: Numbers, picks: Picks) -> Iterator[Verdict]:
        for seed, others in picks:
            run = {key: values[seed] for key, values in numbers.items()}
            accuracy = {key: value for key, value in run.items() if key[2] == ACCURACY}
            of_run = Run(
                {key: run[key] for key in headline & run.keys()},
                accuracy,
                questions,
                {key: run[key] for key in filtered & run.keys()},
            )
            seeds = {key: [values[s] for s in others] for key, values in numbers.items()}
            yield judge_run(of_run, others, seeds, claims)

    ten, all_of_them = committed.seeds, [*committed.seeds, *fresh.seeds]
    ways: dict[str, tuple[Numbers, Picks]] = {
        f"each of the {len(ten)} committed, by the others": (own, leave_one_out(ten)),
        f"each of {len(fresh.seeds)} others, by those": (both, [(s, ten) for s in fresh.seeds]),
        f"one of all {len(all_of_them)}, by {len(ten)} others, drawn {options.draws} times": (
            both,
            drawn(all_of_them, len(ten), options.draws),
        ),
    }
    names = "metrics", "shares", "claims"
    header = ["judged", "metrics", "outside: mean, most", "refused", *(f"by {n}" for n in names)]
    rows = []
    for what, (numbers, picks) in ways.items():
        found = list(verdicts(numbers, picks))
        outside = [one.outside for one in found]
        refused = [one for one in found if not one.agrees]
        counts = [str(sum(name in one.differs for one in refused)) for name in names]
        size = str(len(headline & numbers.keys()))
        spread = f"{np.mean(outside):.2f}, {max(outside)}"
        rows.append(Row([what, size, spread, f"{len(refused)} of {len(found)}", *counts]))
    print(grid(Table(header, rows), words=True))


def trees_of(folder: Path) -> Trees:
    """The numbers of all records of a folder."""
    with TemporaryDirectory() as scratch:
        records = sorted(str(file) for file in folder.glob(f"*{SUFFIX}"))
        return read_trees(extract_seeds(records, Path(scratch)))


def by_seed(folders: list[Trees]) -> Numbers:
    """What all of these have of all seeds, but shares of a question set that none made anew.

    A study with fewer systems leaves the files of the others' question sets as they were.
    """
    found = []
    for trees in folders:
        stale = {
            key[2].partition(" ")[0]
            for key, values in trees.numbers.items()
            if key[2].startswith("filter/") and key[2].endswith(" kept") and not np.ptp(values)
        }
        kept = {k: v for k, v in trees.numbers.items() if k[2].partition(" ")[0] not in stale}
        found.append({k: dict(zip(trees.seeds, v, strict=True)) for k, v in kept.items()})
    shared = set.intersection(*({*of} for of in found))
    return {key: {s: v for of in found for s, v in of[key].items()} for key in shared}


def leave_one_out(seeds: list[int]) -> Picks:
    """Each seed, and the others."""
    return [(seed, [other for other in seeds if other != seed]) for seed in seeds]


def drawn(seeds: list[int], size: int, count: int) -> Picks:
    """At random a seed, and that many others."""
    chance = Random(1)
    for _ in range(count):
        seed, *others = chance.sample(seeds, size + 1)
        yield seed, others


if __name__ == "__main__":
    main()
