"""What the papers and the analyses say of attention, entities and overlap, tested over seeds."""

from __future__ import annotations

from pathlib import Path

from ecqg.checking import read_yaml
from ecqg.evaluation.across_seeds import compare_seeds
from ecqg.report.formats import deviation, fixed, probability
from ecqg.report.layout import Row, Table
from ecqg.report.names import shown
from ecqg.report.seed_trees import Trees

PUBLISHED_FOR = "dpr"
REST = "100 - "


def claims_table(trees: Trees) -> Table:
    """One row for each claim of seed_claims.yaml and system that every seed has figures of."""
    rows = []
    for claim in read_yaml(Path(__file__).with_suffix(".yaml")):
        for system in dict.fromkeys(key[0] for key in trees.numbers if key[0]):
            high, low = (_values(trees, system, claim[place]) for place in ("high", "low"))
            if high is None or low is None:
                continue
            found, digits, count = compare_seeds(high, low), claim.get("digits", 1), len(high)
            theirs = claim.get("published", "") if system == PUBLISHED_FOR else ""
            means = " / ".join(fixed(sum(values) / count, digits) for values in (high, low))
            gap = fixed(found.mean, digits, "+") + deviation(found.deviation, digits)
            held = f"{found.wins} of {count}"
            cells = [
                f"{shown(system)}: {claim['text']}",
                theirs,
                means,
                gap,
                probability(found.t_p),
                held,
            ]
            rows.append(Row(cells))
    header = ["claim", "published", "here", "difference", "p (t)", "seeds in which it holds"]
    return Table(header, rows, "What is said of attention, entities and overlap")


def _values(trees: Trees, system: str, place: str | float) -> list[float] | None:
    if isinstance(place, float):
        return [place] * len(trees.seeds)
    if place.startswith(REST):
        values = _values(trees, system, place.removeprefix(REST))
        return values and [100 - value for value in values]
    of_file = " " in place
    key = ("", "", place.format(system=system), 0) if of_file else (system, "", place, 0)
    return trees.numbers.get(key)
