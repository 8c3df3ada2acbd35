"""The exported JSON is DPR's, and Pyserini's evaluator reads our accuracies from it."""

import json
from pathlib import Path

import numpy as np
import pytest
from pyserini.eval.evaluate_dpr_retrieval import evaluate_retrieval

from ecqg import paths
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.dpr_json import export_dpr
from ecqg.evaluation.runs import Ranking, read_run, write_run
from ecqg.evaluation.topk import first_hits, top_k_accuracy

WORDS = ["ada", "bo", "cy", "di", "in", "of", "1815", "U.S.", "café", "Müller's", "new", "york"]
KS = [1, 3, 10]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A collection of 60 passages, 40 questions and a run in which three have no result."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(WORDS, 5)) for _ in range(60)]
    store = [Passage(i, f"p{i}", f"Title {i}", text, (0,)) for i, text in enumerate(texts)]
    write_passages(paths.collection() / "passages.arrow", store)
    questions = [
        Question(str(i), f'Which "{i}"?', tuple(" ".join(rng.choice(WORDS, 3)) for _ in range(2)))
        for i in range(40)
    ]
    (paths.collection() / "questions").mkdir()
    write_questions(paths.collection() / "questions" / "toy.qa.tsv", questions)
    rankings = [
        Ranking(q.id, tuple(f"p{row}" for row in rng.permutation(60)[:20]), tuple(range(20, 0, -1)))
        for q in questions[:37]
    ]
    paths.runs("bm25").mkdir(parents=True)
    write_run(paths.runs("bm25") / "toy.trec", rankings, "bm25")


def test_pyserini_finds_the_same_accuracies(study: None, tmp_path: Path, capsys) -> None:
    export_dpr("bm25", "toy", "main", Path("out.json"), 10)
    records = json.loads(Path("out.json").read_text())
    assert len(records) == 40
    assert records[39]["ctxs"] == []
    assert set(records[0]) == {"question", "answers", "ctxs"}
    assert list(records[0]["ctxs"][0]) == ["id", "title", "text", "score", "has_answer"]
    assert [c["score"] for c in records[0]["ctxs"]] == [f"{20.0 - i}" for i in range(10)]

    passages = Passages(paths.collection() / "passages.arrow")
    questions = [
        Question(str(i), r["question"], tuple(r["answers"])) for i, r in enumerate(records)
    ]
    ranks = first_hits(
        questions,
        read_run(paths.runs("bm25") / "toy.trec"),
        AnswerMatcher(passages),
        passages.rows_by_id(),
    )
    ours = [f"Top{k}\taccuracy: {top_k_accuracy(ranks, k) / 100:.4f}" for k in KS]
    assert len(set(ours)) == len(KS)

    for keep_flags in (True, False):  # our has_answer, or Pyserini's own judgement
        Path("pyserini.json").write_text(json.dumps(pyserini_layout(records, keep_flags)))
        capsys.readouterr()
        evaluate_retrieval("pyserini.json", KS)
        assert capsys.readouterr().out.splitlines() == ours


def pyserini_layout(records, keep_flags):
    return {
        str(number): {
            "answers": record["answers"],
            "contexts": [
                {"docid": c["id"], "score": c["score"], "text": f"{c['title']}\n{c['text']}"}
                | ({"has_answer": c["has_answer"]} if keep_flags else {})
                for c in record["ctxs"]
            ],
        }
        for number, record in enumerate(records)
    }


def test_a_run_that_is_not_there_is_said_with_those_that_are(study: None) -> None:
    with pytest.raises(InputError, match=r"nq\.trec: no such run; retrieved so far: toy"):
        export_dpr("bm25", "nq", "main", Path("out.json"), 10)
    assert not Path("out.json").exists()
