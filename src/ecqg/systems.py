"""The systems of a study, by the names that commands, files and metrics use."""

from __future__ import annotations

from ecqg.paths import reranked

LEXICAL = ("tfidf", "bm25")
DUALS = ("dpr", "uncon", "mixed", "aug")
FIRST_STAGES = (*LEXICAL, *DUALS)
RERANKED = ("bm25", "mixed")  # first stages that the cross-encoder re-ranks
SYSTEMS = (*FIRST_STAGES, *map(reranked, RERANKED))  # those that are evaluated on every collection
