"""Named entities of passages, by spaCy (SIGIR sec. 2.1 and 3.3: the eleven OntoNotes types)."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from typing import Any

from ecqg.corpus.spacy_model import load_spacy

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

    Runs in `workers` processes of one thread each; by default as many as there are processors.
    Raises InputError where there is no such model.
    """
    workers = workers or _processors()
    rest = iter(texts)
    pending: deque[Future[list[list[Mention]]]] = deque()
    # Spawned, not forked: forking is unsafe where threads run, and BLAS, on its first import,
    # must find that it is to use one thread.
    with ProcessPoolExecutor(workers, get_context("spawn"), _one_thread) as pool:
        while block := list(islice(rest, BLOCK)):
            pending.append(pool.submit(_recognise_block, block, model, frozenset(types)))
            if len(pending) > 4 * workers:  # bounded: a collection may not fit into memory
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()


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


def _processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _one_thread() -> None:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"


def _recognise_block(texts: list[str], model: str, types: frozenset[str]) -> list[list[Mention]]:
    found: list[list[Mention]] = []
    for document in _recogniser(model).pipe(texts):
        mentions: list[Mention] = []
        for entity in document.ents:
            if entity.label_ in types:
                start, end = trim(document.text, entity.start_char, entity.end_char)
                if start < end:
                    mentions.append((start, end, entity.label_))
        found.append(mentions)
    return found


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


@lru_cache(maxsize=1)
def _recogniser(model: str) -> _Recogniser:
    """This process's."""
    return _Recogniser(model)


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
