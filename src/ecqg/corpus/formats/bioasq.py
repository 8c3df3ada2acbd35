"""BioASQ task B (Tsatsaronis et al. 2015): {"questions": [{"id", "type", "body", ...}]}.

Factoid questions alone are read, as in AugDPR (sec. 4.1), whose set is those of the training and
the test files together. exact_answer is a list of synonyms, of lists of synonyms, or one text,
by the year. The form is described in the guidelines of task B on participants-area.bioasq.org,
"JSON format of the datasets". Documents and snippets, which answer a question, are not used:
a passage counts by the answers in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ecqg.corpus.formats.records import mapping, question
from ecqg.corpus.json_array import read_array
from ecqg.corpus.questions import Question


def read_bioasq(paths: Sequence[Path]) -> Iterator[Question]:
    """Read the factoid questions of several files, one that stands in two of them once.

    Raises InputError naming file and line, as for test files without answers.
    """
    seen: set[str] = set()
    for path in paths:
        for number, (line, value) in enumerate(read_array(path, "questions")):
            record = mapping(value, file=path, line=line, name=f"record {number}")
            if record.get("type") != "factoid":
                continue
            key = str(record.get("id", f"{path}:{number}"))
            if key in seen:
                continue
            seen.add(key)
            answers = _flat(record.get("exact_answer", []))
            yield question(
                record.get("body"), answers, file=path, line=line, name=f"question {key}"
            )


def _flat(answer: Any) -> list[Any]:
    if isinstance(answer, list):
        return [one for part in answer for one in _flat(part)]
    return [answer]
