"""Select the least-attended entities of a sample of passages (SIGIR sec. 2.1)."""

from __future__ import annotations

from typing import Any

from ecqg import paths
from ecqg.attention.aggregate import normalise, rank_entities
from ecqg.attention.attended import Attended
from ecqg.attention.entities import Entities
from ecqg.attention.positions import EntityPositions, write_histogram
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import Passages
from ecqg.files import write_json, write_jsonl
from ecqg.params import Params
from ecqg.progress import track
from ecqg.synthesis.select import selected_records

BASELINE = "baseline"  # the system whose attention decides


def run(params: Params) -> None:
    """Write paths.SELECTED, SELECTION_METRICS and ENTITY_POSITION."""
    passages = Passages(paths.collection() / "passages.arrow")
    attended = Attended(Entities(paths.ENTITIES), paths.attended(BASELINE), BASELINE)
    rows = sample_rows(len(passages), params.select.passages, params.seed, "select")
    records: list[dict[str, Any]] = []
    positions = EntityPositions()
    mentions = truncated = entities = titles = 0
    for row in track(rows, "select", unit="passage"):
        passage = passages[row]
        found = attended.mentions(row)
        ranked = rank_entities(found, params.select.aggregate)
        selected = selected_records(passage, ranked, params.select.lowest)
        positions.add(passage, ranked)
        titles += sum(normalise(r["entity"]) == normalise(passage.title) for r in selected)
        entities += len(ranked)
        mentions += len(found)
        truncated += sum(m.pieces == 0 for m in found)
        records += selected
    write_jsonl(paths.SELECTED, records)
    counts = {
        "passages": len(rows),
        "mentions": mentions,
        "truncated_mentions": truncated,
        "entities": entities,
        "selected": len(records),
        "selected_titles": titles,  # selected entities that are their passage's title
    }
    write_json(paths.SELECTION_METRICS, {**counts, **positions.summary()})
    write_histogram(paths.ENTITY_POSITION, positions)
