"""Select what a question set asks about: passages, or entities by attention (SIGIR sec. 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ecqg import paths
from ecqg.attention.aggregate import normalise, rank_entities
from ecqg.attention.entities import Entities, EntityAttentionFile
from ecqg.attention.positions import HISTOGRAM, EntityPositions
from ecqg.attention.sample import SELECT, sample_rows
from ecqg.corpus.passages import PASSAGES, Passages, sample_passages
from ecqg.files import write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.progress import track
from ecqg.seeds import derive, python_rng
from ecqg.synthesis.select import CHOICES, selected_records
from ecqg.tables import write_table, write_values


def run(params: Params, name: Questions) -> None:
    """Write paths.selected(name), counts, and where the entities stand that attention ranks."""
    settings = params.question_sets[name]
    passages = Passages(paths.collection() / PASSAGES)
    if settings.entities is None:
        seed = derive(params.seed, "generate", name)
        rows = sample_passages(len(passages), settings.passages, seed)
        write_jsonl(paths.selected(name), ({"passage_id": passages[r].id, "row": r} for r in rows))
        write_values(paths.selection_metrics(name), {"passages": len(rows)})
        write_table(paths.entity_positions(name), HISTOGRAM, ())
        return
    attention = EntityAttentionFile(Entities(paths.ENTITIES), paths.ENTITY_ATTENTION)
    rows = sample_rows(len(passages), params.select.passages, params.seed, SELECT)
    part = sample_rows(len(rows), settings.passages, params.seed, SELECT, name)
    rows = [rows[place] for place in part]
    positions = EntityPositions()
    choose, size = CHOICES[settings.entities], params.select.per_passage
    counts = Counter(passages=len(rows))

    def records() -> Iterator[dict[str, Any]]:
        for row in track(rows, "select", unit="passage"):
            passage = passages[row]
            mentions = attention.mentions(row)
            ranked = rank_entities(mentions, params.select.aggregate)
            rng = python_rng(params.seed, "select", name, row)
            selected = selected_records(passage, choose(passage, mentions, ranked, size, rng))
            positions.add(passage, ranked)
            title = normalise(passage.title)
            counts.update(
                mentions=len(mentions),
                truncated_mentions=sum(m.pieces == 0 for m in mentions),
                entities=len(ranked),
                selected=len(selected),
                selected_titles=sum(normalise(r["entity"]) == title for r in selected),
            )
            yield from selected

    write_jsonl(paths.selected(name), records())
    write_values(paths.selection_metrics(name), {**counts, **positions.summary()})
    positions.write_histogram(paths.entity_positions(name))
