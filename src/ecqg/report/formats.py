"""Tables as rows of text, and how numbers and names stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan

from ecqg.report.results import subset_of
from ecqg.templates import fixed as fixed

LEVEL = 0.05  # p-values below it have a star
STARS = f"*: p < {LEVEL} in a paired t-test over seeds, not corrected"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    cells: list[str]
    published: bool = False  # the papers' numbers, not ours
    best: list[int] = field(default_factory=list)  # columns to set in bold


@dataclass(frozen=True, slots=True)
class Table:
    """A table; where the template that shows it does not have them, with caption and notes."""

    header: list[str]
    rows: list[Row]
    caption: str = ""
    notes: list[str] = field(default_factory=list)


def tops(ks: Iterable[int]) -> str:
    """Such as 'top-1 / top-5'."""
    return " / ".join(f"top-{k}" for k in ks)


def indented(test_set: str) -> str:
    """A test set's name; of a subset in words which, beneath its set's."""
    subset = subset_of(test_set)
    return f"  {subset[1]}" if subset else test_set


def best(values: Sequence[float | None]) -> list[int]:
    """The columns, the first one apart, of the highest values."""
    known = [value for value in values if value is not None]
    return [i for i, value in enumerate(values, 1) if value is not None and value == max(known)]


def percents(values: Iterable[float | None]) -> str:
    """Such as '44.3 / 67.1'; empty where there is no value, '-' for one among others."""
    cells = [fixed(value, 1) or "-" for value in values]
    return " / ".join(cells) if {*cells} - {"-"} else ""


def interval(value: float, low: float, high: float, digits: int = 1) -> str:
    """Such as '+1.2 [-0.5, +3.0]'."""
    return f"{value:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"


def bounded(value: float, bounds: Sequence[float | None] | None, digits: int) -> str:
    """Such as '61.2 [58.9, 63.5]', without what is not known."""
    ends = [fixed(bound, digits) for bound in bounds or ()]
    return fixed(value, digits) + (f" [{', '.join(ends)}]" if any(ends) else "")


def difference(found: Mapping[str, float], digits: int = 1) -> str:
    """An interval and a star; without it its place is kept, so that columns align."""
    star = "*" if found["p"] < LEVEL else " "
    return interval(found["difference"], found["low"], found["high"], digits) + star


def probability(p: float) -> str:
    """A p-value, as three digits; nothing for NaN."""
    return "" if isnan(p) else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def spread(mean: float, deviation: float, digits: int, sign: str = "") -> str:
    """Such as '+2.7 ± 1.2'; the mean alone for a single seed, whose deviation is NaN."""
    return fixed(mean, digits, sign) + ("" if isnan(deviation) else f" ± {deviation:.{digits}f}")


def over_seeds(mean: float, deviation: float, p: float, digits: int) -> str:
    """A difference over seeds, such as '+2.7 ± 0.4*'; STARS says what the star is."""
    return spread(mean, deviation, digits, "+") + ("*" if p < LEVEL else "")
