"""Which entities of a passage questions are generated about (SIGIR sec. 2.1).

The study's are those that the retriever attends to least. The others are controls: if any entity,
or any at the end of a passage, would do as well, attention has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ecqg.attention.aggregate import EntityAttention, Mention, normalise
from ecqg.corpus.passages import Passage

Chosen = list[tuple[EntityAttention, Mention]]  # with the mention that is asked about
Choose = Callable[[Passage, Sequence[Mention], Sequence[EntityAttention], int, Random], Chosen]


def _lowest(
    passage: Passage,
    mentions: Sequence[Mention],
    ranked: Sequence[EntityAttention],
    size: int,
    rng: Random,
) -> Chosen:
    """At their least attended mention. One that equals the title is as good as any other."""
    return [(entity, entity.lowest) for entity in ranked[:size]]


def _highest(
    passage: Passage,
    mentions: Sequence[Mention],
    ranked: Sequence[EntityAttention],
    size: int,
    rng: Random,
) -> Chosen:
    """At their most attended mention."""
    return [(entity, entity.highest) for entity in ranked[::-1][:size]]


def _random(
    passage: Passage,
    mentions: Sequence[Mention],
    ranked: Sequence[EntityAttention],
    size: int,
    rng: Random,
) -> Chosen:
    """Any, at their least attended mention: only the choice of the entity differs from lowest."""
    return [(entity, entity.lowest) for entity in rng.sample(ranked, min(size, len(ranked)))]


def _last_sentence(
    passage: Passage,
    mentions: Sequence[Mention],
    ranked: Sequence[EntityAttention],
    size: int,
    rng: Random,
) -> Chosen:
    """Those that the last sentence names, in its order."""
    last = passage.sentence_starts[-1]
    late: dict[str, Mention] = {}
    for mention in sorted(mentions, key=lambda m: m.start):
        if mention.start >= last and mention.pieces:
            late.setdefault(normalise(mention.text), mention)
    by_name = {normalise(entity.lowest.text): entity for entity in ranked}
    return [(by_name[name], mention) for name, mention in late.items()][:size]


CHOICES: dict[str, Choose] = {
    "lowest": _lowest,
    "highest": _highest,
    "random": _random,
    "last_sentence": _last_sentence,
}


def selected_records(passage: Passage, chosen: Chosen) -> list[dict[str, Any]]:
    """One record for each entity chosen, the first with rank 1; its place is its mention's."""
    return [
        {
            "passage_id": passage.id,
            "row": passage.row,
            "entity": mention.text,
            "start": mention.start,
            "end": mention.end,
            "label": mention.label,
            "attention": entity.attention,
            "rank": rank,
        }
        for rank, (entity, mention) in enumerate(chosen, 1)
    ]
