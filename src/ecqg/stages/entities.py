"""Find the named entities of the passages that are looked at (SIGIR sec. 2.1).

Questions are generated about a part of a collection; recognising entities in all of the papers' 21
million passages would be the longest stage of the study by far.
"""

from __future__ import annotations

from functools import partial

from ecqg import paths
from ecqg.attention.entities import Entity, write_entities
from ecqg.attention.ner import BLOCK, recognise
from ecqg.attention.sample import QUESTIONS, REPORT, SELECT, sample_rows
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import stream_blocks


def run(params: Params) -> None:
    """Write paths.ENTITIES; resumes where it was killed.

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
    samples = (sample_rows(len(passages), n, params.seed, name) for name, n in sizes.items())
    rows = sorted(set().union(*samples))

    texts = (passages[row].text for row in rows)
    mentions = partial(recognise, model=settings.model, types=settings.types)
    with resumable(__name__, "entities", [collection], settings, rows) as resume_dir:
        recognised = stream_blocks(resume_dir, texts, BLOCK, mentions)
        tracked = track(recognised, "entities", total=len(rows), unit="passage")
        entities = (
            Entity(row, start, end, label, text[start:end])
            for row, spans in zip(rows, tracked, strict=True)
            for text in [passages[row].text]
            for start, end, label in spans
        )
        write_entities(paths.ENTITIES, entities)
