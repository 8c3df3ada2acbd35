"""A folder in any of the forms that people have, as a data folder (docs/data.md).

A data folder that lacks nothing is used where it lies; all else is written to a folder of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from ecqg.corpus.dpr_examples import read_dpr_examples, write_dpr_examples
from ecqg.corpus.formats.own import Asked, Beir, Ids, read_asked
from ecqg.corpus.formats.own_folder import (
    PASSAGE_FILE,
    part_of,
    write_beir,
    write_passages,
    write_questions_of,
    write_split,
    writing,
)
from ecqg.corpus.formats.rows import BadRows
from ecqg.corpus.passage_file import HEADER, write_passage_file
from ecqg.corpus.questions import write_questions
from ecqg.corpus.reading import read_reading, write_reading
from ecqg.corpus.squad import Paragraph, entries_of, examples_of, questions_of, read_paragraphs
from ecqg.errors import InputError

ROWS = (".jsonl", ".csv", ".tsv")
CORPORA = ("passages", "corpus", "documents", "docs")
SPLITS = ("train", "dev", "test")
FORMS = (
    "a data folder with passages.tsv, a folder of BEIR (corpus.jsonl, queries.jsonl, qrels/), "
    "passages as .jsonl, .csv or .tsv with train, dev and test beside them, or SQuAD's .json"
)


@dataclass
class Adopted:
    """A data folder: where it lies, what it was made from, and what had to be decided."""

    folder: Path
    form: str
    notes: list[str] = field(default_factory=list)


def adopt(source: Path, target: Path, bad: BadRows) -> Adopted:
    """The data folder of `source`, made at `target` where `source` is none or lacks dev questions.

    Raises InputError where `source` holds nothing that is known, or bad rows that are not skipped.
    """
    if not source.is_dir():
        raise InputError("no such folder", file=source, remedy="name the folder of your corpus")
    if _is_data_folder(source) and _whole(source):
        return Adopted(source, "a data folder")
    if target.exists():
        remedy = "remove it, or name another with --data-folder"
        raise InputError("is there already", file=target, remedy=remedy)
    with writing(target) as aside:
        adopted = Adopted(target, "")
        if _is_data_folder(source):
            _with_dev(source, aside, adopted)
        elif Beir(source).corpus.is_file() and Beir(source).queries.is_file():
            _of_beir(Beir(source), aside, bad, adopted)
        elif corpus := _corpus(source):
            _of_rows(source, corpus, aside, bad, adopted)
        elif squad := sorted(source.glob("*.json")):
            _of_squad(squad, aside, adopted)
        else:
            raise InputError("no corpus", file=source, remedy=f"it may be {FORMS}")
        bad.settle()
    return adopted


def _stem(file: Path) -> str:
    return file.name.split(".")[0].lower()


def _is_data_folder(folder: Path) -> bool:
    """Whether its passages.tsv is DPR's; with columns in another order it is a file of rows."""
    file = folder / PASSAGE_FILE
    if not file.is_file():
        return False
    with file.open(encoding="utf-8-sig", errors="replace") as lines:
        header = lines.readline(1000).rstrip("\r\n").split("\t")
    return sorted(header) != sorted(HEADER) or header == HEADER


def _whole(folder: Path) -> bool:
    """Whether training questions, where there are any, have dev questions beside them."""
    return all(
        (folder / dev).is_file() or not (folder / train).is_file()
        for train, dev in (
            ("train.dpr.json", "dev.dpr.json"),
            ("squad-train.json", "squad-dev.json"),
        )
    )


def _with_dev(source: Path, folder: Path, adopted: Adopted) -> None:
    adopted.form = "a data folder"
    adopted.notes.append(
        "dev questions: one in ten of the training questions is kept back for them"
    )
    for file in sorted(source.iterdir()):
        if file.is_file() and file.name not in ("train.dpr.json", "squad-train.json"):
            shutil.copy2(file, folder / file.name)
    if (source / "squad-train.json").is_file():
        examples = read_reading(source / "squad-train.json")
        parts = {e.id: part_of(e.id) == 0 for e in examples}
        for name, dev in (("train", False), ("dev", True)):
            write_reading(
                folder / f"squad-{name}.json", [e for e in examples if parts[e.id] is dev]
            )
    if (source / "train.dpr.json").is_file():
        gold = list(read_dpr_examples(source / "train.dpr.json"))
        for name, dev in (("train", False), ("dev", True)):
            of = (e for i, e in enumerate(gold) if (part_of(str(i)) == 0) is dev)
            write_dpr_examples(folder / f"{name}.dpr.json", of)


