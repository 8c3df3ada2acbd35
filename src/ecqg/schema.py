"""What JSON holds, against a schema: a msgspec Struct, a dataclass, or any type msgspec knows.

Schemas are strict: true is no number, "1" and 1.0 are no whole numbers, and null stands only where
the schema has None. Members that it lacks are passed over. Text is decoded by ecqg.files all the
same: msgspec's own decoder takes a key that stands twice.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ecqg.errors import InputError

T = TypeVar("T")


def conform(value: Any, schema: type[T]) -> T:
    """`value` as the schema has it. Raises ValueError, in words: what is wrong, and at which key.

    >>> conform({"row": True}, dict[str, int])
    Traceback (most recent call last):
    ValueError: expected int, got bool at [...]
    """
    try:
        return msgspec.convert(value, schema)
    except msgspec.ValidationError as error:
        what = re.sub(r" - at `\$\.?(.*)`$", r" at \1", str(error))
        what = re.sub("^Object missing required field `(.*)`", r"no '\1'", what).replace("`", "")
        raise ValueError(what[:1].lower() + what[1:]) from None


def checked(
    value: Any, schema: type[T], name: str, *, file: str | Path, line: int, remedy: str
) -> T:
    """`value`, which messages call `name`, as the schema has it. Raises InputError."""
    try:
        return conform(value, schema)
    except ValueError as error:
        raise InputError(f"{name}: {error}", file=file, line=line, remedy=remedy) from None
