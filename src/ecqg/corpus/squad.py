"""The official SQuAD files, downloaded and written as a data folder.

Training articles, with answerable and unanswerable questions: train-v2.0.json. Dev and test: the
articles of dev-v1.1.json, which has all 48 of them where v2.0 keeps 35, on the side that the
SHA-256 of the title says; to their reading examples come the unanswerable questions of
dev-v2.0.json.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ecqg.corpus.cutting import cut_paragraph
from ecqg.corpus.download import download
from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.questions import Question, write_questions
from ecqg.corpus.reading import Answer, ReadingExample, write_reading
from ecqg.files import read_json, write_json

URL = "https://rajpurkar.github.io/SQuAD-explorer/dataset"
MIRROR = "ECQG_SQUAD_URL"  # environment variable: another place to get the same bytes from
TRAIN, DEV, DEV_UNANSWERABLE = "train-v2.0.json", "dev-v1.1.json", "dev-v2.0.json"
CHECKSUMS = {
    TRAIN: "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
    DEV: "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
    DEV_UNANSWERABLE: "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
}
_BREAKS = str.maketrans("\n\r\t", "   ")  # keeps offsets


@dataclass(frozen=True, slots=True)
class Asked:
    """An official question; `plausible` marks the answers of an unanswerable one."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    plausible: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """An official paragraph with its questions."""

    title: str
    text: str
    asked: tuple[Asked, ...]


def download_squad(folder: Path, downloads: Path, checksums: Mapping[str, str] = CHECKSUMS) -> None:
    """Write passages.tsv, {train,dev,test}.qa.tsv, squad-{train,dev,test}.json and meta.json.

    `downloads` keeps the official files. Raises InputError as `download` does, before anything is
    written to `folder`, which must exist.
    """
    base = os.environ.get(MIRROR, URL).rstrip("/")
    files = {
        name: download(f"{base}/{name}", checksum, downloads)
        for name, checksum in checksums.items()
    }
    splits = split_paragraphs(*(read_paragraphs(files[n]) for n in (TRAIN, DEV, DEV_UNANSWERABLE)))
    everything = [paragraph for paragraphs in splits.values() for paragraph in paragraphs]
    passages = write_passage_file(folder / "passages.tsv", _entries(everything))
    for name, paragraphs in splits.items():
        write_questions(folder / f"{name}.qa.tsv", _questions(paragraphs))
        write_reading(folder / f"squad-{name}.json", _reading(paragraphs))
    counts = {name: sum(len(p.asked) for p in paragraphs) for name, paragraphs in splits.items()}
    meta = {
        "source": URL,
        "licence": "CC BY-SA 4.0",
        "sha256": dict(checksums),
        "passages": passages,
        "questions": counts,
    }
    write_json(folder / "meta.json", meta)


def read_paragraphs(path: str | Path) -> list[Paragraph]:
    """The paragraphs of an official file, its titles in plain letters."""
    return [
        Paragraph(
            unquote(article["title"]).replace("_", " ").translate(_BREAKS),
            paragraph["context"].translate(_BREAKS),
            tuple(_asked(qa, paragraph["context"]) for qa in paragraph["qas"]),
        )
        for article in read_json(path)["data"]
        for paragraph in article["paragraphs"]
    ]


def split_paragraphs(
    train: list[Paragraph], dev: Iterable[Paragraph], with_unanswerable: Iterable[Paragraph]
) -> dict[str, list[Paragraph]]:
    """Split the dev paragraphs in dev and test, by title, and give them unanswerable questions."""
    extra = {
        " ".join(p.text.split()): tuple(asked for asked in p.asked if asked.plausible)
        for p in with_unanswerable
    }
    splits: dict[str, list[Paragraph]] = {"train": train, "dev": [], "test": []}
    for paragraph in dev:
        asked = paragraph.asked + extra.get(" ".join(paragraph.text.split()), ())
        even = hashlib.sha256(paragraph.title.encode()).digest()[0] % 2 == 0
        splits["dev" if even else "test"].append(Paragraph(paragraph.title, paragraph.text, asked))
    return splits


def _asked(qa: Mapping[str, Any], context: str) -> Asked:
    impossible = bool(qa.get("is_impossible", False))
    listed = qa.get("plausible_answers", []) if impossible else qa["answers"]
    answers = [Answer(a["text"].translate(_BREAKS), a["answer_start"]) for a in listed]
    context = context.translate(_BREAKS)
    sound = [a for a in answers if a.text.strip() and context.startswith(a.text, a.start)]
    return Asked(str(qa["id"]), " ".join(qa["question"].split()), tuple(sound), impossible)


def _entries(paragraphs: Iterable[Paragraph]) -> Iterator[Entry]:
    number = 0
    for paragraph in paragraphs:
        for start, end in cut_paragraph(paragraph.text):
            number += 1
            yield Entry(str(number), paragraph.text[start:end], paragraph.title)


def _questions(paragraphs: Iterable[Paragraph]) -> list[Question]:
    """The answerable questions, exact repeats once."""
    rows = {
        (asked.text, tuple(dict.fromkeys(a.text for a in asked.answers))): None
        for paragraph in paragraphs
        for asked in paragraph.asked
        if asked.text and asked.answers and not asked.plausible
    }
    return [Question(str(i), text, answers) for i, (text, answers) in enumerate(rows)]


def _reading(paragraphs: Iterable[Paragraph]) -> Iterator[ReadingExample]:
    """One example a question, its context the passage that holds an answer.

    An unanswerable question gets the passage of its plausible answer, else the first. Where no
    passage holds an answer whole, the context is the neighbouring passages joined.
    """
    for paragraph in paragraphs:
        blocks = cut_paragraph(paragraph.text)
        for asked in paragraph.asked:
            if not asked.text or not (asked.answers or asked.plausible):
                continue
            start, end = _context(blocks, asked.answers)
            inside = tuple(
                Answer(a.text, a.start - start)
                for a in asked.answers
                if start <= a.start and a.start + len(a.text) <= end
            )
            yield ReadingExample(
                asked.id,
                asked.text,
                paragraph.title,
                paragraph.text[start:end],
                () if asked.plausible else inside,
            )


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
