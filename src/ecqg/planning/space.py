"""Memory that a stage holds at most, and bytes that it writes.

As with time, what was measured (reference.yaml) is carried over: bytes of outputs by their number
of units; memory as it was, more or less by what weights, activations and rows take.
"""

from __future__ import annotations

from ecqg.params import Params, Training
from ecqg.planning.costs import Units, acquired
from ecqg.planning.sizes import QUESTION_TOKENS, TARGET_TOKENS, Shape, Sizes

FLOAT = 4
TRAINED = 4 * FLOAT  # bytes of a weight that is trained: itself, its gradient, Adam's two means
# Bytes that a layer keeps of a token and hidden unit until gradients are taken: 34 in half
# precision (Korthikanti et al. 2022, sec. 4.1, without what attention's matrices take).
ACTIVATION = 68
# Private bytes of a passage, from 100,000 to 1,000,000 of them (bench/README.md, growth).
COLLECTION, TFIDF, BM25, EVALUATE = 140.0, 64.0, 105.0, 12.0
ON_CPU, ON_GPU = 96, 1024  # questions that are drawn side by side (ecqg.questions.generation)
PAIRS_ON_CPU = 16  # that a generator is trained on at a time (ecqg.questions.generator)


def _trained(shape: Shape, tokens: float, models: int = 1) -> float:
    kept = tokens * shape.layers * shape.hidden * ACTIVATION
    return models * shape.weights() * TRAINED + kept


def _dual(s: Sizes, training: Training) -> float:
    questions = max(1, training.batch_size // training.accumulation)
    tokens = questions * ((1 + training.hard_negatives) * s.tokens + QUESTION_TOKENS)
    return _trained(s.encoder, tokens, models=2)


def _generator(p: Params, s: Sizes, most: int | None = None) -> float:
    """With at most so many of a batch's pairs computed together."""
    pairs = min(p.generator.batch_size, most or p.generator.batch_size)
    scores = 2 * FLOAT * pairs * TARGET_TOKENS * s.generator.vocabulary
    return _trained(s.generator, pairs * (s.tokens + TARGET_TOKENS)) + scores


def _reader(p: Params, s: Sizes, *_: str) -> float:
    most = max((phase.batch_size for phase in p.reader.phases), default=0)
    return _trained(s.reader, most * (s.tokens + QUESTION_TOKENS))


def _reranker(p: Params, s: Sizes, *_: str) -> float:
    of = p.reranker
    each = 1 + of.hard_negatives + of.near_negatives + of.random_negatives
    return _trained(s.encoder, of.batch_size * each * (s.tokens + QUESTION_TOKENS))


def _generating(sequences: int) -> Units:
    """Weights, and keys and values of so many sequences; they are copied as sequences end."""

    def memory(p: Params, s: Sizes, *_: str) -> float:
        decoder = s.generator.layers / 2
        cached = 2 * decoder * s.generator.hidden * (s.tokens + TARGET_TOKENS)
        width = FLOAT if p.generator.precision == "fp32" else FLOAT / 2
        return FLOAT * s.generator.weights() + 2 * width * sequences * cached

    return memory


def _loaded(p: Params, s: Sizes, *_: str) -> float:
    return FLOAT * s.encoder.weights()


MEMORY: dict[str, Units] = {
    "collection": lambda p, s, a, b: COLLECTION * s.passages[a],
    "gold": lambda p, s, a, b: COLLECTION * s.passages["main"],
    "negatives-gold": lambda p, s, a, b: BM25 * s.passages["main"],
    "negatives-synthetic": lambda p, s, a, b: BM25 * s.passages["main"],
    "lexical": lambda p, s, a, b: (TFIDF if a == "tfidf" else BM25) * s.passages[b],
    "evaluate": lambda p, s, a, b: EVALUATE * s.passages[b],
    "evaluate-lexical": lambda p, s, a, b: EVALUATE * s.passages[b],
    "evaluate-reranked": lambda p, s, a, b: EVALUATE * s.passages[b],
    "retrieve": lambda p, s, a, b: EVALUATE * s.passages[b] + _loaded(p, s),
    "pretrain": lambda p, s, a, b: _dual(s, p.pretrain),
    "finetune": lambda p, s, a, b: _dual(s, p.finetune),
    "train-generator": lambda p, s, a, b: _generator(p, s, PAIRS_ON_CPU),
    "train-reader": _reader,
    "train-reranker": _reranker,
    "generate": _generating(ON_CPU),
    "entity-questions": _generating(ON_CPU),
    "read": lambda p, s, a, b: FLOAT * s.reader.weights(),
    **dict.fromkeys(
        ("encode", "entity-attention", "entity-scores", "score", "attention", "rerank"), _loaded
    ),
}
MEMORY_ON_GPU: dict[str, Units] = {
    "train-generator": lambda p, s, a, b: _generator(p, s),
    "generate": _generating(ON_GPU),
    "entity-questions": _generating(ON_GPU),
}
# Bytes of indexes below .cache: TF-IDF's postings (ecqg.lexical.tfidf), Lucene's (of the default).
POSTINGS, LUCENE = 75 * 24, 95
SCRATCH: dict[str, Units] = {
    "lexical": lambda p, s, a, b: (POSTINGS if a == "tfidf" else LUCENE) * s.passages[b],
}


def _encoders(p: Params, s: Sizes, *_: str) -> float:
    return 2 * s.encoder.weights()


DISK: dict[str, Units] = {
    "acquire": lambda p, s, a, b: acquired(p, s),
    "collection": lambda p, s, a, b: s.passages[a],
    "reading": lambda p, s, a, b: s.reading[a],
    "gold": lambda p, s, a, b: s.gold[a] + s.dev,
    "negatives-gold": lambda p, s, a, b: s.gold[a] + s.dev,
    "entities": lambda p, s, a, b: s.named,
    "entity-attention": lambda p, s, a, b: p.select.passages,
    "init-encoder": _encoders,
    "finetune": _encoders,
    "pretrain": _encoders,
    "train-reranker": _encoders,
    "train-reader": lambda p, s, a, b: s.reader.weights(),
    "init-generator": lambda p, s, a, b: s.generator.weights(),
    "train-generator": lambda p, s, a, b: s.generator.weights(),
    **dict.fromkeys(("generate", "score", "read", "filter"), lambda p, s, a, b: s.generated[a]),
    "training-sets": lambda p, s, a, b: sum(s.examples.values()),
    "negatives-synthetic": lambda p, s, a, b: s.examples[a],
    "encode": lambda p, s, a, b: s.passages[b] * s.encoder.hidden,
    "retrieve": lambda p, s, a, b: s.questions[b] * p.retrieval.depth,
    "lexical": lambda p, s, a, b: s.questions[b] * p.retrieval.depth,
    "rerank": lambda p, s, a, b: s.questions[b] * p.rerank.depth,
    **dict.fromkeys(
        ("evaluate", "evaluate-lexical", "evaluate-reranked"), lambda p, s, a, b: s.questions[b]
    ),
    "attention": lambda p, s, a, b: p.attention_statistics.passages,
    "entity-questions": lambda p, s, a, b: p.analysis.entity_passages,
    "entity-scores": lambda p, s, a, b: p.analysis.entity_passages,
}
