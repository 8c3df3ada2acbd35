"""Two revisions side by side, for a pull request: parameters that differ, and the headline.

A metric differs beyond noise where two seeds of one study would differ less in 95 of 100 cases:
|difference| > t s √2, with the spread s of the committed seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import paths
from ecqg.checking import parse_yaml
from ecqg.errors import InputError
from ecqg.report import markdown
from ecqg.report.claims import key_of
from ecqg.report.formats import Row, Table, fixed
from ecqg.report.names import ordered, shown
from ecqg.report.revisions import files_at
from ecqg.report.seed_trees import Key
from ecqg.tables import flat_values

WORKSPACE = "workspace"
LEVEL = 0.95
LIMIT = 12_000  # characters; a comment on GitHub may have 65,536
PARAMETERS, ROWS = 30, 40  # lines of the two tables at most
PICTURES = (paths.ACCURACY_PICTURE, paths.HEATMAP_PNG)
Metric = tuple[str, str, str]  # system, test set (none with measures of attention), metric


@dataclass(frozen=True, slots=True)
class Change:
    """A metric of both revisions."""

    metric: Metric
    before: float
    after: float
    noise: float  # by how much two seeds may differ; NaN where that is not known

    @property
    def difference(self) -> float:
        """In points, or in the unit of the measure of attention."""
        return self.after - self.before

    @property
    def beyond(self) -> bool:
        """Whether that is more than seeds differ by."""
        return abs(self.difference) > self.noise

    def __str__(self) -> str:
        """Such as 'Mixed-DPR, tail top1: 49.0 to 44.2 (-4.8)'."""
        system, test_set, metric = self.metric
        digits = 1 if test_set else 3
        what = f"{test_set} {metric}".strip().replace("_", " ")
        numbers = [fixed(value, digits) for value in (self.before, self.after)]
        return f"{shown(system)}, {what}: {' to '.join(numbers)} ({self.difference:+.{digits}f})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two revisions."""

    names: tuple[str, str]
    parameters: list[tuple[str, Any, Any]]
    changes: list[Change]  # of all metrics that both have, changed or not
    alone: list[str]  # systems that only one of them has
    noisy: bool  # whether noise is known

    def fallen(self, tolerance: float) -> list[Change]:
        """Accuracies that fell by more than `tolerance` points, the deepest fall first."""
        low = [c for c in self.changes if c.metric[1] and c.difference < -tolerance]
        return sorted(low, key=lambda change: change.difference)


def compare(base: str, head: str, seeds: Mapping[Key, Sequence[float]]) -> Comparison:
    """Compare params.yaml and metrics/ of two Git revisions; WORKSPACE stands for the files here.

    `seeds` has values of the committed seeds, for the noise. Raises InputError for an unknown
    revision, or one without metrics.
    """
    of_both = [files_at(name) for name in (base, head)]
    before, after = (
        _metrics(files, name) for files, name in zip(of_both, (base, head), strict=True)
    )
    changes = [
        Change(metric, value, after[metric], _noise(seeds.get(key_of(*metric), ())))
        for metric, value in before.items()
        if metric in after
    ]
    alone = {s for s, _, _ in before} ^ {s for s, _, _ in after}
    parameters = [
        dict(flat_values(parse_yaml(files.get("params.yaml", "{}"), f"{name}:params.yaml")))
        for files, name in zip(of_both, (base, head), strict=True)
    ]
    old, new = parameters
    differing = [
        (key.replace("/", "."), old.get(key), new.get(key))
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key) or (key in old) != (key in new)
    ]
    noisy = any(not isnan(change.noise) for change in changes)
    return Comparison((base, head), differing, changes, ordered(sorted(alone)), noisy)


def _metrics(files: Mapping[str, str], revision: str) -> dict[Metric, float]:
    found = {}
    for file, text in files.items():
        if Path(file).parent == paths.METRICS:
            for name, value in flat_values(parse_yaml(text, f"{revision}:{file}")):
                test_set, _, metric = name.rpartition("/")
                found[Path(file).stem, test_set, metric] = float(value)
    if not found:
        raise InputError(f"no metrics at {revision}", remedy="name a revision with a finished run")
    return found


def _noise(values: Sequence[float]) -> float:
    from scipy.stats import t

    n = len(values)
    if n < 3:
        return nan
    return float(t.ppf((1 + LEVEL) / 2, n - 1) * np.std(values, ddof=1) * np.sqrt(2))


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
    changed = [change for change in found.changes if change.difference]
    if not changed:
        return f"None of {len(found.changes)} metrics differs"
    text = f"{len(changed)} of {len(found.changes)} metrics differ"
    if found.noisy:
        beyond = sorted(filter(lambda c: c.beyond, changed), key=_size, reverse=True)
        text += f", {len(beyond)} beyond the noise of seeds"
        text += f", above all {beyond[0]}" if beyond else ""
    return text


def _size(change: Change) -> float:
    """How large a difference is, in units of the noise where that is known."""
    unit = 1.0 if change.metric[1] else 0.01
    scale = change.noise if change.noise > 0 else unit
    return abs(change.difference) / scale


def _parameter_table(found: Comparison) -> Table:
    rows = [
        Row([key, *("" if value is None else str(value)[:60] for value in values)])
        for key, *values in found.parameters[:PARAMETERS]
    ]
    if (more := len(found.parameters) - PARAMETERS) > 0:
        rows.append(Row([f"{more} more", "", ""]))
    return Table(["parameter", *found.names], rows, "Parameters")


def _metric_table(found: Comparison, most: int) -> Table:
    changed = sorted((c for c in found.changes if c.difference), key=_size, reverse=True)
    rows = [Row(_cells(change), best=[5] if change.beyond else []) for change in changed[:most]]
    if (more := len(changed) - most) > 0:
        rows.append(Row([f"{more} more", "", "", "", "", ""]))
    return Table(["system", "test set", "metric", *found.names, "difference"], rows, "Metrics")


def _cells(change: Change) -> list[str]:
    system, test_set, metric = change.metric
    digits = 1 if test_set else 3
    values = [fixed(value, digits) for value in (change.before, change.after)]
    name = metric.replace("top", "top-").replace("_", " ")
    return [shown(system), test_set, name, *values, f"{change.difference:+.{digits}f}"]
