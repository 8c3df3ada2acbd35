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
        self.malformed = 0  # texts that are no answer and question, or did not end in time
        self.duplicates = 0  # questions that their passage already has
        self.again = 0  # prompts whose questions were drawn again
        self._questions = array("Q")  # digests: the texts of millions would take gigabytes
        self._sentences: Counter[int] = Counter()
        self._conditioned = self._in_question = self._in_either = 0

    def add(
        self, question: str, answer: str, span: Span | None, passage: Passage, entity: str | None
    ) -> None:
        """A question; `span` is where its answer stands in the passage."""
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

        `answer_in_passage` is of the questions, `answer_sentence` of those (by the first
        place where the answer stands), `entity_*` of the conditioned ones.
        """
        questions = len(self._questions)
        drawn = questions + self.malformed + self.duplicates
        placed = self._sentences.total()
        summary: dict[str, Any] = {
            "drawn": drawn,
            "questions": questions,
            "distinct_questions": len(np.unique(np.array(self._questions))),
            "drawn_again": _percent(self.again, drawn),
            "malformed": _percent(self.malformed, drawn),
            "duplicates": _percent(self.duplicates, drawn),
            "answer_in_passage": _percent(placed, questions),
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
