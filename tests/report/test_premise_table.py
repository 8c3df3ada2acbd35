"""Premises for people: a table of the pages, and the line behind a run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from html_tables import rows_of
from made_up import params_of, write_study
from ruamel.yaml import YAML
from typer.testing import CliRunner

from ecqg import paths
from ecqg.analysis.premises import HEADER, Figure, premises, rows
from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.pipeline import forks
from ecqg.profiles import FOLDER
from ecqg.report.premises import LENGTH, premise_line, premise_table
from ecqg.stages import report
from ecqg.tables import write_table

FIGURES = [
    Figure("gold coverage", 56.68),
    Figure("synthetic to gold", 2.5, "mixed"),
    Figure("synthetic to gold", 0.625, "uncon"),
    Figure("synthetic to gold", 0.125, "own"),
    Figure("attention to entities", 1.25, "all"),
    Figure("attention to entities", None, "lowest"),
    Figure("valid about entities", None, "late"),
    Figure("valid after filters", 61.5, "late after reader", 61.25),
    Figure("valid after filters", 61.25, "early after hard", 50.0),
    Figure("gain over BM25, top-5", 0.25, "dpr"),
    Figure("test questions", 1999, "nq_like"),
    Figure("test questions", 2000, "a_b*c*"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*figures: Figure) -> None:
    write_table(paths.PREMISES, HEADER, rows(figures))


def test_a_premise_is_a_row_whatever_it_is_measured_of() -> None:
    write(*FIGURES)
    table = premise_table()
    assert table.header == ["premise", "published", "this run", "target", "met"]
    assert [row.cells for row in table.rows] == [
        ["gold coverage (%)", "below 0.3", "56.7", "≤ 10", "no"],
        ["synthetic to gold (: 1)", "17, AugDPR 34",
         "Mixed-DPR 2.5, UnCon-DPR 0.625, own 0.125", "≥ 2", "no"],
        ["attention to entities (of uniform)", "", "all 1.25", "", ""],
        ["valid about entities (%)", "", "not measured", "≥ 60", ""],
        ["valid after filters (%)", "", "late after reader 61.5, early after hard 61.2",
         "≥ 61.2, ≥ 60", "yes"],
        ["gain over BM25, top-5 (points)", "+22.5", "DPR 0.25", "≥ 0", "yes"],
        ["test questions", "3,610 (NQ), 2,032 (WebQuestions)", "nq_like 1,999, a_b*c* 2,000",
         "≥ 2,000", "no"],
    ]  # fmt: skip


def test_the_line_names_what_is_furthest_off() -> None:
    write(*FIGURES)
    assert premise_line() == (
        "premises: 2 of 5 hold; not: gold coverage 56.7 % (≤ 10), "
        "synthetic to gold 0.125 : 1 (≥ 2), test questions 1,999 (≥ 2,000)"
    )
    write(Figure("attention entropy", 0.9), Figure("highest in first half", 59.0))
    assert premise_line() == (
        "premises: 0 of 2 hold; not: attention entropy 0.9 of maximum (0.75 to 0.88), "
        "highest in first half 59 % (60 to 80)"
    )
    write(Figure("entity named", 89.996, "late"))
    assert premise_line() == "premises: 0 of 1 hold; not: entity named 89.996 % (≥ 90)"
    write(Figure("gold coverage", 5), Figure("valid, others", 20))
    assert premise_line() == "premises: 1 of 1 hold"


def test_a_long_line_counts_the_rest() -> None:
    bad = [
        Figure(name, -1.0 if "low" in known else 101.0)
        for name, known in premises().items()
        if {"low", "high"} & {*known}
    ]
    write(*bad)
    line = premise_line()
    assert line.startswith(f"premises: 0 of {len(bad)} hold; not: gold coverage 101 % (≤ 10), ")
    named = line.count("(")
    assert line.endswith(f" and {len(bad) - named} more")
    assert LENGTH - 60 < len(line) <= LENGTH


@pytest.mark.slow
def test_both_pages_have_the_table() -> None:
    write_study()
    report.run(params_of())
    without = paths.REPORT.read_text()
    assert "Premises" not in without
    write(*FIGURES)
    report.run(params_of())
    page = paths.REPORT.read_text()
    begin = page.index("### Premises")
    assert page[:begin].rstrip() == without.rstrip()
    assert r"| nq_like 1,999, a_b\*c* 2,000 | ≥ 2,000 | no |" in page[begin:]
    assert "`results/premises.csv`" in page[begin:]
    rows = rows_of(paths.REPORT_HTML.read_text(), "What the papers' effect rests on")
    assert "nq_like 1,999, a_b*c* 2,000" in [row[2] for row in rows]
    assert len(rows) == len(re.findall(r"^\| (?!---)", page[begin:], re.MULTILINE))


@pytest.mark.slow
def test_a_whole_run_ends_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "LIBRARIES", ())  # no stage of this run needs them
    assert premise_line() == ""
    subprocess.run(["dvc", "init", "--no-scm", "-q"], check=True)
    YAML().dump({"stages": {"one": {"cmd": "true"}}}, Path("dvc.yaml"))
    Path("params.yaml").write_text((FOLDER / "microcosm.yaml").read_text())
    said = CliRunner().invoke(app, ["repro"])
    assert (said.exit_code, said.stdout) == (0, "")
    write(Figure("gold coverage", 20))
    said = CliRunner().invoke(app, ["repro"])
    line = "premises: 0 of 1 hold; not: gold coverage 20 % (≤ 10)\n"
    assert (said.exit_code, said.stdout) == (0, line)
    assert CliRunner().invoke(app, ["repro", "one"]).stdout == ""


def test_a_damaged_table_is_named() -> None:
    write(*FIGURES)
    text = paths.PREMISES.read_text().replace("56.68", "much")
    paths.PREMISES.write_text(text)
    with pytest.raises(InputError, match="here is 'much'"):
        premise_line()
