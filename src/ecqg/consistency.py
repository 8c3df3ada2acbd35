"""What must hold between parameters, beyond the type of each.

Whatever can be said without data or weights is said here, as params.yaml is read: before DVC has
deleted an output of the stage that would fail.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ecqg.errors import InputError
from ecqg.paths import INIT, MAIN, NUMERICS, WORLD
from ecqg.systems import LEXICAL, RERANKED

if TYPE_CHECKING:
    from ecqg.params import Params, Training

Fault = tuple[str, str]  # what is wrong, what would be right
# Of a generator with random weights (ecqg.questions.copying): two for the token part, and one head
# of decoder layer 1 stays free to learn.
LEAST_HEADS = 4
TERM_MATCHING = "bm25"  # whose order finds the passage of a test question without qrels
CONDITIONED = "conditioned"  # the generator that asks about an entity
MAX_POSITIONS = 512  # of encoders with random weights, as BERT's: lengths are chosen freely
TOLERANCE = 1e-9  # of shares that add up to 1


def check_together(params: Params, path: str | Path) -> None:
    """Raise InputError, naming the file `path`, where parameters do not fit together."""
    rules = (_main, _systems, _retrieval_alone, _references, _starts, _question_sets, _training)
    more = (_microcosm, _weights, _lengths, _rest)
    for what, remedy in chain.from_iterable(rule(params) for rule in (*rules, *more)):
        raise InputError(what, file=path, remedy=remedy)


def _main(params: Params) -> Iterator[Fault]:
    """The collection, gold set and reading set that everything else is about."""
    for section in ("collections", "gold_sets", "reading_sets"):
        if MAIN not in getattr(params, section):
            yield f"{section} has no {MAIN}", "add it: the study's own"
    if params.gold_sets[MAIN].collection != MAIN:
        yield f"gold_sets.{MAIN}.collection is another", f"it must be {MAIN}"


def _systems(params: Params) -> Iterator[Fault]:
    dense = params.systems.dense
    for name in dense:
        if name in (*LEXICAL, Path(NUMERICS).stem) or name.endswith(RERANKED):
            yield f"systems.dense.{name} has a name that is taken", "take another one"
        if "-" in name:
            yield f"systems.dense.{name} has a name with '-'", "write '_'"
    if TERM_MATCHING not in params.systems.lexical:
        yield f"systems.lexical lacks {TERM_MATCHING}", "add it: the analysis of coverage wants it"
    if not dense:
        yield "systems.dense is empty", "name a dual encoder, as the profiles do"


def _references(params: Params) -> Iterator[Fault]:
    """What names entries of another section."""
    dense, starts = params.systems.dense, (INIT, *params.public, *params.pretrained)
    generators = (*params.generator.kinds, WORLD)
    named: list[tuple[str, Iterable[str], Collection[str]]] = [
        ("analysis.systems", params.analysis.systems, dense),
        ("systems.reranked", params.systems.reranked, (*params.systems.lexical, *dense)),
        ("select.system", [params.select.system], dense),
    ]
    for name, gold in params.gold_sets.items():
        named.append((f"gold_sets.{name}.collection", [gold.collection], params.collections))
    for name, system in dense.items():
        named.append((f"systems.dense.{name}.gold", [system.gold], params.gold_sets))
        named.append((f"systems.dense.{name}.start", [system.start], starts))
    for name, pretrained in params.pretrained.items():
        named.append((f"pretrained.{name}.start", [pretrained.start], starts))
        where = f"pretrained.{name}.questions"
        named.append((where, pretrained.questions, params.question_sets))
    for name, asked in params.question_sets.items():
        named.append((f"question_sets.{name}.generator", [asked.generator], generators))
    for number, phase in enumerate(params.reader.phases):
        where = f"reader.phases[{number}].examples"
        named.append((where, [phase.examples], params.reading_sets))
    for where, names, known in named:
        for name in names:
            if name not in known:
                yield f"{where} names {name}", f"it must be one of {', '.join(known)}"


def _starts(params: Params) -> Iterator[Fault]:
    """What encoders start from, and that no question set depends on itself."""
    known = (INIT, *params.public, *params.pretrained)
    for name in known:
        if known.count(name) > 1:
            yield f"public and pretrained have two of the name {name}", "take another name"
    for name, settings in params.pretrained.items():
        total = sum(settings.questions.values())
        if abs(total - 1) > TOLERANCE:
            what = f"the shares of pretrained.{name}.questions add up to {total:g}"
            yield what, "they must give 1"
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
    trained = {"pretrained": params.pretrained, "generator.kinds": params.generator.kinds}
    for key, named in trained.items():
        if named and not params.question_sets:
            yield f"question_sets is empty, and {key} is not", f"name a question set, or no {key}"
    for name, gold in params.gold_sets.items():
        if gold.max_train_questions != 0:
            continue
        none = f"gold_sets.{name}.max_train_questions is 0"
        for system, dense in params.systems.dense.items():
            own = replace(params.finetune, **dense.training)
            if dense.gold == name and own.epochs:
                what = f"{none}, and systems.dense.{system} is trained"
                yield what, "set its training.epochs to 0"
        if name == MAIN and (params.question_sets or params.systems.reranked):
            what = f"{none}, and there are question_sets or systems.reranked"
            yield what, "empty these: generators, the reader and the re-ranker learn from it"


def _training(params: Params) -> Iterator[Fault]:
    trainings: dict[str, Training] = {"finetune": params.finetune, "pretrain": params.pretrain}
    for name, pretrained in params.pretrained.items():
        own = replace(params.pretrain, **pretrained.training)
        trainings[f"pretrained.{name}.training"] = own
    for name, dense in params.systems.dense.items():
        trainings[f"systems.dense.{name}.training"] = replace(params.finetune, **dense.training)
    for section, training in trainings.items():
        if training.batch_size % training.accumulation:
            yield (
                f"{section}.batch_size {training.batch_size} is no multiple of its accumulation "
                f"{training.accumulation}",
                "batch_size counts the questions of all micro-batches of a step",
            )


def _microcosm(params: Params) -> Iterator[Fault]:
    world = params.microcosm
    if params.source != "microcosm":
        return
    if not round(world.passages * world.gold_share):
        yield (
            f"microcosm.gold_share {world.gold_share:g} of {world.passages} passages is none",
            "raise it: training questions are about these",
        )
    if not 0 < sum(world.sentence_bias) < math.inf:
        bias = list(world.sentence_bias)
        yield f"microcosm.sentence_bias is {bias}", "give some sentence a weight above 0"


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
    for section, key, source, name in weights(params):
        if not name and source not in ("random", "encoder"):
            yield f"{section}.{key} is empty", f"name a {source}"


def _lengths(params: Params) -> Iterator[Fault]:
    """How texts are cut, for any model; `fitting` has what depends on the weights."""
    for number, phase in enumerate(params.reader.phases):
        most = phase.max_tokens - phase.max_question_tokens - 3
        if not 1 <= phase.stride <= most:
            yield (
                f"reader.phases[{number}].stride {phase.stride} leaves gaps between windows",
                f"it must be from 1 to max_tokens - max_question_tokens - 3, which is {most}",
            )
    reranker = params.reranker
    if reranker.max_tokens <= reranker.max_question_tokens + 3:
        yield (
            f"reranker.max_tokens is {reranker.max_tokens}",
            "it must leave room for a passage: be above max_question_tokens + 3",
        )
    if params.init_encoder.source == "random":
        heads = params.init_encoder.heads
        shape = Shape(num_attention_heads=heads, max_position_embeddings=MAX_POSITIONS)
        yield from fitting(params, "init_encoder", shape)


class Shape(Struct):
    """What the config.json of an encoder says of its size; None where it does not."""

    hidden_size: int | None = None
    num_hidden_layers: int | None = None
    num_attention_heads: int | None = None
    max_position_embeddings: int | None = None
    model_type: str = "bert"
    pad_token_id: int | None = None


def fitting(params: Params, section: str, shape: Shape) -> Iterator[Fault]:
    """What does not fit the weights of `section`: init_encoder, reader or public.NAME."""
    encoder, reader = params.encoder, params.reader
    reads = section == ("init_encoder" if reader.start == "encoder" else "reader")
    asked: dict[str, int] = {}
    if section != "reader":
        asked["encoder.max_question_tokens"] = encoder.max_question_tokens
        asked["encoder.max_passage_tokens"] = encoder.max_passage_tokens
    if section == "init_encoder":
        asked["reranker.max_tokens"] = params.reranker.max_tokens
        wanted, have = params.init_encoder.layers, shape.num_hidden_layers
        if wanted and have is not None and wanted > have:
            yield (
                f"init_encoder.layers is {wanted}, the weights have {have}",
                f"set it to 1 to {have}, or null for all",
            )
    if reads:
        for number, phase in enumerate(reader.phases):
            asked[f"reader.phases[{number}].max_tokens"] = phase.max_tokens
        offsets, heads = len(reader.neighbour_heads), shape.num_attention_heads
        if heads is not None and offsets > heads:
            what = f"reader.neighbour_heads names {offsets} heads, {section} has {heads}"
            yield what, "name fewer"
    if (limit := shape.max_position_embeddings) is None:
        return
    if shape.model_type == "roberta":  # its first position is one past the padding's
        limit -= 1 + (shape.pad_token_id or 0)
    for key, tokens in asked.items():
        if tokens > limit:
            yield (
                f"{key} is {tokens}, more than the {limit} positions of {section}",
                f"set it to {limit} or less",
            )


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
    chosen = params.filter
    if chosen.hard_by == "quantile" and not 0 <= chosen.hard_cut <= 1:
        yield (
            f"filter.hard_cut is {chosen.hard_cut}",
            "a quantile lies between 0 and 1; hard_by: value takes scores",
        )
    deepest, depth = max(params.evaluation.ks), params.retrieval.depth
    if deepest > depth:
        yield (
            f"evaluation.ks asks for the top {deepest} of {depth} passages",
            "raise retrieval.depth or lower evaluation.ks",
        )


def weights(params: Params) -> Iterator[tuple[str, str, str, str]]:
    """Where weights come from: a section, its key of their name, the kind of source, the name."""
    encoder, generator, reader = params.init_encoder, params.init_generator, params.reader
    yield "init_encoder", "name", encoder.source, encoder.name
    yield "init_generator", "name", generator.source, generator.name
    yield "reader", "name", reader.start, reader.name
    for system, public in params.public.items():
        yield f"public.{system}", "question", public.source, public.question
        yield f"public.{system}", "passage", public.source, public.passage
