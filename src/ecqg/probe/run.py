"""Probe models: everything that is measured, as one record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from ecqg.attention.aggregate import Mention, normalise
from ecqg.attention.heatmap import ENOUGH, HeatMap, Panel, make_panel
from ecqg.attention.looking import look_at
from ecqg.corpus.passages import Passage
from ecqg.params import Entities
from ecqg.probe.ask import Answered, answer, ask, choose, ends
from ecqg.probe.looks import Look, Seen, Span, find_entities, look, with_attention
from ecqg.probe.models import Model
from ecqg.probe.places import Found, find
from ecqg.probe.texts import Texts
from ecqg.questions.generation import Plan

QUANTILES = {"uneven": 0.1, "typical": 0.5, "even": 0.9}  # of entropy: passages that are shown


@dataclass(frozen=True)
class Probed:
    """What came out for one model."""

    name: str
    pooling: str  # cls or mean
    similarity: str  # dot or cosine
    dimensions: int
    max_tokens: int
    look: Look
    found: Found | None  # where there are questions
    asked: Answered | None


@dataclass(frozen=True)
class Probe:
    """What came out for all, and heat maps of some passages, by how even their attention is."""

    source: str
    passages: int
    total: int  # of which the passages are a sample
    questions: int
    left_out: int
    seed: int
    models: list[Probed]
    heat_maps: dict[str, HeatMap] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """All numbers, as JSON has them."""
        own = {name: value for name, value in vars(self).items() if name != "heat_maps"}
        figures: dict[str, Any] = _without_nan(
            own | {"models": [asdict(model) for model in self.models]}
        )
        return figures


def _without_nan(value: Any) -> Any:
    """NaN is null in JSON, and a named tuple an object."""
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, list):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and isnan(value) else value


def probe(
    models: Sequence[Model],
    texts: Texts,
    kinds: Entities,
    *,
    seed: int,
    asker: tuple[Path, Plan] | None = None,
) -> Probe:
    """Have all models look at the same passages and answer the same questions.

    `kinds` of entities count. With an `asker`, a generator and how it draws, questions are asked
    about what each model looks at least and most.
    """
    entities = find_entities(texts.passages, kinds)
    seen = {model.name: look(model, texts.passages, entities) for model in models}
    found: dict[str, Found] = {}
    if texts.questions:
        found = {
            m.name: find(m, texts.passages, seen[m.name].vectors, texts.questions, seed)
            for m in models
        }
    asked = _ask(models, seen, texts.passages, asker, seed) if asker else {}
    return Probe(
        texts.source,
        len(texts.passages),
        texts.total,
        len(texts.questions),
        texts.left_out,
        seed,
        [
            Probed(
                model.name,
                model.passage.pooling,
                "cosine" if model.cosine else "dot",
                model.passage.dimensions,
                model.max_tokens,
                seen[model.name].look,
                found.get(model.name),
                asked.get(model.name),
            )
            for model in models
        ],
        _heat_maps(models, seen[models[0].name], texts.passages, entities),
    )


def _ask(
    models: Sequence[Model],
    seen: dict[str, Seen],
    passages: Sequence[Passage],
    asker: tuple[Path, Plan],
    seed: int,
) -> dict[str, Answered]:
    rows = choose(len(passages), seed)
    wanted = {
        model.name: {row: both for row in rows if (both := ends(seen[model.name].ranked[row]))}
        for model in models
    }
    about = {(row, s) for of in wanted.values() for row, both in of.items() for s in both}
    generator, plan = asker
    questions = ask(generator, passages, about, plan)
    found = {}
    for model in models:
        vectors, own = seen[model.name].vectors, wanted[model.name]
        if (answered := answer(model, passages, vectors, own, questions, seed)) is not None:
            found[model.name] = answered
    return found


def _heat_maps(
    models: Sequence[Model],
    first: Seen,
    passages: Sequence[Passage],
    entities: Sequence[Sequence[Span]],
) -> dict[str, HeatMap]:
    """Of the passages with ENOUGH entities, if any, those at QUANTILES of the first's entropy."""
    counts = np.array([len(ranked) for ranked in first.ranked])
    known = ~np.isnan(first.entropies)
    enough = np.flatnonzero(known & (counts >= min(ENOUGH, counts[known].max())))
    ordered = enough[np.argsort(first.entropies[enough], kind="stable")]
    rows = {name: int(ordered[int(q * (len(ordered) - 1))]) for name, q in QUANTILES.items()}
    chosen = sorted({*rows.values()})
    panels: dict[int, list[Panel]] = {row: [] for row in chosen}
    mentions: dict[int, list[Mention]] = {}
    for model in models:
        some = [passages[row] for row in chosen]
        tokenizer, limit = model.passage_tokenizer, model.max_tokens
        for row, (attention, _) in zip(
            chosen, look_at(model.passage, tokenizer, some, limit, ""), strict=True
        ):
            own = with_attention(passages[row], entities[row], attention)
            mentions.setdefault(row, own)
            panels[row].append(
                make_panel(model.name, "", passages[row], attention, own, "exclude", "exclude")
            )
    return {
        name: HeatMap(
            title=passages[row].title,
            text=passages[row].text,
            mentions=mentions[row],
            selected={normalise(e.lowest.text) for e in first.ranked[row][:1]},
            selector=models[0].name,
            questions=[],
            panels=panels[row],
        )
        for name, row in rows.items()
    }
