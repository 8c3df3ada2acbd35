"""Names in running text, told by capitals alone, and the conditioning entities of gold questions.

For the latter (SIGIR sec. 3.3) the papers take noun chunks of the question (spaCy) that also occur
in the passage. spaCy's parser was made for well-cased text; of lower-case search questions it
splits long names ("the battle" of "polmouth") and takes some for verbs. So a chunk is grown, inside
the question, as far as the passage goes on with the same words, and a question none of whose chunks
is a name in the passage is searched as a whole. Only names count, since conditioning will be on
named entities.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ecqg.questions.format import Span

WORD = re.compile(r"\w+")
SENTENCE_END = re.compile(r"[.!?]")
INITIAL = re.compile(r"\b\w{1,2}\. $")  # "J. Moss", "St. Ives": no sentence end
# What noun chunks and named entities need of a spaCy pipeline.
COMPONENTS = ("tok2vec", "tagger", "parser", "attribute_ruler", "ner")
MAX_WORDS = 8
ARTICLES = {"the", "a", "an"}


class Names:
    """The words that a collection writes with a capital more often than without.

    The first words of sentences do not count, since all have a capital there.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        for text in texts:
            last = None
            for match in WORD.finditer(text):
                word = match.group()
                if last is not None and not _ends_sentence(text, last, match.start()):
                    (capital if word[0].isupper() else small)[word.lower()] += 1
                last = match.end()
        self._words = {word for word, count in capital.items() if count > small[word]}

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._words

    def spans(self, text: str) -> list[Span]:
        """Character spans of names and numbers: maximal runs of capitalised name words."""
        spans: list[Span] = []
        for match in WORD.finditer(text):
            word = match.group()
            if not (word[0].isdigit() or (word[0].isupper() and word in self)):
                continue
            if spans and joins(text, spans[-1][1], match.start()):
                spans[-1] = (spans[-1][0], match.end())
            else:
                spans.append(match.span())
        return spans


def joins(text: str, end: int, start: int) -> bool:
    """Whether text[end:start], between two words, can stand inside a name or a number."""
    gap = text[end:start]
    return gap in (" ", "-", "'", "’", " & ") or bool(
        (gap == ". " and _is_initial(text, start))
        or (gap in (",", ".") and text[end - 1].isdigit() and text[start].isdigit())
    )


def _ends_sentence(text: str, end: int, start: int) -> bool:
    return bool(SENTENCE_END.search(text, end, start)) and not _is_initial(text, start)


def _is_initial(text: str, start: int) -> bool:
    return bool(INITIAL.search(text[max(0, start - 5) : start]))


def conditioning_entities(
    pairs: Sequence[tuple[str, str]], nlp: Any, names: Names
) -> Iterator[list[str]]:
    """For each (question, passage text) the question's entities as the passage spells them.

    `nlp` is a spaCy pipeline with COMPONENTS, `names` tells names from other words.
    """
    docs = nlp.pipe(question for question, _ in pairs)
    for doc, (question, text) in zip(docs, pairs, strict=True):
        chunks = [(c.start_char, c.end_char) for c in (*doc.noun_chunks, *doc.ents)]
        around = (shared_names(question, of, text, names) for of in (chunks, [(0, len(question))]))
        yield next(filter(None, around), [])


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
