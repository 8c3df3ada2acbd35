"""A WordPiece vocabulary learned from texts, the same in every run.

The `tokenizers` library's own trainer breaks ties in the order of a hash table, so that two runs
over the same text give two vocabularies (seen with 0.23). Here pairs are merged by falling count
(byte-pair encoding, as that trainer does), ties in alphabetical order.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import BertTokenizer

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MAX_CHARACTERS = 1000  # rarer ones become [UNK], as in BERT's own multilingual vocabularies
CONTINUED = "##"

Pair = tuple[str, str]


def train_tokenizer(texts: Iterable[str], size: int) -> BertTokenizer:
    """An uncased BERT tokenizer with at most `size` pieces, learned from `texts`."""
    from transformers import BertTokenizer

    pieces = [*SPECIAL_TOKENS, *learn_pieces(count_words(texts), size - len(SPECIAL_TOKENS))]
    return BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, model_max_length=512)


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Words and punctuation marks as BERT's uncased tokenizer splits them, with counts."""
    from transformers import BertTokenizer

    backend = BertTokenizer().backend_tokenizer
    normalize, split = backend.normalizer.normalize_str, backend.pre_tokenizer.pre_tokenize_str
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word, _ in split(normalize(text)))
    return counts


def learn_pieces(counts: Mapping[str, int], size: int) -> list[str]:
    """At most `size` word pieces: all characters first, then merges, most frequent pair first.

    A piece that does not begin a word starts with '##'. A pair seen once is not merged.
    """
    characters: Counter[str] = Counter()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    common = sorted(characters, key=lambda c: (-characters[c], c))[:MAX_CHARACTERS]
    allowed = set(common)
    words: list[list[str]] = []
    frequencies: list[int] = []
    for word, count in sorted(counts.items()):
        if allowed.issuperset(word):
            words.append([word[0], *(CONTINUED + c for c in word[1:])])
            frequencies.append(count)
    pieces = dict.fromkeys(sorted({piece for word in words for piece in word}))

    pairs: Counter[Pair] = Counter()
    where: defaultdict[Pair, set[int]] = defaultdict(set)
    for index, word_pieces in enumerate(words):
        for pair in pairwise(word_pieces):
            pairs[pair] += frequencies[index]
            where[pair].add(index)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    while heap and len(pieces) < size:
        count, pair = heapq.heappop(heap)
        if pairs[pair] != -count:  # counted before a neighbour was merged
            if pairs[pair] > 1:
                heapq.heappush(heap, (-pairs[pair], pair))
            continue
        if -count < 2:
            break
        merged = pair[0] + pair[1].removeprefix(CONTINUED)
        pieces[merged] = None
        changed: set[Pair] = set()
        for index in where.pop(pair):
            before = words[index]
            after = words[index] = _merge(before, pair, merged)
            for old in pairwise(before):
                pairs[old] -= frequencies[index]
            for new in pairwise(after):
                pairs[new] += frequencies[index]
                where[new].add(index)
                if merged in new:
                    changed.add(new)
        for new in changed:
            heapq.heappush(heap, (-pairs[new], new))
    return list(pieces)[:size]


def _merge(word: list[str], pair: Pair, merged: str) -> list[str]:
    """`word` with every occurrence of `pair` replaced by `merged`, from the left."""
    result: list[str] = []
    for piece in word:
        if result and (result[-1], piece) == pair:
            result[-1] = merged
        else:
            result.append(piece)
    return result
