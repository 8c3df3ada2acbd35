"""Questions about every entity of some passages, with what a system makes of each.

Which entities are asked about does not depend on what any system attends to. A row is a question:
how the system's passage encoder attends to its entity, what the passage's vector owes to the entity
by other attributions, and how the system scores and ranks the passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.attention.aggregate import normalise
from ecqg.attention.entities import Entities
from ecqg.tables import read_frame, write_table

AT_ONCE = 16_384  # passages that are scored together
QUESTIONS = 4096  # that are scored together: 256 MiB of scores
Span = tuple[int, int]


def distinct_entities(entities: Entities, row: int) -> list[list[Span]]:
    """The spans of the mentions of each entity of a passage, both in the order of the text.

    Mentions of the same normalised text are of one entity.
    """
    grouped: dict[str, list[Span]] = {}
    for mention in entities.of(row):
        grouped.setdefault(normalise(mention.text), []).append((mention.start, mention.end))
    return [*grouped.values()]


def prompts(entities: Entities, rows: Sequence[int]) -> list[tuple[int, Span]]:
    """Row and first mention of each entity of the passages that have at least two."""
    distinct = ((row, distinct_entities(entities, row)) for row in rows)
    return [(row, spans[0]) for row, found in distinct if len(found) > 1 for spans in found]


@dataclass(frozen=True, slots=True)
class EntityScore:
    """One question about one entity."""

    id: str
    row: int  # the passage's
    place: float  # the middle of the entity's first mention: 0 the text's begin, 1 its end
    attention: float  # of [CLS], a mean or a sum over word pieces as select.aggregate says
    gradient: float  # ecqg.analysis.attribution
    left_out: float
    score: float  # of the question with its passage
    rank: int  # of the passage in the collection, 1 is first


HEADER = [field.name for field in fields(EntityScore)]


def write_scores(path: Path, scores: Iterable[EntityScore]) -> None:
    """Write CSV, a row a question."""
    write_table(path, HEADER, map(astuple, scores))


def read_scores(path: Path) -> list[EntityScore]:
    """Read what `write_scores` wrote. Raises InputError where it is missing or malformed."""
    types = {name: {"row": int, "rank": int}.get(name, float) for name in HEADER[1:]}
    rows = read_frame(path, HEADER, types).itertuples(index=False, name=None)
    return [EntityScore(*row) for row in rows]


def by_passage(scores: Sequence[EntityScore]) -> list[list[EntityScore]]:
    """The questions of each passage that has at least two."""
    ordered = sorted(scores, key=lambda s: (s.row, s.id))
    groups = [list(group) for _, group in groupby(ordered, key=lambda s: s.row)]
    return [group for group in groups if len(group) > 1]


def score_and_rank(
    questions: NDArray[np.float32], rows: NDArray[np.int64], passages: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Question i's dot product with passage `rows[i]`, and that passage's rank among all, from 1.

    `questions` is [n, hidden], `passages` [m, hidden]; all scores of a block of passages are in
    memory at once, so n should be QUESTIONS at most. Passages are read block by block (it may be a
    memory map). Passages that score the same do not push each other down.
    """
    scores = np.einsum("nh,nh->n", questions, passages[rows])
    ranks = np.ones(len(rows), np.int64)
    for first in range(0, len(passages), AT_ONCE):
        block = questions @ passages[first : first + AT_ONCE].T
        here = np.flatnonzero((rows >= first) & (rows < first + AT_ONCE))
        block[here, rows[here] - first] = -np.inf  # rounding must not rank a passage below itself
        ranks += (block > scores[:, None]).sum(1)
    return scores.astype(np.float64), ranks
