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
import torch
from numpy.typing import NDArray
from torch import Tensor

from ecqg.training import batches

QUESTION, CONTEXT, CONTEXT_MATCH, QUESTION_MATCH = 0, 1, 2, 3
TYPES = 4
NO_WORD = -1
BATCH = 1000  # texts tokenised at once


@dataclass(frozen=True)
class Lengths:
    """How texts are cut, in tokens; `max_tokens` counts question, context and [CLS], [SEP], [SEP].

    `stride` is the distance between the starts of neighbouring windows.
    """

    max_tokens: int
    max_question_tokens: int
    stride: int


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
class Text:
    """A tokenised text, [tokens] each.

    `spans`, [tokens, 2], are characters [start, end). `words` has the number of each token's word,
    NO_WORD for punctuation; `starts` and `ends` tell the first and the last piece of a word.
    """

    ids: NDArray[np.int32]
    spans: NDArray[np.int32]
    words: NDArray[np.int32]
    starts: NDArray[np.bool_]
    ends: NDArray[np.bool_]


def tokenize(tokenizer: Any, texts: Sequence[str], numbers: dict[str, int]) -> Iterator[Text]:
    """The tokens of each text; neighbouring equal texts are tokenised once.

    Words that differ by case alone have one number; `numbers` has them, and grows.
    """
    for begin in range(0, len(texts), BATCH):
        block = texts[begin : begin + BATCH]
        distinct = list(dict.fromkeys(block))
        encoded = tokenizer(
            distinct, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        made: dict[str, Text] = {}
        for row, text in enumerate(distinct):
            spans = np.array(encoded["offset_mapping"][row], np.int32).reshape(-1, 2)
            places = np.array(encoded.word_ids(row), np.int32)
            starts, ends = np.diff(places, prepend=-1) != 0, np.diff(places, append=-1) != 0
            bounds = zip(spans[starts, 0].tolist(), spans[ends, 1].tolist(), strict=True)
            words = np.array([_number(text[a:b], numbers) for a, b in bounds], np.int32)
            ids = np.array(encoded["input_ids"][row], np.int32)
            made[text] = Text(ids, spans, words[np.cumsum(starts) - 1], starts, ends)
        yield from (made[text] for text in block)


def _number(word: str, numbers: dict[str, int]) -> int:
    """What makes two words the same one; punctuation is never the same, it would match anywhere."""
    if not any(character.isalnum() for character in word):
        return NO_WORD
    return numbers.setdefault(word.casefold(), len(numbers))


def shared_words(
    question: NDArray[np.int32], context: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of words that stand in both, in the question and in the context, repetitions too.

    The arguments are `words` of the texts' tokens.
    """
    same = (question[:, None] == context) & (context != NO_WORD)
    asked, told = np.divmod(np.flatnonzero(same), len(context))  # quicker than in two dimensions
    return asked, told


def cut(
    tokenizer: Any,
    pairs: Sequence[tuple[str, str]],
    lengths: Lengths,
    *,
    mark_overlap: bool,
) -> Iterator[Window]:
    """Windows of (question, context) pairs in order; every pair has at least one.

    `tokenizer` is a fast BERT-type tokenizer. The lengths leave no gaps (ecqg.consistency).
    """
    numbers: dict[str, int] = {}
    cls, sep = [tokenizer.cls_token_id], [tokenizer.sep_token_id]
    questions = tokenize(tokenizer, [question for question, _ in pairs], numbers)
    contexts = tokenize(tokenizer, [context for _, context in pairs], numbers)
    for example, (question, context) in enumerate(zip(questions, contexts, strict=True)):
        types = np.full(len(question.ids), QUESTION)
        context_types = np.full(len(context.ids), CONTEXT)
        if mark_overlap:
            asked, told = shared_words(question.words, context.words)
            types[asked], context_types[told] = QUESTION_MATCH, CONTEXT_MATCH
        ids = question.ids[: lengths.max_question_tokens]
        head = np.concatenate([cls, ids, sep])
        head_types = np.concatenate([[QUESTION], types[: len(ids)], [QUESTION]])
        size, room = len(context.ids), lengths.max_tokens - len(head) - 1
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


def pad(
    ids: Sequence[NDArray[np.int32]],
    types: Sequence[NDArray[np.int8]],
    pad_id: int,
    width: int | None = None,
) -> dict[str, Tensor]:
    """A model's input: input_ids, token_type_ids, attention_mask, each [windows, width].

    `width` is that of the longest window where it is not given.
    """
    padded, mask = batches.pad(ids, pad_id, width)
    padded_types, _ = batches.pad(types, 0, width)
    return {"input_ids": padded, "token_type_ids": padded_types, "attention_mask": mask}


def edges(windows: Sequence[Window]) -> tuple[Tensor, Tensor]:
    """Which tokens an answer may start and end at, booleans [windows, tokens].

    Answers are whole words of the context.
    """
    columns = np.arange(max(len(w.ids) for w in windows))
    first = np.array([w.first for w in windows])[:, None]
    context = (columns >= first) & (columns < first + [[len(w.spans)] for w in windows])
    may_start, may_end = np.zeros_like(context), np.zeros_like(context)
    may_start[context] = np.concatenate([w.word_starts for w in windows])
    may_end[context] = np.concatenate([w.word_ends for w in windows])
    return torch.from_numpy(may_start), torch.from_numpy(may_end)
