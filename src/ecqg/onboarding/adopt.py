"""A folder in any of the forms that people have, as a data folder (docs/data.md).

A data folder that lacks nothing and has no bad rows is used where it lies; all else is written to a
folder of its own.
"""

from __future__ import annotations

import re
import shutil
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ecqg.corpus import squad
from ecqg.corpus.dpr_examples import read_dpr_examples, write_dpr_examples
from ecqg.corpus.folder import read_split, read_test_set
from ecqg.corpus.formats import own_folder
from ecqg.corpus.formats.own import Beir, Ids, Query, read_passage_lines, read_queries
from ecqg.corpus.formats.own_folder import DEV_TEST, PASSAGE_FILE, TRAINING, kept_back, part_of
from ecqg.corpus.formats.rows import BadRows
from ecqg.corpus.lines import raw_lines
from ecqg.corpus.passage_file import HEADER, read_passage_file, write_passage_file
from ecqg.corpus.qrels import SUFFIX, check_measurable, judge_by, write_qrels
from ecqg.corpus.questions import QA, Question, write_questions
from ecqg.corpus.reading import read_reading, write_reading
from ecqg.errors import InputError
from ecqg.progress import track

ROWS = (".jsonl", ".csv", ".tsv")
CORPORA = ("passages", "corpus", "documents", "docs")
SPLITS = ("train", "dev", "test")
OF_DEV = re.compile(r"^(squad-)?dev(?=\.)")  # the beginning of a file's name
FORMS = (
    "a data folder with passages.tsv, a folder of BEIR (corpus.jsonl, queries.jsonl, qrels/), "
    "passages as .jsonl, .csv or .tsv with train, dev and test beside them, or SQuAD's .json"
)


class Adopted(NamedTuple):
    """A data folder: where it lies, what it was made from, and what had to be decided."""

    folder: Path
    form: str
    notes: list[str]


def adopt(source: Path, target: Path, bad: BadRows) -> Adopted:
    """The data folder of `source`, made at `target` where `source` is none or is not whole.

    Raises InputError where `source` holds nothing that is known, or bad rows that are not skipped.
    """
    if not source.is_dir():
        raise InputError("no such folder", file=source, remedy="name the folder of your corpus")
    if _is_data_folder(source):
        _check_rows(source, bad)
        if _whole(source) and not bad.count:
            return Adopted(source, "a data folder", [])
    if target.exists():
        remedy = "remove it, or name another with --data-folder"
        raise InputError("is there already", file=target, remedy=remedy)
    with own_folder.writing(target) as aside:
        if _is_data_folder(source):
            form, notes = "a data folder", _of_data_folder(source, aside, bad)
        elif Beir(source).corpus.is_file() and Beir(source).queries.is_file():
            form, notes = "a folder of BEIR", _of_beir(Beir(source), aside, bad)
        elif corpus := _corpus(source):
            form, notes = f"rows in {corpus.name}", _of_rows(source, corpus, aside, bad)
        elif files := sorted(source.glob("*.json")):
            form, notes = "SQuAD's JSON", _of_squad(files, aside, target)
        else:
            raise InputError("no corpus", file=source, remedy=f"it may be {FORMS}")
        bad.settle()
    return Adopted(target, form, notes)


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
    """Whether training and dev questions, where there are any, stand beside each other."""
    files = (("train.dpr.json", "dev.dpr.json"), ("squad-train.json", "squad-dev.json"))
    both = ((folder / dev).is_file() or not (folder / train).is_file() for train, dev in files)
    return all(both) and not _dev_alone(folder)


def _dev_alone(folder: Path) -> bool:
    """Whether dev questions have no training questions, and so are the test set DEV_TEST."""
    of = {split: (f"{split}.dpr.json", f"squad-{split}.json") for split in TRAINING}
    train, dev = (any((folder / file).is_file() for file in of[split]) for split in TRAINING)
    return dev and not train and not (folder / f"{DEV_TEST}{QA}").exists()


