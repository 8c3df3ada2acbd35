"""Metrics of rankings against relevance judgements (thesis eqs. 2.10 to 2.15).

Computed by trec_eval's own code, through ir_measures. What there is to decide:

- a judged question without results counts with 0, and one without judgements is not counted;
- passages of equal score stand as the run has them. trec_eval would order them by their ids from
  the highest down, whatever the run says, so it is given ranks in the place of scores;
- precision at k divides by k, also where fewer were retrieved; MAP looks at the whole run;
- the gain of nDCG is 2^relevance - 1, as in eq. 2.14. trec_eval's own is the relevance; for binary
  judgements the two are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from ecqg.evaluation.runs import Ranking

CUT = 10  # passages that reciprocal rank and nDCG look at


def ranking_metrics(
    judgements: Mapping[str, Mapping[str, int]], rankings: Iterable[Ranking], ks: Sequence[int]
) -> dict[str, float]:
    """Means over the judged questions, from 0 to 1: P@k, R@k, MRR@10, MAP, nDCG@10.

    `judgements` map question and passage ids to relevances; one of 0 or below is as good as none.
    Raises ValueError on no judgements.
    """
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    if not judgements:
        raise ValueError("no judgements")
    relevant = {
        question: {passage: r for passage, r in found.items() if r > 0}
        for question, found in judgements.items()
    }
    run: dict[str, dict[str, float]] = {}
    for ranking in rankings:
        if ranking.question_id in relevant:
            places = enumerate(ranking.passage_ids)
            run[ranking.question_id] = {passage: float(-place) for place, passage in places}
    # trec_eval's reciprocal rank has no cut: the run is cut instead.
    head = {question: dict(islice(found.items(), CUT)) for question, found in run.items()}
    gains = {r: 2**r - 1 for found in relevant.values() for r in found.values()}

    measures: dict[str, tuple[Any, dict[str, dict[str, float]]]] = {
        **{f"P@{k}": (P @ k, run) for k in ks},
        **{f"R@{k}": (R @ k, run) for k in ks},
        f"MRR@{CUT}": (RR, head),
        "MAP": (AP, run),
        f"nDCG@{CUT}": (nDCG(cutoff=CUT, gains=gains), run),
    }
    return {
        name: float(ir_measures.pytrec_eval.calc_aggregate([measure], relevant, scores)[measure])
        for name, (measure, scores) in measures.items()
    }
