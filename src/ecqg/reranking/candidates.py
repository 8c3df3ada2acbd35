"""What a question's positive passage has to beat in training.

Its own BM25 hard negatives are passages that came close once; at work the cross-encoder sees some
twenty passages a question, good and bad. So there are two more kinds of candidates. *Near* ones are
passages that stand in an example together with the question's positive or hard negatives: what
BM25 found for another question about the same subject. *Random* ones are any passages of the set.
None of them holds an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.evaluation.answers import token_string
from ecqg.params import Reranker

Ints = np.ndarray[Any, np.dtype[np.int64]]
NONE = -1  # where a question has fewer candidates
PATIENCE = 20  # draws for one random passage; a set in which all hold the answer has none


class Candidates:
    """Examples with their candidates; `passages` are the distinct ones, named by their place.

    Raises InputError where there are no examples.
    """

    def __init__(
        self, examples: Sequence[Example], collection: Passages, settings: Reranker
    ) -> None:
        if not examples:
            raise InputError("no training examples", remedy="check the stage that wrote them")
        self._settings = settings
        self.questions = [example.question for example in examples]
        places: dict[int, int] = {}  # by row in the collection
        self._given: list[list[int]] = []  # positive, then hard negatives
        for example in examples:
            rows = (example.positives[0], *example.negatives[: settings.hard_negatives])
            self._given.append([places.setdefault(row, len(places)) for row in rows])
        self.passages = [collection[row] for row in places]
        self._texts = [token_string(passage.text) for passage in self.passages]
        self._answers = [[token_string(a) for a in example.answers] for example in examples]
        together: dict[int, set[int]] = {}
        for given in self._given:
            for row in given:
                together.setdefault(row, set()).update(given)
        self._near: list[list[int]] = []
        for question, given in enumerate(self._given):
            near = sorted(set().union(*(together[row] for row in given)) - set(given))
            self._near.append([row for row in near if not self._holds_answer(question, row)])

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def width(self) -> int:
        """Candidates of a question at most, the positive included."""
        s = self._settings
        return 1 + s.hard_negatives + s.near_negatives + s.random_negatives

    def draw(self, questions: Sequence[int], rng: np.random.Generator) -> Ints:
        """Passages for each of `questions`, [n, width]: the positive first, NONE at the end.

        Random ones take the place of near ones that a question lacks.
        """
        out = np.full((len(questions), self.width), NONE, np.int64)
        for place, question in enumerate(questions):
            drawn = list(self._given[question])
            near = self._near[question]
            count = min(self._settings.near_negatives, len(near))
            drawn += rng.choice(near, count, replace=False).tolist() if count else []
            missing = self._settings.near_negatives - count + self._settings.random_negatives
            for _ in range(missing):
                drawn += self._random(question, drawn, rng)
            out[place, : len(drawn)] = drawn
        return out

    def _random(self, question: int, taken: Sequence[int], rng: np.random.Generator) -> list[int]:
        for _ in range(PATIENCE):
            row = int(rng.integers(len(self.passages)))
            if row not in taken and not self._holds_answer(question, row):
                return [row]
        return []

    def _holds_answer(self, question: int, row: int) -> bool:
        return any(answer in self._texts[row] for answer in self._answers[question])
