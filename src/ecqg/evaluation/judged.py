"""Precision, recall, MRR, MAP and nDCG of a system on the judged questions of a test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ecqg.corpus.qrels import Qrels
from ecqg.evaluation.per_query import read_relevant
from ecqg.evaluation.ranking import means, ranking_metrics


def judged_metrics(
    relevant: Path, qrels: Qrels, parts: Mapping[str, Sequence[str]], ks: Sequence[int]
) -> Iterator[tuple[str, int, dict[str, float]]]:
    """Of each part of a test set its name, its judged questions and MRR@10 (share) and others.

    `relevant` is a table of relevant passages found (ecqg.evaluation.per_query), `parts` has the
    question ids of the test set and of its subsets. Parts without a judged question are left out.
    """
    judged = {name: [i for i in ids if i in qrels] for name, ids in parts.items()}
    asked = {i: qrels[i] for ids in judged.values() for i in ids}
    if asked:
        values = ranking_metrics(asked, read_relevant(relevant), ks)
        for name, ids in judged.items():
            if ids:
                yield name, len(ids), means(values, ids)
