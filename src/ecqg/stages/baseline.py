"""The baseline: the retriever whose attention and scores steer the synthesis (SIGIR sec. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.baseline import make_baseline
from ecqg.params import Params


def run(params: Params) -> None:
    """Write paths.retriever("baseline"): our DPR's files, or those of public encoders."""
    make_baseline(paths.retriever("baseline"), paths.retriever("dpr"), params.baseline)
