"""Passages and questions of one's own: JSON Lines, CSV, and folders as BEIR has them.

A row names its values in one of the ways of IDS, TEXTS and so on. White space in texts, line breaks
too, becomes single spaces, as a passage file has a line for each passage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ecqg.corpus.formats.rows import BadRows, Row, line_rows, rows_of
from ecqg.corpus.passage_file import Entry, Wrong, check_header, parse_entry
from ecqg.corpus.qrels import RELEVANCE
from ecqg.corpus.questions import parse_answers
from ecqg.errors import InputError

IDS = ("_id", "id", "docid", "passage_id")
TEXTS = ("text", "contents", "passage", "body")
TITLES = ("title",)
QUESTION_IDS = ("_id", "id", "qid", "query_id", "question_id")
QUESTIONS = ("question", "query", "text")
ANSWERS = ("answers", "answer")
RELEVANT = ("relevant", "positives", "passage_id", "docid")
PASSAGE = 'write {"id": "p1", "title": "...", "text": "..."}, in CSV as columns of these names'
QUERY = (
    'write {"id": "q1", "question": "...", "answers": ["..."], "relevant": ["p1"]}, in CSV as '
    "columns of these names, lists as JSON"
)
QRELS = "write query-id<TAB>corpus-id<TAB>score, the score a whole number"
SWAPPED = 0.9  # share of titles longer than their texts at which these seem to be swapped
Judged = dict[str, int]  # relevance by passage id


class Query(NamedTuple):
    """A question of one's own: answers, passages that are relevant, or both."""

    row: Row
    id: str
    text: str
    answers: tuple[str, ...]
    relevant: Judged

    @property
    def measurable(self) -> bool:
        """Whether something says which passages answer it."""
        return bool(self.answers) or any(r > 0 for r in self.relevant.values())


def _first(row: Row, names: tuple[str, ...]) -> Any:
    """The value of the first of `names` that is there; None where none is."""
    return next((row.values[name] for name in names if row.values.get(name) is not None), None)


def _name(value: Any) -> str:
    """An id as text; empty where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = str(value)
    return text if text.split() == [text] else ""


def _plain(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


class Ids:
    """Ids that were seen, by their hashes: millions of strings would take gigabytes."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def fresh(self, row: Row, name: str, bad: BadRows) -> bool:
        """Whether a row's id is one, and new; else the row is bad."""
        if name and name not in self:
            self.add(name)
            return True
        what = "an id that is missing, empty or no single word"
        if name:
            what = f"the id {name!r} for the second time"
        bad.add(row, what, "each row needs an id of its own, without white space")
        return False

    def add(self, name: str) -> None:
        """Take an id down."""
        self._seen.add(hash(name))

    def __contains__(self, name: object) -> bool:
        return hash(name) in self._seen


def read_passages(path: Path, bad: BadRows, seen: Ids | None = None) -> Iterator[Entry]:
    """The passages of a file of rows; `seen` gets their ids.

    One with a title and no text, as some of BEIR's, has its title as the text.
    """
    seen = Ids() if seen is None else seen
    for row in rows_of(path, bad):
        name = _name(_first(row, IDS))
        text, title = _plain(_first(row, TEXTS)), _plain(_first(row, TITLES))
        if not (text or title):
            bad.add(row, "neither a text nor a title", PASSAGE)
        elif seen.fresh(row, name, bad):
            yield Entry(name, text or title, title if text else "")


def read_passage_lines(path: Path, bad: BadRows, seen: Ids) -> Iterator[Entry]:
    """The passages of a passage file as they stand there; `seen` gets their ids.

    Raises InputError where the header is wrong.
    """
    check_header(path)
    for row in line_rows(path, bad):
        if row.line == 1:
            continue
        entry = parse_entry(row.raw)
        if isinstance(entry, Wrong):
            bad.add(row, *entry)
        elif seen.fresh(row, entry.id, bad):
            yield entry


def read_queries(
    path: Path, bad: BadRows, known: Ids | None = None, *, named: bool = False
) -> Iterator[Query]:
    """The questions of a file of rows; unless they are `named`, a row's line may be its id.

    Passages that count as relevant must be among the `known`, where these are given.
    """
    seen = Ids()
    for row in rows_of(path, bad):
        given = _first(row, QUESTION_IDS)
        name = f"line-{row.line}" if given is None and not named else _name(given)
        text = _plain(_first(row, QUESTIONS))
        answers, relevant = _strings(_first(row, ANSWERS)), _relevant(_first(row, RELEVANT))
        if not text:
            bad.add(row, "no question", QUERY)
        elif answers is None:
            bad.add(row, "answers that are no list of strings", QUERY)
        elif relevant is None:
            bad.add(row, "no ids of passages", QUERY)
        elif known is not None and (strange := [i for i in relevant if i not in known]):
            bad.add(row, f"no passage has the id {strange[0]!r}", "take ids of the passages")
        elif seen.fresh(row, name, bad):
            yield Query(row, name, text, answers, relevant)