def _check_rows(source: Path, bad: BadRows) -> None:
    """Add bad rows of a data folder's passages, and of judgements in TREC's format.

    Raises InputError where they are not skipped, or leave a question without any measure.
    """
    known = Ids()
    passages = read_passage_lines(source / PASSAGE_FILE, bad, known)
    deque(track(passages, "check", unit="passage"), maxlen=0)
    judged = []
    for file in sorted(source.glob(f"*{QA}")):
        qrels = file.with_name(f"{file.name.removesuffix(QA)}{SUFFIX}")
        if qrels.is_file():
            test_set = read_test_set(source, file.name)
            judged.append((file, test_set.questions, judge_by(qrels, test_set, known, bad)))
    bad.settle()
    for of in judged:
        check_measurable(*of)


def _copy(file: Path, target: Path, bad: BadRows) -> None:
    """Copy a file without its bad lines."""
    if lines := {line for of, line in bad.lines if of == file}:
        with target.open("wb") as out:
            out.writelines(raw for number, raw in raw_lines(file) if number not in lines)
    else:
        shutil.copy2(file, target)


def _of_data_folder(source: Path, folder: Path, bad: BadRows) -> list[str]:
    read, dpr = source / "squad-train.json", source / "train.dpr.json"
    alone, whole = _dev_alone(source), _whole(source)
    for file in sorted(source.iterdir()):
        if file.is_file() and (alone or whole or file not in (read, dpr)):
            name = OF_DEV.sub(rf"\1{DEV_TEST}", file.name) if alone else file.name
            _copy(file, folder / name, bad)
    if alone:
        if not (folder / f"{DEV_TEST}{QA}").is_file():
            _write_dev_test(source, folder)
        return [f"dev questions without train: they are the test set {DEV_TEST}"]
    if whole:
        return []
    if read.is_file():
        for name, examples in kept_back(read_reading(read), lambda e: e.id).items():
            write_reading(folder / f"squad-{name}.json", examples)
    if dpr.is_file():
        numbered = enumerate(read_dpr_examples(dpr))
        for name, part in kept_back(numbered, lambda pair: str(pair[0])).items():
            write_dpr_examples(folder / f"{name}.dpr.json", (example for _, example in part))
    return ["dev questions: one in ten of the training questions is kept back for them"]


def _write_dev_test(source: Path, folder: Path) -> None:
    """Write the qa file of dev questions and, of DPR's, which have no other judgements, qrels."""
    of = read_split(source, "dev").candidates
    contexts = {candidate.context for candidate in of}
    passages = read_passage_file(folder / PASSAGE_FILE)
    ids = {entry.text: entry.id for entry in passages if entry.text in contexts}
    of = [candidate for candidate in of if candidate.answers or candidate.context in ids]
    write_questions(folder / f"{DEV_TEST}{QA}", (Question(c.id, c.question, c.answers) for c in of))
    if not (source / "squad-dev.json").is_file():
        judged = {str(i): {ids[c.context]: 1} for i, c in enumerate(of) if c.context in ids}
        write_qrels(folder / f"{DEV_TEST}{SUFFIX}", judged)


def _of_beir(beir: Beir, folder: Path, bad: BadRows) -> list[str]:
    own_folder.write_beir(beir, folder, bad)
    splits = beir.splits()
    if not splits:
        return ["queries.jsonl without qrels/*.tsv: nothing says what answers them"]
    if "train" in splits and "dev" not in splits:
        return ["dev questions: one in ten of qrels/train.tsv is kept back for them"]
    if "train" not in splits and "dev" in splits:
        return [f"qrels/dev.tsv without train: its questions are the test set {DEV_TEST}"]
    return []


def _rows(folder: Path) -> list[Path]:
    """The files of rows in a folder."""
    return [f for f in sorted(folder.iterdir()) if f.name.removesuffix(".gz").endswith(ROWS)]