def _of_beir(beir: Beir, folder: Path, bad: BadRows, adopted: Adopted) -> None:
    adopted.form = "a folder of BEIR"
    write_beir(beir, folder, bad)
    splits = beir.splits()
    if not splits:
        adopted.notes.append("queries.jsonl without qrels/*.tsv: nothing says what answers them")
    if "train" in splits and "dev" not in splits:
        adopted.notes.append("dev questions: one in ten of qrels/train.tsv is kept back for them")
    if "train" not in splits and "dev" in splits:
        adopted.notes.append("qrels/dev.tsv without train: its questions are the test set dev_test")


def _corpus(folder: Path) -> Path | None:
    """The file of rows that holds the passages: the one named so, or the only one."""
    files = [f for f in sorted(folder.iterdir()) if f.name.removesuffix(".gz").endswith(ROWS)]
    named = [f for f in files if _stem(f) in CORPORA]
    chosen = named or files
    if len(chosen) > 1 and not named:
        names = ", ".join(file.name for file in files)
        remedy = f"call the file of the passages {CORPORA[0]}.jsonl, .csv or .tsv"
        raise InputError(f"which of {names} has the passages?", file=folder, remedy=remedy)
    return chosen[0] if chosen else None


def _of_rows(source: Path, corpus: Path, folder: Path, bad: BadRows, adopted: Adopted) -> None:
    adopted.form = f"rows in {corpus.name}"
    seen = Ids()
    write_passages([corpus], folder, bad, seen)
    passages = folder / PASSAGE_FILE
    files = {
        _stem(f): f
        for f in sorted(source.iterdir())
        if f != corpus and f.name.removesuffix(".gz").endswith(ROWS)
    }
    whole = [n for n in ("questions", "queries") if n in files]
    if whole and "train" not in files:
        asked = list(read_asked(files.pop(whole[0]), bad, seen))
        if all(a.relevant for a in asked):
            adopted.notes.append(
                f"{whole[0]}: eight in ten of its questions train, one is dev, one is the test set"
            )
            rest = [a for a in asked if part_of(a.id) != 1]
            write_split(rest, passages, folder, bad)
            _test_set("test", [a for a in asked if part_of(a.id) == 1], folder, bad, adopted)
        else:
            _test_set(whole[0], asked, folder, bad, adopted)
    trained = "train" in files
    for name, file in files.items():
        asked = list(read_asked(file, bad, seen))
        if name == "train" and "dev" not in files:
            adopted.notes.append("dev questions: one in ten of train is kept back for them")
            write_split(asked, passages, folder, bad)
        elif trained and name in ("train", "dev"):
            write_questions_of(name, asked, passages, folder, bad)
        else:
            _test_set("dev_test" if name == "dev" else name, asked, folder, bad, adopted)


def _test_set(name: str, asked: list[Asked], folder: Path, bad: BadRows, adopted: Adopted) -> None:
    if asked and not any(a.answers or a.relevant for a in asked):
        what = f"{name}: {len(asked):,} questions with neither answers nor relevant passages"
        adopted.notes.append(f"{what} measure nothing; left out")
        return
    write_questions_of(name, asked, folder / PASSAGE_FILE, folder, bad)


def _of_squad(files: Iterable[Path], folder: Path, adopted: Adopted) -> None:
    """Paragraphs become passages, cut as the downloaded SQuAD is."""
    adopted.form = "SQuAD's JSON"
    splits: dict[str, list[Paragraph]] = {}
    for file in files:
        read_reading(file)  # says what is wrong
        name = next((split for split in SPLITS if split in file.name.lower()), "train")
        splits.setdefault(name, []).extend(read_paragraphs(file))
    if "train" not in splits:
        splits = {"train": [p for of in splits.values() for p in of]}
    if "dev" not in splits and "test" not in splits:
        adopted.notes.append("one in ten paragraphs has the dev questions, one the test set's")
        parts = [(paragraph, part_of(paragraph.text)) for paragraph in splits["train"]]
        splits = {
            "train": [p for p, part in parts if part > 1],
            "dev": [p for p, part in parts if part == 0],
            "test": [p for p, part in parts if part == 1],
        }
    elif "dev" not in splits or "test" not in splits:
        adopted.notes.append("dev and test share the paragraphs of one file, by their titles")
        both = splits.pop("dev", []) + splits.pop("test", [])
        even = [sha256(p.title.encode()).digest()[0] % 2 == 0 for p in both]
        splits["dev"] = [p for p, first in zip(both, even, strict=True) if first]
        splits["test"] = [p for p, first in zip(both, even, strict=True) if not first]
    unique = {p.text: p for of in splits.values() for p in of}
    write_passage_file(folder / PASSAGE_FILE, entries_of(unique.values()))
    for name in SPLITS:
        examples = list(examples_of(splits[name]))
        if not examples:
            what = f"no {name} questions are left of {len(unique)} paragraphs"
            remedy = "name files train, dev and test, or give more paragraphs"
            raise InputError(what, file=adopted.folder, remedy=remedy)
        write_reading(folder / f"squad-{name}.json", examples)
    write_questions(folder / "test.qa.tsv", questions_of(splits["test"]))
