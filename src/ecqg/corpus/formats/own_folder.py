"""One's own rows and BEIR folders as files of a data folder, all of them or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from ecqg.corpus.dpr_examples import Context, DprExample, write_dpr_examples
from ecqg.corpus.formats.own import QUERY, Beir, Ids, Query, none_left, read_passages, read_queries
from ecqg.corpus.formats.rows import BadRows, bad_rows
from ecqg.corpus.passage_file import read_passage_file, write_passage_file
from ecqg.corpus.qrels import SUFFIX, write_qrels
from ecqg.corpus.questions import IDS, QA, Question, write_questions
from ecqg.errors import InputError
from ecqg.files import write_text
from ecqg.progress import track

BEIR, PASSAGES, QUESTIONS = "beir", "passages", "questions"
OWN_FORMATS = (BEIR, PASSAGES, QUESTIONS)
PASSAGE_FILE = "passages.tsv"
TRAINING = ("train", "dev")  # splits that are gold questions, not test sets
DEV_TEST = "dev_test"  # the test set that dev questions without training questions are
TENTH = 10

T = TypeVar("T")


def import_own(
    form: str, files: Sequence[Path], folder: Path, name: str = "", skip_bad: Path | None = None
) -> tuple[dict[str, int], int]:
    """Write files of the data folder from `files`, one of OWN_FORMATS.

    `beir` is one folder: passages and, of each of its splits, questions; `passages` are files of
    rows; so are `questions`, NAME.qa.tsv with qrels and ids or, where `name` is train or dev,
    NAME.dpr.json, of passages in the data folder. Returns the records by file, and the number of
    bad rows, which go to the new file `skip_bad`. Raises InputError for the first of them where
    that is not given, for a file that is missing, and for one that is there already.
    """
    for file in files:
        if not (file.is_dir() if form == BEIR else file.is_file()):
            what = "no such folder" if form == BEIR else "no such file"
            raise InputError(what, file=file, remedy="check the path")
    if form == BEIR and len(files) != 1:
        raise InputError(f"{len(files)} folders", remedy="name one folder in BEIR's form")
    passages = target = folder / PASSAGE_FILE
    if form == QUESTIONS:
        name = name or "test"
        check_name(name)
        target = folder / (f"{name}.dpr.json" if name in TRAINING else f"{name}{QA}")
    check_absent(target)
    with bad_rows(skip_bad) as bad, writing(folder) as aside:
        if form == BEIR:
            written = write_beir(Beir(files[0]), aside, bad)
        elif form == PASSAGES:
            written = {PASSAGE_FILE: write_passages(files, aside, bad, Ids())}
        else:
            known = _ids(passages, needed=name in TRAINING)
            queries = [one for file in files for one in read_queries(file, bad, known)]
            written = write_questions_of(name, queries, passages, aside, bad)
            none_left(sum(written.values()), "questions", files[0], bad)
        bad.settle()
    return written, bad.count


def check_name(name: str) -> None:
    """Raise InputError for what is no name of a file in a folder."""
    if name.startswith(".") or Path(name).name != name:
        raise InputError(f"the name {name!r}", remedy="name a split or test set, such as test")


def check_absent(file: Path) -> None:
    """Raise InputError where there is such a file."""
    if file.exists():
        remedy = "remove it, or import to another folder or name"
        raise InputError("is there already", file=file, remedy=remedy)


def _ids(passages: Path, *, needed: bool) -> Ids | None:
    """The ids of a passage file; None where there is none, unless it is `needed`."""
    if not passages.is_file():
        if needed:
            raise InputError("no such file", file=passages, remedy="import the passages first")
        return None
    known = Ids()
    for entry in read_passage_file(passages):
        known.add(entry.id)
    return known


@contextmanager
def gone_if_empty(folder: Path) -> Iterator[None]:
    """Make a folder; remove it again if it is empty where what is done ends in an exception.

    Raises InputError where a file is in its place, or that of a folder above it.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError("is no folder", file=folder, remedy="name a folder or none yet") from None
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):  # it holds something, or is not there
                folder.rmdir()
        raise


