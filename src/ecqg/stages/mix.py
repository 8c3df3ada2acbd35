"""Draw the synthetic training sets of UnCon-DPR and Mixed-DPR, of one size."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import chain
from typing import Any

from ecqg import paths
from ecqg.corpus.examples import write_examples
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl
from ecqg.params import Params
from ecqg.synthesis.examples import synthetic_examples
from ecqg.synthesis.mix import draw
from ecqg.synthesis.records import GENERATED, read_generated
from ecqg.tables import write_values


def run(params: Params) -> None:
    """Write both sets as DPR JSON without negatives, and what they are made of.

    Questions are drawn by their numbers: memory does not hold what they ask.
    """
    kinds = ("unconditioned", "conditioned")
    passages = Passages(paths.collection() / "passages.arrow")
    rows = passages.rows_by_id()
    counts = [sum(1 for _ in read_generated(paths.filtered(kind), rows)) for kind in kinds]
    numbers = range(counts[0]), range(counts[0], sum(counts))
    metrics: dict[str, dict[str, int]] = {}
    drawn = draw(*numbers, params.mix, params.seed)
    for system, chosen in zip(("uncon", "mixed"), drawn, strict=True):
        asked: set[str] = set()
        records = _noting(asked, _numbered(kinds, set(chosen)))
        write_examples(paths.synthetic(system), synthetic_examples(records, passages))
        metrics[system] = {
            "examples": len(chosen),
            **{k: sum(n in of for n in chosen) for k, of in zip(kinds, numbers, strict=True)},
            "passages": len(asked),
        }
    write_values(paths.MIX_METRICS, metrics)


def _numbered(kinds: Iterable[str], chosen: Container[int]) -> Iterator[dict[str, Any]]:
    """Of the filtered questions of all kinds, one file after the other, those of these numbers."""
    records = chain.from_iterable(read_jsonl(paths.filtered(kind), GENERATED) for kind in kinds)
    return (record for number, record in enumerate(records) if number in chosen)


def _noting(asked: set[str], records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same; adds the ids of their passages."""
    for record in records:
        asked.add(record["passage_id"])
        yield record
