"""The papers' numbers, as data, marked as theirs wherever they stand.

They stand beside ours on the papers' own test sets alone, those that `published` in params.yaml
names. Of other data, comparable in direction only, the embedded study's report has a section.
"""

from __future__ import annotations

from dataclasses import dataclass

from ecqg.evaluation.test_sets import split


@dataclass(frozen=True, slots=True)
class Table:
    """Top-k accuracies in percent: test set -> system -> one value for each of `ks`."""

    source: str
    ks: tuple[int, ...]
    accuracy: dict[str, dict[str, tuple[float, ...]]]


SIGIR = Table(
    "Reddy et al. 2022, SIGIR, table 3",
    (1, 5),
    {
        "NQ": {
            "tfidf": (14.2, 32.0),
            "bm25": (22.7, 44.6),
            "dpr": (44.3, 67.1),
            "uncon": (45.8, 68.4),
            "mixed": (45.9, 69.0),
        },
        "NQ, no answer overlap": {
            "tfidf": (13.6, 28.6),
            "bm25": (20.1, 39.6),
            "dpr": (32.2, 53.2),
            "uncon": (32.7, 54.4),
            "mixed": (33.8, 55.7),
        },
        "NQ, no question overlap": {
            "tfidf": (14.6, 31.8),
            "bm25": (24.0, 43.4),
            "dpr": (37.2, 60.1),
            "uncon": (36.9, 60.6),
            "mixed": (37.9, 62.0),
        },
        "WebQuestions": {
            "tfidf": (14.5, 32.1),
            "bm25": (18.9, 41.8),
            "dpr": (29.4, 51.6),
            "uncon": (31.5, 53.2),
            "mixed": (32.2, 53.9),
        },
    },
)
ACL_DRAFT = Table(
    "earlier version of the SIGIR paper, table 3",
    (1, 5),
    {
        "TriviaQA": {
            "tfidf": (31.7, 51.2),
            "dpr": (37.2, 55.7),
            "uncon": (37.6, 57.2),
            "mixed": (38.3, 57.5),
        },
    },
)
AUGDPR = Table(
    "Towards Robust Neural Retrieval Models with Synthetic Pre-Training, table 3",
    (1, 10, 20),
    {
        "NQ": {
            "bm25": (30.5, 54.5, 62.5),
            "dpr": (46.3, 74.9, 80.1),
            "aug": (46.8, 76.0, 80.8),
        },
        "NQ, no answer overlap": {
            "bm25": (26.4, 47.1, 54.7),
            "dpr": (32.2, 62.2, 68.7),
            "aug": (36.0, 65.0, 70.8),
        },
        "NQ, no question overlap": {
            "bm25": (31.0, 52.1, 59.8),
            "dpr": (37.4, 68.5, 75.3),
            "aug": (41.4, 70.8, 76.6),
        },
    },
)
AUGDPR_ZERO_SHOT = Table(
    "Towards Robust Neural Retrieval Models with Synthetic Pre-Training, table 4 (zero-shot)",
    (20, 100),
    {
        "TriviaQA": {
            "bm25": (66.9, 76.7),
            "dpr": (69.0, 78.7),
            "aug": (72.2, 81.1),
            "supervised": (79.4, 85.0),
        },
        "WebQuestions": {
            "bm25": (55.0, 71.1),
            "dpr": (63.0, 78.3),
            "aug": (71.1, 80.8),
            "supervised": (73.2, 81.4),
        },
        "WikiMovies": {"bm25": (54.0, 69.3), "dpr": (69.8, 78.1), "aug": (72.5, 80.7)},
        "BioASQ": {"bm25": (42.1, 50.5), "dpr": (34.7, 46.9), "aug": (41.4, 52.4)},
    },
)

TABLES = (SIGIR, ACL_DRAFT, AUGDPR, AUGDPR_ZERO_SHOT)
KS = tuple(dict.fromkeys(table.ks for table in TABLES))

# AugDPR paper, table 7: DPR (none) and AugDPR by synthetic passages, at one number of updates.
SYNTHETIC_SOURCE = "Towards Robust Neural Retrieval Models with Synthetic Pre-Training, table 7"
SYNTHETIC_KS = (10, 20, 100)
BY_SYNTHETIC_PASSAGES = {
    "none": (73.6, 78.1, 85.0),
    "1M": (74.4, 79.2, 85.5),
    "2M": (74.8, 79.7, 85.9),
    "4M": (74.6, 79.1, 85.9),
}  # on NQ dev

ATTENTION_SOURCE = "Reddy et al. 2022, SIGIR, section 4.1"
ENTROPY = {"dpr": 3.97, "uncon": 3.80, "mixed": 4.10}  # nats or bits unsaid
ATTENTION_NOTE = (
    "Published: over 10,000 passages; the paper does not say whether in nats or bits, nor over "
    "which tokens"
)
LATER_SENTENCES = {"dpr": 1.8, "uncon": 1.1}  # percent by which Mixed-DPR's attention is higher

# AugDPR paper, table 2, and the subsets of Lewis et al. 2020: questions of the test sets.
QUESTIONS = {
    "NQ": 3610,
    "NQ, no answer overlap": 1313,
    "NQ, no question overlap": 672,
    "WebQuestions": 2032,
    "TriviaQA": 11_313,
    "WikiMovies": 9952,
    "BioASQ": 1092,
}
PASSAGES = "Wikipedia, 21 million passages, and for BioASQ PubMed, 37.4 million"

# What the test sets of the generated encyclopedia imitate: their papers' order of systems is asked
# of ours over seeds (ecqg.report.seeds). Numbers never stand beside them.
IMITATED = {
    "nq_like": "NQ",
    "webq_like": "WebQuestions",
    "trivia_like": "TriviaQA",
    "movies_like": "WikiMovies",
    "biomed_like": "BioASQ",
}


def imitated(test_set: str) -> str | None:
    """The published test set that one of the embedded study imitates, or None.

    >>> imitated("nq_like_no_answer_overlap")
    'NQ, no answer overlap'
    """
    whole, subset = split(test_set)
    name = IMITATED.get(whole)
    return f"{name}, {subset.replace('_', ' ')}" if name and subset else name


def published_rows(ks: tuple[int, ...]) -> dict[str, dict[str, tuple[float, ...]]]:
    """What was published with these k: test set -> system -> accuracies."""
    return {name: row for t in TABLES if t.ks == ks for name, row in t.accuracy.items()}


def sources(ks: tuple[int, ...]) -> str:
    """Where that was published; empty where nothing was."""
    return "; ".join(table.source for table in TABLES if table.ks == ks)
