"""Metrics of rankings against qrels (thesis eqs. 2.10 to 2.15).

Computed by trec_eval's own code, through pytrec_eval. What there is to decide:

- a judged question without results counts with 0, and one without qrels is not counted;
- passages of equal score stand as the run has them (ours has none: ecqg.evaluation.runs). trec_eval
  would order them by their ids from the highest down, so it is given ranks in the place of scores;
- precision at k divides by k, also where fewer were retrieved; MAP, MRR and nDCG look at the whole
  run, as in the thesis, MRR@10 and nDCG@10 at the first ten, as most tables do;
- the gain of nDCG is 2^relevance - 1, as in eq. 2.14; that of nDCG@10 is the relevance, as in
  trec_eval, and so in BEIR's tables. For binary judgements the two are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from ecqg.corpus.qrels import Qrels
from ecqg.evaluation.runs import Ranking
from ecqg.evaluation.topk import read_relevant

CUT = 10  # passages that MRR@10 and nDCG@10 look at


def judged_metrics(
    relevant: Path, qrels: Qrels, parts: Mapping[str, Sequence[str]], ks: Sequence[int]
) -> Iterator[tuple[str, int, dict[str, float]]]:
    """Of each part of a test set its name, its judged questions and MRR@10 (share) and others.

    `relevant` is a table of relevant passages found (ecqg.evaluation.topk), `parts` has the
    question ids of the test set and of its subsets. Parts without a judged question are left out.
    """
    judged = {name: [i for i in ids if i in qrels] for name, ids in parts.items()}
    asked = {i: qrels[i] for ids in judged.values() for i in ids}
    if asked:
        values = ranking_metrics(asked, read_relevant(relevant), ks)
        for name, ids in judged.items():
            if ids:
                yield name, len(ids), means(values, ids)


def ranking_metrics(
    qrels: Mapping[str, Mapping[str, int]], rankings: Iterable[Ranking], ks: Sequence[int]
) -> dict[str, dict[str, float]]:
    """P@k, R@k, MAP, MRR, nDCG, MRR@10 and nDCG@10 of each judged question, from 0 to 1.

    `qrels` map question and passage ids to relevances; one of 0 or below is as good as none.
    The result maps measures to question ids to values. Raises ValueError where there are no qrels.
    """
    from pytrec_eval import RelevanceEvaluator

    if not qrels:
        raise ValueError("no qrels")
    relevant = {
        question: {passage: r for passage, r in found.items() if r > 0}
        for question, found in qrels.items()
    }
    run: dict[str, dict[str, float]] = {}
    for ranking in rankings:
        if ranking.question_id in relevant:
            places = enumerate(ranking.passage_ids)
            run[ranking.question_id] = {passage: float(-place) for place, passage in places}
    # trec_eval's reciprocal rank has no cut: the run is cut instead. nDCG@10 sees no more of it.
    head = {question: dict(islice(found.items(), CUT)) for question, found in run.items()}
    gains = {
        question: {passage: 2**r - 1 for passage, r in found.items()}
        for question, found in relevant.items()
    }
    # By trec_eval's names: ours.
    whole = {f"P_{k}": f"P@{k}" for k in ks} | {f"recall_{k}": f"R@{k}" for k in ks}
    whole |= {"map": "MAP", "recip_rank": "MRR"}
    values: dict[str, dict[str, float]] = {}
    for judged, found, names in (
        (relevant, run, whole),
        (gains, run, {"ndcg": "nDCG"}),
        (relevant, head, {f"ndcg_cut_{CUT}": f"nDCG@{CUT}", "recip_rank": f"MRR@{CUT}"}),
    ):
        results = RelevanceEvaluator(judged, {*names}).evaluate(found)
        for theirs, ours in names.items():
            values[ours] = {i: results[i][theirs] if i in results else 0.0 for i in qrels}
    return values


def means(values: Mapping[str, Mapping[str, float]], questions: Sequence[str]) -> dict[str, float]:
    """Of each measure over `questions`."""
    return {
        measure: math.fsum(of[question] for question in questions) / len(questions)
        for measure, of in values.items()
    }