@contextmanager
def writing(folder: Path) -> Iterator[Path]:
    """A folder aside, whose files are moved to `folder` at the end; none where one is there."""
    with (
        gone_if_empty(folder),
        tempfile.TemporaryDirectory(prefix=".import.", dir=folder) as scratch,
    ):
        yield Path(scratch)
        files = sorted(Path(scratch).iterdir())
        for file in files:
            check_absent(folder / file.name)
        for file in files:
            shutil.move(file, folder / file.name)


def write_passages(files: Sequence[Path], folder: Path, bad: BadRows, seen: Ids) -> int:
    """Write passages.tsv from files of rows, ids unique among all; return how many there are."""
    entries = (entry for file in files for entry in read_passages(file, bad, seen))
    count = write_passage_file(folder / PASSAGE_FILE, track(entries, "passages", unit="passage"))
    none_left(count, "passages", files[0], bad)
    return count


def write_test_set(folder: Path, name: str, queries: Iterable[Query], bad: BadRows) -> int:
    """Write NAME.qa.tsv, NAME.ids.txt and, where passages are judged, NAME.qrels; their number.

    Questions with neither answers nor a relevant passage are bad rows.
    """
    kept: list[Query] = []
    for one in queries:
        if one.measurable:
            kept.append(one)
        else:
            bad.add(one.row, "neither answers nor a relevant passage", QUERY)
    write_questions(folder / f"{name}{QA}", (Question(a.id, a.text, a.answers) for a in kept))
    write_text(folder / f"{name}{IDS}", "".join(f"{a.id}\n" for a in kept))
    if judged := {a.id: a.relevant for a in kept if a.relevant}:
        write_qrels(folder / f"{name}{SUFFIX}", judged)
    return len(kept)


def write_questions_of(
    name: str, queries: Iterable[Query], passages: Path, folder: Path, bad: BadRows
) -> dict[str, int]:
    """Write a test set, or training questions where `name` says so; records by file.

    Training questions, each with its most relevant passage, are NAME.dpr.json; those without one
    are bad rows.
    """
    if name not in TRAINING:
        return {f"{name}{QA}": write_test_set(folder, name, queries, bad)}
    of = list(queries)
    wanted = {i for one in of for i in one.relevant}
    entries = read_passage_file(passages) if wanted else ()
    texts = {e.id: Context(e.id, e.title, e.text) for e in entries if e.id in wanted}

    def examples() -> Iterator[DprExample]:
        for one in of:
            best = max(one.relevant, key=one.relevant.__getitem__, default="")
            if best in texts and one.relevant[best] > 0:
                yield DprExample(one.text, one.answers, (texts[best],))
            else:
                remedy = 'write "relevant": [the id of the passage that answers it]'
                bad.add(one.row, "a training question without a relevant passage", remedy)

    file = f"{name}.dpr.json"
    return {file: write_dpr_examples(folder / file, examples())}


def write_beir(beir: Beir, folder: Path, bad: BadRows) -> dict[str, int]:
    """Passages and all splits; training questions without a split for dev give a tenth to it."""
    seen = Ids()
    written = {PASSAGE_FILE: write_passages([beir.corpus], folder, bad, seen)}
    splits = beir.splits() if beir.queries.is_file() else []
    for split in splits:
        queries = beir.read_queries(split, bad, seen)
        if split == "train" and "dev" not in splits:
            written |= write_split(queries, folder, bad)
        else:
            name = DEV_TEST if split == "dev" and "train" not in splits else split
            written |= write_questions_of(name, queries, folder / PASSAGE_FILE, folder, bad)
    return written


def write_split(queries: Iterable[Query], folder: Path, bad: BadRows) -> dict[str, int]:
    """Write training questions, and a tenth of them for dev; their passages are in `folder`."""
    written: dict[str, int] = {}
    for name, part in kept_back(queries, lambda one: one.id).items():
        written |= write_questions_of(name, part, folder / PASSAGE_FILE, folder, bad)
    return written


def kept_back(items: Iterable[T], name: Callable[[T], str]) -> dict[str, list[T]]:
    """Items for train, and the tenth of them that dev gets instead, by their names."""
    parts: dict[str, list[T]] = {"train": [], "dev": []}
    for item in items:
        parts["train" if part_of(name(item)) else "dev"].append(item)
    return parts


def part_of(name: str) -> int:
    """Which tenth a question belongs to, from 0 on, by its id."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % TENTH
