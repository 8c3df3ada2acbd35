"""Entity mentions, and the attention of each, as Arrow files: one row a mention.

Rows are sorted by passage row and start. A file of attention is row for row one of mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from ecqg.attention.aggregate import Aggregated, Mention, aggregate
from ecqg.attention.tokens import TokenAttention
from ecqg.corpus.arrow_file import arrow_writer, read_arrow
from ecqg.errors import InputError

BATCH_ROWS = 65_536
REMAKE = "ecqg entity-attention"
INT, STRING = pa.int32(), pa.string()
MENTIONS = pa.schema({"row": INT, "start": INT, "end": INT, "label": STRING, "text": STRING})
# Where the encoder does not see the whole mention, sum and mean are null, and pieces 0.
ATTENTION = pa.schema({"sum": pa.float32(), "mean": pa.float32(), "pieces": pa.int16()})


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention: characters [start, end) of the text of the passage in `row`."""

    row: int
    start: int
    end: int
    label: str  # an OntoNotes type
    text: str


class Entities:
    """Mentions by passage, memory-mapped: never is a whole column in memory.

    Raises InputError where the file is missing or is no entity file.
    """

    def __init__(self, path: str | Path) -> None:
        self._table = read_arrow(path, MENTIONS, "ecqg entities")
        # Maps of the file's batches, with the row and the place at which each begins.
        self._rows = [chunk.to_numpy() for chunk in self._table["row"].chunks if len(chunk)]
        self._firsts = np.array([rows[0] for rows in self._rows], np.int32)
        self._places = np.cumsum([0, *map(len, self._rows)])

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def of(self, row: int) -> list[Entity]:
        """The mentions of a passage."""
        return [Entity(**record) for record in self._slice(row).to_pylist()]

    def passages(self) -> Iterator[int]:
        """The rows of the passages that have a mention, as a stream."""
        before = -1
        for rows in self._rows:
            for row in np.unique(rows).tolist():
                if row != before:
                    yield row
                before = row

    def aggregate(self, attention: TokenAttention) -> Aggregated:
        """The attention of the mentions of its passage."""
        here = self._slice(attention.row)
        return aggregate(attention, here["start"].to_numpy(), here["end"].to_numpy())

    def pair(self, row: int, attention: Aggregated) -> list[Mention]:
        """The mentions of a passage with their attention."""
        values = zip(self.of(row), attention.sums.tolist(), attention.pieces.tolist(), strict=True)
        return [Mention(e.text, e.label, e.start, e.end, *of_mention) for e, *of_mention in values]

    def span(self, row: int) -> tuple[int, int]:
        """The mentions of a passage are those at [first, last) of the file."""
        return self._place(row), self._place(row + 1)

    def _slice(self, row: int) -> pa.Table:
        first, last = self.span(row)
        return self._table.slice(first, last - first)

    def _place(self, row: int) -> int:
        """Of the first mention that is of this passage or a later one."""
        # Of the array's own type: for any other NumPy converts the whole array at each search.
        key = np.int32(row)
        batch = int(np.searchsorted(self._firsts, key)) - 1  # the last one that begins before it
        if batch < 0:
            return 0
        return int(self._places[batch] + np.searchsorted(self._rows[batch], key))


class EntityAttentionFile:
    """Mentions with their attention, by passage."""

    def __init__(self, entities: Entities, path: str | Path) -> None:
        """Raises InputError where the file is missing or belongs to other entities."""
        self._entities, self._table = entities, read_arrow(path, ATTENTION, REMAKE)
        if self._table.num_rows != len(entities):
            raise InputError(
                f"{self._table.num_rows} rows where there are {len(entities)} entities",
                file=path,
                remedy=f"remake it with '{REMAKE}'",
            )

    def mentions(self, row: int) -> list[Mention]:
        """The mentions of a passage; those without pieces have a total of NaN, of a null."""
        first, last = self._entities.span(row)
        here = self._table.slice(first, last - first)
        attention = Aggregated(here["sum"].to_numpy(), here["pieces"].to_numpy())
        return self._entities.pair(row, attention)


def write_entities(path: str | Path, entities: Iterable[Entity]) -> None:
    """Write mentions, which must come sorted, as a stream."""
    stream = iter(entities)
    with arrow_writer(path, MENTIONS) as writer:
        while block := list(islice(stream, BATCH_ROWS)):
            columns = [pa.array([getattr(e, f.name) for e in block], f.type) for f in MENTIONS]
            writer.write_batch(pa.record_batch(columns, schema=MENTIONS))


def write_entity_attention(path: str | Path, attention: Iterable[Aggregated]) -> None:
    """Write the attention of mentions, passage by passage in the order of the entity file."""
    stream = iter(attention)
    with arrow_writer(path, ATTENTION) as writer:
        while block := _block(stream):
            missing = block.pieces == 0
            columns = [
                pa.array(block.sums, pa.float32(), mask=missing),
                pa.array(block.means(), pa.float32(), mask=missing),
                pa.array(block.pieces, pa.int16()),
            ]
            writer.write_batch(pa.record_batch(columns, schema=ATTENTION))


def _block(passages: Iterator[Aggregated]) -> Aggregated | None:
    """The next BATCH_ROWS mentions or some more: whole passages; None after the last."""
    block: list[Aggregated] = []
    size = 0
    for passage in passages:
        block.append(passage)
        size += len(passage.pieces)
        if size >= BATCH_ROWS:
            break
    if not size:
        return None
    sums, pieces = zip(*((p.sums, p.pieces) for p in block), strict=True)
    return Aggregated(np.concatenate(sums), np.concatenate(pieces))
