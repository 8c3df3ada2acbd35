"""Find the named entities of the collection's passages (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ecqg import paths
from ecqg.attention.entities import Entity, write_entities
from ecqg.attention.ner import recognise
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.progress import track


def run(params: Params) -> None:
    """Write paths.ENTITIES."""
    passages = Passages(paths.collection() / "passages.arrow")
    texts = (passage.text for passage in passages)
    found = recognise(texts, params.entities.model, params.entities.types)

    def mentions() -> Iterator[Entity]:
        tracked = track(found, "entities", total=len(passages), unit="passage")
        for passage, spans in zip(passages, tracked, strict=True):
            for start, end, label in spans:
                yield Entity(passage.row, start, end, label, passage.text[start:end])

    write_entities(paths.ENTITIES, mentions())
