"""Attention of every mention as an Arrow file, row for row that of the entities."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ecqg.attention.aggregate import Aggregated, Mention
from ecqg.attention.entities import Entities, read_columns
from ecqg.errors import InputError
from ecqg.files import atomic

SCHEMA = pa.schema(
    [
        ("sum", pa.float32()),  # null where the encoder does not see the whole mention
        ("mean", pa.float32()),  # likewise
        ("pieces", pa.int16()),  # 0 likewise
    ]
)


class Attended:
    """Mentions with their attention, by passage."""

    def __init__(self, entities: Entities, path: str | Path, system: str) -> None:
        """Raises InputError where the file is missing or belongs to other entities."""
        remake = f"ecqg attend {system}"
        table = read_columns(path, SCHEMA, remake)
        if table.num_rows != len(entities):
            raise InputError(
                f"{table.num_rows} rows where there are {len(entities)} entities",
                file=path,
                remedy=f"remake it with '{remake}'",
            )
        self._entities = entities
        self._sums = table["sum"].to_numpy()  # NaN for null
        self._pieces = table["pieces"].to_numpy()

    def mentions(self, row: int) -> list[Mention]:
        """The mentions of a passage; those without pieces have a total of NaN."""
        first, last = self._entities.span(row)
        attention = Aggregated(self._sums[first:last], self._pieces[first:last])
        return pair(self._entities, row, attention)


def pair(entities: Entities, row: int, attention: Aggregated) -> list[Mention]:
    """The mentions of a passage with their attention."""
    first, last = entities.span(row)
    columns = (attention.sums.tolist(), attention.pieces.tolist())
    return [
        Mention(entity.text, entity.label, entity.start, entity.end, total, pieces)
        for entity, total, pieces in zip(entities[first:last], *columns, strict=True)
    ]


def write_attended(path: str | Path, attention: Aggregated) -> None:
    """Write the attention of all mentions, in the order of the entity file."""
    missing = attention.pieces == 0
    columns = [
        pa.array(attention.sums, pa.float32(), mask=missing),
        pa.array(attention.means(), pa.float32(), mask=missing),
        pa.array(attention.pieces, pa.int16()),
    ]
    with atomic(path) as aside, pa.ipc.new_file(str(aside), SCHEMA) as writer:
        writer.write_table(pa.table(columns, schema=SCHEMA))
