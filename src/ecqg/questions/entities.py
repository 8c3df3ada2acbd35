"""Conditioning entities of gold questions (SIGIR sec. 3.3).

The papers take noun chunks of the question (spaCy) that also occur in the passage. spaCy's parser
was made for well-cased text; of lower-case search questions it splits long names ("the battle" of
"polmouth") and takes some for verbs. So a chunk is grown, inside the question, as far as the
passage goes on with the same words, and a question none of whose chunks is a name in the passage
is searched as a whole. Only names count, since conditioning will be on named entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ecqg.questions.format import Span
from ecqg.questions.names import WORD, Names, joins

# What noun chunks and named entities need of a spaCy pipeline.
COMPONENTS = ("tok2vec", "tagger", "parser", "attribute_ruler", "ner")
MAX_WORDS = 8
ARTICLES = {"the", "a", "an"}


def conditioning_entities(
    pairs: Sequence[tuple[str, str]], nlp: Any, names: Names
) -> Iterator[list[str]]:
    """For each (question, passage text) the question's entities as the passage spells them.

    `nlp` is a spaCy pipeline with COMPONENTS, `names` tells names from other words.
    """
    docs = nlp.pipe(question for question, _ in pairs)
    for doc, (question, text) in zip(docs, pairs, strict=True):
        chunks = [(c.start_char, c.end_char) for c in (*doc.noun_chunks, *doc.ents)]
        everything = [(0, len(question))]
        yield shared_names(question, chunks, text, names) or shared_names(
            question, everything, text, names
        )


def shared_names(question: str, chunks: Sequence[Span], text: str, names: Names) -> list[str]:
    """Names of `text` that `question` mentions in, or around, one of its `chunks`.

    Longest first, none inside another; spelled as in `text`.
    """
    words = [match.span() for match in WORD.finditer(question)]
    inside = [any(a < end and start < b for a, b in chunks) for start, end in words]
    in_passage = _runs(text)
    found: list[str] = []
    taken: set[int] = set()
    for length in range(min(MAX_WORDS, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            places = range(first, first + length)
            if taken.intersection(places) or not any(inside[i] for i in places):
                continue
            key = tuple(question[slice(*words[i])].lower() for i in places)
            for spelled in in_passage.get(key, ()):
                if _is_name(spelled, names):
                    found.append(spelled)
                    taken.update(places)
                    break
    return list(dict.fromkeys(found))


def _runs(text: str) -> dict[tuple[str, ...], list[str]]:
    """Every run of up to MAX_WORDS joined words of `text` in lower case, and its spellings."""
    words = [match.span() for match in WORD.finditer(text)]
    runs: dict[tuple[str, ...], list[str]] = {}
    for first, (start, _) in enumerate(words):
        key: tuple[str, ...] = ()
        for place in range(first, min(first + MAX_WORDS, len(words))):
            begin, end = words[place]
            if place > first and not joins(text, words[place - 1][1], begin):
                break
            key = (*key, text[begin:end].lower())
            runs.setdefault(key, []).append(text[start:end])
    return runs


def _is_name(spelled: str, names: Names) -> bool:
    """Whether first and last word have a capital, an article aside, and one is a name's."""
    words = WORD.findall(spelled)
    return (
        words[0].lower() not in ARTICLES
        and words[0][0].isupper()
        and words[-1][0].isupper()
        and any(word in names for word in words)
    )
