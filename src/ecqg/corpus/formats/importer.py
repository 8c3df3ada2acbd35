"""From public files to a data folder: `ecqg import FORMAT FILE... --output FOLDER`."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import to_builtins

from ecqg.corpus.dpr_examples import read_dpr_examples, write_dpr_examples
from ecqg.corpus.formats import passages, questions
from ecqg.corpus.formats.own_folder import check_absent, check_name, gone_if_empty
from ecqg.corpus.lines import UTF_8
from ecqg.corpus.overlap import check_annotations
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.corpus.questions import QA, Question, read_questions, write_questions
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.progress import track

T = TypeVar("T")
ReadAll: TypeAlias = Callable[..., Iterator[T]]  # (paths), of ENCODED (paths, encoding=codec)


def _each(read: Callable[[Path], Iterator[T]]) -> ReadAll[T]:
    """A reader of several files from one of a single file."""
    return lambda paths: (item for path in paths for item in read(path))


QUESTIONS: dict[str, ReadAll[Question]] = {
    "nq-open": _each(questions.read_nq_open),
    "dpr-qa": _each(questions.read_dpr_qa),
    "webquestions": _each(questions.read_web_questions),
    "triviaqa": _each(questions.read_trivia_qa),
    "wikimovies": _each(questions.read_wiki_movies),
    "bioasq": questions.read_bioasq,
}
PASSAGES: dict[str, ReadAll[Entry]] = {
    "dpr-passages": _each(read_passage_file),
    "wikimovies-wiki": passages.read_wiki_movies,
    "pubmed": lambda paths: passages.abstract_passages(passages.read_pubmed(paths)),
    "bioasq-articles": lambda paths, encoding: passages.abstract_passages(
        passages.read_bioasq_articles(paths, encoding)
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
    codec = _codec(form, encoding)
    told = {"encoding": codec} if form in ENCODED else {}
    check_name(name)
    if entities is not None and form != "wikimovies":
        raise InputError(f"entities for {form}", remedy="only wikimovies has a list of entities")
    for file in (*files, *filter(None, [entities])):
        if not file.is_file():
            raise InputError("no such file", file=file, remedy="check the path")
    if form == OVERLAP and len(files) != 1:
        raise InputError(f"{len(files)} files of annotations", remedy="give one for a test set")
    ends = dict.fromkeys(QUESTIONS, QA) | {TRAINING: ".dpr.json", OVERLAP: ".overlap.jsonl"}
    test_set = name or ("train" if form == TRAINING else "test")
    target = folder / (f"{test_set}{ends[form]}" if form in ends else "passages.tsv")
    check_absent(target)
    named = ", ".join(map(str, files))
    with gone_if_empty(folder):
        if form in QUESTIONS:
            read = QUESTIONS[form]
            if entities is not None:
                known = questions.read_entities(entities)
                read = _each(lambda path: questions.read_wiki_movies(path, known))
            return _questions(_counted(read(files, **told), form, named), target, named)
        if form in PASSAGES:
            entries = _counted(PASSAGES[form](files, **told), form, named)
            return Imported(target, write_passage_file(target, entries))
        if form == TRAINING:
            examples = _counted(_each(read_dpr_examples)(files), form, named)
            return Imported(target, write_dpr_examples(target, examples))
        annotations = whole_annotations(files[0], len(read_questions(folder / f"{test_set}{QA}")))
        write_jsonl(target, annotations)
        return Imported(target, len(annotations))


def _codec(form: str, name: str) -> str:
    """The codec of that name. Raises InputError where `form` has one encoding, or no such codec."""
    try:
        "".encode(name)  # looks it up, and refuses what is no encoding of text
    except (LookupError, ValueError):
        raise InputError(f"no encoding {name!r}", remedy="name one such as latin-1") from None
    codec = codecs.lookup(name).name
    if codec == "utf-8":
        return UTF_8
    if form not in ENCODED:
        remedy = f"only {' and '.join(ENCODED)} may have another"
        raise InputError(f"an encoding for {form}", remedy=remedy)
    return codec


def _questions(found: Iterator[Question], target: Path, files: str) -> Imported:
    count = unanswered = 0

    def answered() -> Iterator[Question]:
        nonlocal count, unanswered
        for question in found:
            if question.answers:
                count += 1
                yield question
            else:
                unanswered += 1
        if not count:
            what = f"none of {unanswered:,} questions has an answer"
            raise InputError(what, file=files, remedy=questions.NO_ANSWERS)

    write_questions(target, answered())
    return Imported(target, count, unanswered)


def whole_annotations(path: Path, count: int) -> list[dict[str, Any]]:
    """The annotations of overlap with training (Lewis et al. 2020) of `count` test questions.

    nq-annotations.jsonl and the like have {"id": 0, "labels": ["total", "no_answer_overlap", ...]}
    a line, the id being the 0-based line of the question in DPR's file nq-test.qa.csv (other files
    of the same questions need not have its order): evaluate.py of
    github.com/facebookresearch/QA-Overlap. As there, all questions must be annotated and no others:
    nothing else tells that a file is of other questions. Raises InputError naming file and line.
    """
    found = [to_builtins(annotation) for annotation in check_annotations(path, count)]
    if len(found) != count:
        remedy = "take the annotations of that test set, and all of its questions in their order"
        what = f"{len(found)} annotations for {count} questions"
        raise InputError(what, file=path, remedy=remedy)
    return found


def _counted(items: Iterable[T], form: str, files: str) -> Iterator[T]:
    """The items, which must not be none at all, with a progress bar."""
    empty = True
    for item in track(items, form, unit="record"):
        empty = False
        yield item
    if empty:
        raise InputError(f"no {form} records", file=files, remedy="there must be one or more")
