"""The card of an exported retriever: its training, what it reaches, how it loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ecqg import paths, templates
from ecqg.params import Params, Training
from ecqg.report.formats import Row, Table, bounded, indented
from ecqg.report.markdown import grid, plain
from ecqg.report.names import shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import Results, Study, read_results

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

Format = Literal["dpr", "sentence-transformers"]
OURS = "weights/encoder"  # a start under this repository's licence, as the embedded world is
KS = (1, 5)
Reached = dict[str, dict[int, list[float]]]  # top-k accuracy and its bounds by test set and k


def model_card(system: str, format: Format, name: str, params: Params, study: Study) -> str:
    """The README.md of a dense system that is exported to a folder called `name`.

    Accuracies are those of the study's last run, none where it was not evaluated. The licence is
    ours where data and start are ours; else it is that of others, which the card says.
    """
    from huggingface_hub import ModelCardData

    results = read_results(study) if paths.ACCURACY.is_file() else None
    if results is not None and system not in results.accuracy:
        results = None
    reached = _reached(system, results) if results else {}
    start, steps = _history(system, params)
    init = params.init_encoder
    ours_start = init.source == "random" or (init.source, init.name) == ("folder", OURS)
    ours = params.source == "microcosm" and start == "init" and ours_start
    data = ModelCardData(
        language="en",
        license="apache-2.0" if ours else "other",
        library_name="transformers" if format == "dpr" else format,
        pipeline_tag="sentence-similarity",
        tags=["dense-retrieval", "dpr", "ecqg"],
        model_name=name,
        eval_results=_evaluations(reached) if results else None,
    )
    body = templates.fill(
        __file__,
        plain,
        name=name,
        shown=shown(system),
        format=format,
        params=params,
        ours=ours,
        start=start,
        gold=params.gold_sets[params.systems.dense[system].gold],
        steps=grid(steps),
        accuracy=grid(_accuracy(reached, results)) if results else "",
        confidence=f"{100 * params.evaluation.confidence:g}",
        attention=results.attention.get(system) if results else None,
    )
    return f"---\n{data.to_yaml()}\n---\n{body}"


def _history(system: str, params: Params) -> tuple[str, Table]:
    """What a system's weights began as, and its trainings in the order that they were done in."""
    dense = params.systems.dense[system]
    rows = [_training("fine-tuned", f"gold set {dense.gold}", params.finetune, dense.training)]
    start = dense.start
    while start in params.pretrained:
        of = params.pretrained[start]
        shares = ", ".join(f"{100 * share:g} % {name}" for name, share in of.questions.items())
        rows.insert(0, _training("pre-trained", shares, params.pretrain, of.training))
        start = of.start
    header = ["", "on questions", "epochs", "batch", "learning rate", "hard negatives"]
    return start, Table(header, rows)


def _training(what: str, on: str, default: Training, own: Mapping[str, object]) -> Row:
    used = replace(default, **own)  # type: ignore[arg-type]
    cells = [used.epochs, used.batch_size * used.accumulation, used.lr, used.hard_negatives]
    return Row([what, on, *(f"{cell:g}" for cell in cells)])


def _reached(system: str, results: Results) -> Reached:
    numbers = results.numbers
    ours = numbers[(numbers.system == system) & (numbers.metric == ACCURACY) & numbers.k.isin(KS)]
    found: Reached = {}
    for name, k, *of in ours[["name", "k", "value", "low", "high"]].itertuples(index=False):
        found.setdefault(name, {})[k] = of
    return {name: found[name] for name in results.test_sets if name in found}


def _accuracy(reached: Reached, results: Results) -> Table:
    rows = []
    for test_set, of in reached.items():
        cells = (bounded(of[k][0], of[k][1:], 1) for k in KS if k in of)
        rows.append(Row([indented(test_set), str(results.questions[test_set]), *cells]))
    ks = [f"top-{k}" for k in KS if k in results.study.ks]
    return Table(["test set", "questions", *ks], rows)


def _evaluations(reached: Reached) -> list[EvalResult]:
    from huggingface_hub import EvalResult

    return [
        EvalResult(
            task_type="text-retrieval",
            dataset_type=test_set,
            dataset_name=test_set,
            metric_type=f"top-{k} accuracy",
            metric_value=round(value, 2),
        )
        for test_set, of in reached.items()
        for k, (value, *_) in of.items()
    ]
