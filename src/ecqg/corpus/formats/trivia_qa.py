"""TriviaQA (Joshi et al. 2017): {"Data": [{"Question", "QuestionId", "Answer": {...}}]}.

The unfiltered and the reading-comprehension files have the same form; it is read by
utils/dataset_utils.py of github.com/mandarjoshi90/triviaqa. Answers are Aliases, as in DPR's
files, with Value where it is not among them. NormalizedAliases are the same in lower case and
without articles, which the comparison of answers does itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg.corpus.formats.records import listing, mapping, question
from ecqg.corpus.json_array import read_array
from ecqg.corpus.questions import Question


def read_trivia_qa(path: Path) -> Iterator[Question]:
    """Read unfiltered-web-dev.json, wikipedia-dev.json and the like, as a stream.

    Raises InputError naming file and line, as for the test files, which have no answers.
    """
    for number, (line, value) in enumerate(read_array(path, "Data")):
        record = mapping(value, file=path, line=line, name=f"record {number}")
        key = record.get("QuestionId")
        name = f"question {key if isinstance(key, str) else number}"
        answer = mapping(record.get("Answer", {}), file=path, line=line, name=f"Answer of {name}")
        aliases = listing(
            answer.get("Aliases", []), file=path, line=line, name=f"Aliases of {name}"
        )
        found = [*aliases, answer.get("Value", "")]
        yield question(record.get("Question"), found, file=path, line=line, name=name)
