"""Top-1, top-5 and where attention goes, a file a system: what DVC shows and compares as metrics.

All else is in tables. Keys are the test sets of `corpus.test_sets`, those of zero-shot
collections, and the measures of attention; numbers are rounded to what people read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ecqg import paths
from ecqg.attention.per_passage import read_per_passage
from ecqg.evaluation.per_query import read_per_query
from ecqg.evaluation.test_sets import label, split
from ecqg.evaluation.topk import top_k_accuracy
from ecqg.files import atomic, write_json
from ecqg.params import Params
from ecqg.systems import LEXICAL

KS = (1, 5)
PERCENT, MEASURE = 2, 4  # decimals


def run(params: Params) -> None:
    """Write paths.METRICS/SYSTEM.json of term matching and the dual encoders."""
    ks = [k for k in KS if k <= params.retrieval.depth]
    with atomic(paths.METRICS) as out:
        for system in (*LEXICAL, *params.systems):
            files = [
                (paths.MAIN, paths.per_query() / system / f"{test_set}.csv")
                for test_set in params.corpus.test_sets
            ]
            for collection in params.zero_shot:
                found = sorted((paths.per_query(collection) / system).glob("*.csv"))
                files += [(collection, file) for file in found if not split(file.stem)[1]]
            metrics: dict[str, Any] = {}
            for collection, file in files:
                ranks = read_per_query(file).ranks
                metrics[label(file.stem, collection)] = {
                    f"top{k}": round(top_k_accuracy(ranks, k), PERCENT) for k in ks
                }
            if system in params.systems:
                measured = read_per_passage(paths.attention_per_passage(system)).values
                for measure, values in measured.items():
                    metrics[measure] = round(float(np.nanmean(values)), MEASURE)
            write_json(out / f"{system}.json", metrics)
