"""What a retriever is probed with: passages, and questions whose answers' places are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ecqg.corpus.folder import reading_candidates
from ecqg.corpus.gold import pair_up
from ecqg.corpus.lines import count_lines
from ecqg.corpus.locate import find_answers
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import Question, read_questions
from ecqg.corpus.reading import read_reading
from ecqg.corpus.sentences import split_sentences
from ecqg.errors import InputError
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.microcosm.realise import Article
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.world import World
from ecqg.progress import track
from ecqg.seeds import python_rng

EMBEDDED = "the embedded encyclopedia"
FAMILIES = ("person", "company", "settlement", "novel", "battle")
LEAST = 200  # embedded passages: fewer do not have every type of article
QUESTIONS = 1200  # at most
COMPARISONS = 100_000_000  # of a passage with a question's answers: some minutes


class Asked(NamedTuple):
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
    questions: list[Asked]
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
    asked = [Asked(q.text, (q.ask.article.index,), q.ask.start) for q in questions]
    return Texts(EMBEDDED, passages, [_as_passage(a) for a in articles], asked, 0)


def _as_passage(article: Article) -> Passage:
    return Passage(article.index, article.id, article.title, article.text, article.starts)


def read(file: Path, questions: Path | None, qrels: Path | None, *, most: int, seed: int) -> Texts:
    """Passages of a DPR passage file, `most` of them, and the questions that they answer.

    Questions are a qa file (`ecqg.corpus.questions`) or SQuAD's JSON. Which passages answer one of
    a qa file `qrels` say, in TREC's format; without them it is the one that holds an answer string,
    and a question is left out where none or several do. Of more passages than `most` a random
    sample is taken, those that answer a question first. Raises InputError for malformed files, and
    where no question leads to a passage.
    """
    for path in (file, *filter(None, (questions, qrels))):
        if not path.is_file():
            raise InputError("no such file", file=path, remedy="check the path")
    with TemporaryDirectory() as folder:
        store = Path(folder) / "passages.arrow"
        entries = read_passage_file(file)
        bar = track(entries, "read", total=max(count_lines(file) - 1, 1), unit="passage")
        write_passages(store, (Passage(i, e.id, e.title, e.text, (0,)) for i, e in enumerate(bar)))
        passages = Passages(store)
        asked: list[Asked] = []
        left_out = 0
        if questions is not None:
            asked, left_out = _questions(questions, qrels, passages, seed)
            if not asked:
                raise InputError(
                    f"none of {left_out:,} questions leads to a passage of {file}",
                    file=questions,
                    remedy="give --qrels, or questions whose answers stand in these passages",
                )
        rows, kept = _sample(asked, len(passages), most, seed)
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
    asked: Sequence[Asked], total: int, most: int, seed: int
) -> tuple[list[int], list[Asked]]:
    """Rows, sorted, and the questions whose passages are all among them."""
    rng = python_rng(seed, "probe")
    rows: set[int] = set()
    kept: list[Asked] = []
    for one in rng.sample(asked, len(asked)):
        if len(kept) < QUESTIONS and len(more := rows | {*one.rows}) <= most:
            rows = more
            kept.append(one)
    others = rng.sample(range(total), min(total, most + len(rows)))
    rows.update([row for row in others if row not in rows][: most - len(rows)])
    return sorted(rows), kept


def _questions(
    file: Path, qrels: Path | None, passages: Passages, seed: int
) -> tuple[list[Asked], int]:
    """Those that lead to passages, and how many do not."""
    if file.suffix == ".json":
        examples = [e for e in read_reading(file) if e.answers]
        pairs, _ = pair_up(reading_candidates(examples), passages)
        return [Asked(p.question, (p.row,), p.start) for p in pairs], len(examples) - len(pairs)
    questions = read_questions(file)
    if qrels is not None:
        asked = list(_by_qrels(questions, qrels, passages))
    else:
        most = min(len(questions), 2 * QUESTIONS)
        questions = python_rng(seed, "probe questions").sample(questions, most)
        asked = list(_by_answer(questions, passages))
    return asked, len(questions) - len(asked)


def _by_qrels(questions: list[Question], file: Path, passages: Passages) -> Iterator[Asked]:
    qrels, rows = read_qrels(file), passages.rows_by_id()
    ids = {question.id for question in questions}
    for kind, unknown, remedy in (
        ("question", [q for q in qrels if q not in ids], "an id is a line of the qa file, from 0"),
        ("passage", [p for of in qrels.values() for p in of if p not in rows], "see the passages"),
    ):
        if unknown:
            what = f"the {kind} {unknown[0]!r} is not there ({len(unknown):,} such judgements)"
            raise InputError(what, file=file, remedy=remedy)
    for question in questions:
        judged = qrels.get(question.id, {})
        relevant = [rows[p] for p, relevance in judged.items() if relevance > 0]
        if relevant:
            places = {row: find_answers(question.answers, passages[row].text) for row in relevant}
            relevant.sort(key=lambda row: not places[row])  # those with an answer first
            first = places[relevant[0]]
            yield Asked(question.text, tuple(relevant), first[0].start if first else None)


def _by_answer(questions: list[Question], passages: Passages) -> Iterator[Asked]:
    """Questions with an answer in exactly one passage: which one answers them is known then."""
    if len(questions) * len(passages) > COMPARISONS:
        n, m = len(questions), len(passages)
        raise InputError(
            f"answers of {n:,} questions are not looked for in {m:,} passages",
            remedy="give --qrels",
        )
    matcher = AnswerMatcher(passages)
    for question in track(questions, "find answers", unit="question"):
        held = matcher.decide(question.answers, range(len(passages)))
        rows = [row for row, holds in enumerate(held) if holds]
        if len(rows) == 1:
            places = find_answers(question.answers, passages[rows[0]].text)
            yield Asked(question.text, (rows[0],), places[0].start if places else None)
