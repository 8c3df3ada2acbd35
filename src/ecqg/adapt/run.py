"""Adapt a retriever: measure, ask, filter, train, measure again, save."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from torch.nn import Sequential

from ecqg import paths
from ecqg.adapt.card import card
from ecqg.adapt.corpus import PASSAGES, TEST, write_corpus
from ecqg.adapt.cost import MEASURING, estimate, in_words
from ecqg.adapt.outcome import SYSTEMS, Accuracies, accuracies, as_json
from ecqg.adapt.settings import (
    ADAPTED,
    BASE,
    CORPUS,
    DENSE,
    MADE,
    SETS,
    TRAINED,
    Wishes,
    check_study,
    settings,
)
from ecqg.adapt.steps import (
    TRAINING_SETS,
    Grows,
    Step,
    Work,
    asking,
    check_begun,
    check_kept,
    filtering,
    link,
    run,
    testing,
    training,
)
from ecqg.corpus.formats.rows import BadRows, bad_rows
from ecqg.corpus.qrels import SUFFIX
from ecqg.corpus.questions import QA
from ecqg.encoder.export import export_sentence_transformers
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.encoder.text_encoder import Normalize, load_text_encoder, save_text_encoder
from ecqg.errors import InputError
from ecqg.files import atomic, read_as, write_json, write_text
from ecqg.params import Params
from ecqg.probe.models import Halves, Model, load
from ecqg.probe.page import page
from ecqg.probe.run import Probe, probe
from ecqg.probe.texts import Texts, read
from ecqg.resume import digest
from ecqg.tables import read_values

SAMPLE = 2000  # passages whose attention is measured
COUNTS, COST, START = "counts.json", "cost.json", "start"
BAD = "bad.jsonl"  # rows that are left out


@dataclass(frozen=True)
class Source:
    """What is adapted, to what, and by which study."""

    halves: Halves
    passages: Path
    questions: Path | None
    qrels: Path | None
    study: Path


@dataclass(frozen=True)
class Result:
    """What came out."""

    probe: Probe
    found: Accuracies | None


def adapt(
    source: Source,
    wishes: Wishes,
    output: Path,
    say: Callable[[str], None],
    *,
    skip_bad: Path | None = None,
    max_tokens: int | None = None,
    dry_run: bool = False,
) -> Result | None:
    """Write the folder `output`; None after a dry run, which states the cost alone.

    Questions and models on the way lie in `output` + ".work": what was stopped goes on from there.
    Bad rows are left out where `skip_bad` names a file for them, which every later call may have.
    Raises InputError for a retriever that cannot be trained, a study without generators, malformed
    files, and work that was begun with others.
    """
    if output.exists():
        raise InputError("exists already", file=output, remedy="name a new folder")
    tree = check_study(source.study)
    halves = source.halves
    if halves.name in SYSTEMS:  # one of ours would have the same name
        halves = halves._replace(name=f"{halves.name} before")
    # Steps run in another folder.
    source = replace(source, halves=halves, study=source.study.resolve())
    model = load(source.halves, max_tokens)
    model.question.check_trainable(source.halves.question)
    model.passage.check_trainable(source.halves.passage)
    files = [path for path in (source.passages, source.questions, source.qrels) if path]
    for file in files:
        if not file.is_file() and not (file is source.passages and file.is_dir()):
            raise InputError("no such file", file=file, remedy="check the path")
    own = [source.halves.question, source.halves.passage]
    key = digest(
        [*files, *own, *(source.study / made for made in MADE)],
        {name: tree[name] for name in ("question_sets", "generate", "select")},
        [wishes.limit, wishes.seed, model.max_tokens],
    )
    folder = output.with_name(f"{output.name}.work")
    work = Work(folder.resolve())
    check_begun(work, key)
    bad, same = work.folder / BAD, work.has(CORPUS, key)
    if skip_bad and skip_bad.exists() and not (same and _equal(skip_bad, bad)):
        raise InputError("is there already", file=skip_bad, remedy="name a new file for bad rows")
    passages, questions = _prepare(source, model, work, key, skip=skip_bad is not None)
    left_out = bad.read_bytes() if bad.is_file() else b""
    if skip_bad:
        write_text(skip_bad, left_out.decode())
    if count := left_out.count(b"\n"):
        rows = f"{count:,} rows are" if count > 1 else "1 row is"
        say(f"{rows} left out: {skip_bad or folder / BAD}")
    params = settings(
        tree, wishes, max_tokens=model.max_tokens, cosine=_unit(model), tested=questions > 0
    )
    base = work.folder / START
    link(source.study, work.folder, base)
    kept = digest([], key, tree["filter"])
    timed = digest([], key, wishes.epochs, wishes.lr, wishes.batch_size)
    trained = digest([], timed, kept)
    learning = [*training(), *(testing() if questions else [])]
    parts = ((asking(), key), (filtering(), kept), (learning, trained))
    steps = [(step, of) for part, of in parts for step in part]
    sizes: dict[Grows, int] = {"limit": min(wishes.limit, passages), "passages": passages}
    cost = _cost(work, timed, lambda: _estimated(params, source, work, sizes))
    left = [(step, of) for step, of in steps if not work.has(step.name, of)]
    named = {step.name for step, _ in left}
    if any(step in testing() for step, _ in left):
        named.add(MEASURING)
    about = {name: seconds for name, seconds in cost.items() if name in named}
    if tree["source"] == "microcosm":
        say("The study's generators know the embedded encyclopedia's language alone")
    given = f", {questions:,} questions" if questions else ""
    say(f"{passages:,} passages{given}; questions are generated about {sizes['limit']:,} of them")
    ahead = f"{len(left)} of {len(steps)} steps are left, {in_words(about)}"
    say(ahead if left else f"None of {len(steps)} steps is left")
    if dry_run:
        return None
    _do(work, steps, params, say)
    texts = _texts(source, work, wishes.seed)
    return _finish(source, model, params, work, texts, output, questions > 0, str(tree["profile"]))


def _equal(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()


def _prepare(source: Source, model: Model, work: Work, key: str, *, skip: bool) -> tuple[int, int]:
    """The corpus and the start of the training; how many passages and questions there are.

    Rows to `skip` are written beside the corpus.
    """

    def corpus() -> None:
        told = work.folder / BAD
        told.unlink(missing_ok=True)  # of other passages
        with atomic(work.folder / CORPUS) as aside, bad_rows(told if skip else None) as bad:
            found = write_corpus(passages, asked, judged, aside, bad)
            write_json(aside / COUNTS, found)
        write_json(paths.subsets(), {})  # none: nothing that was trained on can give answers away

    def start() -> None:
        with atomic(work.folder / START) as aside:
            for half, folder in zip((QUESTION, PASSAGE), halves, strict=True):
                encoder, tokenizer = load_text_encoder(folder)
                if model.cosine and not _normal(encoder.head):
                    encoder.head.append(Normalize())
                save_text_encoder(aside / half, encoder, tokenizer)

    work.folder.mkdir(parents=True, exist_ok=True)
    passages = source.passages.resolve()
    asked, judged = (p and p.resolve() for p in (source.questions, source.qrels))
    halves = [p.resolve() for p in (source.halves.question, source.halves.passage)]
    for name, function in ((CORPUS, corpus), (START, start)):
        if not work.has(name, key):
            work.do(name, key, function)
    return read_as(work.folder / CORPUS / COUNTS, tuple[int, int], "no counts", "remove it")


def _normal(head: Sequential) -> bool:
    return len(head) > 0 and isinstance(head[-1], Normalize)


def _unit(model: Model) -> bool:
    """Whether vectors have length 1, or are to."""
    return model.cosine or _normal(model.passage.head)


def _cost(work: Work, key: str, measure: Callable[[], dict[str, float]]) -> dict[str, float]:
    file = work.folder / COST

    def write() -> None:
        write_json(file, measure())

    if not work.has(COST, key):
        work.do(COST, key, write)
    return read_as(file, dict[str, float], "no seconds by step", "remove it")


def _estimated(
    params: Params, source: Source, work: Work, sizes: dict[Grows, int]
) -> dict[str, float]:
    folder = work.folder
    return estimate(params, source.study, folder / CORPUS, folder / START, folder / "trial", sizes)


def _do(
    work: Work, steps: Sequence[tuple[Step, str]], params: Params, say: Callable[[str], None]
) -> None:
    for number, (step, key) in enumerate(steps, 1):
        if not work.has(step.name, key):
            say(f"[{number}/{len(steps)}] {step.name}")
            if step == TRAINING_SETS:
                with chdir(work.folder):
                    check_kept(params)
            work.do(step.name, key, lambda step=step: run(step, params))  # type: ignore[misc]


def _texts(source: Source, work: Work, seed: int) -> Texts:
    """A sample to look at, with the questions whose place is known, where there are any."""
    corpus = work.folder / CORPUS
    asked, judged = (
        file if (file := corpus / f"{TEST}{end}").is_file() else None for end in (QA, SUFFIX)
    )
    if source.questions and source.questions.name.removesuffix(".gz").endswith(".json"):
        asked = source.questions  # SQuAD's, which knows places
    given, texts = corpus / PASSAGES, None
    with suppress(InputError):
        texts = read(given, asked, judged, BadRows(), most=SAMPLE, seed=seed)
    texts = texts or read(given, None, None, BadRows(), most=SAMPLE, seed=seed)
    return replace(texts, source=str(source.passages))


def _finish(
    source: Source,
    model: Model,
    params: Params,
    work: Work,
    texts: Texts,
    output: Path,
    tested: bool,
    study: str,
) -> Result:
    """Measure all retrievers and write `output`, whole."""
    retrievers = {name: work.folder / paths.retriever(name) for name in DENSE}
    shown = {BASE: source.halves.name, **{name: name for name in TRAINED}}
    models = [
        load(Halves(shown[n], of / QUESTION, of / PASSAGE), model.max_tokens)
        for n, of in retrievers.items()
    ]
    probed = probe(models, texts, params.entities, seed=params.seed)
    found = accuracies(work.folder, params.seed) if tested else None
    counts = {name: _counted(work.folder, name) for name in SETS}
    taken = read_values(work.folder / paths.TRAINING_SETS)[ADAPTED]["examples"]
    text = card(output.name, source.halves.name, params, probed, found, counts, int(taken), study)
    with atomic(output) as aside:
        export_sentence_transformers(retrievers[ADAPTED], aside, params.encoder, text)
        write_text(aside / "probe.html", page(probed))
        figures = {"accuracy": as_json(found), "questions": counts, "attention": probed.figures()}
        write_json(aside / "adapt.json", figures)
        for name in SETS:
            kept = aside / "questions" / f"{name}.jsonl"
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(work.folder / paths.filtered(name), kept)
    return Result(probed, found)


def _counted(folder: Path, name: str) -> dict[str, int]:
    lines = {
        what: sum(1 for _ in (folder / of(name)).open("rb"))
        for what, of in (("generated", paths.generated), ("kept", paths.filtered))
    }
    about = read_values(folder / paths.selection_metrics(name))["passages"]
    return {"about": int(about), **lines}
