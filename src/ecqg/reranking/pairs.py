"""Question and passage as one sequence: [CLS] question [SEP] title text [SEP].

The form of Nogueira and Cho (2019) and of thesis fig. 2.2. Texts are tokenized once each and put
together pair by pair, since a question meets dozens of passages and a passage dozens of questions.

With `mark_overlap` token types say more than BERT's two segments: a word that stands in both
texts has a type of its own in either, as in the reader (`ecqg.reading.windows`, whose types these
are). A tiny encoder learns from that at once what would take it several layers to find out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg.encoder.tokens import Batch, Titled
from ecqg.reading.windows import (
    CONTEXT,
    CONTEXT_MATCH,
    QUESTION,
    QUESTION_MATCH,
    shared_words,
    tokenize,
)

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Form:
    """How pairs are made: lengths in tokens, and whether shared words are marked.

    `max_tokens` counts [CLS] and both [SEP]; a passage that is too long loses its end.
    """

    max_tokens: int
    max_question_tokens: int
    mark_overlap: bool


class Pairs:
    """Questions and passages, ready to be put together.

    `tokenizer` is a fast tokenizer of BERT's type.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        questions: Sequence[str],
        passages: Sequence[Titled],
        form: Form,
    ) -> None:
        self._cls, self._sep = [int(tokenizer.cls_token_id)], [int(tokenizer.sep_token_id)]
        self._form = form
        numbers: dict[str, int] = {}  # of words
        texts = [f"{p.title} {p.text}" if p.title else p.text for p in passages]
        self._questions, self._passages = (
            [(text.ids, text.words) for text in tokenize(tokenizer, some, numbers)]
            for some in (questions, texts)
        )
        # Tokens of [CLS] question [SEP], and of passage [SEP].
        sizes = [min(len(ids), form.max_question_tokens) + 2 for ids, _ in self._questions]
        self._heads = np.array(sizes, np.int64)
        self._tails = np.array([len(ids) + 1 for ids, _ in self._passages], np.int64)

    def lengths(self, questions: Ints, passages: Ints) -> Ints:
        """Tokens of each pair; `questions` and `passages` are rows, one of each a pair."""
        whole = self._heads[questions] + self._tails[passages]
        lengths: Ints = np.minimum(whole, self._form.max_tokens)
        return lengths

    def batch(self, questions: Ints, passages: Ints) -> Batch:
        """The pairs of these rows, packed, in that order."""
        lengths, heads = self.lengths(questions, passages), self._heads[questions]
        starts = np.cumsum(lengths) - lengths
        positions = np.arange(lengths.sum()) - np.repeat(starts, lengths)
        types = np.where(positions < np.repeat(heads, lengths), QUESTION, CONTEXT)
        ids: list[Any] = []
        rows = (column.tolist() for column in (questions, passages, starts, heads, lengths))
        for question, passage, start, head, length in zip(*rows, strict=True):
            (asked, words), (told, others) = self._questions[question], self._passages[passage]
            asked, told = asked[: head - 2], told[: length - head - 1]
            ids += [self._cls, asked, self._sep, told, self._sep]
            if self._form.mark_overlap:
                # Words count that were cut off, as far as they tell about one that was not.
                first, second = shared_words(words, others)
                types[start + 1 + first[first < len(asked)]] = QUESTION_MATCH
                types[start + head + second[second < len(told)]] = CONTEXT_MATCH
        return Batch.of(np.concatenate(ids), types, positions, starts, lengths)
