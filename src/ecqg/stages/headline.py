"""Top-1, top-5 and where attention goes, a file a system: what DVC shows and compares as metrics.

All else is in tables, the references with other gold questions too. Keys are the test sets of all
collections and the measures of attention; numbers are rounded to what people read. How they were
computed, portable or not, stands beside them, as it moves them by a few points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ecqg import numerics, paths
from ecqg.attention.per_passage import MEASURES, read_per_passage
from ecqg.evaluation.topk import read_per_query, top_k_accuracy
from ecqg.files import atomic, write_json
from ecqg.params import Params
from ecqg.systems import references

KS = (1, 5)
DECIMALS = 4  # of measures of attention; accuracies, in percent, have 2


def run(params: Params) -> None:
    """Write a file for each system of term matching and each dual encoder, and paths.NUMERICS."""
    ks = [k for k in KS if k <= params.retrieval.depth]
    with atomic(paths.METRICS) as out:
        own = [s for s in params.systems.dense if s not in references(params.systems)]
        for system in (*params.systems.lexical, *own):
            metrics: dict[str, Any] = {}
            for collection, settings in params.collections.items():
                for test_set in settings.test_sets:
                    file = paths.per_query(system, collection) / f"{test_set}.csv"
                    ranks = read_per_query(file).ranks
                    metrics[test_set] = {f"top{k}": round(top_k_accuracy(ranks, k), 2) for k in ks}
            if system in params.systems.dense:
                measured = read_per_passage(paths.attention_per_passage(system))
                for measure in MEASURES:
                    mean = np.nanmean(measured[measure].to_numpy(np.float64))
                    metrics[measure] = round(float(mean), DECIMALS)
            write_json(out / f"{system}.json", metrics)
        # DVC compares numbers: 1 for yes.
        write_json(out / paths.NUMERICS, {"portable": int(numerics.mode() == numerics.PORTABLE)})
