"""The systems of a study, by the names that commands, files and metrics use."""

from __future__ import annotations

from collections.abc import Iterable

from ecqg.paths import reranked

LEXICAL = ("tfidf", "bm25")
DUALS = ("dpr", "uncon", "mixed", "aug")
FIRST_STAGES = (*LEXICAL, *DUALS)


def evaluated(reranked_stages: Iterable[str]) -> list[str]:
    """All systems of a collection, where these first stages are re-ranked."""
    return [*FIRST_STAGES, *map(reranked, reranked_stages)]
