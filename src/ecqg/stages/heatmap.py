"""Draw the attention of the systems analysed on the same passage (SIGIR fig. 1)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict

from ecqg import paths
from ecqg.attention.aggregate import normalise, rank_entities
from ecqg.attention.entities import Entities, EntityAttentionFile
from ecqg.attention.heatmap import HeatMap, choose_passage, make_panel
from ecqg.attention.heatmap_png import write_heatmap_png
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.per_passage import read_per_passage
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.model import PASSAGE
from ecqg.errors import InputError
from ecqg.files import write_json, write_text
from ecqg.palette import styles
from ecqg.params import Params
from ecqg.report.names import shown
from ecqg.systems import evaluated

SHOWN = 3  # gold questions


def run(params: Params) -> None:
    """Write paths.HEATMAP_HTML, HEATMAP_PNG and HEATMAP; see `choose_passage` for which passage.

    Where Mixed-DPR is analysed, UnCon-DPR stands before it.
    Raises InputError where the systems' attention is of different passages.
    """
    passages = Passages(paths.collection() / PASSAGES)
    entities = Entities(paths.ENTITIES)
    questions: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for split in ("train", "dev"):
        for example in read_examples(paths.gold(split), passages):
            about = passages[example.positives[0]].id
            questions[about].append((example.question, "; ".join(example.answers[:1])))
    systems = params.analysis.systems
    measured = [read_per_passage(paths.attention_per_passage(system)) for system in systems]
    for system, other in zip(systems, measured, strict=True):
        if not other["id"].equals(measured[0]["id"]):
            raise InputError(
                f"other passages than {systems[0]}'s",
                file=paths.attention_per_passage(system),
                remedy=f"run 'ecqg attention' again for {systems[0]} and {system}",
            )
    counts = {row: len({normalise(e.text) for e in entities.of(row)}) for row in measured[0]["row"]}
    passage = passages[choose_passage(measured, counts, set(questions))]
    # As `select` ranks them, also where this passage is none of those that it draws.
    mentions = EntityAttentionFile(entities, paths.ENTITY_ATTENTION).mentions(passage.row)
    lowest = rank_entities(mentions, params.select.aggregate)[: params.select.per_passage]

    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    choice = (params.attention_statistics.special_tokens, params.attention_statistics.title)
    of_systems = styles(evaluated(params.systems))
    panels = []
    drawn = [*systems]
    if "mixed" in systems and "uncon" in {*params.systems.dense} - {*systems}:
        drawn.insert(max(1, drawn.index("mixed")), "uncon")
    for system in drawn:
        encoder = PassageAttention(paths.retriever(system) / PASSAGE, *settings)
        attention = next(encoder.attend([passage], 1))
        own = entities.pair(passage.row, entities.aggregate(attention))
        named = (shown(system), of_systems[system].colour)
        panels.append(make_panel(*named, passage, attention, own, *choice))
    heat_map = HeatMap(
        title=passage.title,
        text=passage.text,
        mentions=mentions,
        selected={normalise(entity.lowest.text) for entity in lowest},
        selector=shown(params.select.system),
        questions=questions[passage.id][:SHOWN],
        panels=panels,
    )
    write_json(paths.HEATMAP, asdict(heat_map) | {"selected": sorted(heat_map.selected)})
    write_text(paths.HEATMAP_HTML, heat_map.html())
    write_heatmap_png(paths.HEATMAP_PNG, heat_map)
