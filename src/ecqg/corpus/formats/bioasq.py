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

from ecqg.corpus.formats.records import ENCODING, mapping, question
from ecqg.corpus.json_array import read_array
from ecqg.corpus.lines import UTF_8
from ecqg.corpus.questions import Question
from ecqg.errors import InputError


def read_bioasq(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Question]:
    """Read the factoid questions of several files, one that stands in two of them once.

    Those that have an answer in none come last, without one. Raises InputError naming file and
    line.
    """
    seen: set[str] = set()
    unanswered: dict[str, Question] = {}
    for path in paths:
        records = read_array(path, "questions", encoding=encoding, recode=ENCODING)
        for number, (line, value) in enumerate(records):
            record = mapping(value, file=path, line=line, name=f"record {number}")
            if record.get("type") != "factoid":
                continue
            key = record.get("id", f"{path}:{number}")
            if not isinstance(key, str):
                what = f"record {number} has an id that is no text"
                raise InputError(what, file=path, line=line, remedy="mend the record")
            if key in seen:
                continue
            answers = _flat(record.get("exact_answer"))
            name = f"question {key}"
            found = question(
                record.get("body"), answers, file=path, line=line, name=name, answered=False
            )
            if found.answers:
                seen.add(key)
                unanswered.pop(key, None)
                yield found
            else:
                unanswered[key] = found
    yield from unanswered.values()


def _flat(answer: Any, levels: int = 3) -> list[Any]:
    if isinstance(answer, list) and levels:
        return [one for part in answer for one in _flat(part, levels - 1)]
    return [] if answer is None else [answer]
