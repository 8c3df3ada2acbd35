"""Which ingredient does it: every pre-trained system beside DPR and UnCon-DPR, over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds
from ecqg.palette import REFERENCE, STYLES, styles
from ecqg.report.formats import STARS, Row, Table, over_seeds, tops
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.pictures import new_figure, plain, save
from ecqg.report.premises import Rows
from ecqg.report.seed_trees import Trees

if TYPE_CHECKING:
    from ecqg.params import Dense, Pretrained, QuestionSet

BASELINES = ("dpr", "uncon")
TEST_SETS = ("nq_like", "uniform", "tail")
KS = (1, 5)
ENTROPY = "entropy"


def controls_tables(
    trees: Trees,
    dense: Mapping[str, Dense],
    pretrained: Mapping[str, Pretrained],
    question_sets: Mapping[str, QuestionSet],
    bases: Sequence[str] = BASELINES,
) -> list[Table]:
    """A row in each for each of the systems `dense` that starts from one of `pretrained`.

    The first has what the latter's questions are (sections of params.yaml), how many, and which
    share of them is valid, where the premises say so of all of their sets; the others have
    differences to one of `bases` each, mean and standard deviation over seeds: top-k accuracy of
    TEST_SETS (points) and entropy of attention (nats). Raises InputError where no system is
    pre-trained, or one of `bases` is none.
    """
    systems = _pretrained(dense, pretrained)
    measures = {name: [(name, ACCURACY, k) for k in KS] for name in TEST_SETS}
    measures[ENTROPY] = [("", ENTROPY, 0)]
    header = ["system", "generator", "entities", "filters", "conditioned (%)"]
    header += ["wrong passage (%)", "examples", "valid (%)"]
    rows = []
    for system in systems:
        start = dense[system].start
        # How many an encoder saw, the mean over seeds.
        seen = trees.numbers.get(("", "", f"{paths.TRAINING_SETS.name} {start}.examples", 0))
        count = f"{sum(seen) / len(seen):,.0f}" if seen else ""
        shares = {name: share for name, share in pretrained[start].questions.items() if share}
        ingredients = _ingredients(shares, question_sets)
        valid = _valid(shares, question_sets, trees.premises)
        rows.append(Row([shown(system), *ingredients, count, valid]))
    title = "Which ingredient does it: the questions of each system"
    note = "valid: after the filters, by the premises, mean over seeds; empty where not judged"
    tables = [Table(header, rows, title, [note])]
    for base in bases:
        if base not in dense:
            raise InputError(f"no system {base}", remedy=f"there is {', '.join(dense)}")
        differences = []
        for system in systems:
            if system != base:
                cells = [_differences(trees, system, base, of) for of in measures.values()]
                differences.append(Row([shown(system), *cells]))
        note = f"Accuracy is {tops(KS)}, in points; entropy in nats; {STARS}"
        tables.append(
            Table(
                ["system", *measures],
                differences,
                f"Less {shown(base)}",
                [note, f"Seeds: {len(trees.seeds)}"],
            )
        )
    return tables


def draw_controls(
    path: Path, trees: Trees, dense: Mapping[str, Dense], pretrained: Mapping[str, Pretrained]
) -> None:
    """Draw what each of the same systems has over DPR: a panel for each measure, at its top-1.

    Small points are seeds, large ones their mean with its standard deviation; a dashed line is
    UnCon-DPR's mean.
    """
    systems = _pretrained(dense, pretrained)
    of_systems, (first, second) = styles(BASELINES), BASELINES
    measures = {f"{name}, top-1 (points)": (name, ACCURACY, 1) for name in TEST_SETS}
    measures["entropy (nats)"] = ("", ENTROPY, 0)
    figure = new_figure(12, 1.2 + 0.27 * len(systems))
    panels = figure.subplots(1, len(measures), sharey=True, squeeze=False)[0]
    for panel, (title, of) in zip(panels, measures.items(), strict=True):
        panel.axvline(0, color=of_systems[first].colour, linewidth=1)
        for place, system in enumerate(systems):
            found, base = (trees.numbers.get((name, *of)) for name in (system, first))
            if not found or not base:
                continue
            values, known = np.subtract(found, base), system in STYLES
            colour = STYLES[system].colour if known else REFERENCE
            error = values.std(ddof=1) if len(values) > 1 else None
            style: dict[str, Any] = {"fmt": STYLES[system].marker if known else "o", "capsize": 2}
            panel.plot(values, [place] * len(values), ".", color=colour, markersize=4, alpha=0.7)
            panel.errorbar(values.mean(), place, xerr=error, color=colour, markersize=6, **style)
            if system == second:
                panel.axvline(values.mean(), color=colour, linewidth=1, linestyle="--")
        plain(panel, "x", title)
        panel.set_xlabel(f"difference to {shown(first)}")
        panel.tick_params(axis="y", length=0)
    panels[0].set_ylim(len(systems) - 0.5, -0.5)
    panels[0].set_yticks(range(len(systems)), [shown(system) for system in systems])
    save(figure, path)


def _pretrained(dense: Mapping[str, Dense], pretrained: Mapping[str, Pretrained]) -> list[str]:
    systems = [system for system, settings in dense.items() if settings.start in pretrained]
    if not systems:
        raise InputError("no system is pre-trained on questions", remedy="see systems.dense")
    return systems


def _ingredients(
    shares: Mapping[str, float], question_sets: Mapping[str, QuestionSet]
) -> list[str]:
    """What questions are: generators, entities, filters, and shares in percent.

    Filters are those of the conditioned questions, where there are any.
    """
    sets = {question_sets[name]: share for name, share in shares.items()}
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


def _valid(
    shares: Mapping[str, float],
    question_sets: Mapping[str, QuestionSet],
    premises: Iterable[Iterable[Rows]],
) -> str:
    """Percentage of questions that are valid after the filters; empty where any were not judged."""
    judged = [row for run in premises for rows in run for row in rows]
    valid = 0.0
    for name, share in shares.items():
        about = " after ".join([name, *question_sets[name].filters[-1:]])
        found = [
            row["here"] for row in judged
            if row["premise"].startswith("valid") and row["about"] == about
        ]  # fmt: skip
        if not found:
            return ""
        valid += share * float(np.mean(found))
    return f"{valid:.0f}"


def _differences(
    trees: Trees, system: str, against: str, measures: Iterable[tuple[str, str, int]]
) -> str:
    """Such as '+1.2 ± 0.3* / +0.8 ± 0.4'; nothing of a system to itself."""
    cells = []
    for of in measures:
        a, b = (trees.numbers.get((name, *of)) for name in (system, against))
        if a and b and system != against:
            found, digits = compare_seeds(a, b), 1 if of[1] == ACCURACY else 3
            cells.append(over_seeds(found.mean, found.deviation, found.t_p, digits))
    return " / ".join(cells)
