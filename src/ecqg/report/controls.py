"""Which ingredient does it: every pre-trained system beside DPR and UnCon-DPR, over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds
from ecqg.report.formats import Row, Table, spread, tops
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.seed_trees import Trees

if TYPE_CHECKING:
    from ecqg.params import Dense, Pretrained, QuestionSet

BASELINES = ("dpr", "uncon")
TEST_SETS = ("nq_like", "uniform", "tail")
KS = (1, 5)


def controls_table(
    trees: Trees,
    dense: Mapping[str, Dense],
    pretrained: Mapping[str, Pretrained],
    question_sets: Mapping[str, QuestionSet],
) -> Table:
    """One row for each of the systems `dense` that starts from one of `pretrained`.

    It has what the latter's questions are (sections of params.yaml) and how many, then differences
    to BASELINES, mean and standard deviation over seeds: top-k accuracy of TEST_SETS (points) and
    entropy of attention (nats). Raises InputError where no system is pre-trained.
    """
    measures = {name: [(name, ACCURACY, k) for k in KS] for name in TEST_SETS}
    measures["entropy"] = [("", "entropy", 0)]
    rows = []
    for system, settings in dense.items():
        if settings.start not in pretrained:
            continue
        shares = pretrained[settings.start].questions
        # How many an encoder saw, the mean over seeds.
        metric = f"{paths.TRAINING_SETS.name} {settings.start}.examples"
        seen = trees.numbers.get(("", "", metric, 0))
        cells = [shown(system), *_ingredients(shares, question_sets)]
        cells.append(f"{sum(seen) / len(seen):,.0f}" if seen else "")
        for of in measures.values():
            cells += [_differences(trees, system, against, of) for against in BASELINES]
        rows.append(Row(cells))
    if not rows:
        raise InputError("no system is pre-trained on questions", remedy="see systems.dense")
    header = ["system", "generator", "entities", "filters", "conditioned (%)"]
    header += ["wrong passage (%)", "examples"]
    header += [f"{name}, less {shown(base)}" for name in measures for base in BASELINES]
    notes = [f"Accuracy is {tops(KS)}, in points; entropy in nats. Seeds: {len(trees.seeds)}"]
    return Table(header, rows, "Which ingredient does it", notes)


def _ingredients(
    shares: Mapping[str, float], question_sets: Mapping[str, QuestionSet]
) -> list[str]:
    """What questions are: generators, entities, filters, and shares in percent.

    Filters are those of the conditioned questions, where there are any.
    """
    sets = {question_sets[name]: share for name, share in shares.items() if share}
    about = {of: share for of, share in sets.items() if of.entities is not None}

    def each(names: Iterable[str | None]) -> str:
        return ", ".join(dict.fromkeys(filter(None, names)))

    return [
        each(of.generator for of in sets),
        each(of.entities for of in about),
        each(" + ".join(of.filters) or "none" for of in about or sets),
        f"{100 * sum(about.values()):.0f}",
        f"{100 * sum(share * of.wrong_passage for of, share in sets.items()):.0f}",
    ]


def _differences(
    trees: Trees, system: str, against: str, measures: Iterable[tuple[str, str, int]]
) -> str:
    """Such as '+1.2 ± 0.3 / +0.8 ± 0.4'; nothing of a system to itself."""
    cells = []
    for of in measures:
        a, b = (trees.numbers.get((name, *of)) for name in (system, against))
        if a and b and system != against:
            found, digits = compare_seeds(a, b), 1 if of[1] == ACCURACY else 3
            cells.append(spread(found.mean, found.deviation, digits, "+"))
    return " / ".join(cells)
