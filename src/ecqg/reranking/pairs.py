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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ecqg.encoder.tokens import Batch, Titled
from ecqg.reading.windows import CONTEXT, CONTEXT_MATCH, QUESTION, QUESTION_MATCH

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Ints = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
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
        self._questions = _tokenize(tokenizer, questions, numbers)
        texts = [f"{p.title} {p.text}" if p.title else p.text for p in passages]
        self._passages = _tokenize(tokenizer, texts, numbers)
        self._words = len(numbers)

    def lengths(self, questions: Ints, passages: Ints) -> Ints:
        """Tokens of each pair; `questions` and `passages` are rows, one of each a pair."""
        whole = self._first(questions) + self._passages.lengths[passages] + 1
        lengths: Ints = np.minimum(whole, self._form.max_tokens)
        return lengths

    def batch(self, questions: Ints, passages: Ints) -> Batch:
        """The pairs of these rows, packed, in that order."""
        lengths, first = self.lengths(questions, passages), self._first(questions)
        starts = np.cumsum(lengths) - lengths
        asked = self._questions.take(questions, starts + 1, starts + first - 1)
        told = self._passages.take(passages, starts + first, starts + lengths - 1)
        ids = np.full(lengths.sum(), self._sep, np.int64)
        ids[starts] = self._cls
        for texts, tokens in ((self._questions, asked), (self._passages, told)):
            ids[tokens.goal[tokens.kept]] = texts.ids[tokens.place[tokens.kept]]
        positions = np.arange(len(ids)) - np.repeat(starts, lengths)
        types = np.where(positions < np.repeat(first, lengths), QUESTION, CONTEXT)
        if self._form.mark_overlap:
            # Words count that were cut off, as far as they tell about one that was not.
            in_question = self._keys(self._questions, asked)
            in_passage = self._keys(self._passages, told)
            shared = _among(in_passage, in_question)
            types[told.goal[told.kept & shared]] = CONTEXT_MATCH
            shared = _among(in_question, in_passage[shared])
            types[asked.goal[asked.kept & shared]] = QUESTION_MATCH
        return Batch.of(ids, types, positions, starts, lengths)

    def _first(self, questions: Ints) -> Ints:
        """Tokens of [CLS] question [SEP]."""
        lengths = self._questions.lengths[questions]
        first: Ints = np.minimum(lengths, self._form.max_question_tokens) + 2
        return first

    def _keys(self, texts: _Texts, tokens: _Tokens) -> Ints:
        """A number for each token that its pair and its word have alone; NO_WORD for no word."""
        words = texts.words[tokens.place]
        keys: Ints = np.where(words == NO_WORD, NO_WORD, tokens.pair * self._words + words)
        return keys


class _Tokens(NamedTuple):
    """All tokens of some pairs' questions, or passages, [tokens] each."""

    pair: Ints
    place: Ints  # in _Texts
    goal: Ints  # in the batch
    kept: Flags  # whether the token is not cut off


@dataclass(frozen=True)
class _Texts:
    """Tokens and the words that they belong to, one text after the other."""

    ids: np.ndarray[Any, np.dtype[np.int32]]
    words: np.ndarray[Any, np.dtype[np.int32]]
    offsets: Ints
    lengths: Ints

    def take(self, rows: Ints, begins: Ints, ends: Ints) -> _Tokens:
        """The tokens of `rows`, row i's going to `begins[i]` on; there is room up to `ends[i]`."""
        lengths = self.lengths[rows]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        goal = np.repeat(begins, lengths) + within
        return _Tokens(
            np.repeat(np.arange(len(rows)), lengths),
            np.repeat(self.offsets[rows], lengths) + within,
            goal,
            goal < np.repeat(ends, lengths),
        )


def _among(keys: Ints, known: Ints) -> Flags:
    """Which keys are among `known`; NO_WORD never is."""
    known = np.unique(known[known != NO_WORD])
    if not len(known):
        return np.zeros(len(keys), bool)
    place = np.searchsorted(known, keys).clip(max=len(known) - 1)
    found: Flags = known[place] == keys
    return found


def _tokenize(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], numbers: dict[str, int]
) -> _Texts:
    """The texts' tokens, and for each the number of the word that it belongs to.

    Words are told apart without regard to case; `numbers` grows by those not met before.
    """
    ids, words = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    lengths: list[int] = []
    for begin in range(0, len(texts), TOKENIZE_AT_ONCE):
        block = list(texts[begin : begin + TOKENIZE_AT_ONCE])
        encoded = tokenizer(
            block, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        block_ids: list[int] = []
        block_words: list[int] = []
        for row, text in enumerate(block):
            places = encoded.word_ids(row)
            spans: dict[int, tuple[int, int]] = {}
            for place, (start, end) in zip(places, encoded["offset_mapping"][row], strict=True):
                spans[place] = (min(start, spans.get(place, (start, 0))[0]), end)
            known = {
                place: _number(text[start:end], numbers) for place, (start, end) in spans.items()
            }
            block_ids += encoded["input_ids"][row]
            block_words += [known[place] for place in places]
            lengths.append(len(places))
        ids.append(np.array(block_ids, np.int32))
        words.append(np.array(block_words, np.int32))
    sizes = np.array(lengths, np.int64)
    return _Texts(np.concatenate(ids), np.concatenate(words), np.cumsum(sizes) - sizes, sizes)


def _number(word: str, numbers: dict[str, int]) -> int:
    if not any(character.isalnum() for character in word):
        return NO_WORD
    return numbers.setdefault(word.casefold(), len(numbers))
