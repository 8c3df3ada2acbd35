"""Readers of published question files, as streams; each raises InputError naming file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ecqg.corpus.lines import UTF_8, numbered_lines, split_fields
from ecqg.corpus.questions import ANSWERS, Question, parse_answers
from ecqg.corpus.records import MEND, elements, lines
from ecqg.errors import InputError
from ecqg.files import checked

NO_ANSWERS = "take a file with answers, such as a dev split where those of test are secret"
# Of readers that can be told which; others take UTF-8 alone.
ENCODING = "if it is in another encoding, name that, such as --encoding latin-1"
LAYERS = 4  # of quotes in DPR's files
# Of WebQuestions. Possessive, so that no run of white space is divided in every way before a string
# is refused.
_LIST = re.compile(r"\s*+\(\s*+list\s*+(?:\(\s*+description\s++(.*)\)\s*+)?\)\s*+")
# Published strings hold quotes and brackets that are not escaped: only what stands between two
# descriptions tells them apart.
_BETWEEN = re.compile(r"\)\s*\(\s*description\s+")
_COMMA = re.compile(", ")
NUMBERED = re.compile(r"(\d+) (.*\S)\s*")  # a line of WikiMovies


class _NqOpen(Struct):
    question: str
    answer: list[str]


def read_nq_open(path: Path) -> Iterator[Question]:
    """NQ-open: Natural Questions with short answers, {"question", "answer": [...]} a line.

    NQ-open.dev.jsonl and the like, documented in the folder nq_open of
    github.com/google-research-datasets/natural-questions; DrQA's files of other sets
    (github.com/facebookresearch/DrQA, "Format A") have the same form.
    """
    for line, record in lines(path, _NqOpen):
        yield _question(record.question, record.answer, path, line, "the record")


def read_dpr_qa(path: Path) -> Iterator[Question]:
    """DPR's question files, nq-test.qa.csv and the like: question, tab, list of answers.

    The list is a Python literal, sometimes in CSV quotes and, in DPR's TriviaQA files, in quotes
    within quotes; see CsvQASrc in dpr/data/retriever_data.py of github.com/facebookresearch/DPR,
    and read_references in evaluate.py of github.com/facebookresearch/QA-Overlap, which undoes up to
    three layers.
    """
    for number, line in numbered_lines(path):
        fields = split_fields(line, strict=False)
        two = isinstance(fields, list) and len(fields) == 2
        if not two or (answers := _unquoted(fields[1])) is None:
            what = "no question, tab and list of answers"
            raise InputError(what, file=path, line=number, remedy=ANSWERS)
        yield _question(fields[0], answers, path, number, "the line")


def _unquoted(field: str) -> tuple[str, ...] | None:
    """The list in a field, out of as many layers of CSV quotes as there are; None if it is none."""
    for _ in range(LAYERS):
        answers = parse_answers(field)
        if answers is not None:
            return answers
        inside = field[1:-1] if field[:1] == field[-1:] == '"' else field
        field = inside.replace('""', '"')
    return None


class _WebQuestion(Struct):
    utterance: str
    target: str = field(name="targetValue")


def read_web_questions(path: Path) -> Iterator[Question]:
    """WebQuestions (Berant et al. 2013): an array of {"url", "targetValue", "utterance"}.

    targetValue is LISP: (list (description "Jazmyn Bieber") (description Judaism)). The form is
    shown in scripts/convert/webquestions.py of github.com/facebookresearch/DrQA; the files,
    webquestions.examples.test.json and the like, came with SEMPRE.
    """
    remedy = 'write "targetValue": "(list (description \\"1852\\"))"'
    for line, name, record in elements(path, _WebQuestion):
        answers = _descriptions(record.target)
        if answers is None:
            what = f"{name} has no list of descriptions"
            raise InputError(what, file=path, line=line, remedy=remedy)
        yield _question(record.utterance, answers, path, line, name)


def _descriptions(target: str) -> list[str] | None:
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


class _TriviaAnswer(Struct, frozen=True, rename="pascal"):
    aliases: list[str] = []
    value: str = ""


class _TriviaQuestion(Struct, rename="pascal"):
    question: str
    question_id: str = ""
    answer: _TriviaAnswer = _TriviaAnswer()


def read_trivia_qa(path: Path) -> Iterator[Question]:
    """TriviaQA (Joshi et al. 2017): {"Data": [{"Question", "QuestionId", "Answer": {...}}]}.

    The unfiltered and the reading-comprehension files have the same form; it is read by
    utils/dataset_utils.py of github.com/mandarjoshi90/triviaqa. Answers are Aliases, as in DPR's
    files, with Value where it is not among them. NormalizedAliases are the same in lower case and
    without articles, which the comparison of answers does itself. Test files have no answers.
    """
    for line, number, record in elements(path, _TriviaQuestion, "Data"):
        name = f"question {record.question_id}" if record.question_id else number
        answers = [*record.answer.aliases, record.answer.value]
        yield _question(record.question, answers, path, line, name)


class _Factoid(Struct):
    body: str = ""
    id: str = ""
    exact_answer: str | list[str | list[str | list[str | None] | None] | None] | None = None


def read_bioasq(paths: Sequence[Path], encoding: str = UTF_8) -> Iterator[Question]:
    """BioASQ task B (Tsatsaronis et al. 2015): {"questions": [{"id", "type", "body", ...}]}.

    Factoid questions alone are read, as in AugDPR (sec. 3.1), whose set is those of the training
    and the test files together; one that stands in two of them is read once. exact_answer is a list
    of synonyms, of lists of synonyms, or one text, by the year. The form is described in the
    guidelines of task B on participants-area.bioasq.org, "JSON format of the datasets". A factoid
    may lack an answer, as all do in the files that were handed to participants: those that have one
    in no file come last, without. Documents and snippets, which answer a question, are not used: a
    passage counts by the answers in it.
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
            found = _question(record.body, answers, path, line, name, answered=False)
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


