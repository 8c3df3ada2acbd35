"""TREC run files: `question_id Q0 passage_id rank score tag`, a line for each retrieved passage.

A question without a result has no line, as the format has none for it: whoever evaluates goes
through the questions, not through the run, and counts it as a failure.

trec_eval goes by the scores alone, and orders passages of equal score by their ids. So a passage
that has the score of the one before is written with the next lower one (`strictly_decreasing`):
everyone who evaluates the file sees the order that we see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ecqg.corpus.lines import LONGEST_LINE, WHOLE_FILE, Part, numbered_lines, open_bytes
from ecqg.errors import InputError
from ecqg.files import atomic

REMAKE = "remake the run"
PART = 1 << 20  # bytes, some 200 questions with 100 passages each


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a system retrieved for a question, best first.

    Scores do not increase; passages of equal score stand in the order of the collection.
    """

    question_id: str
    passage_ids: tuple[str, ...]
    scores: tuple[float, ...]


def rank(
    question_id: str, rows: NDArray[np.integer], scores: NDArray[np.float32], ids: pa.ChunkedArray
) -> Ranking:
    """Put retrieved passages in order: by score, and by row where scores are equal.

    `rows` [n] are those of passages, `scores` [n] theirs, in float32, which is what a run file
    keeps; `ids` are the collection's, `Passages.ids()`.
    """
    order = np.lexsort((rows, -scores))
    # Not `take`, which copies the whole column first where it has several chunks.
    names = tuple(ids[row].as_py() for row in rows[order].tolist())
    return Ranking(question_id, names, tuple(scores[order].tolist()))


def without(ranking: Ranking, passage_id: str) -> Ranking:
    """The ranking less the passage of that id, where it has one."""
    if passage_id not in ranking.passage_ids:
        return ranking
    place = ranking.passage_ids.index(passage_id)
    ids = ranking.passage_ids[:place] + ranking.passage_ids[place + 1 :]
    return Ranking(ranking.question_id, ids, ranking.scores[:place] + ranking.scores[place + 1 :])


def write_run(path: str | Path, rankings: Iterable[Ranking], tag: str) -> None:
    """Write a run as a stream; `tag` is the system's name.

    Scores are `strictly_decreasing`, with nine significant digits, the fewest that keep any
    float32 apart from the next. Raises InputError for a passage id or a score that the format
    cannot hold.
    """
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        for ranking in rankings:
            if not all(score < inf for score in ranking.scores):
                what = f"question {ranking.question_id} has a score that is no number"
                raise InputError(what, file=path, remedy="look whether the encoder diverged")
            scores = strictly_decreasing(ranking.scores)
            hits = zip(ranking.passage_ids, scores, strict=True)
            for place, (passage_id, score) in enumerate(hits, 1):
                if len(passage_id.split()) != 1:
                    what = f"passage id {passage_id!r} cannot stand in a run"
                    remedy = "passage ids must have no white space in them"
                    raise InputError(what, file=path, remedy=remedy)
                out.write(f"{ranking.question_id} Q0 {passage_id} {place} {score:.9g} {tag}\n")


def strictly_decreasing(scores: Sequence[float]) -> list[float]:
    """Scores in descending order as float32, each below the one before it.

    One that is not is replaced by the highest float32 that is.
    """
    lowered = np.array(scores, np.float32)
    if (lowered[1:] < lowered[:-1]).all():
        return list(scores)
    for place in range(1, len(lowered)):
        below = np.nextafter(lowered[place - 1], np.float32(-np.inf))
        lowered[place] = min(lowered[place], below)
    found: list[float] = lowered.tolist()
    return found


def run_file(runs: Path, test_set: str) -> Path:
    """The run on a test set in a system's folder."""
    return runs / f"{test_set}.trec"


