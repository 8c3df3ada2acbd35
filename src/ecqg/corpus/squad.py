"""The official SQuAD files, downloaded, verified and written as a data folder.

Training articles, with answerable and unanswerable questions: train-v2.0.json. Dev and test: the
articles of dev-v1.1.json, which has all 48 of them where v2.0 keeps 35, on the side that the
SHA-256 of the title says; to their reading examples come the unanswerable questions of
dev-v2.0.json.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from msgspec import Struct

from ecqg.corpus.cutting import cut_paragraph
from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.questions import Question, write_questions
from ecqg.corpus.reading import Answer, ReadingExample, write_reading
from ecqg.errors import InputError
from ecqg.files import read_as, sha256, write_json
from ecqg.progress import track

URL = "https://rajpurkar.github.io/SQuAD-explorer/dataset"
MIRROR = "ECQG_SQUAD_URL"  # environment variable: another place to get the same bytes from
TRAIN, DEV, DEV_UNANSWERABLE = "train-v2.0.json", "dev-v1.1.json", "dev-v2.0.json"
CHECKSUMS = {
    TRAIN: "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
    DEV: "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
    DEV_UNANSWERABLE: "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
}
BLOCK = 1 << 16
TIMEOUT = 60  # seconds without a byte
_BREAKS = str.maketrans("\n\r\t", "   ")  # keeps offsets


class _Qa(Struct):
    id: str | int
    question: str
    answers: tuple[Answer, ...] = ()
    plausible_answers: tuple[Answer, ...] = ()
    is_impossible: bool = False


class _Paragraph(Struct):
    context: str
    qas: list[_Qa]


class _Article(Struct):
    paragraphs: list[_Paragraph]
    title: str = ""


class _Squad(Struct):
    data: list[_Article]


class SquadQuestion(NamedTuple):
    """An official question; `plausible` marks the answers of an unanswerable one."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    plausible: bool


class Paragraph(NamedTuple):
    """An official paragraph with its questions."""

    title: str
    text: str
    questions: tuple[SquadQuestion, ...]


def download_squad(folder: Path, downloads: Path, checksums: Mapping[str, str] = CHECKSUMS) -> None:
    """Write passages.tsv, {train,dev,test}.qa.tsv, squad-{train,dev,test}.json and meta.json.

    `downloads` keeps the official files. Raises InputError as `download` does, before anything is
    written to `folder`, which must exist.
    """
    base = os.environ.get(MIRROR, URL).rstrip("/")
    files = {name: download(f"{base}/{name}", sha, downloads) for name, sha in checksums.items()}
    splits = split_paragraphs(*(read_paragraphs(files[n]) for n in (TRAIN, DEV, DEV_UNANSWERABLE)))
    passages = write_passage_file(folder / "passages.tsv", entries_of(chain(*splits.values())))
    for name, paragraphs in splits.items():
        write_questions(folder / f"{name}.qa.tsv", questions_of(paragraphs))
        write_reading(folder / f"squad-{name}.json", examples_of(paragraphs))
    meta = {
        "source": URL,
        "licence": "CC BY-SA 4.0",
        "sha256": dict(checksums),
        "passages": passages,
        "questions": {name: sum(len(p.questions) for p in of) for name, of in splits.items()},
    }
    write_json(folder / "meta.json", meta)


def read_paragraphs(path: str | Path) -> list[Paragraph]:
    """The paragraphs of an official file, its titles in plain letters.

    Raises InputError where the file is none, or a paragraph has no text.
    """
    found = []
    for article in read_as(path, _Squad, "not SQuAD JSON").data:
        title = unquote(article.title).replace("_", " ").translate(_BREAKS)
        for number, paragraph in enumerate(article.paragraphs, 1):
            text = paragraph.context.translate(_BREAKS)
            if not text.strip():
                what = f"the context of paragraph {number} of the article {title!r} is empty"
                raise InputError(what, file=path, remedy="write or remove it")
            questions = tuple(_question(qa, text) for qa in paragraph.qas)
            found.append(Paragraph(title, text, questions))
    return found


def split_paragraphs(
    train: list[Paragraph], dev: Iterable[Paragraph], with_unanswerable: Iterable[Paragraph]
) -> dict[str, list[Paragraph]]:
    """Split the dev paragraphs in dev and test, by title, and give them unanswerable questions."""
    extra = {
        " ".join(p.text.split()): tuple(question for question in p.questions if question.plausible)
        for p in with_unanswerable
    }
    splits: dict[str, list[Paragraph]] = {"train": train, "dev": [], "test": []}
    for p in dev:
        questions = p.questions + extra.get(" ".join(p.text.split()), ())
        splits[half(p.title)].append(p._replace(questions=questions))
    return splits


