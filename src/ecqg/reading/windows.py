"""Question and context as token windows of a BERT-type reader: [CLS] question [SEP] context [SEP].

A context that is too long for one window is read through several that start `stride` tokens apart
(Devlin et al. 2019's document stride; transformers calls the *overlap* of windows its stride).

Token types say more than BERT's two segments where `mark_overlap` is on: a word that stands in the
question and in the context has a type of its own in either. That is DrQA's exact-match feature
(Chen et al. 2017, sec. 3.2) in a form that every BERT can read; small readers learn from it at once
what they would need several layers to find out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.errors import InputError

QUESTION, CONTEXT, CONTEXT_MATCH, QUESTION_MATCH = 0, 1, 2, 3
TYPES = 4
BATCH = 1000  # texts tokenised at once


@dataclass(frozen=True)
class Lengths:
    """How texts are cut, in tokens; `max_tokens` counts question, context and [CLS], [SEP], [SEP].

    `stride` is the distance between the starts of neighbouring windows.
    """

    max_tokens: int
    max_question_tokens: int
    stride: int

    def check(self) -> None:
        """Raise InputError where windows could miss tokens of the context."""
        least = self.max_tokens - self.max_question_tokens - 3
        if not 1 <= self.stride <= least:
            raise InputError(
                f"reader: stride {self.stride} with max_tokens {self.max_tokens} and "
                f"max_question_tokens {self.max_question_tokens} leaves gaps between windows",
                remedy="it must be at least 1 and at most max_tokens - max_question_tokens - 3",
            )


@dataclass(frozen=True, slots=True)
class Window:
    """One window over one example.

    `ids` and `types` have one entry per token; the context's n tokens are those from `first` up to
    the last [SEP]. `spans`, [n, 2], are the characters [start, end) of the context that each of
    them stands for; `word_starts` and `word_ends` tell whether it is a word's first or last piece.
    """

    example: int
    ids: NDArray[np.int32]
    types: NDArray[np.int8]
    first: int
    spans: NDArray[np.int32]
    word_starts: NDArray[np.bool_]
    word_ends: NDArray[np.bool_]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """First and last token of the characters [start, end), or (0, 0) if not all are here.

        Token 0 is [CLS], the null answer of SQuAD v2 readers.
        """
        inside = np.flatnonzero((self.spans[:, 0] < end) & (self.spans[:, 1] > start))
        if not len(inside) or self.spans[0, 0] > start or self.spans[-1, 1] < end:
            return 0, 0
        return self.first + int(inside[0]), self.first + int(inside[-1])


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A tokenised text: per token its id, characters [start, end) and word, and whether it is that
    word's first or last piece; per word what makes it the same as another one.
    """

    ids: NDArray[np.int32]
    spans: NDArray[np.int32]
    words: NDArray[np.int32]
    starts: NDArray[np.bool_]
    ends: NDArray[np.bool_]
    texts: list[str]

    def among(self, shared: set[str]) -> NDArray[np.bool_]:
        """Which tokens are of words in `shared`."""
        return np.array([text in shared for text in self.texts], np.bool_)[self.words]


def cut(
    tokenizer: Any,
    pairs: Sequence[tuple[str, str]],
    lengths: Lengths,
    *,
    mark_overlap: bool,
) -> Iterator[Window]:
    """Windows of (question, context) pairs in order; every pair has at least one.

    `tokenizer` is a fast BERT-type tokenizer. Raises InputError where the lengths leave gaps.
    """
    lengths.check()
    for begin in range(0, len(pairs), BATCH):
        block = pairs[begin : begin + BATCH]
        questions = _tokenize(tokenizer, [question for question, _ in block])
        contexts = _tokenize(tokenizer, [context for _, context in block])
        for offset, (question, context) in enumerate(zip(questions, contexts, strict=True)):
            yield from _windows(
                tokenizer, begin + offset, question, context, lengths, mark_overlap=mark_overlap
            )


def _windows(
    tokenizer: Any,
    example: int,
    question: _Tokens,
    context: _Tokens,
    lengths: Lengths,
    *,
    mark_overlap: bool,
) -> Iterator[Window]:
    asked = question.ids[: lengths.max_question_tokens]
    room = lengths.max_tokens - len(asked) - 3
    shared = (set(question.texts) & set(context.texts)) - {""} if mark_overlap else set()
    cls, sep = [tokenizer.cls_token_id], [tokenizer.sep_token_id]
    head = np.concatenate([cls, asked, sep])
    head_types = np.full(len(head), QUESTION)
    head_types[1:-1][question.among(shared)[: len(asked)]] = QUESTION_MATCH
    context_types = np.where(context.among(shared), CONTEXT_MATCH, CONTEXT)
    size = len(context.ids)
    for begin in range(0, max(1, size), lengths.stride):
        part = slice(begin, begin + room)
        yield Window(
            example,
            np.concatenate([head, context.ids[part], sep], dtype=np.int32),
            np.concatenate([head_types, context_types[part], [CONTEXT]], dtype=np.int8),
            len(head),
            context.spans[part],
            context.starts[part],
            context.ends[part],
        )
        if begin + room >= size:
            break


def _tokenize(tokenizer: Any, texts: list[str]) -> list[_Tokens]:
    """The tokens of each text; a context of several questions is tokenised once."""
    distinct = list(dict.fromkeys(texts))
    encoded = tokenizer(
        distinct, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    tokens: dict[str, _Tokens] = {}
    for row, text in enumerate(distinct):
        spans, words = encoded["offset_mapping"][row], encoded.word_ids(row)
        pieces: list[list[int]] = [[] for _ in range(max(words, default=-1) + 1)]
        for word, span in zip(words, spans, strict=True):
            pieces[word].extend(span)
        keys = [_key(text[min(p) : max(p)]) if p else "" for p in pieces]
        numbers = np.array(words, np.int32)
        tokens[text] = _Tokens(
            np.array(encoded["input_ids"][row], np.int32),
            np.array(spans, np.int32).reshape(-1, 2),
            numbers,
            np.diff(numbers, prepend=-1) != 0,
            np.diff(numbers, append=-1) != 0,
            keys,
        )
    return [tokens[text] for text in texts]


def _key(word: str) -> str:
    """What makes two words the same one; punctuation is never the same, it would match anywhere."""
    return word.casefold() if any(c.isalnum() for c in word) else ""
