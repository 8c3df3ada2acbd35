"""What systems are called on pages and in pictures."""

from __future__ import annotations

from ecqg import paths
from ecqg.systems import BASELINE, FIRST_STAGES

SYSTEMS = {
    "tfidf": "TF-IDF",
    "bm25": "BM25",
    "dpr": "DPR",
    "uncon": "UnCon-DPR",
    "mixed": "Mixed-DPR",
    "aug": "AugDPR",
    "supervised": "supervised DPR",
    "baseline": "public baseline",
}
RERANKED = {paths.reranked(stage): f"{SYSTEMS[stage]}, re-ranked" for stage in FIRST_STAGES}
NAMES = SYSTEMS | RERANKED


def shown(system: str) -> str:
    """A system's name for people, such as DPR, or supervised DPR (trivia_like)."""
    test_set = paths.supervised_set(system)
    if test_set is not None:
        return f"{SYSTEMS[paths.SUPERVISED]} ({test_set})"
    return NAMES[system]


def steering(source: str) -> str:
    """The system that steers the synthesis, for what `baseline.source` says: ours or a public one.

    >>> steering("trained"), steering("hub")
    ('dpr', 'baseline')
    """
    return "dpr" if source == "trained" else BASELINE
