"""What the papers and the analyses say of attention, entities and overlap, tested over seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ecqg.evaluation.across_seeds import compare_seeds
from ecqg.report.layout import Row, Table
from ecqg.report.seed_trees import Trees

# Of a system: a measure of results/attention, or a file of results/ and keys in it.
Place = str
PUBLISHED_FOR = "dpr"
EXPLANATION, OVERLAP = "analysis/explanation.csv", "analysis/overlap.csv"


@dataclass(frozen=True)
class Claim:
    """That `high` is above `low`, which is a place too, a number, or a function of a place's."""

    text: str
    published: str
    high: Place
    low: Place | float
    of_low: Callable[[float], float] = float
    digits: int = 1


CLAIMS = (
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
        "all_first_half",
        lambda share: 100 - share,
    ),
    Claim(
        "attention to the first sentence, against the later ones (1 = uniform)",
        "",
        "first_sentence",
        "later_sentences",
        digits=3,
    ),
    Claim(
        "score of questions about the highest-attended entity, against the lowest",
        "73.7 / 72.1",
        f"{EXPLANATION} {{system}}.extremes.highest.score",
        f"{EXPLANATION} {{system}}.extremes.lowest.score",
    ),
    Claim(
        "top-1 of questions about the highest-attended entity, against the lowest",
        "",
        f"{EXPLANATION} {{system}}.extremes.highest.top1",
        f"{EXPLANATION} {{system}}.extremes.lowest.top1",
    ),
    Claim(
        "words of found dev questions in the first sentence (%), against missed ones",
        "27.9 / 16.1",
        f"{OVERLAP} {{system}}.sentence_1.found",
        f"{OVERLAP} {{system}}.sentence_1.missed",
    ),
    *(
        Claim(
            f"correlation of an entity's attention with retrieval, against {what}",
            "",
            f"{EXPLANATION} {{system}}.explains_rank.attention.mean",
            f"{EXPLANATION} {{system}}.explains_rank.{other}.mean" if other else 0.0,
            digits=3,
        )
        for what, other in (
            ("none", ""),
            ("gradient x input", "gradient"),
            ("leaving the entity out", "left_out"),
            ("standing early", "early"),
        )
    ),
)


def claims_table(trees: Trees, names: Mapping[str, str]) -> Table:
    """One row for each claim and system that every seed has figures of; `names` are for people."""
    rows = []
    for claim in CLAIMS:
        for system in names:
            high = _values(trees, system, claim.high)
            low = _values(trees, system, claim.low)
            if high is None or low is None:
                continue
            low = [claim.of_low(value) for value in low]
            found = compare_seeds(high, low)
            d = claim.digits
            rows.append(
                Row(
                    [
                        f"{names[system]}: {claim.text}",
                        claim.published if system == PUBLISHED_FOR else "",
                        f"{sum(high) / len(high):.{d}f} / {sum(low) / len(low):.{d}f}",
                        f"{found.mean:+.{d}f}" + unless_nan(" ± ", found.deviation, d),
                        probability(found.t_p),
                        f"{found.wins} of {len(high)}",
                    ]
                )
            )
    header = ["claim", "published", "here", "difference", "p (t)", "seeds in which it holds"]
    return Table("What is said of attention, entities and overlap", header, rows)


def unless_nan(lead: str, value: float, digits: int) -> str:
    """A number after `lead`; nothing for a single seed, which has neither spread nor t-test."""
    return "" if math.isnan(value) else f"{lead}{value:.{digits}f}"


def probability(p: float) -> str:
    """A p-value, as three digits."""
    return "< 0.001" if p < 0.0005 else unless_nan("", p, 3)


def _values(trees: Trees, system: str, place: Place | float) -> list[float] | None:
    if isinstance(place, float):
        return [place] * len(trees.seeds)
    if " " in place:
        return trees.others.get(place.format(system=system))
    return trees.attention.get((system, place))
