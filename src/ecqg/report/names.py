"""What systems are called on pages and in pictures."""

from __future__ import annotations

from collections.abc import Iterable

from ecqg.systems import RERANKED

LABELS = {  # of the papers' systems; others are called as params.yaml calls them
    "tfidf": "TF-IDF",
    "bm25": "BM25",
    "dpr": "DPR",
    "uncon": "UnCon-DPR",
    "mixed": "Mixed-DPR",
    "aug": "AugDPR",
    "supervised": "supervised DPR",  # in published tables alone
}


def shown(system: str) -> str:
    """A system's name for people.

    >>> shown("mixed"), shown("bm25_reranked"), shown("my_own")
    ('Mixed-DPR', 'BM25, re-ranked', 'my_own')
    """
    if system.endswith(RERANKED):
        return f"{shown(system.removesuffix(RERANKED))}, re-ranked"
    return LABELS.get(system, system)


def ordered(systems: Iterable[str]) -> list[str]:
    """The papers' systems in their order, then others as they come; each once."""
    found = dict.fromkeys(systems)
    return [s for s in LABELS if s in found] + [s for s in found if s not in LABELS]


def first_stages(systems: Iterable[str]) -> list[str]:
    """Those that are no other's re-ranking."""
    return [system for system in systems if not system.endswith(RERANKED)]
