"""Find the named entities of the passages that are looked at (SIGIR sec. 2.1).

The papers look at 500,000 passages of 21 million; recognising entities in all of them would be the
longest stage of the study by far.
"""

from __future__ import annotations

from collections.abc import Iterator

from ecqg import paths
from ecqg.attention.entities import Entity, write_entities
from ecqg.attention.ner import BLOCK, Mention, recognise
from ecqg.attention.sample import QUESTIONS, REPORT, SELECT, all_sampled_rows
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import stream_blocks


def run(params: Params) -> None:
    """Write paths.ENTITIES; goes on where it was killed.

    Its passages are those that `select` draws, those that attention is reported over and those
    whose entities are all asked about.
    """
    collection, settings = paths.collection() / PASSAGES, params.entities
    passages = Passages(collection)
    sizes = {
        SELECT: params.select.passages,
        REPORT: params.attention_statistics.passages,
        QUESTIONS: params.analysis.entity_passages,
    }
    rows = all_sampled_rows(len(passages), sizes, params.seed)

    def recognised_after(done: int) -> Iterator[list[Mention]]:
        texts = (passages[row].text for row in rows[done:])
        return recognise(texts, settings.model, settings.types)

    def mentions(found: Iterator[list[Mention]]) -> Iterator[Entity]:
        tracked = track(found, "entities", total=len(rows), unit="passage")
        for row, spans in zip(rows, tracked, strict=True):
            text = passages[row].text
            for start, end, label in spans:
                yield Entity(row, start, end, label, text[start:end])

    with resumable(__name__, "entities", [collection], settings, rows) as folder:
        found = stream_blocks(folder, len(rows), BLOCK, recognised_after)
        write_entities(paths.ENTITIES, mentions(found))
