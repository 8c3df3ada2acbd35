"""Whole files or none: write aside, then rename; JSON, and what it must hold.

Schemas are types that msgspec knows: Structs, dataclasses, dict[str, int]. They are strict: true is
no number, "1" and 1.0 are no whole numbers, and null stands only where the schema has None. Members
that it lacks are passed over. Text is decoded here all the same: msgspec's own decoder takes a key
that stands twice.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from ecqg.errors import InputError
from ecqg.space import FULL

DIGITS = 16  # of its SHA-256, in the name of a file with a stamp

T = TypeVar("T")


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a path beside `path` to write a file or a folder to; rename it on success.

    On an exception the partial output is removed and `path` is left as it was. A folder that
    stands at `path` is replaced. What killed processes left of the same output is removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if not _running(left.suffixes[-2][1:]):
            remove(left)
    aside = path.parent / f".{path.name}.{os.getpid()}.part"
    remove(aside)
    try:
        yield aside
        if path.is_dir():
            shutil.rmtree(path)
        aside.replace(path)
    except OSError as error:
        if error.errno in FULL and not error.filename:
            error.filename = str(path)
        raise
    finally:
        remove(aside)


def _running(number: str) -> bool:
    """Whether there is a process of that number, or what names it is no number."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OSError):
        pass
    return True


def remove(path: Path) -> None:
    """Delete a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text with line feeds, whole or not at all."""
    with atomic(path) as aside:
        aside.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | Path, value: object) -> None:
    """Write indented JSON; keys keep the order in which they were inserted."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def read_json(path: str | Path) -> Any:
    """Read one JSON value.

    Raises InputError, naming file and line, where there is no such file, or it is no UTF-8 or no
    JSON (`scan_json`).
    """
    remedy = "mend or remake the file"
    try:
        return parse_json(read_text(path))
    except json.JSONDecodeError as error:
        what = f"not JSON ({error.msg})"
        raise InputError(what, file=path, line=error.lineno, remedy=remedy) from None
    except ValueError as error:
        raise InputError(f"not JSON ({error})", file=path, remedy=remedy) from None


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


def read_as(
    path: str | Path, schema: type[T], wrong: str, remedy: str = "mend or remake the file"
) -> T:
    """Read JSON of a schema. Raises InputError as `read_json`, and for other JSON: `wrong`."""
    value = read_json(path)
    try:
        return conform(value, schema)
    except ValueError as error:
        raise InputError(f"{wrong} ({error})", file=path, remedy=remedy) from None


def read_record(path: str | Path) -> dict[str, Any]:
    """Read one JSON object. Raises InputError as `read_json` does, and for another value."""
    return read_as(path, dict[str, Any], "not a JSON object")


def read_text(path: str | Path) -> str:
    """Read a whole UTF-8 file. Raises InputError where there is none, or it is no UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise not_utf_8(error, path) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(what, file=path, remedy="check the path, or make the file") from None


def not_utf_8(error: UnicodeDecodeError, path: str | Path) -> InputError:
    """What to say of a file whose text cannot be decoded."""
    line = error.object.count(b"\n", 0, error.start) + 1
    what = f"not UTF-8 ({error.reason})"
    return InputError(what, file=path, line=line, remedy="save the file as UTF-8")


def parse_json(text: str) -> Any:
    """The JSON value that `text` is. Raises ValueError as `scan_json` does."""
    value, end = scan_json(text, len(text) - len(text.lstrip(BLANK)))
    rest = text[end:].lstrip(BLANK)
    if rest:
        raise json.JSONDecodeError("something follows the value", text, len(text) - len(rest))
    return value


def scan_json(text: str, start: int = 0) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; all JSON is read by this.

    Raises ValueError, for malformed JSON JSONDecodeError, also for what Python would take and lose
    or fail at later: a key that stands twice in an object, half a surrogate pair, which is no text,
    a number of thousands of digits, and lists within lists by the hundred.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if str(error).startswith("the key "):
            raise
        raise ValueError("a number of too many digits") from None
    if _SURROGATE.search(text, start, end):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half a surrogate pair in a string") from None
    return value, end


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"the key {twice!a} stands twice in an object")
    return made


BLANK = " \t\r\n"  # white space by JSON
_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def write_jsonl(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object a line, as a stream."""
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_jsonl(
    path: str | Path, fields: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[dict[str, Any]]:
    """Read one JSON object a line, as a stream; each must have `fields`, by name and type.

    Types are schemas, such as `int | None`; the record has other fields as well.
    Raises InputError naming file and line.
    """
    schema = msgspec.defstruct("Record", [*fields.items()])
    try:
        lines = Path(path).open("rb")  # noqa: SIM115 -- closed below
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(what, file=path, remedy="run the stage that makes it") from None
    with lines:
        for number, line in enumerate(lines, 1):
            try:
                record = parse_json(line.decode())
                conform(record, schema)
            except ValueError as error:
                raise InputError(
                    f"not a JSON object ({error})",
                    file=path,
                    line=number,
                    remedy='write one object a line, such as {"question": "..."}',
                ) from None
            yield record


def sha256(path: str | Path) -> str:
    """The hexadecimal SHA-256 of a file's bytes."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamped(path: Path, content: Path) -> Path:
    """`path` with a digest of a file's bytes in its name, by which `check_stamp` tells damage."""
    return path.with_name(f"{path.stem}-{sha256(content)[:DIGITS]}{path.suffix}")


def check_stamp(file: Path, path: Path, remedy: str) -> None:
    """Raise InputError where a file that was `path` until it got its stamp is damaged."""
    if file != stamped(path, file):
        raise InputError("is not what was written: it is damaged", file=file, remedy=remedy)


@contextmanager
def atomic_stamped(path: Path) -> Iterator[Path]:
    """As `atomic`, for a file that gets a stamp; earlier ones of that path are then removed."""
    with atomic(path) as aside:
        yield aside
    newest = path.rename(stamped(path, path))
    for file in _all_stamped(path):
        if file != newest:
            remove(file)


def find_stamped(path: Path, remedy: str) -> Path | None:
    """What `atomic_stamped` wrote to `path` last, if anything. Raises InputError as `check_stamp`.

    Of two, where a process was killed before it removed the earlier one, it may be either.
    """
    file = next(_all_stamped(path), None)
    if file is not None:
        check_stamp(file, path, remedy)
    return file


def _all_stamped(path: Path) -> Iterator[Path]:
    return path.parent.glob(f"{path.stem}-*{path.suffix}")
