"""What the readers of formats share: checked questions, and objects line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ecqg.corpus.lines import numbered_lines
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.files import parse_json

ANSWERS = "take a file with answers, such as a dev split where those of test are secret"
# Of readers that can be told which; others take UTF-8 alone.
ENCODING = "if it is in another encoding, name that, such as --encoding latin-1"


def question(
    text: Any,
    answers: Iterable[Any],
    *,
    file: str | Path,
    line: int,
    name: str,
    answered: bool = True,
) -> Question:
    """A question as a qa file can hold it: white space in runs, empty and repeated answers gone.

    `name` says which record it is. Raises InputError where it is no text or, if it must be
    `answered`, has no answer.
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{name} has no question", file=file, line=line, remedy="mend the record")
    listed = list(answers)
    if not all(isinstance(answer, str) for answer in listed):
        raise InputError(
            f"{name} has answers that are no text", file=file, line=line, remedy="mend the record"
        )
    clean = dict.fromkeys(" ".join(answer.split()) for answer in listed)
    clean.pop("", None)
    if answered and not clean:
        raise InputError(f"{name} has no answer", file=file, line=line, remedy=ANSWERS)
    return Question("", " ".join(text.split()), tuple(clean))


def objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, object) of a file with one JSON object a line.

    Raises InputError naming file and line.
    """
    for number, line in numbered_lines(path):
        try:
            value = parse_json(line)
        except ValueError as error:
            raise InputError(
                f"not JSON ({error})", file=path, line=number, remedy="write one object a line"
            ) from None
        yield number, mapping(value, file=path, line=number, name="the line")


def mapping(value: Any, *, file: str | Path, line: int, name: str) -> dict[str, Any]:
    """`value` as an object. Raises InputError where it is none."""
    if not isinstance(value, dict):
        raise InputError(f"{name} is no object", file=file, line=line, remedy="mend the record")
    return value


def listing(value: Any, *, file: str | Path, line: int, name: str) -> list[Any]:
    """`value` as a list. Raises InputError where it is none."""
    if not isinstance(value, list):
        raise InputError(f"{name} is no list", file=file, line=line, remedy="mend the record")
    return value
