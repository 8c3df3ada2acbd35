"""Attention of every mention as an Arrow file, row for row that of the entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from ecqg.attention.aggregate import Aggregated, Mention
from ecqg.attention.entities import BATCH_ROWS, Entities
from ecqg.corpus.arrow_file import arrow_writer, read_arrow
from ecqg.errors import InputError

REMAKE = "ecqg entity-attention"
SCHEMA = pa.schema(
    [
        ("sum", pa.float32()),  # null where the encoder does not see the whole mention
        ("mean", pa.float32()),  # likewise
        ("pieces", pa.int16()),  # 0 likewise
    ]
)


class EntityAttentionFile:
    """Mentions with their attention, by passage."""

    def __init__(self, entities: Entities, path: str | Path) -> None:
        """Raises InputError where the file is missing or belongs to other entities."""
        self._table = read_arrow(path, SCHEMA, REMAKE)
        if self._table.num_rows != len(entities):
            raise InputError(
                f"{self._table.num_rows} rows where there are {len(entities)} entities",
                file=path,
                remedy=f"remake it with '{REMAKE}'",
            )
        self._entities = entities

    def mentions(self, row: int) -> list[Mention]:
        """The mentions of a passage; those without pieces have a total of NaN."""
        first, last = self._entities.span(row)
        mentions = self._table.slice(first, last - first)
        # A null becomes NaN.
        attention = Aggregated(mentions["sum"].to_numpy(), mentions["pieces"].to_numpy())
        return pair(self._entities, row, attention)


def pair(entities: Entities, row: int, attention: Aggregated) -> list[Mention]:
    """The mentions of a passage with their attention."""
    first, last = entities.span(row)
    columns = (attention.sums.tolist(), attention.pieces.tolist())
    return [
        Mention(entity.text, entity.label, entity.start, entity.end, total, pieces)
        for entity, total, pieces in zip(entities[first:last], *columns, strict=True)
    ]


def write_entity_attention(path: str | Path, attention: Iterable[Aggregated]) -> None:
    """Write the attention of mentions, passage by passage in the order of the entity file."""
    with arrow_writer(path, SCHEMA) as writer:
        for block in _blocks(attention):
            missing = block.pieces == 0
            columns = [
                pa.array(block.sums, pa.float32(), mask=missing),
                pa.array(block.means(), pa.float32(), mask=missing),
                pa.array(block.pieces, pa.int16()),
            ]
            writer.write_batch(pa.record_batch(columns, schema=SCHEMA))


def _blocks(attention: Iterable[Aggregated]) -> Iterator[Aggregated]:
    """The same mentions, those of about BATCH_ROWS together: whole passages."""
    block: list[Aggregated] = []
    size = 0
    for passage in attention:
        block.append(passage)
        size += len(passage.pieces)
        if size >= BATCH_ROWS:
            yield _joined(block)
            block, size = [], 0
    if size:
        yield _joined(block)


def _joined(block: list[Aggregated]) -> Aggregated:
    sums, pieces = ([getattr(p, name) for p in block] for name in ("sums", "pieces"))
    return Aggregated(np.concatenate(sums), np.concatenate(pieces))
