"""train-reranker and rerank in an empty folder, against a brute-force twin of transformers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

import ecqg
from ecqg import paths
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.encoder.tokens import Batch
from ecqg.errors import InputError
from ecqg.evaluation.runs import Ranking, read_run, write_run
from ecqg.params import Params, Reranker, load_params
from ecqg.reranking import model
from ecqg.reranking.model import CrossEncoder
from ecqg.reranking.pairs import Form, Pairs
from ecqg.reranking.score import rerank as rerank_all
from ecqg.stages import rerank, train_reranker
from ecqg.tables import read_values
from interruption import steps_of_each_start
from small_passages import write_gold

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
QUESTIONS = ["where built mill of avel", "where built mill of brun", "who is the king", "the queen"]
DEPTH = 5


@pytest.fixture
def params(
    tmp_path: Path,
    encoder_folder: Path,
    examples: list[Example],
    passages: list[Passage],
    settings: Reranker,
    monkeypatch: pytest.MonkeyPatch,
) -> Params:
    """Eight passages; every system found them in their order, and nothing for the last question."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(encoder_folder, paths.start())
    write_gold(passages, examples)
    folder = paths.collection()
    write_passages(folder / PASSAGES, passages[:8])
    questions = [Question(str(i), text, ("x",)) for i, text in enumerate(QUESTIONS)]
    write_questions(folder / "questions" / "toy.qa.tsv", questions)
    names = tuple(f"p{i}" for i in range(8))
    found = [Ranking(str(i), names[: 8 - 4 * (i == 2)], tuple(range(8, 4 * (i == 2), -1)))
             for i in range(3)]  # fmt: skip
    paths.runs("bm25").mkdir(parents=True)
    write_run(paths.runs("bm25") / "toy.trec", found, "bm25")
    params = load_params(PROFILE)
    return replace(
        params,
        reranker=replace(settings, mark_overlap=False, epochs=2),
        rerank=replace(params.rerank, depth=DEPTH),
    )


def test_a_reranker_is_trained_and_puts_the_first_passages_in_order(
    params: Params, passages: list[Passage]
) -> None:
    train_reranker.run(params)
    record = read_values(paths.RERANKER_METRICS)
    assert 0 <= record["dev_accuracy"] <= 1
    assert len(record["epochs"]) == 2
    curves = paths.loss_curve("reranker").read_text().splitlines()
    assert {row.split(",")[0] for row in curves[1:]} == {"train", "dev"}

    rerank.run(params, "bm25")
    out = paths.runs("bm25_reranked") / "toy.trec"
    first = out.read_bytes()
    assert first.splitlines()[0].endswith(b" bm25_reranked")
    store = {f"p{i}": i for i in range(8)}
    rankings = {r.question_id: r for r in read_run(out, store)}  # which checks the order of ties
    assert list(rankings) == ["0", "1", "2"]  # a question without results has none now either

    theirs = AutoModelForSequenceClassification.from_pretrained(paths.RERANKER).eval()
    tokenizer = AutoTokenizer.from_pretrained(paths.RERANKER)
    moved = 0
    for i, ranking in enumerate(rankings.values()):
        count = min(DEPTH, 8 - 4 * (i == 2))
        scores = []
        for p in passages[:count]:
            inputs = tokenizer(
                QUESTIONS[i], f"{p.title} {p.text}", truncation="only_second",
                max_length=40, return_tensors="pt",
            )  # fmt: skip
            with torch.no_grad():
                scores.append(theirs(**inputs).logits.item())
        order = sorted(range(count), key=lambda row: -scores[row])
        rest = list(range(count, 8 - 4 * (i == 2)))
        assert ranking.passage_ids == tuple(f"p{row}" for row in [*order, *rest])
        assert ranking.scores[:count] == pytest.approx(sorted(scores, reverse=True), abs=1e-5)
        assert ranking.scores[count:] == pytest.approx(
            [min(scores) - 1 - k for k in range(len(rest))], abs=1e-5
        )
        moved += order != list(range(count))
    assert moved

    weights = (paths.RERANKER / "model.safetensors").read_bytes()
    train_reranker.run(params)
    rerank.run(params, "bm25")
    assert weights == (paths.RERANKER / "model.safetensors").read_bytes()
    assert first == out.read_bytes()


