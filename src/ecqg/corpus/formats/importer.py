"""From public files to a data folder: `ecqg import FORMAT FILE... --output FOLDER`."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from ecqg.corpus.dpr_examples import read_dpr_examples, write_dpr_examples
from ecqg.corpus.folder import QA
from ecqg.corpus.formats import abstracts, pubmed, wiki_movies
from ecqg.corpus.formats.annotations import read_annotations
from ecqg.corpus.formats.bioasq import read_bioasq
from ecqg.corpus.formats.dpr_qa import read_dpr_qa
from ecqg.corpus.formats.nq_open import read_nq_open
from ecqg.corpus.formats.records import ANSWERS
from ecqg.corpus.formats.trivia_qa import read_trivia_qa
from ecqg.corpus.formats.web_questions import read_web_questions
from ecqg.corpus.lines import UTF_8
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.corpus.questions import Question, read_questions, write_questions
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.progress import track

T = TypeVar("T")
Read: TypeAlias = Callable[[Path], Iterator[T]]
ReadAll: TypeAlias = Callable[..., Iterator[T]]  # (paths), of ENCODED (paths, encoding=codec)


def _each(read: Read[T]) -> ReadAll[T]:
    """A reader of several files from one of a single file."""
    return lambda paths: (item for path in paths for item in read(path))


QUESTIONS: dict[str, ReadAll[Question]] = {
    "nq-open": _each(read_nq_open),
    "dpr-qa": _each(read_dpr_qa),
    "webquestions": _each(read_web_questions),
    "triviaqa": _each(read_trivia_qa),
    "wikimovies": _each(wiki_movies.read_questions),
    "bioasq": read_bioasq,
}
PASSAGES: dict[str, ReadAll[Entry]] = {
    "dpr-passages": _each(read_passage_file),
    "wikimovies-wiki": wiki_movies.read_articles,
    "pubmed": lambda paths: abstracts.passages(pubmed.read_pubmed(paths)),
    "bioasq-articles": lambda paths, encoding: abstracts.passages(
        pubmed.read_articles(paths, encoding)
    ),
}
# Those that are published in several encodings. XML says its own, others are UTF-8.
ENCODED = ("bioasq", "bioasq-articles")
TRAINING, OVERLAP = "dpr-train", "overlap"
FORMATS = (*QUESTIONS, *PASSAGES, TRAINING, OVERLAP)


class Imported(NamedTuple):
    """The file that was written, how many records it holds, and questions that had no answer."""

    path: Path
    records: int
    unanswered: int = 0


def import_files(
    form: str,
    files: Sequence[Path],
    folder: Path,
    name: str = "",
    entities: Path | None = None,
    encoding: str = "utf-8",
) -> Imported:
    """Read `files`, which are of the format `form`, and write one file of the data folder.

    Questions become NAME.qa.tsv and annotations NAME.overlap.jsonl (`name` is test if empty),
    passages passages.tsv, training examples NAME.dpr.json (train if empty). Other files of the
    folder stay; a file that is there is not replaced. Only formats in ENCODED may have another
    `encoding`. Nothing is written where a file is missing or malformed: InputError names it, with
    line or record.
    """
    made = not folder.exists()
    try:
        return _import(form, files, folder, name, entities, _encoding(form, encoding))
    except InputError:
        if made and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        raise


def _import(
    form: str,
    files: Sequence[Path],
    folder: Path,
    name: str,
    entities: Path | None,
    encoding: str,
) -> Imported:
    if name and (name.startswith(".") or Path(name).name != name):
        raise InputError(f"the name {name!r}", remedy="name a split or test set, such as test")
    if entities is not None and form != "wikimovies":
        raise InputError(f"entities for {form}", remedy="only wikimovies has a list of entities")
    for file in (*files, *filter(None, [entities])):
        if not file.is_file():
            raise InputError("no such file", file=file, remedy="check the path")
    told = {"encoding": encoding} if form in ENCODED else {}
    if form in QUESTIONS:
        read = QUESTIONS[form]
        if entities is not None:
            known = wiki_movies.read_entities(entities)
            read = _each(lambda path: wiki_movies.read_questions(path, known))
        return _questions(read(files, **told), _free(folder / f"{name or 'test'}{QA}"), form)
    if form in PASSAGES:
        target = _free(folder / "passages.tsv")
        entries = _checked(PASSAGES[form](files, **told), form)
        return Imported(target, write_passage_file(target, entries))
    if form == TRAINING:
        target = _free(folder / f"{name or 'train'}.dpr.json")
        read_all = _each(read_dpr_examples)
        return Imported(target, write_dpr_examples(target, _checked(read_all(files), form)))
    return _overlap(files, folder, name or "test")


def _encoding(form: str, name: str) -> str:
    """The codec of that name. Raises InputError where `form` has one encoding, or no such codec."""
    try:
        "".encode(name)  # looks it up, and refuses what is no encoding of text
    except (LookupError, ValueError):
        raise InputError(f"no encoding {name!r}", remedy="name one such as latin-1") from None
    codec = codecs.lookup(name).name
    if codec == "utf-8":
        return UTF_8
    if form not in ENCODED:
        raise InputError(
            f"an encoding for {form}", remedy=f"only {' and '.join(ENCODED)} may have another"
        )
    return codec


def _questions(found: Iterator[Question], target: Path, form: str) -> Imported:
    count = unanswered = 0

    def answered() -> Iterator[Question]:
        nonlocal count, unanswered
        for question in _checked(found, form):
            if question.answers:
                count += 1
                yield question
            else:
                unanswered += 1
        if not count:
            raise InputError(f"none of {unanswered:,} questions has an answer", remedy=ANSWERS)

    write_questions(target, answered())
    return Imported(target, count, unanswered)


def _overlap(files: Sequence[Path], folder: Path, name: str) -> Imported:
    if len(files) != 1:
        raise InputError(f"{len(files)} files of annotations", remedy="give one for a test set")
    target = _free(folder / f"{name}.overlap.jsonl")
    questions = len(read_questions(folder / f"{name}{QA}"))
    write_jsonl(target, read_annotations(files[0], questions))
    return Imported(target, questions)


def _checked(items: Iterable[T], form: str) -> Iterator[T]:
    """The items, which must not be none at all, with a progress bar."""
    empty = True
    for item in track(items, form, unit="record"):
        empty = False
        yield item
    if empty:
        raise InputError(f"no {form} records", remedy="the files must hold at least one")


def _free(target: Path) -> Path:
    if target.exists():
        raise InputError(
            "is there already", file=target, remedy="remove it, or import to another folder or name"
        )
    return target
