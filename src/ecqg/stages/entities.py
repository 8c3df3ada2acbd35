"""Find the named entities of the collection's passages (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ecqg import paths
from ecqg.attention.entities import Entity, write_entities
from ecqg.attention.ner import BLOCK, Mention, recognise
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import stream_in_shards


def run(params: Params) -> None:
    """Write paths.ENTITIES; goes on where it was killed."""
    collection, settings = paths.collection() / "passages.arrow", params.entities
    passages = Passages(collection)

    def recognised_after(row: int) -> Iterator[list[Mention]]:
        texts = (passage.text for passage in islice(passages, row, None))
        return recognise(texts, settings.model, settings.types)

    def mentions(found: Iterator[list[Mention]]) -> Iterator[Entity]:
        tracked = track(found, "entities", total=len(passages), unit="passage")
        for passage, spans in zip(passages, tracked, strict=True):
            for start, end, label in spans:
                yield Entity(passage.row, start, end, label, passage.text[start:end])

    with resumable("entities", [collection], settings) as folder:
        found = stream_in_shards(folder, len(passages), BLOCK, recognised_after)
        write_entities(paths.ENTITIES, mentions(found))