def _listed(value: Any) -> list[Any]:
    """A list, perhaps as JSON in a cell of a table, or one value; nothing is an empty list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        listed = parse_answers(value)
        value = value if listed is None else list(listed)
    if isinstance(value, list):
        return value
    return [] if value is None or value == "" else [value]


def _strings(value: Any) -> tuple[str, ...] | None:
    """Answers, in order and each once; None where one is no string."""
    listed = _listed(value)
    if not all(isinstance(one, str) for one in listed):
        return None
    return tuple(filter(None, dict.fromkeys(map(_plain, listed))))


def _relevant(value: Any) -> Judged | None:
    """Ids of passages, or relevances by id; None where one is no id or no whole number."""
    grades = value if isinstance(value, dict) else {_name(one): 1 for one in _listed(value)}
    return grades if all(_name(i) and type(r) is int for i, r in grades.items()) else None


class Beir:
    """A folder as BEIR has it (Thakur et al. 2021): corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv.

    Described at github.com/beir-cellar/beir, "Load your custom dataset": a passage is {"_id",
    "title", "text"}, a query {"_id", "text"}; judgements are lines query-id, corpus-id, score with
    tabs between them, below a header.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus, self.queries = (self._file(f"{n}.jsonl") for n in ("corpus", "queries"))
        self._told = False  # of the bad rows of queries.jsonl, which is read for each split

    def _file(self, name: str) -> Path:
        packed = self.folder / f"{name}.gz"
        return packed if packed.is_file() else self.folder / name

    def splits(self) -> list[str]:
        """The names of the splits that are judged."""
        return sorted(p.stem for p in (self.folder / "qrels").glob("*.tsv") if p.stem[0] != ".")

    def read_qrels(self, split: str, bad: BadRows, passages: Ids) -> dict[str, Judged]:
        """Relevances by question and passage; those of passages that are not there are bad rows."""
        found: defaultdict[str, Judged] = defaultdict(dict)
        for row in rows_of(self.folder / "qrels" / f"{split}.tsv", bad):
            query, passage = (_name(row.values.get(n)) for n in ("query-id", "corpus-id"))
            score = row.values.get("score", "")
            if not (query and passage and RELEVANCE.fullmatch(score)):
                bad.add(row, "not a judgement", QRELS)
            elif passage not in passages:
                bad.add(row, f"no passage has the id {passage!r}", "take ids of corpus.jsonl")
            elif passage in found[query]:
                what = f"passage {passage!r} is judged twice for {query!r}"
                bad.add(row, what, "keep one of the two")
            else:
                found[query][passage] = int(score)
        return found

    def read_queries(self, split: str, bad: BadRows, passages: Ids) -> Iterator[Query]:
        """The questions that a split judges, in the order of queries.jsonl.

        A query that nothing is relevant to is none of them; judgements of queries that are not
        there are bad rows.
        """
        judged = self.read_qrels(split, bad, passages)
        known: set[str] = set()
        quiet, self._told = BadRows() if self._told else bad, True
        for query in read_queries(self.queries, quiet, named=True):
            known.add(query.id)
            relevant = judged.get(query.id, {})
            if any(relevance > 0 for relevance in relevant.values()):
                yield query._replace(relevant=relevant)
        if strange := judged.keys() - known:
            for row in rows_of(self.folder / "qrels" / f"{split}.tsv", BadRows()):
                if (name := row.values.get("query-id")) in strange:
                    bad.add(row, f"no query has the id {name!r}", "take ids of queries.jsonl")


def check_order(longer: int, count: int, file: Path, *, columns: bool = True) -> None:
    """Raise InputError where titles and texts seem to be swapped, in a file of `count` passages.

    `longer` titles are longer than their texts; `columns` says whether fields have no names.
    """
    if longer > SWAPPED * count:
        what = f"{longer:,} of {count:,} titles are longer than their texts"
        by_name = "'text' names the passage, 'title' its heading"
        remedy = "the columns are id, text, title, in this order" if columns else by_name
        raise InputError(what, file=file, remedy=remedy)


def none_left(count: int, what: str, file: Path, bad: BadRows) -> None:
    """Raise InputError where nothing was read of a file, first for its bad rows."""
    if not count:
        bad.settle()
        remedy = "the file needs at least one row that is sound"
        raise InputError(f"no {what}", file=file, remedy=remedy)
