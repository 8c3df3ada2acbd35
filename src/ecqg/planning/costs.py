"""What each stage's time grows with: a number of units, and what kind of work they are.

Only ratios count: a stage takes its measured seconds (reference.yaml) times its units here over
those of the run that was measured, and times how much slower this machine does work of the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ecqg.params import Params
from ecqg.paths import WORLD
from ecqg.planning.sizes import QUESTION_TOKENS, TARGET_TOKENS, Sizes

Kind = Literal["model", "text"]  # matrix products, or Python and Java
Units = Callable[[Params, Sizes, str, str], float]  # of an item: system or name, collection
BACKWARD = 3  # forward and backward over forward


def acquired(params: Params, sizes: Sizes) -> float:
    """Passages that are generated or downloaded: none where folders are given."""
    return 0.0 if params.source == "folder" else sum(sizes.passages.values())


def _encoded(s: Sizes, passages: float, questions: float = 0) -> float:
    return (passages * s.tokens + questions * QUESTION_TOKENS) * s.encoder.of_token()


def _fit(s: Sizes, questions: float, epochs: float, negatives: int) -> float:
    return BACKWARD * epochs * _encoded(s, questions * (1 + negatives), questions)


def _pretrain(p: Params, s: Sizes, name: str, _: str) -> float:
    own = p.pretrained[name].training
    epochs = int(own.get("epochs", p.pretrain.epochs))
    negatives = p.pretrain.hard_negatives
    count = s.examples[name]
    if own.get("one_per_passage", p.pretrain.one_per_passage):
        sets = [p.question_sets[n] for n in p.pretrained[name].questions]
        count = min(count, sum(of.passages for of in sets))
    return _fit(s, count, epochs, negatives)


def _finetune(p: Params, s: Sizes, system: str, _: str) -> float:
    own = p.systems.dense[system]
    epochs = int(own.training.get("epochs", p.finetune.epochs))
    dev = epochs * _encoded(s, 2 * s.dev, s.dev)
    return _fit(s, s.gold[own.gold], epochs, p.finetune.hard_negatives) + dev


def _generated(p: Params, s: Sizes, questions: float) -> float:
    return questions * (s.tokens + TARGET_TOKENS) * s.generator.of_token()


def _generate(p: Params, s: Sizes, name: str, _: str) -> float:
    # The embedded world knows its questions, and runs no model.
    asks_itself = p.question_sets[name].generator == WORLD
    return 0.0 if asks_itself else _generated(p, s, s.generated[name])


def _reader(p: Params, s: Sizes, *_: str) -> float:
    seen = sum(s.reading[phase.examples] * phase.epochs for phase in p.reader.phases)
    return BACKWARD * seen * (s.tokens + QUESTION_TOKENS) * s.reader.of_token()


def _reranked(p: Params, s: Sizes, pairs: float) -> float:
    return pairs * (s.tokens + QUESTION_TOKENS) * s.encoder.of_token()


def _mined(p: Params, s: Sizes, questions: float) -> float:
    return s.passages["main"] + questions * p.negatives.depth


def _searched(p: Params, s: Sizes, collection: str) -> float:
    return s.passages[collection] + s.questions[collection] * p.retrieval.depth


COSTS: dict[str, tuple[Kind, Units]] = {
    "acquire": ("text", lambda p, s, a, b: acquired(p, s)),
    "collection": ("text", lambda p, s, a, b: s.passages[a]),
    "gold": ("text", lambda p, s, a, b: s.passages["main"] + s.gold[a]),
    "subsets": ("text", lambda p, s, a, b: s.questions[a]),
    "reading": ("text", lambda p, s, a, b: s.reading[a]),
    "entities": ("text", lambda p, s, a, b: s.named),
    "negatives-gold": ("text", lambda p, s, a, b: _mined(p, s, s.gold[a] + s.dev)),
    "entity-attention": ("model", lambda p, s, a, b: _encoded(s, p.select.passages)),
    "question-entities": ("text", lambda p, s, a, b: s.gold["main"] + s.dev),
    "train-generator": (
        "model",
        lambda p, s, a, b: (
            BACKWARD
            * p.generator.epochs
            * _generated(p, s, min(p.generator.max_questions or s.gold["main"], s.gold["main"]))
        ),
    ),
    "generate": ("model", _generate),
    "train-reader": ("model", _reader),
    "read": ("model", lambda p, s, a, b: s.generated[a] * s.tokens * s.reader.of_token()),
    "score": ("model", lambda p, s, a, b: _encoded(s, s.generated[a], s.generated[a])),
    "filter": ("text", lambda p, s, a, b: s.generated[a]),
    "training-sets": ("text", lambda p, s, a, b: sum(s.examples.values())),
    "negatives-synthetic": ("text", lambda p, s, a, b: _mined(p, s, s.examples[a])),
    "pretrain": ("model", _pretrain),
    "finetune": ("model", _finetune),
    "lexical": ("text", lambda p, s, a, b: _searched(p, s, b)),
    "encode": ("model", lambda p, s, a, b: _encoded(s, s.passages[b])),
    "retrieve": (
        "model",
        lambda p, s, a, b: (
            _encoded(s, 0, s.questions[b]) + s.questions[b] * s.passages[b] * s.encoder.hidden
        ),
    ),
    "train-reranker": (
        "model",
        lambda p, s, a, b: (
            BACKWARD
            * p.reranker.epochs
            * _reranked(
                p,
                s,
                min(p.reranker.max_questions or s.gold["main"], s.gold["main"])
                * (
                    1
                    + p.reranker.hard_negatives
                    + p.reranker.near_negatives
                    + p.reranker.random_negatives
                ),
            )
        ),
    ),
    "rerank": ("model", lambda p, s, a, b: _reranked(p, s, s.questions[b] * p.rerank.depth)),
    "evaluate": ("text", lambda p, s, a, b: s.questions[b] * p.retrieval.depth),
    "evaluate-lexical": ("text", lambda p, s, a, b: s.questions[b] * p.retrieval.depth),
    "evaluate-reranked": ("text", lambda p, s, a, b: s.questions[b] * p.retrieval.depth),
    "attention": ("model", lambda p, s, a, b: _encoded(s, p.attention_statistics.passages)),
    "overlap": ("model", lambda p, s, a, b: _encoded(s, 0, s.dev)),
    "vocabulary": ("text", lambda p, s, a, b: min(s.passages[a], p.analysis.vocabulary_passages)),
    "coverage": ("text", lambda p, s, a, b: s.questions[a]),
    "entity-questions": ("model", lambda p, s, a, b: _generated(p, s, p.analysis.entity_passages)),
    "entity-scores": ("model", lambda p, s, a, b: _encoded(s, p.analysis.entity_passages)),
    "judge": ("text", lambda p, s, a, b: sum(s.questions.values())),
    "compare": ("text", lambda p, s, a, b: sum(s.questions.values())),
}

# What a GPU does in stages of models (reference.yaml), and the section that says how precisely.
WORK: dict[str, tuple[str, str]] = {
    "entity-attention": ("attend", "encoder"),
    "attention": ("attend", "encoder"),
    "encode": ("encode", "encoder"),
    "score": ("encode", "encoder"),
    "overlap": ("encode", "encoder"),
    "entity-scores": ("encode", "encoder"),
    "retrieve": ("search", ""),
    "pretrain": ("train", "encoder"),
    "finetune": ("train", "encoder"),
    "train-generator": ("train", "generator"),
    "train-reader": ("train", "reader"),
    "train-reranker": ("train", "reranker"),
    "generate": ("generate", "generator"),
    "entity-questions": ("generate", "generator"),
    "read": ("read", "reader"),
    "rerank": ("read", "reranker"),
}
