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
import torch

from ecqg.encoder.tokens import Batch, Titled
from ecqg.reading.windows import CONTEXT, CONTEXT_MATCH, QUESTION, QUESTION_MATCH

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Ints = np.ndarray[Any, np.dtype[np.int64]]
TOKENIZE_AT_ONCE = 1024
NO_WORD = -1  # of punctuation, which would match anywhere


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
        self._cls, self._sep = int(tokenizer.cls_token_id), int(tokenizer.sep_token_id)
        self._form = form
        numbers: dict[str, int] = {}  # of words
        self._questions = [
            (ids[: form.max_question_tokens], words[: form.max_question_tokens], np.unique(words))
            for ids, words in _tokenize(tokenizer, questions, numbers)
        ]
        texts = [f"{p.title} {p.text}" if p.title else p.text for p in passages]
        self._passages = list(_tokenize(tokenizer, texts, numbers))

    def lengths(self, questions: Ints, passages: Ints) -> Ints:
        """Tokens of each pair; `questions` and `passages` are rows, one of each a pair."""
        first = np.array([len(ids) for ids, _, _ in self._questions], np.int64)[questions]
        second = np.array([len(ids) for ids, _ in self._passages], np.int64)[passages]
        lengths: Ints = np.minimum(first + second + 3, self._form.max_tokens)
        return lengths

    def batch(self, questions: Ints, passages: Ints) -> Batch:
        """The pairs of these rows, packed, in that order."""
        ids: list[Ints] = []
        types: list[Ints] = []
        for q, p in zip(questions.tolist(), passages.tolist(), strict=True):
            pair_ids, pair_types = self._pair(q, p)
            ids.append(pair_ids)
            types.append(pair_types)
        lengths = np.array([len(i) for i in ids], np.int64)
        width = int(lengths.max())
        starts = np.cumsum(lengths) - lengths
        positions = np.arange(lengths.sum()) - np.repeat(starts, lengths)
        slots = np.repeat(np.arange(len(lengths)) * width, lengths) + positions
        return Batch(
            ids=torch.from_numpy(np.concatenate(ids)),
            types=torch.from_numpy(np.concatenate(types)),
            positions=torch.from_numpy(positions),
            starts=torch.from_numpy(starts),
            slots=torch.from_numpy(slots),
            mask=torch.from_numpy(np.arange(width) < lengths[:, None]),
        )

    def _pair(self, question: int, passage: int) -> tuple[Ints, Ints]:
        """Ids and token types of one pair."""
        asked, asked_words, question_words = self._questions[question]
        text, text_words = self._passages[passage]
        first = len(asked) + 2
        room = self._form.max_tokens - first - 1
        length = first + min(room, len(text)) + 1
        ids = np.full(length, self._sep, np.int64)
        ids[0] = self._cls
        ids[1 : first - 1] = asked
        ids[first:-1] = text[:room]
        types = np.full(length, CONTEXT, np.int64)
        types[:first] = QUESTION
        if self._form.mark_overlap:
            shared = np.intersect1d(question_words, text_words)
            shared = shared[shared != NO_WORD]
            types[1 : first - 1][np.isin(asked_words, shared)] = QUESTION_MATCH
            types[first:-1][np.isin(text_words[:room], shared)] = CONTEXT_MATCH
        return ids, types


def _tokenize(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], numbers: dict[str, int]
) -> list[tuple[Ints, Ints]]:
    """Of each text the token ids, and for each token the number of the word that it belongs to.

    Words are told apart without regard to case; `numbers` grows by those not met before.
    """
    out: list[tuple[Ints, Ints]] = []
    for begin in range(0, len(texts), TOKENIZE_AT_ONCE):
        block = list(texts[begin : begin + TOKENIZE_AT_ONCE])
        encoded = tokenizer(
            block, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        for row, text in enumerate(block):
            places = encoded.word_ids(row)
            spans: dict[int, tuple[int, int]] = {}
            for place, (start, end) in zip(places, encoded["offset_mapping"][row], strict=True):
                spans[place] = (min(start, spans.get(place, (start, 0))[0]), end)
            known = {
                place: _number(text[start:end], numbers) for place, (start, end) in spans.items()
            }
            out.append(
                (
                    np.array(encoded["input_ids"][row], np.int64),
                    np.array([known[place] for place in places], np.int64),
                )
            )
    return out


def _number(word: str, numbers: dict[str, int]) -> int:
    if not any(character.isalnum() for character in word):
        return NO_WORD
    return numbers.setdefault(word.casefold(), len(numbers))
