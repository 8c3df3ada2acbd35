"""Abstracts in passages of up to 120 words, cut between sentences (AugDPR sec. 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from typing import NamedTuple

from ecqg.corpus.cutting import pack_sentences
from ecqg.corpus.passage_file import Entry
from ecqg.corpus.sentences import split_sentences


class Abstract(NamedTuple):
    """An abstract; its sections are parts of the text, one where it is not structured."""

    pmid: int
    title: str
    sections: tuple[str, ...]


def plain(text: str) -> str:
    """Text with its white space in single spaces."""
    return " ".join(text.split())


def passages(abstracts: Iterable[Abstract]) -> Iterator[Entry]:
    """Passages PMID-1, PMID-2, ... of a stream of abstracts.

    Sentences begin where the segmenter of `ecqg.corpus.sentences` says, and where sections do.
    Articles without an abstract have none; of several with the same PMID the first counts.
    """
    worded = (abstract for abstract in _first(abstracts) if any(abstract.sections))
    # The two ends of the tee are some zones of the segmenter apart.
    stream, ahead = tee(worded)
    found = split_sentences(" ".join(abstract.sections) for abstract in ahead)
    for abstract, starts in zip(stream, found, strict=True):
        text = " ".join(abstract.sections)
        sections, at = set[int](), 0
        for section in abstract.sections:
            sections.add(at)
            at += len(section) + 1
        spans = pack_sentences(text, sorted({*starts, *sections}))
        for part, (start, end) in enumerate(spans, 1):
            yield Entry(f"{abstract.pmid}-{part}", text[start:end], abstract.title)


def _first(abstracts: Iterable[Abstract]) -> Iterator[Abstract]:
    """Abstracts less those whose PMID came before; a bit for each PMID, 5 MB for all of PubMed."""
    seen = bytearray()
    for abstract in abstracts:
        place, bit = divmod(abstract.pmid, 8)
        if place >= len(seen):
            seen.extend(bytes(place + 1 - len(seen)))
        if not seen[place] >> bit & 1:
            seen[place] |= 1 << bit
            yield abstract
