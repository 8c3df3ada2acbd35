"""What a retriever is probed with: passages, and questions whose answers' places are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ecqg.corpus.folder import reading_candidates
from ecqg.corpus.formats.own import Beir, Ids, Query, none_left
from ecqg.corpus.formats.rows import BadRows
from ecqg.corpus.gold import pair_up
from ecqg.corpus.locate import find_answers
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import read_questions
from ecqg.corpus.sentences import split_sentences
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.microcosm.realise import Article
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.world import World
from ecqg.probe.rows import entries, names_of, queries_of, read_squad
from ecqg.progress import track
from ecqg.seeds import python_rng

EMBEDDED = "the embedded encyclopedia"
FAMILIES = ("person", "company", "settlement", "novel", "battle")
BEIR_SPLIT = "test"  # or else the first by name
LEAST = 200  # embedded passages: fewer do not have every type of article
QUESTIONS = 1200  # at most
COMPARISONS = 100_000_000  # of a passage with a question's answers: some minutes


class ProbeQuery(NamedTuple):
    """A question, the passages that answer it, and where in the first of these its answer is."""

    text: str
    rows: tuple[int, ...]
    start: int | None  # a character; None where no place is known


@dataclass(frozen=True)
class Texts:
    """Passages, which are looked at and searched, and questions."""

    source: str  # a file, or what the embedded texts are called
    total: int  # passages of the file
    passages: list[Passage]
    questions: list[ProbeQuery]
    left_out: int  # questions that lead to no passage, or not to one alone


def embedded(passages: int, seed: int) -> Texts:
    """A fictional encyclopedia, with questions whose answers stand in all sentences alike.

    Raises InputError where a world cannot be so small.
    """
    if passages < LEAST:
        what = f"{passages} passages are no world"
        raise InputError(what, remedy=f"give --limit {LEAST} or more, or --passages")
    world = World(1, passages, FAMILIES)
    drawer = Drawer(world, seed)
    articles = [drawer.article(i) for i in track(range(passages), "write", unit="passage")]
    questions = drawer.by_sentence(
        "uniform", min(QUESTIONS, passages // 2), None, "train held", set()
    )
    queries = [ProbeQuery(q.text, (q.ask.article.index,), q.ask.start) for q in questions]
    return Texts(EMBEDDED, passages, [_as_passage(a) for a in articles], queries, 0)


def _as_passage(article: Article) -> Passage:
    return Passage(article.index, article.id, article.title, article.text, article.starts)


def read(
    file: Path,
    questions: Path | None,
    qrels: Path | None,
    bad: BadRows,
    *,
    most: int,
    seed: int,
) -> Texts:
    """Passages, `most` of them, and the questions that they answer.

    Passages are a passage file (.tsv), rows (`ecqg.corpus.formats.own`) or a folder as BEIR has it,
    whose own questions are asked where no others are given. Questions are a qa file
    (`ecqg.corpus.questions`), SQuAD's JSON or rows. Which passages answer one of a qa file or of
    rows `qrels` say, in TREC's format or BEIR's; where nothing does it is the one that holds an
    answer string, and a question is left out where none or several do. Of more passages than `most`
    a random sample is taken, those that answer a question first. Raises InputError for malformed
    files, and where no question leads to a passage.
    """
    for path in filter(None, (file, questions, qrels)):
        if not path.is_file() and not (path is file and path.is_dir()):
            raise InputError("no such file", file=path, remedy="check the path")
    with TemporaryDirectory() as folder:
        store = Path(folder) / "passages.arrow"
        known = Ids()
        bar = track(entries(file, bad, known), "read", unit="passage")
        write_passages(store, (Passage(i, e.id, e.title, e.text, (0,)) for i, e in enumerate(bar)))
        bad.settle()
        passages = Passages(store)
        none_left(len(passages), "passages", file, bad)
        queries: list[ProbeQuery] = []
        left_out = 0
        source = questions
        if questions is not None:
            queries, left_out = _questions(questions, qrels, passages, bad, known, seed)
        elif file.is_dir() and (splits := Beir(file).splits()):
            split = BEIR_SPLIT if BEIR_SPLIT in splits else splits[0]
            source = file / "qrels" / f"{split}.tsv"
            found = list(Beir(file).read_queries(split, bad, known))
            queries, left_out = _lead(_of_rows(found, passages), passages, seed)
        bad.settle()
        if source is not None and not queries:
            raise InputError(
                f"none of {left_out:,} questions leads to a passage of {file}",
                file=source,
                remedy="give --qrels, or questions whose answers stand in these passages",
            )
        rows, kept = _sample(queries, len(passages), most, seed)
        chosen = [passages[row] for row in rows]
    starts = track(
        split_sentences(p.text for p in chosen), "sentences", total=len(rows), unit="passage"
    )
    numbered = [
        replace(passage, row=row, sentence_starts=found)
        for row, (passage, found) in enumerate(zip(chosen, starts, strict=True))
    ]
    place = {row: i for i, row in enumerate(rows)}
    kept = [a._replace(rows=tuple(place[row] for row in a.rows)) for a in kept]
    return Texts(str(file), len(passages), numbered, kept, left_out)


def _sample(
    queries: Sequence[ProbeQuery], total: int, most: int, seed: int
) -> tuple[list[int], list[ProbeQuery]]:
    """Rows, sorted, and the questions whose passages are all among them."""
    rng = python_rng(seed, "probe")
    rows: set[int] = set()
    kept: list[ProbeQuery] = []
    for one in rng.sample(queries, len(queries)):
        if len(kept) < QUESTIONS and len(more := rows | {*one.rows}) <= most:
            rows = more
            kept.append(one)
    others = rng.sample(range(total), min(total, most + len(rows)))
    rows.update([row for row in others if row not in rows][: most - len(rows)])
    return sorted(rows), kept


class _Given(NamedTuple):
    """A question as its file has it."""

    text: str
    answers: tuple[str, ...]
    rows: list[int] | None  # of passages that answer it; None where nothing says which


def _questions(
    file: Path, qrels: Path | None, passages: Passages, bad: BadRows, known: Ids, seed: int
) -> tuple[list[ProbeQuery], int]:
    """Those that lead to passages, and how many do not."""
    name = file.name.removesuffix(".gz")
    if name.endswith(".json"):
        examples = read_squad(file, qrels)
        pairs, _ = pair_up(reading_candidates(examples), passages)
        return [ProbeQuery(p.question, (p.row,), p.start) for p in pairs], len(examples) - len(
            pairs
        )
    if not name.endswith(".tsv"):
        return _lead(_of_rows(queries_of(file, qrels, bad, known), passages), passages, seed)
    questions = read_questions(file)
    if qrels is None:
        return _lead([_Given(q.text, q.answers, None) for q in questions], passages, seed)
    names, rows = names_of(file, questions), passages.rows_by_id()
    judged = read_qrels(qrels, bad, {*names}, known)
    bad.settle()
    given = [
        _Given(q.text, q.answers, [rows[p] for p, r in judged.get(name, {}).items() if r > 0])
        for name, q in zip(names, questions, strict=True)
    ]
    return _lead(given, passages, seed)


def _of_rows(queries: Iterable[Query], passages: Passages) -> list[_Given]:
    rows = passages.rows_by_id()
    return [
        _Given(a.text, a.answers, [rows[p] for p, r in a.relevant.items() if r > 0] or None)
        for a in queries
    ]


def _lead(given: list[_Given], passages: Passages, seed: int) -> tuple[list[ProbeQuery], int]:
    """The questions that lead to passages, and how many do not.

    Of those that are not judged a sample is looked at, and the answer must stand in one passage
    alone: which one answers is known then.
    """
    judged = [one for one in given if one.rows is not None]
    others = [one for one in given if one.rows is None]
    most = min(len(others), 2 * QUESTIONS)
    others = python_rng(seed, "probe questions").sample(others, most)
    if len(others) * len(passages) > COMPARISONS:
        n, m = len(others), len(passages)
        raise InputError(
            f"answers of {n:,} questions are not looked for in {m:,} passages",
            remedy="give --qrels",
        )
    found = [query for one in judged if (query := _place(one, one.rows or [], passages))]
    matcher = AnswerMatcher(passages)
    for one in track(others, "find answers", unit="question") if others else ():
        held = matcher.decide(one.answers, range(len(passages)))
        rows = [row for row, holds in enumerate(held) if holds]
        if len(rows) == 1 and (query := _place(one, rows, passages)):
            found.append(query)
    return found, len(judged) + len(others) - len(found)


def _place(one: _Given, rows: Sequence[int], passages: Passages) -> ProbeQuery | None:
    """A question with its passages, those in which an answer is found first."""
    if not rows:
        return None
    places = {row: find_answers(one.answers, passages[row].text) for row in rows}
    ordered = sorted(rows, key=lambda row: not places[row])
    first = places[ordered[0]]
    return ProbeQuery(one.text, tuple(ordered), first[0].start if first else None)
