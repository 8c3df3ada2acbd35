"""Attention heat map of DPR and Mixed-DPR on the same passage (SIGIR fig. 1)."""

from __future__ import annotations

from collections import defaultdict

from ecqg import paths
from ecqg.attention.aggregate import aggregate, normalise
from ecqg.attention.attended import pair
from ecqg.attention.distribution import distribution, evenness
from ecqg.attention.entities import Entities
from ecqg.attention.heatmap import (
    HeatMap,
    Panel,
    choose_passage,
    entity_densities,
    lowest_entities,
    word_densities,
)
from ecqg.attention.heatmap_html import heatmap_html
from ecqg.attention.heatmap_png import write_heatmap_png
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.per_passage import read_per_passage
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passages
from ecqg.encoder.model import PASSAGE
from ecqg.files import write_text
from ecqg.params import Params

SHOWN = 3  # gold questions
SYSTEMS = {"dpr": "DPR", "mixed": "Mixed-DPR"}


def run(params: Params) -> None:
    """Write paths.HEATMAP_HTML and HEATMAP_PNG; see `choose_passage` for which passage."""
    passages = Passages(paths.collection() / "passages.arrow")
    entities = Entities(paths.ENTITIES)
    questions: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for split in ("train", "dev"):
        for example in read_examples(paths.gold(split)):
            for context in example.positives[:1]:
                questions[context.passage_id].append((example.question, example.answers[0]))
    base, other = (read_per_passage(paths.attention_per_passage(s)) for s in SYSTEMS)
    counts = {
        row: len({normalise(e.text) for e in entities[slice(*entities.span(row))]})
        for row in base.rows
    }
    passage = passages[choose_passage(base, other, counts, set(questions))]

    choice = (params.attention_report.special_tokens, params.attention_report.title)
    panels, mentions = [], {}
    for system, name in SYSTEMS.items():
        encoder = PassageAttention(
            paths.retriever(system) / PASSAGE,
            params.encoder.max_passage_tokens,
            params.encoder.precision,
        )
        attention = next(encoder.attend([passage]))
        spread = distribution(attention, *choice)
        found = aggregate(attention, *entities.starts_and_ends(passage.row))
        mentions[system] = pair(entities, passage.row, found)
        panels.append(
            Panel(
                name,
                evenness(attention, passage.sentence_starts, *choice),
                word_densities(passage.text, attention, spread),
                entity_densities(mentions[system], spread),
            )
        )
    heat_map = HeatMap(
        passage.title,
        passage.text,
        mentions["dpr"],
        lowest_entities(mentions["dpr"], params.select.lowest, params.select.aggregate),
        questions[passage.id][:SHOWN],
        panels,
    )
    write_text(paths.HEATMAP_HTML, heatmap_html(heat_map))
    write_heatmap_png(paths.HEATMAP_PNG, heat_map)
