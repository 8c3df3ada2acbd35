"""What must hold between parameters, beyond the type of each.

Whatever can be said without data or weights is said here, as params.yaml is read: before DVC has
deleted an output of the stage that would fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.errors import InputError
from ecqg.paths import INIT, MAIN, WORLD
from ecqg.systems import LEXICAL, RERANKED

if TYPE_CHECKING:
    from ecqg.params import Params, Training

Fault = tuple[str, str]  # what is wrong, what would be right
# Of a generator with random weights (ecqg.questions.copying): two for the token part, and one head
# of decoder layer 1 stays free to learn.
LEAST_HEADS = 4
TERM_MATCHING = "bm25"  # where test questions are not judged
CONDITIONED = "conditioned"  # the generator that asks about an entity
TOLERANCE = 1e-9  # of shares that add up to 1


def check_together(params: Params, path: str | Path) -> None:
    """Raise InputError, naming the file `path`, where parameters do not fit together."""
    rules = (_main, _systems, _retrieval_alone, _references, _starts, _question_sets, _training)
    for rule in (*rules, _weights, _rest):
        for what, remedy in rule(params):
            raise InputError(what, file=path, remedy=remedy)


def _main(params: Params) -> Iterator[Fault]:
    """The collection, gold set and reading set that everything else is about."""
    for section, named in (
        ("collections", params.collections),
        ("gold_sets", params.gold_sets),
        ("reading_sets", params.reading_sets),
    ):
        if MAIN not in named:
            yield f"{section} has no {MAIN}", "add it: the study's own"
    if params.gold_sets[MAIN].collection != MAIN:
        yield f"gold_sets.{MAIN}.collection is another", f"it must be {MAIN}"


def _systems(params: Params) -> Iterator[Fault]:
    dense = params.systems.dense
    for name in dense:
        if name in LEXICAL or name.endswith(RERANKED):
            yield f"systems.dense.{name} has a name that is taken", "take another one"
        if "-" in name:
            yield f"systems.dense.{name} has a name with '-'", "write '_'"
    if TERM_MATCHING not in params.systems.lexical:
        yield f"systems.lexical lacks {TERM_MATCHING}", "add it: the analysis of coverage wants it"
    if not dense:
        yield "systems.dense is empty", "name a dual encoder, as the profiles do"
    both = (*params.systems.lexical, *dense)
    for wants, named, section, known in (
        ("analysis.systems", params.analysis.systems, "systems.dense", tuple(dense)),
        ("systems.reranked", params.systems.reranked, "systems.lexical and systems.dense", both),
        ("select.system", [params.select.system], "systems.dense", tuple(dense)),
    ):
        for system in named:
            if system not in known:
                yield f"{wants} names {system}, which is none of {section}", _one_of(known)


def _references(params: Params) -> Iterator[Fault]:
    """What names an entry of another section."""
    starts = (INIT, *params.public, *params.pretrained)
    named: list[tuple[str, str, Collection[str]]] = []
    for name, gold in params.gold_sets.items():
        named.append((f"gold_sets.{name}.collection", gold.collection, params.collections))
    for name, dense in params.systems.dense.items():
        named.append((f"systems.dense.{name}.gold", dense.gold, params.gold_sets))
        named.append((f"systems.dense.{name}.start", dense.start, starts))
    for name, pretrained in params.pretrained.items():
        named.append((f"pretrained.{name}.start", pretrained.start, starts))
    for name, settings in params.question_sets.items():
        where = f"question_sets.{name}.generator"
        named.append((where, settings.generator, (*params.generator.kinds, WORLD)))
    for number, phase in enumerate(params.reader.phases):
        where = f"reader.phases[{number}].examples"
        named.append((where, phase.examples, params.reading_sets))
    for where, what, known in named:
        if what not in known:
            yield f"{where} is {what}", _one_of(known)


def _starts(params: Params) -> Iterator[Fault]:
    """What encoders start from, and that no question set hangs on itself."""
    known = (INIT, *params.public, *params.pretrained)
    for name in known:
        if known.count(name) > 1:
            yield f"public and pretrained have two of the name {name}", "take another name"
    for name, settings in params.pretrained.items():
        where = f"pretrained.{name}.questions"
        for questions in settings.questions:
            if questions not in params.question_sets:
                yield f"{where} names {questions}", _one_of(params.question_sets)
        total = sum(settings.questions.values())
        if abs(total - 1) > TOLERANCE:
            yield f"the shares of {where} add up to {total:g}", "they must give 1"
        passed = [name]
        while (start := params.pretrained[passed[-1]].start) in params.pretrained:
            if start in passed:
                yield f"a cycle: pretrained.{start} starts from itself", f"start from {INIT}"
                break
            passed.append(start)
    selecting = params.select.system
    if (start := params.systems.dense[selecting].start) in params.pretrained:
        sets = ", ".join(params.pretrained[start].questions)
        yield (
            f"a cycle: select.system {selecting} is pre-trained on {sets}, which exist only once "
            "it has selected entities and scored questions",
            f"name a system that starts from {' or '.join((INIT, *params.public))}",
        )


def _question_sets(params: Params) -> Iterator[Fault]:
    for name, settings in params.question_sets.items():
        where = f"question_sets.{name}"
        conditioned = settings.generator == CONDITIONED
        if conditioned and settings.entities is None:
            yield f"{where}.entities is null", f"say which the {CONDITIONED} generator asks about"
        if settings.generator == WORLD:
            if params.source != "microcosm" or params.distractors:
                yield (
                    f"{where}.generator is {WORLD}, which asks about its own passages alone",
                    "it needs source: microcosm and no distractors; name one that is trained",
                )
        elif not conditioned and settings.entities is not None:
            yield (
                f"{where}.entities is {settings.entities}",
                f"the {settings.generator} generator asks about none: null",
            )
        if settings.entities is not None and settings.passages > params.select.passages:
            yield (
                f"{where}.passages is {settings.passages}",
                f"entities are looked for in select.passages, {params.select.passages}",
            )
    if params.question_sets and CONDITIONED not in params.generator.kinds:
        yield f"generator.kinds lacks {CONDITIONED}", "add it: the analysis of entities wants it"


def _retrieval_alone(params: Params) -> Iterator[Fault]:
    """Without question sets nothing asks, and without gold questions nothing learns to."""
    if not params.question_sets:
        for key, named in (
            ("pretrained", params.pretrained),
            ("generator.kinds", params.generator.kinds),
        ):
            if named:
                yield (
                    f"question_sets is empty, and {key} is not",
                    f"name a question set, or no {key}",
                )
    for name, gold in params.gold_sets.items():
        if gold.max_train_questions != 0:
            continue
        none = f"gold_sets.{name}.max_train_questions is 0"
        for system, dense in params.systems.dense.items():
            own = replace(params.finetune, **dense.training)
            if dense.gold == name and own.epochs:
                yield (
                    f"{none}, and systems.dense.{system} is trained",
                    "set its training.epochs to 0",
                )
        if name == MAIN and (params.question_sets or params.systems.reranked):
            what = f"{none}, and there are question_sets or systems.reranked"
            yield what, "empty these: generators, the reader and the re-ranker learn from it"


def _training(params: Params) -> Iterator[Fault]:
    trainings: list[tuple[str, Training]]
    trainings = [("finetune", params.finetune), ("pretrain", params.pretrain)]
    for name, pretrained in params.pretrained.items():
        own = replace(params.pretrain, **pretrained.training)
        trainings.append((f"pretrained.{name}.training", own))
    for name, dense in params.systems.dense.items():
        tuned = replace(params.finetune, **dense.training)
        trainings.append((f"systems.dense.{name}.training", tuned))
    for section, training in trainings:
        if training.batch_size % training.accumulation:
            yield (
                f"{section}.batch_size {training.batch_size} is no multiple of its accumulation "
                f"{training.accumulation}",
                "batch_size counts the questions of all micro-batches of a step",
            )


def _weights(params: Params) -> Iterator[Fault]:
    """What is random has a size, what is neither random nor trained here a name."""
    encoder, generator = params.init_encoder, params.init_generator
    for section, start in (("init_encoder", encoder), ("init_generator", generator)):
        if start.source == "random" and start.layers is None:
            yield f"{section}.layers is null", "random weights need it"
    if encoder.source == "random" and encoder.hidden % encoder.heads:
        yield (
            f"init_encoder.hidden {encoder.hidden} is no multiple of its heads {encoder.heads}",
            "change one of them",
        )
    if generator.source == "random" and (
        generator.heads < LEAST_HEADS or generator.hidden % (2 * generator.heads)
    ):
        yield (
            f"init_generator has {generator.heads} heads for {generator.hidden} hidden units",
            f"give at least {LEAST_HEADS} heads, each with an even number of hidden units",
        )
    sources = [
        ("init_encoder.name", params.init_encoder.source, params.init_encoder.name, "random"),
        ("init_generator.name", params.init_generator.source, params.init_generator.name, "random"),
        ("reader.name", params.reader.start, params.reader.name, "encoder"),
    ]
    for system, public in params.public.items():
        sources.append((f"public.{system}.question", public.source, public.question, ""))
        sources.append((f"public.{system}.passage", public.source, public.passage, ""))
    for key, source, name, own in sources:
        if source != own and not name:
            instead = f", or take {own} as the source" if own else ""
            yield f"{key} is empty", f"name a {source}{instead}"


def _rest(params: Params) -> Iterator[Fault]:
    of: dict[str, str] = {}  # test sets are columns of one table, whatever their collection
    for collection, settings in params.collections.items():
        for name in settings.test_sets:
            if name in of:
                both = f"collections.{of[name]} and collections.{collection}"
                yield f"{both} both have a test set {name}", "rename one"
            of[name] = collection
    if not params.reader.phases:
        yield "reader.phases is empty", "name a phase, as the profiles do"
    deepest, depth = max(params.evaluation.ks), params.retrieval.depth
    if deepest > depth:
        yield (
            f"evaluation.ks asks for the top {deepest} of {depth} passages",
            "raise retrieval.depth or lower evaluation.ks",
        )


def _one_of(known: Collection[str]) -> str:
    return f"it must be one of {', '.join(known)}"
