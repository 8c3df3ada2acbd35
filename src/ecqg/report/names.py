"""What systems are called on pages and in pictures."""

from __future__ import annotations

from ecqg.systems import BASELINE

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


def steering(source: str) -> str:
    """The system that steers the synthesis, for what `baseline.source` says: ours or a public one.

    >>> steering("trained"), steering("hub")
    ('dpr', 'baseline')
    """
    return "dpr" if source == "trained" else BASELINE