def _corpus(folder: Path) -> Path | None:
    """The file of rows that holds the passages: the one named so, or the only one."""
    files = _rows(folder)
    if named := [file for file in files if _stem(file) in CORPORA]:
        return named[0]
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        remedy = f"call the file of the passages {CORPORA[0]}.jsonl, .csv or .tsv"
        raise InputError(f"which of {names} has the passages?", file=folder, remedy=remedy)
    return files[0] if files else None


def _of_rows(source: Path, corpus: Path, folder: Path, bad: BadRows) -> list[str]:
    notes: list[str] = []
    seen = Ids()
    own_folder.write_passages([corpus], folder, bad, seen)

    def test_set(name: str, queries: list[Query]) -> None:
        if queries and not any(a.answers or a.relevant for a in queries):
            what = f"{name}: {len(queries):,} questions with neither answers nor relevant passages"
            notes.append(f"{what} measure nothing; left out")
        else:
            own_folder.write_questions_of(name, queries, folder / PASSAGE_FILE, folder, bad)

    files = {_stem(file): file for file in _rows(source) if file != corpus}
    whole = [n for n in ("questions", "queries") if n in files]
    if whole and "train" not in files:
        queries = list(read_queries(files.pop(whole[0]), bad, seen))
        if all(a.relevant for a in queries):
            notes.append(
                f"{whole[0]}: eight in ten of its questions train, one is dev, one is the test set"
            )
            own_folder.write_split([a for a in queries if part_of(a.id) != 1], folder, bad)
            test_set("test", [a for a in queries if part_of(a.id) == 1])
        else:
            test_set(whole[0], queries)
    trained = "train" in files
    for name, file in files.items():
        queries = list(read_queries(file, bad, seen))
        if name == "train" and "dev" not in files:
            notes.append("dev questions: one in ten of train is kept back for them")
            own_folder.write_split(queries, folder, bad)
        elif trained and name in TRAINING:
            own_folder.write_questions_of(name, queries, folder / PASSAGE_FILE, folder, bad)
        else:
            test_set(DEV_TEST if name == "dev" else name, queries)
    return notes


def _of_squad(files: Iterable[Path], folder: Path, target: Path) -> list[str]:
    """Paragraphs become passages, cut as the downloaded SQuAD is; `target` is told in errors."""
    notes: list[str] = []
    splits: dict[str, list[squad.Paragraph]] = {}
    for file in files:
        read_reading(file)  # says what is wrong
        name = next((split for split in SPLITS if split in file.name.lower()), "train")
        splits.setdefault(name, []).extend(squad.read_paragraphs(file))
    if "train" not in splits:
        splits = {"train": [p for of in splits.values() for p in of]}
    if "dev" not in splits and "test" not in splits:
        notes.append("one in ten paragraphs has the dev questions, one the test set's")
        parts = [(paragraph, part_of(paragraph.text)) for paragraph in splits["train"]]
        splits = {
            "train": [p for p, part in parts if part > 1],
            "dev": [p for p, part in parts if part == 0],
            "test": [p for p, part in parts if part == 1],
        }
    elif "dev" not in splits or "test" not in splits:
        notes.append("dev and test share the paragraphs of one file, by their titles")
        both = splits.pop("dev", []) + splits.pop("test", [])
        splits |= {
            name: [p for p in both if squad.half(p.title) == name] for name in ("dev", "test")
        }
    unique = {p.text: p for of in splits.values() for p in of}
    write_passage_file(folder / PASSAGE_FILE, squad.entries_of(unique.values()))
    for name in SPLITS:
        examples = list(squad.examples_of(splits[name]))
        if not examples:
            what = f"no {name} questions are left of {len(unique)} paragraphs"
            remedy = "name files train, dev and test, or give more paragraphs"
            raise InputError(what, file=target, remedy=remedy)
        write_reading(folder / f"squad-{name}.json", examples)
    write_questions(folder / "test.qa.tsv", squad.questions_of(splits["test"]))
    return notes
