"""Scores of many pairs, and rankings in their order (thesis sec. 2.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import Question
from ecqg.evaluation.runs import Ranking, rank
from ecqg.processes import in_blocks
from ecqg.progress import track
from ecqg.reranking.model import CrossEncoder
from ecqg.reranking.pairs import Ints, Pairs
from ecqg.shards import map_blocks
from ecqg.training.batches import by_budget
from ecqg.training.device import autocast, explain_out_of_memory, pick_device

BLOCK = 8192  # pairs whose passages are tokenized, and in memory, together: some 40 MB at most
TOKENS_PER_BATCH = {"cpu": 4096, "cuda": 131_072}
Scores = np.ndarray[Any, np.dtype[np.float32]]


def score_pairs(
    cross_encoder: CrossEncoder,
    pairs: Pairs,
    questions: Ints,
    passages: Ints,
    what: str | None = None,
    folder: Path | None = None,
) -> Scores:
    """The score of question i with passage i, float32 [n]; both are rows of `pairs`.

    Pairs of like length are computed together; a score depends on its company by rounding only.
    `what` names the progress bar; there is none without it. Scores are kept in `folder`, where
    there is one (`map_blocks`).
    """
    device = pick_device()
    cross_encoder.model.to(device).eval()
    lengths = pairs.lengths(questions, passages)
    budget = TOKENS_PER_BATCH.get(device.type, TOKENS_PER_BATCH["cpu"])
    batches = list(by_budget(lengths, budget, longest_first=True))

    @torch.inference_mode()
    def score(rows: Ints) -> list[float]:
        batch = pairs.batch(questions[rows], passages[rows])
        found: list[float] = cross_encoder.scores(batch.to(device)).tolist()
        return found

    scores = np.empty(len(questions), np.float32)
    resume_dir = folder and folder / device.type  # another device has other batches
    with (
        autocast(device, cross_encoder.precision),
        explain_out_of_memory("reranker.max_tokens"),
    ):
        done = map_blocks(resume_dir, batches, score)
        bar = track(done, what, total=len(batches), unit="batch") if what else done
        for rows, found in zip(batches, bar, strict=True):
            scores[rows] = found
    return scores


def rerank(
    cross_encoder: CrossEncoder,
    questions: Sequence[Question],
    rankings: Iterable[Ranking],
    passages: Passages,
    rows_by_id: Mapping[str, int],
    depth: int,
    what: str,
    folder: Path | None = None,
) -> Iterator[Ranking]:
    """Put the first `depth` passages of every ranking in the order of the cross-encoder's scores.

    The others follow in the order that they have; their scores count down by one from the lowest
    of the re-ranked. Rankings of questions that are not asked are left out. Passages of equal
    score stand in the order of the collection. Scores are kept in `folder`, where there is one.
    Rankings are read as a stream, and memory holds the passages of a block of them.
    """
    texts = {question.id: question.text for question in questions}
    asked = (ranking for ranking in rankings if ranking.question_id in texts)
    ids = passages.ids()
    for number, block in enumerate(in_blocks(asked, max(1, BLOCK // depth))):
        found = [np.array([rows_by_id[i] for i in r.passage_ids], np.int64) for r in block]
        tops = [rows[:depth] for rows in found]
        asking = [texts[ranking.question_id] for ranking in block]
        part = folder and folder / f"{number:06d}"
        score = partial(_score_tops, cross_encoder, asking, passages, what=what, folder=part)
        # Kept whole as well, so that what is scored need not be tokenized again.
        whole = part and part / f"{pick_device().type}-whole"
        (scores,) = map_blocks(whole, [tops], score)
        ends = np.cumsum([len(top) for top in tops])
        parts = np.split(np.array(scores, np.float32), ends[:-1])
        for ranking, rows, top in zip(block, found, parts, strict=True):
            rest = top.min() - np.arange(1, len(rows) - len(top) + 1, dtype=np.float32)
            yield rank(ranking.question_id, rows, np.concatenate([top, rest]), ids)


def _score_tops(
    cross_encoder: CrossEncoder,
    questions: Sequence[str],
    passages: Passages,
    tops: Sequence[Ints],
    what: str,
    folder: Path | None,
) -> list[float]:
    """The scores of each question's passages, `tops` being their rows, one after the other."""
    distinct, places = np.unique(np.concatenate(tops), return_inverse=True)
    told = [passages[row] for row in distinct.tolist()]
    pairs = Pairs(cross_encoder.tokenizer, questions, told, cross_encoder.form)
    owners = np.repeat(np.arange(len(tops)), [len(top) for top in tops])
    scores = score_pairs(cross_encoder, pairs, owners, places, f"re-rank {what}", folder)
    numbers: list[float] = scores.tolist()
    return numbers
