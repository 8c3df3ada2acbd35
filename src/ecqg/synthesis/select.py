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

Ranked = Sequence[EntityAttention]  # the least attended first
Chosen = list[tuple[EntityAttention, Mention]]  # with the mention that is asked about
Choose = Callable[[Passage, Sequence[Mention], Ranked, int, Random], Chosen]


def _last_sentence(
    passage: Passage, mentions: Sequence[Mention], ranked: Ranked, size: int, rng: Random
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
    # At their least attended mention. One that equals the title is as good as any other.
    "lowest": lambda passage, mentions, ranked, size, rng: [(e, e.lowest) for e in ranked[:size]],
    # At their most attended mention.
    "highest": lambda passage, mentions, ranked, size, rng: [
        (e, e.highest) for e in ranked[::-1][:size]
    ],
    # Any, at their least attended mention: only the choice of the entity differs from lowest.
    "random": lambda passage, mentions, ranked, size, rng: [
        (e, e.lowest) for e in rng.sample(ranked, min(size, len(ranked)))
    ],
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
