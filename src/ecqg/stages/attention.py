"""Measure how evenly a system attends to a sample of passages (SIGIR sec. 4.1)."""

from __future__ import annotations

from ecqg import paths
from ecqg.attention.aggregate import aggregate, rank_entities
from ecqg.attention.distribution import AttentionMeasures, Choice, attention_measures
from ecqg.attention.entities import Entities
from ecqg.attention.entity_attention import pair
from ecqg.attention.passage_attention import PassageAttention
from ecqg.attention.per_passage import MEASURES, write_per_passage
from ecqg.attention.positions import EntityPositions, Halves
from ecqg.attention.sample import REPORT, sample_rows
from ecqg.attention.summary import means, write_by_sentence
from ecqg.attention.tokens import TokenAttention
from ecqg.corpus.passages import PASSAGES, Passage, Passages
from ecqg.encoder.model import PASSAGE
from ecqg.items import Dense
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_values

# Every choice of what the distribution covers, to show what the choice made in params.yaml does.
VARIANTS: dict[str, tuple[Choice, Choice]] = {  # special tokens, title
    "text": ("exclude", "exclude"),
    "title_and_text": ("exclude", "include"),
    "special_and_text": ("include", "exclude"),
    "all_tokens": ("include", "include"),
}


def run(params: Params, system: Dense) -> None:
    """Write the means, the attention per passage and by sentence of `system`.

    Goes on where it was killed.
    """
    collection, folder = paths.collection() / PASSAGES, paths.retriever(system) / PASSAGE
    passages, entities = Passages(collection), Entities(paths.ENTITIES)
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)
    encoder = PassageAttention(folder, *settings)
    # The same passages for every system.
    rows = sample_rows(len(passages), params.attention_statistics.passages, params.seed, REPORT)
    choice = (params.attention_statistics.special_tokens, params.attention_statistics.title)
    sampled: list[Passage] = []
    measured: list[AttentionMeasures] = []
    halves: list[Halves | None] = []
    variants: dict[str, list[AttentionMeasures]] = {name: [] for name in VARIANTS}
    positions = EntityPositions()

    with resumable(
        __name__, f"attention-{system}", [collection, folder], settings, rows
    ) as resume_dir:
        sample, what = (passages[row] for row in rows), f"attention {system}"
        for fields in encoder.measure(sample, len(rows), TokenAttention.as_json, resume_dir, what):
            attention = TokenAttention.from_json(fields)
            if not len(attention.starts):
                continue  # a text without any token has no distribution
            passage = passages[attention.row]
            sampled.append(passage)
            measured.append(attention_measures(attention, passage.sentence_starts, *choice))
            for name, other in VARIANTS.items():
                variants[name].append(
                    attention_measures(attention, passage.sentence_starts, *other)
                )
            found = aggregate(attention, *entities.starts_and_ends(passage.row))
            mentions = pair(entities, passage.row, found)
            ranked = rank_entities(mentions, params.select.aggregate)
            halves.append(positions.add(passage, ranked))

    metrics = {
        **means(measured),
        **positions.summary(),
        "passages": len(measured),
        "variants": {
            name: {measure: means(others)[measure] for measure in MEASURES}
            for name, others in variants.items()
        },
    }
    records = zip(sampled, measured, halves, strict=True)
    write_per_passage(paths.attention_per_passage(system), records)
    write_by_sentence(paths.attention_by_sentence(system), system, measured)
    write_values(paths.attention_means(system), metrics)
