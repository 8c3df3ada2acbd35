"""Select the least-attended entities of a sample of passages (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ecqg import paths
from ecqg.attention.aggregate import normalise, rank_entities
from ecqg.attention.attended import Attended
from ecqg.attention.entities import Entities
from ecqg.attention.positions import EntityPositions, write_histogram
from ecqg.attention.sample import SELECT, sample_rows
from ecqg.corpus.passages import Passages
from ecqg.files import write_jsonl
from ecqg.params import Params
from ecqg.progress import track
from ecqg.synthesis.select import selected_records
from ecqg.tables import write_values

BASELINE = "baseline"  # the system whose attention decides


def run(params: Params) -> None:
    """Write paths.SELECTED, SELECTION_METRICS and ENTITY_POSITION."""
    passages = Passages(paths.collection() / "passages.arrow")
    attended = Attended(Entities(paths.ENTITIES), paths.attended(BASELINE), BASELINE)
    rows = sample_rows(len(passages), params.select.passages, params.seed, SELECT)
    positions = EntityPositions()
    counts = {"passages": len(rows), "mentions": 0, "truncated_mentions": 0, "entities": 0}
    # The latter of selected entities that are their passage's title.
    counts |= {"selected": 0, "selected_titles": 0}

    def records() -> Iterator[dict[str, Any]]:
        for row in track(rows, "select", unit="passage"):
            passage = passages[row]
            found = attended.mentions(row)
            ranked = rank_entities(found, params.select.aggregate)
            selected = selected_records(passage, ranked, params.select.lowest)
            positions.add(passage, ranked)
            counts["mentions"] += len(found)
            counts["truncated_mentions"] += sum(m.pieces == 0 for m in found)
            counts["entities"] += len(ranked)
            counts["selected"] += len(selected)
            title = normalise(passage.title)
            counts["selected_titles"] += sum(normalise(r["entity"]) == title for r in selected)
            yield from selected

    write_jsonl(paths.SELECTED, records())
    write_values(paths.SELECTION_METRICS, {**counts, **positions.summary()})
    write_histogram(paths.ENTITY_POSITION, positions)
