"""docs/tutorial.md does what it says: its commands, run in a clone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from declarations import ROOT
from tiny import clone, run

from ecqg.evaluation import headers
from ecqg.tables import read_table

pytestmark = [pytest.mark.pipeline, pytest.mark.slow]


def test_the_tutorial_runs_as_it_stands(tmp_path: Path) -> None:
    page = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
    root = tmp_path / "clone"
    root.mkdir()
    clone(root)
    printed = [run(root, "bash", "-euc", block).stdout for block in blocks]
    assert printed[0].split() == ["dev.jsonl", "passages.jsonl", "test.jsonl", "train.jsonl"]
    asked = (tmp_path / "docstrings/test.jsonl").read_text(encoding="utf-8").splitlines()
    assert f"{len(asked)} questions, {len(asked)} with answers, {len(asked)} judged" in printed[1]
    rows = read_table(root / "data/judged/accuracy.csv", headers.ACCURACY)
    whole = [row for row in rows if not row["subset"] and row["k"] == "100"]
    assert {row["test_set"] for row in rows} == {"test"}  # and of no other study
    assert {int(row["questions"]) for row in whole} == {len(asked)}
    systems = {"tfidf", "bm25", "dpr", "uncon", "mixed", "aug"}
    assert {row["system"] for row in whole} == systems | {"bm25_reranked"}
    bm25 = json.loads((root / "metrics/bm25.json").read_text(encoding="utf-8"))
    assert bm25["test"]["top5"] > 80  # questions are phrases of their passages
    assert "nDCG@10" in printed[3] and "stale" not in printed[3]
    assert "_like" not in (root / "results/report.md").read_text(encoding="utf-8")
