"""What fresh seeds say of each claim that earlier ones judged: a table in Markdown.

    python bench/replicated.py docs/seeds docs/replication

Each folder's records are judged alone, by claims.yaml, corrected over the claims that they have
figures of. A claim that the earlier seeds decided is replicated where the fresh ones decide it the
same way; one called equivalent where they call it so, too. The share is the fresh mean difference
by the earlier one (effect ratio, Breuer et al. 2020): below 1 where the earlier seeds were lucky.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from ecqg.commands.verdict import known_claims
from ecqg.evaluation.seed_tests import effect_ratio
from ecqg.report.claims import Judged
from ecqg.report.formats import Row, Table, spread
from ecqg.report.markdown import grid
from ecqg.report.records import SUFFIX
from ecqg.report.revisions import extract_seeds
from ecqg.report.seed_trees import read_trees
from ecqg.report.seeds import judge_seeds

EQUIVALENT = "not reproduced: equivalent"


def main() -> None:
    """Print a row for each claim of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("earlier", type=Path, help="a folder of records")
    parser.add_argument("fresh", type=Path, help="another, of other seeds")
    options = parser.parse_args()
    earlier, fresh = map(judged_of, (options.earlier, options.fresh))
    rows = [row(earlier[name], again) for name, again in fresh.items() if name in earlier]
    counts = [len(next(iter(found.values())).system) for found in (earlier, fresh)]
    header = ["claim", *(f"{count} seeds" for count in counts), "share", "verdict", "so"]
    print(grid(Table(header, rows), words=True))


def judged_of(folder: Path) -> dict[str, Judged]:
    """Claims by id."""
    with TemporaryDirectory() as scratch:
        records = sorted(str(file) for file in folder.glob(f"*{SUFFIX}"))
        trees = read_trees(extract_seeds(records, Path(scratch)))
        return {one.claim.id: one for one in judge_seeds(trees, known_claims())}


def row(earlier: Judged, fresh: Judged) -> Row:
    """Both differences, and whether the second verdict is the first."""
    digits = fresh.claim.digits
    gaps = (spread(one.found.mean, one.found.deviation, digits, "+") for one in (earlier, fresh))
    ratio = effect_ratio(earlier.found.mean, fresh.found.mean) if earlier.significant else None
    share = "" if ratio is None else f"{ratio:.2f}"
    return Row([str(fresh.claim), *gaps, share, fresh.verdict, outcome(earlier, fresh)])


def outcome(earlier: Judged, fresh: Judged) -> str:
    """In words; empty where neither says anything."""
    said = EQUIVALENT, "equivalent"
    before, after = (one.verdict.replace(*said).partition(" within")[0] for one in (earlier, fresh))
    decided = ("reproduced", "reversed", "equivalent")
    if before in decided:
        return "replicated" if before == after else f"was {before}"
    return "new" if after in decided else ""


if __name__ == "__main__":
    main()
