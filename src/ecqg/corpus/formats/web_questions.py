"""WebQuestions (Berant et al. 2013): an array of {"url", "targetValue", "utterance"}.

targetValue is LISP: (list (description "Jazmyn Bieber") (description Judaism)). The form is shown
in scripts/convert/webquestions.py of github.com/facebookresearch/DrQA; the files came with SEMPRE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from ecqg.corpus.formats.records import elements, question
from ecqg.corpus.questions import Question
from ecqg.errors import InputError

# Possessive, so that no run of white space is divided in every way before a string is refused.
_LIST = re.compile(r"\s*+\(\s*+list\s*+(?:\(\s*+description\s++(.*)\)\s*+)?\)\s*+")
# Published strings hold quotes and brackets that are not escaped: only what stands between two
# descriptions tells them apart.
_BETWEEN = re.compile(r"\)\s*\(\s*description\s+")


class _Record(Struct):
    utterance: str
    target: str = field(name="targetValue")


def read_web_questions(path: Path) -> Iterator[Question]:
    """Read webquestions.examples.test.json and the like. Raises InputError naming file and line."""
    for line, name, record in elements(path, _Record):
        answers = _answers(record.target)
        if answers is None:
            raise InputError(
                f"{name} has no list of descriptions",
                file=path,
                line=line,
                remedy='write "targetValue": "(list (description \\"1852\\"))"',
            )
        yield question(record.utterance, answers, file=path, line=line, name=name)


def _answers(target: str) -> list[str] | None:
    """The descriptions in a list; None where it is none."""
    match = _LIST.fullmatch(target)
    if match is None:
        return None
    answers: list[str] = []
    for item in _BETWEEN.split(match[1]) if match[1] else ():
        text = item.strip()
        if text.startswith('"') != text.endswith('"') or text == '"':
            return None
        plain = text[1:-1] if text.startswith('"') else text
        answers.append(plain.replace('\\"', '"'))
    return answers
