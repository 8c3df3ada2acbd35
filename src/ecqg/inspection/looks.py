"""Where systems look in one passage, and what a generator asks about one of its entities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ecqg.attention.aggregate import Mention, aggregate, normalise, rank_entities
from ecqg.attention.heatmap import HeatMap, Panel, make_panel
from ecqg.attention.ner import recognise
from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.passages import Passage
from ecqg.corpus.sentences import split_sentences
from ecqg.errors import InputError
from ecqg.params import AttentionStatistics, Entities


@dataclass(frozen=True, slots=True)
class Look:
    """A system that looks at passages: its name as shown, its colour, its passage encoder."""

    name: str
    colour: str
    attention: PassageAttention


def passage_of(text: str, title: str = "") -> Passage:
    """Any text as a passage, cut into sentences. Raises InputError where it is empty."""
    if not text.strip():
        raise InputError("the text is empty", remedy="give a passage's id, or a text")
    (starts,) = split_sentences([text])
    return Passage(0, "", title, text, starts)


def look(
    passage: Passage,
    looks: list[Look],
    entities: Entities,
    statistics: AttentionStatistics,
    per_passage: int,
) -> HeatMap:
    """What each system attends to.

    The `per_passage` entities that the first one attends to least are marked. They are recognised
    anew, as the stage `entities` does.
    """
    (found,) = recognise([passage.text], entities.model, entities.types, workers=1)
    starts = np.array([start for start, _, _ in found], np.int32)
    ends = np.array([end for _, end, _ in found], np.int32)
    panels: list[Panel] = []
    first: list[Mention] = []
    for system in looks:
        attention = next(system.attention.attend([passage], 1))
        of_mentions = aggregate(attention, starts, ends)
        values = zip(found, of_mentions.sums.tolist(), of_mentions.pieces.tolist(), strict=True)
        mentions = [
            Mention(passage.text[start:end], label, start, end, total, pieces)
            for (start, end, label), total, pieces in values
        ]
        choice = (statistics.special_tokens, statistics.title)
        panels.append(make_panel(system.name, system.colour, passage, attention, mentions, *choice))
        first = first or mentions
    lowest = rank_entities(first, "mean")[:per_passage]
    return HeatMap(
        title=passage.title,
        text=passage.text,
        mentions=first,
        selected={normalise(entity.lowest.text) for entity in lowest},
        selector=looks[0].name,
        questions=[],
        panels=panels,
    )
