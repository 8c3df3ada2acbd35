"""Sentence boundaries of passages.

spaCy's statistical segmenter (`senter`): it knows abbreviations ("St. Mary", "U.S.") that rules
on full stops trip over, and it needs a millisecond a passage where the parser needs several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from ecqg.corpus.spacy_model import load_spacy
from ecqg.processes import in_blocks, in_processes

# Not the parameter entities.model: another NER pipeline must not move the sentences, nor need it
# have a segmenter.
MODEL = "en_core_web_sm"
BATCH = 256  # fixed, so that the same passages always meet in one batch of the segmenter
# spaCy forgets the words of a zone at its end; it would keep gigabytes of them at 21M passages.
ZONE = 8 * BATCH
FEW = 4  # so many zones are not worth the start of processes


def split_sentences(texts: Iterable[str], workers: int | None = None) -> Iterator[tuple[int, ...]]:
    """For each text, in order, the character offsets at which sentences begin; the first is 0.

    Many texts are cut in `workers` processes, by default as many as there are processors. Raises
    InputError where the model is not installed.
    """
    zones = in_blocks(texts, ZONE)
    few = list(islice(zones, FEW + 1))
    if len(few) <= FEW:
        return chain.from_iterable(map(_segment, few))
    return chain.from_iterable(in_processes(_segment, chain(few, zones), workers))


class Segmenter:
    """The segmenter, loaded once. Raises InputError where the model is not installed."""

    def __init__(self) -> None:
        self._nlp = load_spacy(MODEL, enable=["senter"])

    def __call__(self, zone: Sequence[str]) -> list[tuple[int, ...]]:
        """Sentence starts of ZONE texts, or of the last few, as `split_sentences` gives them."""
        with self._nlp.memory_zone():
            return [_starts(document) for document in self._nlp.pipe(zone, batch_size=BATCH)]


@lru_cache(maxsize=1)
def _segmenter() -> Segmenter:
    """This process's."""
    return Segmenter()


def _segment(zone: list[str]) -> list[tuple[int, ...]]:
    return _segmenter()(zone)


def _starts(document: Any) -> tuple[int, ...]:
    """Starts of sentences, less those of fragments without a word, such as a lone bracket."""
    starts = [0]
    worded = False  # whether a word has been met yet
    for sentence in document.sents:
        has_word = any(token.text[0].isalnum() for token in sentence)
        if worded and has_word:
            starts.append(sentence.start_char)
        worded = worded or has_word
    return tuple(starts)
