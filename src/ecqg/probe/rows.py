"""Passages, questions and judgements that people bring, read so that bad rows can be left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg.corpus.formats.own import (
    Beir,
    Ids,
    Query,
    check_order,
    read_passage_lines,
    read_passages,
    read_queries,
)
from ecqg.corpus.formats.rows import BadRows
from ecqg.corpus.passage_file import Entry
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import IDS, QA, Question, read_ids
from ecqg.corpus.reading import ReadingExample, read_reading
from ecqg.errors import InputError


def entries(file: Path, bad: BadRows, known: Ids) -> Iterator[Entry]:
    """The passages of a file or folder; `known` gets their ids.

    Raises InputError, behind the last, where titles and texts seem to be swapped.
    """
    file = Beir(file).corpus if file.is_dir() else file
    lines = file.name.removesuffix(".gz").endswith(".tsv")
    read = read_passage_lines if lines else read_passages
    count = longer = 0
    for entry in read(file, bad, known):
        count += 1
        longer += len(entry.title) > len(entry.text)
        yield entry
    check_order(longer, count, file, columns=lines)


def read_squad(file: Path, qrels: Path | None) -> list[ReadingExample]:
    """The questions with answers of SQuAD's JSON."""
    if qrels is not None:
        remedy = "leave out --qrels: its contexts say which passages answer"
        raise InputError(f"--qrels {qrels} beside SQuAD's JSON", file=file, remedy=remedy)
    return [example for example in read_reading(file) if example.answers]


def queries_of(file: Path, qrels: Path | None, bad: BadRows, known: Ids) -> list[Query]:
    """The questions of a file of rows, by `qrels` too; as in BEIR's only those that lead anywhere.

    `known` are the passages.
    """
    queries = list(read_queries(file, bad, known))
    bad.settle()
    if qrels is None:
        return queries
    judged = read_qrels(qrels, bad, {one.id for one in queries}, known)
    bad.settle()
    queries = [one._replace(relevant=judged.get(one.id, one.relevant)) for one in queries]
    return [one for one in queries if one.measurable]


def names_of(file: Path, questions: list[Question]) -> list[str]:
    """What judgements call the questions of a qa file: their lines, or what NAME.ids.txt says."""
    beside = file.with_name(file.name.removesuffix(QA) + IDS)
    return read_ids(beside, len(questions)) if beside.is_file() else [q.id for q in questions]
