"""The stage score: questions that stay on disk, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ecqg
from ecqg import paths
from ecqg.corpus.passages import Passage, write_passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Params, load_params
from ecqg.stages import score

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
QUESTIONS = ["wer gründete Köln", "who asked\nit", "", "a second line separator", "last 𝔸"]
ROWS = [2, 0, 1, 0, 2]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = [Passage(i, f"p{i}", "", f"text {i}", (0,)) for i in range(3)]
    write_passages(paths.collection() / "passages.arrow", passages)
    paths.retriever("dpr").mkdir(parents=True)
    return load_params(PROFILE)


def generate(*left_out: str) -> None:
    records = [
        {"id": f"q{i}", "passage_id": f"p{row}", "row": row, "question": question, "answer": "x"}
        for i, (question, row) in enumerate(zip(QUESTIONS, ROWS, strict=True))
    ]
    for name in left_out:
        del records[3][name]
    write_jsonl(paths.generated("conditioned"), records)


def test_every_question_is_scored_with_its_own_passage(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate()

    def lengths_and_rows(_: Path, questions: Any, rows: Any, *rest: Any) -> np.ndarray:
        assert [questions[i] for i in (4, 0, 2, 3, 1)] == [QUESTIONS[i] for i in (4, 0, 2, 3, 1)]
        assert len(questions) == 5
        return np.array([len(q) + row / 8 for q, row in zip(QUESTIONS, rows, strict=True)])

    monkeypatch.setattr(score, "score_pairs", lengths_and_rows)
    score.run(params, "conditioned")
    assert list(read_jsonl(paths.scored("conditioned"))) == [
        {"id": f"q{i}", "score": len(question) + row / 8}
        for i, (question, row) in enumerate(zip(QUESTIONS, ROWS, strict=True))
    ]


@pytest.mark.parametrize("field", ["id", "passage_id", "question"])
def test_a_missing_field_is_named_with_its_line(params: Params, field: str) -> None:
    generate(field)
    with pytest.raises(InputError, match=rf"jsonl:4: not a JSON object \(no '{field}'\)"):
        score.run(params, "conditioned")
    assert not paths.scored("conditioned").exists()
