"""Named entities of passages, by spaCy (SIGIR sec. 2.1 and 3.3: the eleven OntoNotes types)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any

from ecqg.corpus.spacy_model import load_spacy
from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.processes import in_blocks, processors

BLOCK = 64  # texts recognised together; fixed, so that the number of processes changes no rounding

ZONE = 64  # blocks after which a process forgets the words that it met: they would fill its memory

Mention = tuple[int, int, str]  # start, end, label

# Quotation marks, brackets, commas, white space: no part of a name where they stand at its ends.
LEADING = re.compile(r"[^\w.]*(?:the\s+)?[^\w.]*", re.IGNORECASE)
TRAILING = re.compile(r"(?:['’]s)?[^\w.)!?]*$", re.IGNORECASE)


def recognise(
    texts: Iterable[str], model: str, types: Collection[str], workers: int | None = None
) -> Iterator[list[Mention]]:
    """The mentions of each text, in order: trimmed, of the given types only, sorted by start.

    Runs in `workers` processes of one thread each; by default as many as there are processors; a
    single block of texts is done here. Raises InputError where there is no such model.
    """
    task = Recognise(model, frozenset(types))
    blocks = in_blocks(texts, BLOCK)
    few = list(islice(blocks, 2))
    if len(few) < 2:
        return chain.from_iterable(map(task.start(), few))
    found = run(task, chain(few, blocks), workers or processors(), first=0)
    return chain.from_iterable(found)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut a leading "the", a trailing possessive ending and punctuation off [start, end).

    OntoNotes counts the first two as part of a name. A question about it need not contain them,
    and attention that they receive is none that the name receives. Punctuation is the
    recogniser's error. (Names that are possessives, such as "McDonald's", lose their ending too.)

    >>> trim("the Alps's peaks", 0, 10)
    (4, 8)
    """
    mention = text[start:end]
    lead, trail = LEADING.match(mention), TRAILING.search(mention)
    assert lead and trail  # both patterns match the empty string
    return start + lead.end(), start + max(lead.end(), trail.start())


@dataclass(frozen=True)
class Recognise(Task[list[str], list[list[Mention]]]):
    """The mentions of blocks of texts."""

    model: str
    types: frozenset[str]

    def start(self) -> Callable[[list[str]], list[list[Mention]]]:
        """The pipeline is loaded with the first block."""
        return partial(_recognise_block, model=self.model, types=self.types)

    def name(self, block: list[str]) -> str:
        """By its first text."""
        return f"{len(block)} texts from {block[0][:80]!r} on"


def _recognise_block(texts: list[str], model: str, types: frozenset[str]) -> list[list[Mention]]:
    mentions: list[list[Mention]] = []
    for document in _recogniser(model).pipe(texts):
        named = [entity for entity in document.ents if entity.label_ in types]
        spans = [trim(document.text, entity.start_char, entity.end_char) for entity in named]
        labelled = zip(spans, named, strict=True)
        mentions.append([(a, b, entity.label_) for (a, b), entity in labelled if a < b])
    return mentions


class _Recogniser:
    """A pipeline whose vocabulary does not grow with the texts that it has seen.

    Blocks share a zone of spaCy's memory, as each zone's beginning empties the tokenizer's cache.
    """

    def __init__(self, model: str) -> None:
        self.pipeline = _pipeline(model)
        self._zone = ExitStack()
        self._blocks = 0

    def pipe(self, texts: list[str]) -> list[Any]:
        """The documents (spacy.tokens.Doc) of a block, good until the next one."""
        if self._blocks % ZONE == 0:
            self._zone.close()
            self._zone.enter_context(self.pipeline.memory_zone())
        self._blocks += 1
        return list(self.pipeline.pipe(texts, batch_size=BLOCK))


_recogniser = lru_cache(maxsize=1)(_Recogniser)  # this process's


def _pipeline(model: str) -> Any:
    """The pipeline (a spacy.Language) with NER and what NER builds on, if anything."""
    nlp = load_spacy(model, enable=["ner"])
    from thinc.api import NumpyOps  # not before spaCy: thinc alone imports PyTorch

    layers = list(nlp.get_pipe("ner").model.walk())
    if any(hasattr(layer, "upstream_name") for layer in layers):  # it listens to a shared network
        shared = [n for n in ("tok2vec", "transformer") if n in nlp.component_names]
        return load_spacy(model, enable=[*shared, "ner"])
    # The same matrix products by NumPy's BLAS, which is faster than the one that thinc brings.
    for layer in layers:
        layer.ops = NumpyOps(use_blis=False)
    return nlp
