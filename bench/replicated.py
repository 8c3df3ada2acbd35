"""What fresh seeds say of each claim that earlier ones judged: a table in Markdown.

    python bench/replicated.py docs/seeds docs/replication

Each folder's records are judged alone, by claims.yaml, corrected over the claims that they have
figures of. A claim that the earlier seeds decided is replicated where the fresh ones decide it the
same way; one called equivalent where they call it so, too. The share is the fresh mean difference
by the earlier one (effect ratio, Breuer et al. 2020): below 1 where the earlier seeds were lucky.

A second table asks whether a claim's difference hangs, over the fresh seeds, on the share of
passages whose lowest-attended entity stands in the second half (Pearson, not corrected). Nobody
claimed that before: it is to look at, and proves nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import pearsonr

from ecqg.commands.verdict import known_claims
from ecqg.evaluation.seed_tests import effect_ratio
from ecqg.report.claims import Judged
from ecqg.report.formats import Row, Table, probability, spread
from ecqg.report.markdown import grid
from ecqg.report.seeds import judge_seeds
from refused import trees_of


def main() -> None:
    """Print a row for each claim of both that the earlier seeds decided."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("earlier", type=Path, help="a folder of records")
    parser.add_argument("fresh", type=Path, help="another, of other seeds")
    options = parser.parse_args()
    (earlier, _), (fresh, late) = map(judged_of, (options.earlier, options.fresh))
    both = [(earlier[name], again) for name, again in fresh.items() if name in earlier]
    settled, left = ([pair for pair in both if says(pair[0]) == known] for known in (True, False))
    counts = [len(next(iter(found.values())).system) for found in (earlier, fresh)]
    header = ["claim", *(f"{count} seeds" for count in counts), "share", "verdict", ""]
    print(grid(Table(header, [row(*pair) for pair in settled]), words=True))
    found = sum(says(again) for _, again in left)
    print(f"\nOf {len(left)} that the earlier seeds left open the fresh ones decide {found}.")
    header = ["claim", "correlation with the lowest in the second half", "p"]
    rows = [hanging(one, late) for one in fresh.values() if one.claim.metric == "top1"]
    print(f"\n{grid(Table(header, rows))}")


def judged_of(folder: Path) -> tuple[dict[str, Judged], Sequence[float]]:
    """Claims by id, and by seed the percentage of DPR's lowest-attended entities that are late."""
    trees = trees_of(folder)
    judged = {one.claim.id: one for one in judge_seeds(trees, known_claims())}
    return judged, trees.numbers["dpr", "", "lowest_second_half", 0]


def hanging(judged: Judged, late: Sequence[float]) -> Row:
    """How a difference goes with where the lowest-attended entity stands."""
    found = pearsonr(judged.differences, late)
    return Row([str(judged.claim), f"{found.statistic:+.2f}", probability(found.pvalue)])


def row(earlier: Judged, fresh: Judged) -> Row:
    """Both differences, and whether the second verdict is the first."""
    digits = fresh.claim.digits
    gaps = (spread(one.found.mean, one.found.deviation, digits, "+") for one in (earlier, fresh))
    ratio = effect_ratio(earlier.found.mean, fresh.found.mean) if earlier.significant else None
    share = "" if ratio is None else f"{ratio:.2f}"
    return Row([str(fresh.claim), *gaps, share, fresh.verdict, outcome(earlier, fresh)])


def outcome(earlier: Judged, fresh: Judged) -> str:
    """Whether a claim that the earlier seeds decided, or called equal, is found the same again."""
    before, after = map(in_brief, (earlier, fresh))
    return "replicated" if before == after else f"was {before}"


def in_brief(judged: Judged) -> str:
    """The verdict: reproduced, reversed, equivalent or undecided."""
    return judged.verdict.removeprefix("not reproduced: ").split()[0].rstrip(",")


def says(judged: Judged) -> bool:
    """Whether the seeds tell."""
    return in_brief(judged) != "undecided"


if __name__ == "__main__":
    main()
