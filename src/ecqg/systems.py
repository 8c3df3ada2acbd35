"""The systems of a study: which there are, and what they are called."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from ecqg.paths import MAIN

if TYPE_CHECKING:
    from ecqg.params import Systems

# The last stages of a study without question sets: accuracies, tests, metrics, attention.
RETRIEVAL_ALONE = ("judge", "compare", "headline", "heatmap")
LEXICAL = ("tfidf", "bm25")
RERANKED = "_reranked"


def reranked(first_stage: str) -> str:
    """The system that a first stage and the re-ranker are together, such as bm25_reranked."""
    return first_stage + RERANKED


def evaluated(systems: Systems) -> list[str]:
    """All systems that have runs, in the order of tables."""
    return [*systems.lexical, *systems.dense, *map(reranked, systems.reranked)]


def references(systems: Systems) -> list[str]:
    """Dense systems with other gold questions than the study's: they show what those are worth."""
    return [name for name, dense in systems.dense.items() if dense.gold != MAIN]


def pairs(
    lexical: Sequence[str], dense: Sequence[str], references: Container[str]
) -> dict[str, list[tuple[str, str]]]:
    """Which systems are compared with which, in groups that each make a table.

    `trained`: each dense system with those before it; `references`: those of other gold questions
    with the others; `lexical`: all with the last system that matches terms.
    """
    own = [system for system in dense if system not in references]
    others = [system for system in dense if system in references]
    return {
        "trained": [(a, b) for n, a in enumerate(own) for b in own[:n]],
        "references": [(a, b) for a in others for b in own],
        "lexical": [(a, b) for b in lexical[-1:] for a in dense],
    }
