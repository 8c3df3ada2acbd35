"""Measure how evenly a system attends to a sample of passages (SIGIR sec. 4.1)."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.attention.aggregate import rank_entities
from ecqg.attention.among_entities import among_entities
from ecqg.attention.entities import Entities
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.per_passage import MEASURES, means, write_by_sentence, write_per_passage
from ecqg.attention.positions import EntityPositions
from ecqg.attention.sample import REPORT, sample_rows
from ecqg.attention.tokens import AttentionMeasures, Choice, attention_measures
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.model import PASSAGE
from ecqg.items import Dense
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_values

# Every choice of what the distribution covers, to show what the choice made in params.yaml does.
VARIANTS: dict[tuple[Choice, Choice], str] = {  # special tokens, title
    ("exclude", "exclude"): "text",
    ("exclude", "include"): "title_and_text",
    ("include", "exclude"): "special_and_text",
    ("include", "include"): "all_tokens",
}


def run(params: Params, system: Dense) -> None:
    """Write the means, the attention per passage and by sentence of `system`; resumes."""
    inputs = [paths.collection() / PASSAGES, paths.retriever(system) / PASSAGE]
    passages, entities = Passages(inputs[0]), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(inputs[1], *settings)
    # The same passages for every system.
    rows = sample_rows(len(passages), params.attention_statistics.passages, params.seed, REPORT)
    variants: dict[str, list[AttentionMeasures]] = {name: [] for name in VARIANTS.values()}
    statistics = params.attention_statistics
    chosen = variants[VARIANTS[statistics.special_tokens, statistics.title]]
    sampled, halves, positions = [], [], EntityPositions()
    spread: list[dict[str, float]] = []
    with resumable(__name__, f"attention-{system}", inputs, settings, rows) as resume_dir:
        sample = (passages[row] for row in rows)
        for attention in encoder.attend(sample, len(rows), resume_dir, f"attention {system}"):
            if not len(attention.starts):
                continue  # a text without any token has no distribution
            passage = passages[attention.row]
            for choice, name in VARIANTS.items():
                measured = attention_measures(attention, passage.sentence_starts, *choice)
                variants[name].append(measured)
            mentions = entities.pair(passage.row, entities.aggregate(attention))
            ranked = rank_entities(mentions, params.select.aggregate)
            halves.append(positions.add(passage, ranked))
            if len(ranked) > 1:
                spread.append(among_entities(ranked, chosen[-1].scale))
            sampled.append(passage)

    metrics = {
        **means(chosen),
        **positions.summary(),
        **{name: float(np.mean([of[name] for of in spread])) for name in (spread or [{}])[0]},
        "passages": len(chosen),
        "variants": {
            name: {measure: means(others)[measure] for measure in MEASURES}
            for name, others in variants.items()
        },
    }
    records = zip(sampled, chosen, halves, strict=True)
    write_per_passage(paths.attention_per_passage(system), records)
    write_by_sentence(paths.attention_by_sentence(system), system, chosen)
    write_values(paths.attention_means(system), metrics)