class Entities:
    """Names of entities, to be found piece by piece, a piece being what stands between commas."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = set(names)
        self._begins = {n[: comma.start()] for n in self._names for comma in _COMMA.finditer(n)}

    def longest(self, pieces: Sequence[str], at: int) -> int:
        """Where the longest run of pieces that begins `at` and is a name ends; `at` if none is."""
        found, run = at, pieces[at]
        for end in range(at + 1, len(pieces) + 1):
            if run in self._names:
                found = end
            if run not in self._begins or end == len(pieces):
                break
            run += f", {pieces[end]}"
        return found


def read_wiki_movies(path: Path, entities: Entities | None = None) -> Iterator[Question]:
    """WikiMovies (Miller et al. 2016), as in the folder movieqa of its release.

    questions/wiki_entities/wiki-entities_qa_test.txt has lines "1 what does Tobe Hooper appear
    in?", tab, "Body Bags, Poltergeist". The release's README describes what they hold; the forms
    are those of github.com/facebook/MemNN (KVmemnn). Commas between answers are not told from those
    inside of them ("Me, Myself & Irene") but by `entities`: the longest run of pieces that is an
    entity is one answer.
    """
    remedy = "write 1, a space, the question, a tab, and answers with commas between them"
    entities = entities or Entities()
    for number, line in numbered_lines(path):
        match = NUMBERED.fullmatch(line)
        text, tab, answers = match[2].partition("\t") if match else ("", "", "")
        if not tab:
            raise InputError("no question and answers", file=path, line=number, remedy=remedy)
        yield _question(text, split_answers(answers, entities), path, number, "the line")


def split_answers(text: str, entities: Entities) -> list[str]:
    """Answers with commas between them, those with commas inside kept whole where known."""
    pieces = [piece.strip() for piece in text.split(",")]
    answers: list[str] = []
    at = 0
    while at < len(pieces):
        end = max(at + 1, entities.longest(pieces, at))
        answers.append(", ".join(pieces[at:end]))
        at = end
    return answers


def read_entities(path: Path) -> Entities:
    """The entities of knowledge_source/entities.txt, one a line."""
    return Entities(line.strip() for _, line in numbered_lines(path))


def _question(
    text: str, answers: Iterable[str], file: Path, line: int, name: str, *, answered: bool = True
) -> Question:
    """A question as a qa file can hold it: white space in runs, empty and repeated answers gone.

    `name` says which record it is. Raises InputError where it is empty or, if it must be
    `answered`, has no answer.
    """
    wrong = partial(InputError, file=file, line=line)
    if not text.strip():
        raise wrong(f"{name} has no question", remedy=MEND)
    clean = dict.fromkeys(" ".join(answer.split()) for answer in answers)
    clean.pop("", None)
    if answered and not clean:
        raise wrong(f"{name} has no answer", remedy=NO_ANSWERS)
    return Question("", " ".join(text.split()), tuple(clean))
