"""What a generator's output looks like, for results/generation."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from typing import Any

import numpy as np

from ecqg.corpus.passages import Passage
from ecqg.questions.format import Span, find_mentions


class Statistics:
    """Counts over generated questions; shares are in percent."""

    def __init__(self) -> None:
        self._malformed = 0
        self._duplicates = 0
        self._questions = array("Q")  # digests: the texts of millions would take gigabytes
        self._sentences: Counter[int] = Counter()
        self._conditioned = 0
        self._in_question = 0
        self._in_either = 0

    def add_malformed(self) -> None:
        """A text that is no answer and question, or did not end in time."""
        self._malformed += 1

    def add_duplicate(self) -> None:
        """A question that its passage already has."""
        self._duplicates += 1

    def add(
        self, question: str, answer: str, span: Span | None, passage: Passage, entity: str | None
    ) -> None:
        """A kept question; `span` is where its answer stands in the passage."""
        text = question.casefold().encode(errors="surrogatepass")
        self._questions.frombytes(hashlib.blake2b(text, digest_size=8).digest())
        if span is not None:
            self._sentences[passage.sentence_at(span[0]) + 1] += 1
        if entity is not None:
            in_question = bool(find_mentions(question, entity))
            self._conditioned += 1
            self._in_question += in_question
            self._in_either += in_question or bool(find_mentions(answer, entity))

    def summary(self) -> dict[str, Any]:
        """Counts and shares.

        `answer_in_passage` is of the kept questions, `answer_sentence` of those (by the first
        place where the answer stands), `entity_*` of the conditioned ones.
        """
        kept = len(self._questions)
        drawn = kept + self._malformed + self._duplicates
        placed = self._sentences.total()
        summary: dict[str, Any] = {
            "drawn": drawn,
            "questions": kept,
            "distinct_questions": len(np.unique(np.array(self._questions))),
            "malformed": _percent(self._malformed, drawn),
            "duplicates": _percent(self._duplicates, drawn),
            "answer_in_passage": _percent(placed, kept),
        }
        if self._conditioned:
            summary["entity_in_question"] = _percent(self._in_question, self._conditioned)
            summary["entity_in_question_or_answer"] = _percent(self._in_either, self._conditioned)
        summary["answer_sentence"] = {
            str(n): _percent(self._sentences[n], placed) for n in sorted(self._sentences)
        }
        return summary


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