def half(title: str) -> str:
    """The split, dev or test, that an article's paragraphs belong to."""
    return "test" if hashlib.sha256(title.encode()).digest()[0] % 2 else "dev"


def _question(qa: _Qa, context: str) -> SquadQuestion:
    listed = qa.plausible_answers if qa.is_impossible else qa.answers
    answers = tuple(
        Answer(text, a.start)
        for a in listed
        if (text := a.text.translate(_BREAKS)).strip()
        and a.start >= 0
        and context.startswith(text, a.start)
    )
    return SquadQuestion(str(qa.id), " ".join(qa.question.split()), answers, qa.is_impossible)


def entries_of(paragraphs: Iterable[Paragraph]) -> Iterator[Entry]:
    """The paragraphs as passages, with ids from 1 on."""
    numbers = count(1)
    for paragraph in paragraphs:
        for start, end in cut_paragraph(paragraph.text):
            yield Entry(str(next(numbers)), paragraph.text[start:end], paragraph.title)


def questions_of(paragraphs: Iterable[Paragraph]) -> list[Question]:
    """The answerable questions, exact repeats once."""
    rows = {
        (question.text, tuple(dict.fromkeys(a.text for a in question.answers))): None
        for paragraph in paragraphs
        for question in paragraph.questions
        if question.text and question.answers and not question.plausible
    }
    return [Question(str(i), text, answers) for i, (text, answers) in enumerate(rows)]


def examples_of(paragraphs: Iterable[Paragraph]) -> Iterator[ReadingExample]:
    """One example a question, its context the passage that holds an answer.

    An unanswerable question gets the passage of its plausible answer, else the first. Where no
    passage holds an answer whole, the context is the neighbouring passages joined.
    """
    for title, text, questions in paragraphs:
        blocks = cut_paragraph(text)
        for name, question, answers, plausible in questions:
            if question and (answers or plausible):
                start, end = _context(blocks, answers)
                inside = tuple(
                    Answer(a.text, a.start - start)
                    for a in answers
                    if not plausible and start <= a.start and a.start + len(a.text) <= end
                )
                yield ReadingExample(name, question, title, text[start:end], inside)


def _context(blocks: list[tuple[int, int]], answers: tuple[Answer, ...]) -> tuple[int, int]:
    """The span of the first passage with a whole answer, else of those that the first one meets."""
    for answer in answers:
        for start, end in blocks:
            if start <= answer.start and answer.start + len(answer.text) <= end:
                return start, end
    if not answers:
        return blocks[0]
    first, last = answers[0].start, answers[0].start + len(answers[0].text)
    met = [(start, end) for start, end in blocks if start < last and first < end]
    return met[0][0], met[-1][1]


def download(url: str, checksum: str, folder: str | Path) -> Path:
    """Fetch `url` to `folder`, where it is named after its checksum, unless it lies there already.

    A transfer that broke is taken up where it ended if the server can. Nothing is read from the
    file before its SHA-256 is found to be `checksum`. Raises InputError for a host that cannot be
    reached, a file that is not there, a broken transfer and a wrong checksum.
    """
    target = Path(folder) / f"{checksum[:16]}-{url.rsplit('/', 1)[-1]}"
    if target.is_file() and sha256(target) == checksum:
        return target
    partial = target.with_name(target.name + ".part")
    partial.parent.mkdir(parents=True, exist_ok=True)
    try:
        _transfer(url, partial)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        remedy = "check the connection, or bring the data by hand (docs/data.md)"
        raise InputError(f"cannot download {url} ({reason})", remedy=remedy) from None
    found = sha256(partial)
    if found != checksum:
        partial.unlink()
        what = f"{url} has the sha256 {found} where {checksum} is expected"
        remedy = "the file was changed or damaged on the way: try again or use another mirror"
        raise InputError(what, remedy=remedy)
    partial.replace(target)
    return target


def _transfer(url: str, partial: Path) -> None:
    """Append to `partial` what it lacks, or write it anew where the server sends everything."""
    have = partial.stat().st_size if partial.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # nothing lies beyond what we have
            return
        raise
    with response:
        resumed = getattr(response, "status", None) == 206
        length = int(response.headers.get("Content-Length") or 0)
        blocks = iter(lambda: response.read(BLOCK), b"")
        total = -(-length // BLOCK) or None
        with partial.open("ab" if resumed else "wb") as out:
            bar = track(blocks, f"Download {url}", total=total, unit="block")
            received = sum(out.write(block) for block in bar)
    if length and received < length:
        raise OSError(f"broken off after {received} of {length} bytes")
