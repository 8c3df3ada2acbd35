"""Headers of the tables of judged figures: accuracies with intervals, metrics of rankings, tests.

A test set's `subset` is empty for the whole set. Accuracies, their bounds and differences are in
percent, metrics of rankings shares from 0 to 1, but for "index recall@k" (percent): how much of an
exact search an approximate index finds. Differences in attention have no test set.
"""

from __future__ import annotations

ACCURACY = (
    *("system", "collection", "test_set", "subset"),
    *("k", "questions", "accuracy", "low", "high"),
)
RANKING = ("system", "collection", "test_set", "subset", "questions", "measure", "value")
ATTENTION = ("system", "measure", "passages", "mean", "low", "high")
OUTCOME = ("difference", "percent", "low", "high", "p", "wins", "ties", "losses")
COMPARISONS = ("a", "b", "collection", "test_set", "subset", "measure", *OUTCOME)