def test_a_sample_of_the_questions_is_another_model(params: Params) -> None:
    bytes_of = []
    for most in (None, 8, 6):
        train_reranker.run(replace(params, reranker=replace(params.reranker, max_questions=most)))
        bytes_of.append((paths.RERANKER / "model.safetensors").read_bytes())
    assert bytes_of[0] == bytes_of[1] != bytes_of[2]


def test_what_is_missing_is_said_and_nothing_is_left(params: Params) -> None:
    with pytest.raises(InputError, match="no re-ranker"):
        rerank.run(params, "bm25")
    train_reranker.run(params)
    with pytest.raises(InputError, match=r"mixed/toy\.trec: no such run"):
        rerank.run(params, "mixed")
    assert [p.name for p in paths.runs("bm25").parent.iterdir()] == ["bm25"]


def test_training_that_was_stopped_ends_the_same(params: Params) -> None:
    """Passages are drawn step by step, dropout draws from torch's random numbers."""
    settings = replace(params.reranker, epochs=3, batch_size=3, dropout=0.2)
    params = replace(params, reranker=settings)
    begun = steps_of_each_start(lambda: train_reranker.run(params), [6, 3], every=2)
    assert begun == [9, 6, 3, 3]


@pytest.mark.parametrize("block", [65_536, 2 * DEPTH, DEPTH])
def test_stopped_reranking_goes_on(
    params: Params, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """To the same bytes as in one block, whatever the questions of a block."""
    train_reranker.run(params)
    monkeypatch.setattr("ecqg.reranking.score.TOKENS_PER_BATCH", {"cpu": 1})  # a pair a batch
    monkeypatch.setattr("ecqg.shards.SECONDS", 0)
    rerank.run(params, "bm25")
    out = paths.runs("bm25_reranked") / "toy.trec"
    expected = out.read_bytes()
    out.unlink()
    monkeypatch.setattr("ecqg.reranking.score.BLOCK", block)
    whole, scored = CrossEncoder.scores, []

    def until_stopped(self: CrossEncoder, batch: Batch) -> torch.Tensor:
        scored.append(batch)
        if len(scored) == 9:
            raise KeyboardInterrupt
        return whole(self, batch)

    monkeypatch.setattr(CrossEncoder, "scores", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        rerank.run(params, "bm25")
    assert not out.exists()
    rerank.run(params, "bm25")
    assert len(scored) == 9 + (5 + 5 + 4 - 8)  # pairs of three questions, of which eight were kept
    assert out.read_bytes() == expected


def test_rankings_are_read_block_by_block(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    train_reranker.run(params)
    monkeypatch.setattr("ecqg.reranking.score.BLOCK", 2 * DEPTH)
    passages = Passages(paths.collection() / PASSAGES)
    rows, read, held = passages.rows_by_id(), [], []

    def stream() -> Iterator[Ranking]:
        for i in (0, 3, 1, 2):  # one that is not asked, then two of a block, then one
            read.append(i)
            yield Ranking(
                str(i), tuple(f"p{(i + k) % 8}" for k in range(8)), tuple(range(8, 0, -1))
            )

    def counting(tokenizer: Any, asked: list[str], told: list[Passage], form: Form) -> Pairs:
        held.append((len(asked), len(told)))
        return Pairs(tokenizer, asked, told, form)

    monkeypatch.setattr("ecqg.reranking.score.Pairs", counting)
    questions = [Question(str(i), text, ("x",)) for i, text in enumerate(QUESTIONS[:3])]
    reranker = model.load(paths.RERANKER)
    found = rerank_all(reranker, questions, stream(), passages, rows, DEPTH, "toy")
    assert next(found).question_id == "0"
    assert read == [0, 3, 1]
    assert [ranking.question_id for ranking in found] == ["1", "2"]
    assert held == [(2, DEPTH + 1), (1, DEPTH)]  # the first two share all passages but two
