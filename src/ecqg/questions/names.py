"""Names in running text, told by capitals alone; what needs no tagger uses this."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ecqg.questions.format import Span

WORD = re.compile(r"\w+")
SENTENCE_END = re.compile(r"[.!?]")
INITIAL = re.compile(r"\b\w{1,2}\. $")  # "J. Moss", "St. Ives": no sentence end


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
