"""Tables behind `dvc plots show`: one file holds what one plot compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ecqg.paths import attention_by_sentence
from ecqg.report.results import Results
from ecqg.tables import read_table, write_table

ACCURACY = ("system", "test_set", "k", "accuracy", "low", "high")
ENTROPY = ("system", "entropy", "low", "high")
BY_SENTENCE = ("system", "sentence", "density", "share", "passages")


def write_accuracy(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write accuracies and bounds of their intervals (percent), a row per system, set and k."""
    write_table(path, ACCURACY, ([row[name] for name in ACCURACY] for row in rows))


def write_entropy(path: Path, results: Results) -> None:
    """Write each dual encoder's mean attention entropy (nats) with the bounds of its interval."""
    rows = []
    for system, measures in results.attention.items():
        bounds = measures["interval"].get("entropy", {})
        rows.append([system, measures["entropy"], bounds.get("low"), bounds.get("high")])
    write_table(path, ENTROPY, rows)


def write_by_sentence(path: Path, systems: Iterable[str]) -> None:
    """Put the systems' tables of attention by sentence into one."""
    tables = (read_table(attention_by_sentence(system), BY_SENTENCE) for system in systems)
    write_table(path, BY_SENTENCE, (row.values() for table in tables for row in table))