def parts(path: str | Path, size: int = PART) -> Iterator[Part]:
    """Parts of a run for `read_run`, of `size` bytes and what its last question has beyond.

    Raises InputError where there is no such file.
    """
    _check_there(path)
    with open_bytes(path) as file:
        place, line = 0, 1
        while block := file.read(size):
            begin, first = place, line
            # To the end of a line, and to that of the question that the next one is of.
            held = [block, file.readline(LONGEST_LINE), last := file.readline(LONGEST_LINE)]
            while _question(following := file.readline(LONGEST_LINE)) == _question(last) != []:
                held.append(following)
            place += sum(map(len, held))
            line += sum(raw.count(b"\n") for raw in held)
            file.seek(place)
            yield Part(begin, place, first)


def _question(line: bytes) -> list[bytes]:
    """The first word, if any."""
    return line.split(None, 1)[:1]


def read_run(
    path: str | Path,
    rows: Mapping[str, int] | None = None,
    *,
    least: int = 1,
    part: Part = WHOLE_FILE,
) -> Iterator[Ranking]:
    """Read a run, or one of its `parts`, as a stream of rankings, in the order of the file.

    With `rows` (row by passage id, `Passages.rows_by_id()`), every passage must be in the
    collection, and passages of equal score must be in its order. `least` is how many questions must
    have results; word matching may find nothing at all in a few passages.

    Raises InputError naming the line, for a malformed line, a question's lines that are not
    together, ranks that are not 1, 2, ..., scores that increase, are infinite or none, or a passage
    that is retrieved twice; or where there is no such file, or fewer questions than `least`.
    """
    _check_there(path)
    seen: set[str] = set()
    for question_id, group in groupby(_lines(path, part), key=lambda line: line.question_id):
        hits = list(group)
        if question_id in seen:
            raise hits[0].error(path, f"question {question_id} for the second time", "sort it")
        seen.add(question_id)
        _check(path, hits, rows)
        names = tuple(hit.passage_id for hit in hits)
        yield Ranking(question_id, names, tuple(hit.score for hit in hits))
    if len(seen) < least:
        raise InputError("a run without results", file=path, remedy=REMAKE)


def _check_there(path: str | Path) -> None:
    if not Path(path).is_file():
        raise InputError("no such run", file=path, remedy="make it with 'dvc repro'")


class _Line(NamedTuple):
    number: int
    question_id: str
    passage_id: str
    rank: int
    score: float

    def error(self, path: str | Path, what: str, remedy: str = REMAKE) -> InputError:
        return InputError(what, file=path, line=self.number, remedy=remedy)


def _lines(path: str | Path, part: Part) -> Iterator[_Line]:
    for number, text in numbered_lines(path, ended=True, part=part):
        try:
            question_id, _, passage_id, place, score, _ = text.split()
            yield _Line(number, question_id, passage_id, int(place), float(score))
        except ValueError:
            remedy = "it needs question_id, Q0, passage_id, rank, score, tag"
            what = "not a line of a TREC run"
            raise InputError(what, file=path, line=number, remedy=remedy) from None


def _check(path: str | Path, hits: list[_Line], rows: Mapping[str, int] | None) -> None:
    found: set[str] = set()
    for place, hit in enumerate(hits, 1):
        if hit.rank != place:
            raise hit.error(path, f"rank {hit.rank} where {place} belongs")
        if not hit.score < inf:  # nor may it be nan; a tie with the lowest number goes to -inf
            raise hit.error(path, "a score that is no number")
        if hit.passage_id in found:
            raise hit.error(path, f"passage {hit.passage_id} for the second time")
        found.add(hit.passage_id)
        before = hits[place - 2] if place > 1 else hit
        if hit.score > before.score:
            raise hit.error(path, "a score higher than the one before")
        if rows is None:
            continue
        if hit.passage_id not in rows:
            what = f"passage {hit.passage_id} is not in the collection"
            raise hit.error(path, what, "remake the run from this collection")
        if hit.score == before.score and rows[hit.passage_id] < rows[before.passage_id]:
            raise hit.error(path, "equal scores out of the collection's order")
