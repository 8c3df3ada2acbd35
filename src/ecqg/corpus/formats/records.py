"""What the readers of formats share: records of a schema, and checked questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from ecqg.corpus.json_array import read_array
from ecqg.corpus.lines import numbered_lines
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.files import checked, parse_json

ANSWERS = "take a file with answers, such as a dev split where those of test are secret"
# Of readers that can be told which; others take UTF-8 alone.
ENCODING = "if it is in another encoding, name that, such as --encoding latin-1"
MEND = "mend the record"

T = TypeVar("T")


def question(
    text: str,
    answers: Iterable[str],
    *,
    file: str | Path,
    line: int,
    name: str,
    answered: bool = True,
) -> Question:
    """A question as a qa file can hold it: white space in runs, empty and repeated answers gone.

    `name` says which record it is. Raises InputError where it is empty or, if it must be
    `answered`, has no answer.
    """
    if not text.strip():
        raise InputError(f"{name} has no question", file=file, line=line, remedy=MEND)
    clean = dict.fromkeys(" ".join(answer.split()) for answer in answers)
    clean.pop("", None)
    if answered and not clean:
        raise InputError(f"{name} has no answer", file=file, line=line, remedy=ANSWERS)
    return Question("", " ".join(text.split()), tuple(clean))


def lines(path: str | Path, schema: type[T], remedy: str = MEND) -> Iterator[tuple[int, T]]:
    """Yield (line, record) of a file with one JSON object a line.

    Raises InputError naming file and line.
    """
    for number, line in numbered_lines(path):
        try:
            value = parse_json(line)
        except ValueError as error:
            raise InputError(
                f"not JSON ({error})", file=path, line=number, remedy="write one object a line"
            ) from None
        yield number, checked(value, schema, "the record", file=path, line=number, remedy=remedy)


def elements(
    path: str | Path, schema: type[T], key: str = "", **read: Any
) -> Iterator[tuple[int, str, T]]:
    """Yield (line, name, record) of a JSON array, which `read_array` finds by `key` and `read`.

    Raises InputError naming file and line.
    """
    for number, (line, value) in enumerate(read_array(path, key, **read)):
        name = f"record {number}"
        yield line, name, checked(value, schema, name, file=path, line=line, remedy=MEND)
