"""TriviaQA (Joshi et al. 2017): {"Data": [{"Question", "QuestionId", "Answer": {...}}]}.

The unfiltered and the reading-comprehension files have the same form; it is read by
utils/dataset_utils.py of github.com/mandarjoshi90/triviaqa. Answers are Aliases, as in DPR's
files, with Value where it is not among them. NormalizedAliases are the same in lower case and
without articles, which the comparison of answers does itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ecqg.corpus.formats.records import elements, question
from ecqg.corpus.questions import Question


class _Answer(Struct, frozen=True, rename="pascal"):
    aliases: list[str] = []
    value: str = ""


class _Record(Struct, rename="pascal"):
    question: str
    question_id: str = ""
    answer: _Answer = _Answer()


def read_trivia_qa(path: Path) -> Iterator[Question]:
    """Read unfiltered-web-dev.json, wikipedia-dev.json and the like, as a stream.

    Raises InputError naming file and line, as for the test files, which have no answers.
    """
    for line, number, record in elements(path, _Record, "Data"):
        name = f"question {record.question_id}" if record.question_id else number
        answers = [*record.answer.aliases, record.answer.value]
        yield question(record.question, answers, file=path, line=line, name=name)
