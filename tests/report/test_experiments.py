"""Experiments side by side in a terminal of 160 columns."""

from __future__ import annotations

import json
import subprocess
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from ecqg.errors import InputError
from ecqg.report.terminal import METRICS, show_experiments

SETS = ["nq_like", "webq_like", "trivia_like", "uniform", "tail", "movies_like", "biomed_like"]


def state(rev: str, number: float, params: dict[str, Any], name: str | None = None) -> Any:
    metrics: dict[str, Any] = {s: {"top1": 50.25 + number, "top5": 80.5} for s in SETS}
    metrics |= {"entropy": 4.1234, "first_sentence": 1.3, "later_sentences": 0.9}
    data = {
        "metrics": {"metrics/mixed.json": {"data": metrics}},
        "params": {"params.yaml": {"data": params}},
    }
    return {"rev": rev * 8, "name": name, "data": data}


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `dvc exp show --json` writes: the workspace, a commit, two experiments, one failed."""
    base = {"filter": {"reader_threshold": 0.5, "hard_by": "quantile"}, "systems": ["dpr"]}
    other = {"filter": {"reader_threshold": 0.7, "hard_by": "quantile"}, "systems": ["dpr"]}
    experiments = [
        {"revs": [state("a", 1, other, "rocky-hill")], "name": "rocky-hill"},
        {"revs": [{"rev": "b" * 8, "name": None, "data": None}], "name": "gone-wrong"},
    ]
    commits = [state("w", 0, base, "workspace"), state("c", 0, base) | {"experiments": experiments}]
    output = subprocess.CompletedProcess([], 0, json.dumps(commits), "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: output)


def shown(system: str = "mixed") -> list[str]:
    out = StringIO()
    show_experiments(system, Console(file=out, width=160))
    return out.getvalue().splitlines()


def test_parameters_that_differ_and_few_metrics_fit(listed: None) -> None:
    lines = shown()
    assert max(len(line.rstrip()) for line in lines) <= 160
    assert not any("…" in line for line in lines)
    header = " ".join(lines[: next(i for i, line in enumerate(lines) if "──" in line)])
    assert "reader_threshold" in header
    assert "hard_by" not in header and "systems" not in header  # the same everywhere
    assert header.count("top1") == len(SETS) <= METRICS and "top5" not in header
    rows = [line.split() for line in lines[-4:]]
    assert rows[0][:3] == ["workspace", "0.5", "50.25"]
    assert rows[1][0] == "ccccccc"
    assert rows[2][:3] == ["rocky-hill", "0.7", "51.25"]
    assert rows[3] == ["gone-wrong"]


def test_names_and_values_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "\x1b[31mEVIL"
    one, other = state("w", 0, {"a": 1, evil: evil}, "workspace"), state("c", 0, {"a": 2}, evil)
    one["data"]["metrics"]["metrics/mixed.json"]["data"][evil] = {"top1": 1.0}
    output = subprocess.CompletedProcess([], 0, json.dumps([one, other]), "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: output)
    text = "\n".join(shown())
    assert "\x1b" not in text
    # A run's name, a parameter's and its value, and a metric's.
    assert text.count(r"\x1b[31mEVIL") == 4


def test_another_system_is_named_in_one_line(listed: None) -> None:
    with pytest.raises(InputError, match=r"metrics/none\.json: no run has these metrics; name"):
        shown("none")
