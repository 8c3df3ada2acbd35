"""Before and after: what is found, and where the retrievers look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ecqg import paths
from ecqg.adapt.corpus import TEST
from ecqg.adapt.settings import ADAPTED, BASE, DENSE, PLAIN
from ecqg.evaluation.bootstrap import Comparison, compare
from ecqg.evaluation.topk import hits, read_per_query, top_k_accuracy
from ecqg.probe.run import Probe
from ecqg.report.formats import Row, Table, best
from ecqg.seeds import numpy_rng
from ecqg.templates import fixed

KS = (1, 5, 20)
BM25 = "bm25"
SYSTEMS = (BM25, *DENSE)
SAMPLES, CONFIDENCE = 2000, 0.95
LOOKS = {  # measures of attention, by what people read
    "Entropy of attention, % of its maximum": ("means", "normalised_entropy", 100, 1),
    "First sentence (1 = uniform)": ("means", "first_sentence", 1, 2),
    "Later sentences": ("means", "later_sentences", 1, 2),
    "Lowest entity in second half, % of passages": ("entities", "lowest_second_half", 1, 0),
}


@dataclass(frozen=True)
class Accuracies:
    """Top-k accuracy on the test questions, and the adapted retriever against all others."""

    questions: int
    top: dict[str, dict[int, float]]  # by system and k, percent
    differences: dict[str, dict[int, Comparison]]  # adapted less that system, by k


def accuracies(folder: Path, seed: int) -> Accuracies:
    """What the ranks in the working folder say."""
    read = {s: read_per_query(folder / paths.per_query(s) / f"{TEST}.csv").ranks for s in SYSTEMS}
    differences: dict[str, dict[int, Comparison]] = {s: {} for s in SYSTEMS if s != ADAPTED}
    for other, k in product(differences, KS):
        one, two = (hits(read[s], k) for s in (ADAPTED, other))
        rng = numpy_rng(seed, "adapt", other, k)
        differences[other][k] = compare(one, two, SAMPLES, CONFIDENCE, rng)
    top = {s: {k: top_k_accuracy(read[s], k) for k in KS} for s in SYSTEMS}
    return Accuracies(len(read[BASE]), top, differences)


def table(probe: Probe, found: Accuracies | None) -> Table:
    """A column a retriever."""
    shown = [model.name for model in probe.models]
    rows = []
    for k, *values in ((k, *(of[k] for of in found.top.values())) for k in KS) if found else ():
        rows.append(Row([f"Top-{k}, %", *(fixed(v, 1) for v in values)], best=best(values)))
    for name, (part, measure, factor, digits) in LOOKS.items():
        looks = [getattr(model.look, part).get(measure) for model in probe.models]
        cells = ["" if v is None else fixed(factor * v, digits) for v in looks]
        rows.append(Row([name, *(["", *cells] if found else cells)]))
    header = ["", *(["BM25"] if found else []), *shown]
    asked = f"{found.questions:,} questions, " if found else ""
    caption = f"{asked}{probe.total:,} passages (attention: {probe.passages:,})"
    return Table(header, rows, caption)


def sentences(name: str, found: Accuracies) -> Iterator[str]:
    """What the adapted retriever gained or lost, one line for each that it is compared with."""
    against = {BASE: name, PLAIN: "unconditioned questions alone", BM25: "BM25"}
    for other, words in against.items():
        of = found.differences[other]
        yield f"Against {words}: {', '.join(f'top-{k} {_said(of[k])}' for k in KS)}"


def _said(of: Comparison) -> str:
    return f"{of.difference:+.1f} [{of.low:+.1f}, {of.high:+.1f}]"


def verdict(name: str, found: Accuracies | None) -> str:
    """One sentence, which rests on top-5 against the retriever as it was."""
    if found is None:
        return (
            "Without questions nobody knows whether it finds more now: give --questions before "
            "you rely on it."
        )
    of = found.differences[BASE][5]
    if of.low > 0:
        return f"It finds more than {name}: top-5 {_said(of)} points."
    if of.high < 0:
        return f"It finds less than {name}: top-5 {_said(of)} points. Keep {name}."
    return f"It is not shown to find more or less than {name}: top-5 {_said(of)} points."


def as_json(found: Accuracies | None) -> Mapping[str, object]:
    """All numbers."""
    if found is None:
        return {}
    return {
        "questions": found.questions,
        "top": {s: {str(k): round(v, 3) for k, v in of.items()} for s, of in found.top.items()},
        "adapted_less": {
            s: {str(k): [round(c.difference, 3), c.low, c.high] for k, c in of.items()}
            for s, of in found.differences.items()
        },
    }
