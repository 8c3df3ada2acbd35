"""Two revisions side by side, for a pull request: parameters that differ, and the headline.

A metric differs beyond noise where two seeds of one study would differ less in 95 of 100 cases:
|difference| > t s √2, with the spread s of the committed seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ecqg import paths
from ecqg.checking import parse_yaml
from ecqg.errors import InputError
from ecqg.files import conform, parse_json
from ecqg.report import markdown
from ecqg.report.claims import key_of
from ecqg.report.formats import Row, Table, fixed
from ecqg.report.names import ordered, shown
from ecqg.report.revisions import differing, files_at
from ecqg.report.seed_trees import Key
from ecqg.tables import flat_values

LEVEL = 0.95
LIMIT = 12_000  # characters; a comment on GitHub may have 65,536
PARAMETERS, ROWS = 30, 40  # lines of the two tables at most
PICTURES = (paths.ACCURACY_PICTURE, paths.HEATMAP_PNG)
Metric = tuple[str, str, str]  # system, test set (none with measures of attention), metric


class Change(NamedTuple):
    """A metric of both revisions."""

    metric: Metric
    before: float
    after: float
    difference: float  # in points, or in the unit of the measure of attention
    noise: float  # by how much two seeds may differ; NaN where that is not known
    size: float  # of the difference, in units of the noise where that is known
    figures: tuple[str, str, str]  # before, after, difference

    @property
    def beyond(self) -> bool:
        """Whether the difference is more than seeds differ by."""
        return abs(self.difference) > self.noise

    def __str__(self) -> str:
        """Such as 'Mixed-DPR, tail top1: 49.0 to 44.2 (-4.8)'."""
        system, test_set, metric = self.metric
        what = f"{test_set} {metric}".strip().replace("_", " ")
        before, after, difference = self.figures
        return f"{shown(system)}, {what}: {before} to {after} ({difference})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two revisions."""

    names: tuple[str, str]
    parameters: list[tuple[str, Any, Any]]
    changes: list[Change]  # of all metrics that both have, changed or not
    alone: list[str]  # systems that only one of them has

    @property
    def noisy(self) -> bool:
        """Whether noise is known."""
        return any(not isnan(change.noise) for change in self.changes)

    @property
    def changed(self) -> list[Change]:
        """Those of another value, the largest change first."""
        changed = (change for change in self.changes if change.difference)
        return sorted(changed, key=lambda change: change.size, reverse=True)

    def fallen(self, tolerance: float) -> list[Change]:
        """Accuracies that fell by more than `tolerance` points, the deepest fall first."""
        low = [c for c in self.changes if c.metric[1] and c.difference < -tolerance]
        return sorted(low, key=lambda change: change.difference)


def compare(base: str, head: str, seeds: Mapping[Key, Sequence[float]]) -> Comparison:
    """Compare params.yaml and metrics/ of two Git revisions; "workspace" stands for the files here.

    `seeds` has values of the committed seeds, for the noise. Raises InputError for an unknown
    revision, or one without metrics.
    """
    of_both = {name: files_at(name) for name in (base, head)}
    before, after = (_metrics(of_both[name], name) for name in (base, head))
    changes = [
        _change(metric, value, after[metric], seeds.get(key_of(*metric), ()))
        for metric, value in before.items()
        if metric in after
    ]
    alone = {s for s, _, _ in before} ^ {s for s, _, _ in after}
    parameters = (
        parse_yaml(of_both[name].get("params.yaml", "{}"), f"{name}:params.yaml")
        for name in (base, head)
    )
    return Comparison((base, head), differing(*parameters), changes, ordered(sorted(alone)))


def _metrics(files: Mapping[str, str], revision: str) -> dict[Metric, float]:
    found = {}
    for file, text in files.items():
        if Path(file).parent == paths.METRICS:
            try:
                metrics = conform(parse_json(text), dict[str, float | dict[str, float]])
            except ValueError as error:
                what, remedy = f"no metrics ({error})", "make them again with 'dvc repro'"
                raise InputError(what, file=f"{revision}:{file}", remedy=remedy) from None
            for name, value in flat_values(metrics):
                test_set, _, metric = name.rpartition("/")
                found[Path(file).stem, test_set, metric] = value
    if not found:
        raise InputError(f"no metrics at {revision}", remedy="name a revision with a finished run")
    return found


def _change(metric: Metric, before: float, after: float, seeds: Sequence[float]) -> Change:
    from scipy.stats import t

    noise, n, difference = nan, len(seeds), after - before
    if n > 2:
        noise = float(t.ppf((1 + LEVEL) / 2, n - 1) * np.std(seeds, ddof=1) * np.sqrt(2))
    digits, unit = (1, 1.0) if metric[1] else (3, 0.01)
    size = abs(difference) / (noise if noise > 0 else unit)
    figures = (fixed(before, digits), fixed(after, digits), fixed(difference, digits, "+"))
    return Change(metric, before, after, difference, noise, size, figures)


def as_markdown(found: Comparison, tolerance: float | None, pictures: str = "") -> str:
    """A comment on a pull request, of at most LIMIT characters.

    `pictures` is where the head's files are shown from, such as .../raw/COMMIT.
    """
    for rows in (ROWS, ROWS // 2, ROWS // 4, 0):
        page = markdown.fill(
            __file__,
            names=found.names,
            line=line(found, tolerance),
            parameters=_parameter_table(found),
            metrics=_metric_table(found, rows),
            alone=[shown(system) for system in found.alone],
            noisy=found.noisy,
            pictures=[f"{pictures}/{path.as_posix()}" for path in PICTURES] if pictures else [],
        )
        if len(page) <= LIMIT:
            break
    return page


def tables(found: Comparison) -> list[Table]:
    """Of parameters and of metrics, for a terminal."""
    return [_parameter_table(found), _metric_table(found, len(found.changes))]


def line(found: Comparison, tolerance: float | None) -> str:
    """What differs, in one line; first the accuracy that fell by more than is tolerated."""
    if tolerance is not None and (fallen := found.fallen(tolerance)):
        more = f", and {len(fallen) - 1} more" if len(fallen) > 1 else ""
        return f"{fallen[0]} fell by more than {tolerance:g} points{more}"
    if not found.changed:
        return f"None of {len(found.changes)} metrics differs"
    text = f"{len(found.changed)} of {len(found.changes)} metrics differ"
    if found.noisy:
        beyond = [change for change in found.changed if change.beyond]
        text += f", {len(beyond)} beyond the noise of seeds"
        text += f", above all {beyond[0]}" if beyond else ""
    return text


def _parameter_table(found: Comparison) -> Table:
    rows = [
        Row([key, *("" if value is None else str(value)[:60] for value in values)])
        for key, *values in found.parameters[:PARAMETERS]
    ]
    if (more := len(found.parameters) - PARAMETERS) > 0:
        rows.append(Row([f"{more} more", "", ""]))
    return Table(["parameter", *found.names], rows, "Parameters")


def _metric_table(found: Comparison, most: int) -> Table:
    rows = []
    for change in found.changed[:most]:
        system, test_set, metric = change.metric
        name = metric.replace("top", "top-").replace("_", " ")
        cells = [shown(system), test_set, name, *change.figures]
        rows.append(Row(cells, best=[5] if change.beyond else []))
    if (more := len(found.changed) - most) > 0:
        rows.append(Row([f"{more} more", "", "", "", "", ""]))
    return Table(["system", "test set", "metric", *found.names, "difference"], rows, "Metrics")
