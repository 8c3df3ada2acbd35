"""The systems of a study, by the names that commands, files and metrics use."""

from __future__ import annotations

from collections.abc import Iterable

from ecqg.paths import reranked

LEXICAL = ("tfidf", "bm25")
TRAINED = ("dpr", "uncon", "mixed", "aug")
BASELINE = "baseline"  # what steers the synthesis, where that is a public retriever
DUALS = (*TRAINED, BASELINE)
FIRST_STAGES = (*LEXICAL, *DUALS)


def evaluated(duals: Iterable[str], reranked_stages: Iterable[str]) -> list[str]:
    """All systems of a collection: with these dual encoders, where these stages are re-ranked."""
    return [*LEXICAL, *duals, *map(reranked, reranked_stages)]
