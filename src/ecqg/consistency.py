"""What must hold between parameters, beyond the type of each.

Whatever can be said without data or weights is said here, as params.yaml is read: before DVC has
deleted an output of the stage that would fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.errors import InputError
from ecqg.paths import MAIN, SUPERVISED
from ecqg.systems import DUALS

if TYPE_CHECKING:
    from ecqg.params import Params

Fault = tuple[str, str]  # what is wrong, what would be right
# Of a generator with random weights (ecqg.questions.copying): two for the token part, and one head
# of decoder layer 1 stays free to learn.
LEAST_HEADS = 4


def check_together(params: Params, path: str | Path) -> None:
    """Raise InputError, naming the file `path`, where parameters do not fit together."""
    rules: tuple[Callable[[Params], Iterator[Fault]], ...] = (
        _systems,
        _names,
        _training,
        _random_starts,
        _sources,
        _reading,
        _evaluation,
    )
    for rule in rules:
        for what, remedy in rule(params):
            raise InputError(what, file=path, remedy=remedy)


def _systems(params: Params) -> Iterator[Fault]:
    if "baseline" in params.systems and params.baseline.source == "trained":
        yield (
            "systems names baseline, which is our dpr",
            "leave it out, or name a public retriever in baseline",
        )
    for wants, named in (
        ("analysis.systems", params.analysis.systems),
        ("rerank.first_stages", params.rerank.first_stages),
    ):
        for system in named:
            if system in DUALS and system not in params.systems:
                yield f"systems lacks {system}, which {wants} wants", "add it"


def _names(params: Params) -> Iterator[Fault]:
    """Collections have folders beside each other; test sets are columns of one table."""
    for name in params.zero_shot:
        if name in (MAIN, SUPERVISED, *params.corpus.test_sets):
            yield f"zero_shot has {name}", "take another name: that one is taken"
    for name, settings in params.supervised.items():
        if settings.collection not in (MAIN, *params.zero_shot):
            yield (
                f"supervised.{name}.collection is {settings.collection}",
                f"it must be one of {', '.join((MAIN, *params.zero_shot))}",
            )


def _training(params: Params) -> Iterator[Fault]:
    for section, training in (
        ("finetune", params.finetune),
        ("pretrain", params.pretrain),
        ("aug.finetune", params.aug.finetune),
        ("aug.pretrain", params.aug.pretrain),
    ):
        if training.batch_size % training.accumulation:
            yield (
                f"{section}.batch_size {training.batch_size} is no multiple of its accumulation "
                f"{training.accumulation}",
                "batch_size counts the questions of all micro-batches of a step",
            )


def _random_starts(params: Params) -> Iterator[Fault]:
    encoder, generator = params.encoder_start, params.generator_start
    for section, start in (("encoder_start", encoder), ("generator_start", generator)):
        if start.source == "random" and start.layers is None:
            yield f"{section}.layers is null", "random weights need it"
    if encoder.source == "random" and encoder.hidden % encoder.heads:
        yield (
            f"encoder_start.hidden {encoder.hidden} is no multiple of its heads {encoder.heads}",
            "change one of them",
        )
    if generator.source == "random" and (
        generator.heads < LEAST_HEADS or generator.hidden % (2 * generator.heads)
    ):
        yield (
            f"generator_start has {generator.heads} heads for {generator.hidden} hidden units",
            f"give at least {LEAST_HEADS} heads, each with an even number of hidden units",
        )


def _sources(params: Params) -> Iterator[Fault]:
    """What is neither random nor trained here has a name."""
    for key, source, name, own in (
        ("encoder_start.name", params.encoder_start.source, params.encoder_start.name, "random"),
        (
            "generator_start.name",
            params.generator_start.source,
            params.generator_start.name,
            "random",
        ),
        ("reader.name", params.reader.start, params.reader.name, "encoder"),
        ("baseline.question", params.baseline.source, params.baseline.question, "trained"),
        ("baseline.passage", params.baseline.source, params.baseline.passage, "trained"),
    ):
        if source != own and not name:
            yield f"{key} is empty", f"name a {source}, or take {own} as the source"


def _reading(params: Params) -> Iterator[Fault]:
    known = ("train_set", *params.reading_sets)
    for number, phase in enumerate(params.reader.phases):
        if phase.examples not in known:
            yield (
                f"reader.phases[{number}].examples is {phase.examples}",
                f"add it to reading_sets, or name one of {', '.join(known)}",
            )
    if not params.reader.phases:
        yield "reader.phases is empty", "name a phase, as the profiles do"


def _evaluation(params: Params) -> Iterator[Fault]:
    deepest = max(params.evaluation.ks)
    if deepest > params.retrieval.depth:
        yield (
            f"evaluation.ks asks for the top {deepest} of {params.retrieval.depth} passages",
            "raise retrieval.depth or lower evaluation.ks",
        )
