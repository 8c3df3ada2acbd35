"""What the re-ranker's settings do on development questions.

    python bench/reranker_settings.py [--seeds 1 2 3] [--only NAME ...]

Run it where `make repro` was run. For every variant, one setting of params.yaml changed, a
cross-encoder is trained with each seed and puts the first `rerank.depth` passages that BM25 finds
for the development questions in its order. The figure is the percentage of questions whose first
passage then holds an answer. It does not depend on how a variant draws its candidates, as the
training's own development accuracy does, and no test question is read.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch

from ecqg import paths, seeds
from ecqg.corpus.examples import Example, read_examples
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import Question
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import Ranking, rank
from ecqg.evaluation.topk import first_hits, top_k_accuracy
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.params import Reranker, load_params
from ecqg.reranking import model
from ecqg.reranking.score import rerank
from ecqg.reranking.train import train

VARIANTS: dict[str, dict[str, Any]] = {
    "params.yaml": {},
    "lr 3e-4": {"lr": 3e-4},
    "lr 5e-4": {"lr": 5e-4},
    "lr 2e-3": {"lr": 2e-3},
    "epochs 1": {"epochs": 1},
    "epochs 4": {"epochs": 4},
    "layers 2": {"layers": 2},
    "no overlap marks": {"mark_overlap": False},
    "hard only": {"near_negatives": 0, "random_negatives": 0},
    "hard, near 4": {"near_negatives": 4, "random_negatives": 0},
    "hard, random 4": {"near_negatives": 0, "random_negatives": 4},
    "hard, near 2, random 2": {"near_negatives": 2, "random_negatives": 2},
    "hard, near 6, random 1": {"near_negatives": 6, "random_negatives": 1},
}


def main() -> None:
    """Print a row per variant as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--only", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    options = parser.parse_args()
    study = Study()
    print(f"BM25 alone: {study.accuracy(study.found):.1f}\n", flush=True)
    print("| variant | top-1 | each seed | seconds a training |\n|---|---|---|---|", flush=True)
    for name in options.only:
        since = time.perf_counter()
        settings = replace(study.params.reranker, **VARIANTS[name])
        found = [study.reranked(settings, seed) for seed in options.seeds]
        seconds = (time.perf_counter() - since) / len(found)
        spread = f" ± {statistics.stdev(found):.1f}" if len(found) > 1 else ""
        each = " ".join(f"{value:.1f}" for value in found)
        row = f"| {name} | {statistics.mean(found):.1f}{spread} | {each} | {seconds:.0f} |"
        print(row, flush=True)


class Study:
    """What all variants share: examples, and BM25's rankings of the development questions."""

    def __init__(self) -> None:
        self.params = load_params()
        splits = [paths.gold_negatives(split) for split in ("train", "dev")]
        self.passages = Passages(splits[0].with_name("passages.arrow"))
        self.train, self.dev = (list(read_examples(split, self.passages)) for split in splits)
        self.questions = [as_question(i, example) for i, example in enumerate(self.dev)]
        store = paths.collection() / "passages.arrow"
        self.store = Passages(store)
        self.rows = self.store.rows_by_id()
        self.matcher = AnswerMatcher(self.store)
        bm25 = self.params.bm25
        texts = [question.text for question in self.questions]
        hits = BM25(lucene_index(store), k1=bm25.k1, b=bm25.b).search(
            texts, self.params.rerank.depth
        )
        self.found = [
            rank(question.id, rows, scores, self.store.ids())
            for question, (rows, scores) in zip(self.questions, hits, strict=True)
        ]

    def reranked(self, settings: Reranker, seed: int) -> float:
        """Top-1 after a training as the stage `train-reranker` does it."""
        seed = seeds.derive(seed, "train_reranker")
        torch.manual_seed(seed)
        reranker = model.start(paths.start(), settings)
        train(reranker, self.train, self.dev, self.passages, settings, seed=seed)
        depth, store = self.params.rerank.depth, self.store
        found = rerank(reranker, self.questions, self.found, store, self.rows, depth, "dev")
        return self.accuracy(list(found))

    def accuracy(self, rankings: Sequence[Ranking]) -> float:
        """Top-1 in percent."""
        ranks = first_hits(self.questions, rankings, self.matcher, self.rows)
        return top_k_accuracy(ranks, 1)


def as_question(place: int, example: Example) -> Question:
    """A development example as a question of a test set."""
    return Question(id=f"dev-{place}", text=example.question, answers=example.answers)


if __name__ == "__main__":
    main()
