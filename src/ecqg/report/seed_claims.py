"""What the papers and the analyses say of attention, entities and overlap, tested over seeds."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import NamedTuple

from ecqg.evaluation.across_seeds import compare_seeds
from ecqg.report.layout import Row, Table, probability
from ecqg.report.seed_trees import Trees
from ecqg.templates import fixed

PUBLISHED_FOR = "dpr"
EXPLANATION = "analysis/explanation.csv {system}."
FOUND = "analysis/overlap.csv {system}.sentence_1."
RANKS = EXPLANATION + "explains_rank."


class Claim(NamedTuple):
    """That `high` is above `low`: measures of a system's attention, or keys in a file of results/.

    `low` may be none, for 0, or with a "-" in front, for 100 less the measure.
    """

    text: str
    published: str
    high: str
    low: str
    digits: int = 1


CLAIMS = [
    Claim(
        "highest-attended entity in the first half (%), against all entities",
        "65 / -",
        "highest_first_half",
        "all_first_half",
    ),
    Claim(
        "lowest-attended entity in the second half (%), against all entities",
        "60 / -",
        "lowest_second_half",
        "-all_first_half",
    ),
    Claim(
        "attention to the first sentence, against the later ones (1 = uniform)",
        "",
        "first_sentence",
        "later_sentences",
        3,
    ),
    Claim(
        "score of questions about the highest-attended entity, against the lowest",
        "73.7 / 72.1",
        f"{EXPLANATION}extremes.highest.score",
        f"{EXPLANATION}extremes.lowest.score",
    ),
    Claim(
        "top-1 of questions about the highest-attended entity, against the lowest",
        "",
        f"{EXPLANATION}extremes.highest.top1",
        f"{EXPLANATION}extremes.lowest.top1",
    ),
    Claim(
        "words of found dev questions in the first sentence (%), against missed ones",
        "27.9 / 16.1",
        f"{FOUND}found",
        f"{FOUND}missed",
    ),
    *(
        Claim(
            f"correlation of an entity's attention with retrieval, against {what}",
            "",
            f"{RANKS}attention.mean",
            other and f"{RANKS}{other}.mean",
            3,
        )
        for what, other in (
            ("none", ""),
            ("gradient x input", "gradient"),
            ("leaving the entity out", "left_out"),
            ("standing early", "early"),
        )
    ),
]


def claims_table(trees: Trees, names: Mapping[str, str]) -> Table:
    """One row for each claim and system that every seed has figures of; `names` are for people."""
    rows = []
    for claim in CLAIMS:
        for system, name in names.items():
            high, low = (_values(trees, system, place) for place in (claim.high, claim.low))
            if high is None or low is None:
                continue
            found, digits, count = compare_seeds(high, low), claim.digits, len(high)
            cells = [f"{name}: {claim.text}", claim.published * (system == PUBLISHED_FOR)]
            cells.append(" / ".join(fixed(sum(v) / count, digits) for v in (high, low)))
            cells.append(fixed(found.mean, digits, "+") + deviation(found.deviation, digits))
            rows.append(Row([*cells, probability(found.t_p), f"{found.wins} of {count}"]))
    header = ["claim", "published", "here", "difference", "p (t)", "seeds in which it holds"]
    return Table(header, rows, "What is said of attention, entities and overlap")


def deviation(value: float, digits: int) -> str:
    """Such as ' ± 1.2'; nothing for a single seed, whose spread is NaN."""
    return "" if isnan(value) else f" ± {value:.{digits}f}"


def _values(trees: Trees, system: str, place: str) -> list[float] | None:
    if not place:
        return [0.0] * len(trees.seeds)
    if " " in place:
        return trees.numbers.get(("", "", place.format(system=system), 0))
    values = trees.numbers.get((system, "", place.removeprefix("-"), 0))
    return [100 - value for value in values] if values and place[0] == "-" else values
