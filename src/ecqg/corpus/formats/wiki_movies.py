"""WikiMovies (Miller et al. 2016), as in the folder movieqa of its release.

questions/wiki_entities/wiki-entities_qa_test.txt has lines "1 what does Tobe Hooper appear in?",
tab, "Body Bags, Poltergeist"; knowledge_source/wiki.txt has articles as numbered lines, the first
one the title; knowledge_source/entities.txt has an entity a line. The release's README describes
what they hold; the forms are those of github.com/facebook/MemNN (KVmemnn).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from ecqg.corpus.cutting import pack_sentences
from ecqg.corpus.formats.records import question
from ecqg.corpus.lines import numbered_lines
from ecqg.corpus.passage_file import Entry
from ecqg.corpus.questions import Question
from ecqg.errors import InputError

_NUMBERED = re.compile(r"(\d+) (.*\S)\s*")
QUESTION = "write 1, a space, the question, a tab, and answers with commas between them"
ARTICLE = "write 1 and the title, then 2, 3, ... and a sentence each"


class Entities:
    """Names of entities, to be found piece by piece, a piece being what stands between commas."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._next: dict[str, Entities] = {}
        self._ends = False  # whether the pieces so far are a name
        for name in names:
            here = self
            for piece in name.split(", "):
                here = here._next.setdefault(piece, Entities())
            here._ends = True

    def longest(self, pieces: Sequence[str], at: int) -> int:
        """Where the longest run of pieces that begins `at` and is a name ends; `at` if none is."""
        found, here = at, self
        for end, piece in enumerate(islice(pieces, at, None), at + 1):
            if (after := here._next.get(piece)) is None:
                break
            here = after
            if here._ends:
                found = end
        return found


def read_questions(path: Path, entities: Entities | None = None) -> Iterator[Question]:
    """Read a question file. Raises InputError naming file and line.

    Commas between answers are not told from those inside of them ("Me, Myself & Irene") but by
    `entities`: the longest run of pieces that is an entity is one answer.
    """
    entities = entities or Entities()
    for number, line in numbered_lines(path):
        match = _NUMBERED.fullmatch(line)
        text, tab, answers = match[2].partition("\t") if match else ("", "", "")
        if not tab:
            raise InputError("no question and answers", file=path, line=number, remedy=QUESTION)
        found = split_answers(answers, entities)
        yield question(text, found, file=path, line=number, name="the line")


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
    """The entities of a file with one a line. Raises InputError where there is no such file."""
    return Entities(line.strip() for _, line in numbered_lines(path))


def read_articles(paths: Sequence[Path]) -> Iterator[Entry]:
    """Passages of up to 120 words, of whole sentences, of the articles in wiki.txt.

    Ids are NUMBER-PART, both from 1. Raises InputError naming file and line.
    """
    article, title, sentences = 0, "", list[str]()
    for path in paths:
        started = False  # a file begins with an article of its own
        for number, line in numbered_lines(path):
            if not line.strip():
                continue
            match = _NUMBERED.fullmatch(line)
            if match is None or not (started or match[1] == "1"):
                raise InputError("no numbered line", file=path, line=number, remedy=ARTICLE)
            text = " ".join(match[2].split())
            if match[1] == "1":
                yield from _passages(article, title, sentences)
                article, title, sentences, started = article + 1, text, [], True
            else:
                sentences.append(text)
    yield from _passages(article, title, sentences)


def _passages(article: int, title: str, sentences: list[str]) -> Iterator[Entry]:
    starts, at = [0], 0
    for sentence in sentences[:-1]:
        at += len(sentence) + 1
        starts.append(at)
    text = " ".join(sentences)
    for part, (start, end) in enumerate(pack_sentences(text, starts), 1):
        yield Entry(f"{article}-{part}", text[start:end], title)
