"""The papers' numbers, read from published.yaml: marked as theirs wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ecqg.checking import read_yaml

Rows = dict[str, Mapping[str, Sequence[float]]]  # test set -> system -> one value for each k


@cache
def papers() -> dict[str, Any]:
    """All of the file, by section."""
    found: dict[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
    return found


def all_ks() -> list[tuple[int, ...]]:
    """The groups of k for which accuracy was published."""
    return list(dict.fromkeys(tuple(table["ks"]) for table in papers()["accuracy"]))


def accuracy(ks: Sequence[int]) -> tuple[Rows, str]:
    """Accuracies that were published for these k, and where; empty where none were."""
    tables = [table for table in papers()["accuracy"] if table["ks"] == [*ks]]
    rows = {name: row for table in tables for name, row in table["values"].items()}
    return rows, "; ".join(table["source"] for table in tables)
