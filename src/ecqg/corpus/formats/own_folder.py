"""One's own rows and BEIR folders as files of a data folder, all of them or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from ecqg.corpus.formats.own import (
    Asked,
    Beir,
    Ids,
    none_left,
    read_asked,
    read_passages,
    write_test_set,
    write_training,
)
from ecqg.corpus.formats.rows import BadRows, bad_rows
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.corpus.questions import QA
from ecqg.errors import InputError
from ecqg.progress import track

BEIR, PASSAGES, QUESTIONS = "beir", "passages", "questions"
OWN_FORMATS = (BEIR, PASSAGES, QUESTIONS)
PASSAGE_FILE = "passages.tsv"
TRAINING = ("train", "dev")  # splits that are gold questions, not test sets
TENTH = 10


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
    target = folder / PASSAGE_FILE
    if form == QUESTIONS:
        name = name or "test"
        target = folder / (f"{name}.dpr.json" if name in TRAINING else f"{name}{QA}")
    _absent(target)
    with bad_rows(skip_bad) as bad, writing(folder) as aside:
        if form == BEIR:
            written = write_beir(Beir(files[0]), aside, bad)
        elif form == PASSAGES:
            written = {PASSAGE_FILE: write_passages(files, aside, bad)}
        else:
            written = _write_questions(files, folder, aside, name, bad)
        bad.settle()
    return written, bad.count


@contextmanager
def writing(folder: Path) -> Iterator[Path]:
    """A folder aside, whose files are moved to `folder` at the end; none where one is there."""
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".import.", dir=folder) as scratch:
            yield Path(scratch)
            files = sorted(Path(scratch).iterdir())
            for file in files:
                _absent(folder / file.name)
            for file in files:
                shutil.move(file, folder / file.name)
    except BaseException:
        if made:
            with suppress(OSError):  # it holds something
                folder.rmdir()
        raise


def _absent(file: Path) -> None:
    if file.exists():
        remedy = "remove it, or import to another folder or name"
        raise InputError("is there already", file=file, remedy=remedy)


def write_passages(
    files: Iterable[Path], folder: Path, bad: BadRows, seen: Ids | None = None
) -> int:
    """Write passages.tsv from files of rows, ids unique among all; return how many there are."""
    seen = Ids() if seen is None else seen
    for_bar = (entry for file in files for entry in read_passages(file, bad, seen))
    count = write_passage_file(folder / PASSAGE_FILE, track(for_bar, "passages", unit="passage"))
    none_left(count, "passages", next(iter(files), folder), bad)
    return count


def write_questions_of(
    name: str, asked: Iterable[Asked], passages: Path, folder: Path, bad: BadRows
) -> dict[str, int]:
    """Write a test set, or training questions where `name` says so; records by file."""
    if name not in TRAINING:
        return {f"{name}{QA}": write_test_set(folder, name, asked, bad)}
    of = list(asked)
    wanted = {i for one in of for i in one.relevant}
    file = f"{name}.dpr.json"
    return {file: write_training(folder / file, of, texts_of(passages, wanted), bad)}


def texts_of(passages: Path, wanted: set[str]) -> dict[str, Entry]:
    """The passages of a passage file that have these ids."""
    return {e.id: e for e in read_passage_file(passages) if e.id in wanted} if wanted else {}


def write_beir(beir: Beir, folder: Path, bad: BadRows) -> dict[str, int]:
    """Passages and all splits; training questions without a split for dev give a tenth to it."""
    seen = Ids()
    written = {PASSAGE_FILE: write_passages([beir.corpus], folder, bad, seen)}
    splits = beir.splits() if beir.queries.is_file() else []
    trained = "train" in splits
    for split in splits:
        asked = beir.read_asked(split, bad, seen)
        if split == "train" and "dev" not in splits:
            written |= write_split(asked, folder / PASSAGE_FILE, folder, bad)
        else:
            # Without training questions those of dev are a test set.
            name = split if trained or split != "dev" else "dev_test"
            written |= write_questions_of(name, asked, folder / PASSAGE_FILE, folder, bad)
    return written


def write_split(
    asked: Iterable[Asked], passages: Path, folder: Path, bad: BadRows
) -> dict[str, int]:
    """Write training questions, and a tenth of them for dev."""
    of = list(asked)
    written: dict[str, int] = {}
    for name, part in (
        ("train", [a for a in of if part_of(a.id) != 0]),
        ("dev", [a for a in of if part_of(a.id) == 0]),
    ):
        written |= write_questions_of(name, part, passages, folder, bad)
    return written


def part_of(name: str) -> int:
    """Which tenth a question belongs to, from 0 on, by its id."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % TENTH


def _write_questions(
    files: Sequence[Path], folder: Path, aside: Path, name: str, bad: BadRows
) -> dict[str, int]:
    if name.startswith(".") or Path(name).name != name:
        raise InputError(f"the name {name!r}", remedy="name a split or test set, such as test")
    passages = folder / PASSAGE_FILE
    known = None
    if passages.is_file():
        known = Ids()
        for entry in read_passage_file(passages):
            known.add(entry.id)
    elif name in TRAINING:
        raise InputError("no such file", file=passages, remedy="import the passages first")
    asked = [one for file in files for one in read_asked(file, bad, known)]
    written = write_questions_of(name, asked, passages, aside, bad)
    none_left(sum(written.values()), "questions", files[0], bad)
    return written
