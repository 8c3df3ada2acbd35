"""Draw the attention of the systems analysed on the same passage (SIGIR fig. 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ecqg import paths
from ecqg.attention.aggregate import aggregate, normalise
from ecqg.attention.distribution import attention_measures, distribution
from ecqg.attention.entities import Entities
from ecqg.attention.entity_attention import EntityAttentionFile, pair
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
from ecqg.attention.per_passage import PerPassage, read_per_passage
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.model import PASSAGE
from ecqg.errors import InputError
from ecqg.files import write_text
from ecqg.palette import styles
from ecqg.params import Params
from ecqg.report.names import shown
from ecqg.systems import evaluated

SHOWN = 3  # gold questions


def run(params: Params) -> None:
    """Write paths.HEATMAP_HTML and HEATMAP_PNG; see `choose_passage` for which passage."""
    passages = Passages(paths.collection() / PASSAGES)
    entities = Entities(paths.ENTITIES)
    questions: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for split in ("train", "dev"):
        for example in read_examples(paths.gold(split), passages):
            asked = passages[example.positives[0]].id
            questions[asked].append((example.question, example.answers[0]))
    measured = _measured(params.analysis.systems)
    counts = {
        row: len({normalise(e.text) for e in entities[slice(*entities.span(row))]})
        for row in measured[0].rows
    }
    passage = passages[choose_passage(measured, counts, set(questions))]
    # As `select` ranks them, also where this passage is none of those that it draws.
    attention_file = EntityAttentionFile(entities, paths.ENTITY_ATTENTION)
    mentions = attention_file.mentions(passage.row)

    choice = (params.attention_statistics.special_tokens, params.attention_statistics.title)
    of_systems = styles(evaluated(params.systems))
    panels = []
    for system in params.analysis.systems:
        encoder = PassageAttention(
            paths.retriever(system) / PASSAGE,
            params.encoder.max_passage_tokens,
            params.encoder.precision,
        )
        attention = next(encoder.attend([passage]))
        spread = distribution(attention, *choice)
        found = aggregate(attention, *entities.starts_and_ends(passage.row))
        panels.append(
            Panel(
                shown(system),
                of_systems[system].colour,
                attention_measures(attention, passage.sentence_starts, *choice),
                word_densities(passage.text, attention, spread),
                entity_densities(pair(entities, passage.row, found), spread),
            )
        )
    heat_map = HeatMap(
        passage.title,
        passage.text,
        mentions,
        lowest_entities(mentions, params.select.per_passage, params.select.aggregate),
        shown(params.select.system),
        questions[passage.id][:SHOWN],
        panels,
    )
    write_text(paths.HEATMAP_HTML, heatmap_html(heat_map))
    write_heatmap_png(paths.HEATMAP_PNG, heat_map)


def _measured(systems: Sequence[str]) -> list[PerPassage]:
    """The systems' attention per passage. Raises InputError where it is of different passages."""
    files = [paths.attention_per_passage(system) for system in systems]
    measured = [read_per_passage(file) for file in files]
    for system, file, other in zip(systems, files, measured, strict=True):
        if other.ids != measured[0].ids:
            remedy = f"run 'ecqg attention' again for {systems[0]} and {system}"
            raise InputError(f"other passages than {systems[0]}'s", file=file, remedy=remedy)
    return measured
