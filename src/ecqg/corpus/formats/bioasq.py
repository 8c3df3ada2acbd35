"""BioASQ task B (Tsatsaronis et al. 2015): {"questions": [{"id", "type", "body", ...}]}.

Factoid questions alone are read, as in AugDPR (sec. 4.1), whose set is those of the training and
the test files together. exact_answer is a list of synonyms, of lists of synonyms, or one text,
by the year. The form is described in the guidelines of task B on participants-area.bioasq.org,
"JSON format of the datasets". A factoid may lack an answer, as all do in the files that were handed
to participants. Documents and snippets, which answer a question, are not used:
a passage counts by the answers in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ecqg.corpus.formats.records import ENCODING, MEND, elements, question
from ecqg.corpus.lines import UTF_8
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.files import checked

_Answer = str | list[str | list[str | list[str | None] | None] | None] | None


class _Factoid(Struct):
    body: str = ""
    id: str = ""
    exact_answer: _Answer = None


def read_bioasq(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Question]:
    """Read the factoid questions of several files, one that stands in two of them once.

    Those that have an answer in none come last, without one. Raises InputError naming file and
    line.
    """
    seen: set[str] = set()
    unanswered: dict[str, Question] = {}
    for path in paths:
        records = elements(path, dict[str, Any], "questions", encoding=encoding, recode=ENCODING)
        for line, number, value in records:
            if not isinstance(value.get("type"), str):
                what = f"{number} has no type"
                raise InputError(what, file=path, line=line, remedy='write "type": "factoid"')
            if value["type"] != "factoid":
                continue  # answers of other types have other forms
            record = checked(value, _Factoid, number, file=path, line=line, remedy=MEND)
            key = record.id or f"{path}: {number}"
            if key in seen:
                continue
            answers, name = _flat(record.exact_answer), f"question {key}"
            found = question(record.body, answers, file=path, line=line, name=name, answered=False)
            if found.answers:
                seen.add(key)
                unanswered.pop(key, None)
                yield found
            else:
                unanswered[key] = found
    yield from unanswered.values()


def _flat(answer: Any) -> list[str]:
    if isinstance(answer, list):
        return [one for part in answer for one in _flat(part)]
    return [] if answer is None else [answer]
