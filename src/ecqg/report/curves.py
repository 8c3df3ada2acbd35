"""Tables behind `dvc plots show`: one file holds what one plot compares."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from ecqg.files import atomic
from ecqg.report.results import Results

ACCURACY = ("system", "test_set", "k", "accuracy", "low", "high")
ENTROPY = ("system", "entropy", "low", "high")


def write_accuracy(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write accuracies and bounds of their intervals (percent), a row per system, set and k."""
    _write(path, ACCURACY, ([row[name] for name in ACCURACY] for row in rows))


def write_entropy(path: Path, results: Results) -> None:
    """Write each dual encoder's mean attention entropy (nats) with the bounds of its interval."""
    rows = []
    for system, measures in results.attention.items():
        bounds = measures["interval"]["entropy"]
        rows.append([system, measures["entropy"], bounds["low"], bounds["high"]])
    _write(path, ENTROPY, rows)


def _write(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
