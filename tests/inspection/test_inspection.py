"""Any question and any passage: against brute force, and transformers' own attentions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from ecqg import params
from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.passages import PASSAGES, Passages, write_passages
from ecqg.encoder.model import QUESTION
from ecqg.errors import InputError
from ecqg.inspection.looks import Look, look, passage_of
from ecqg.inspection.rankings import dense_search, ranking
from public_encoders import make_plain
from small_passages import make_passages

ENCODER = params.Encoder(20, 40, "none", 0.0, "fp32")
STATISTICS = params.AttentionStatistics(10, "exclude", "exclude")
ENTITIES = params.Entities(model="en_core_web_sm", types=("PERSON", "GPE"))
TEXTS = [
    ("Anna Bell", "Anna Bell was born in Paris. She met Leo Vale in Rome."),
    ("Rome", "Rome is a city. Leo Vale saw it in 1850."),
    ("", "A mill stands near the river."),
]


@pytest.fixture
def passages(tmp_path: Path) -> Passages:
    write_passages(tmp_path / PASSAGES, make_passages(*TEXTS))
    return Passages(tmp_path / PASSAGES)


def test_a_ranking_is_that_of_all_inner_products(tmp_path: Path, passages: Passages) -> None:
    reference = make_plain(tmp_path / QUESTION, "bert")
    vectors = np.random.default_rng(1).normal(size=(3, 16)).astype(np.float32)
    np.save(tmp_path / "vectors.npy", vectors)
    retrieval = params.Retrieval(10, "Flat", "fp32")
    search = dense_search(tmp_path, tmp_path / "vectors.npy", ENCODER, retrieval, 1, 3)
    found = ranking(search, passages, "Who saw Rome?", 2, ["leo vale"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / QUESTION)
    query = reference(tokenizer("Who saw Rome?", return_tensors="pt")).detach().numpy()
    scores = vectors @ query
    order = np.argsort(-scores)[:2]
    assert [one.passage.row for one in found] == order.tolist()
    assert [one.score for one in found] == pytest.approx(scores[order].tolist(), rel=1e-4)
    assert [one.answered for one in found] == [row in (0, 1) for row in order]
    with pytest.raises(InputError, match="the question is empty"):
        ranking(search, passages, "  ", 2)


def test_where_a_system_looks_is_row_0_of_its_last_attentions(tmp_path: Path) -> None:
    make_plain(tmp_path, "bert")
    passage = passage_of("Leo Vale lived in Rome. Anna Bell never saw Paris.")
    assert passage.sentence_starts == (0, 24)
    system = Look("Ours", "#000000", PassageAttention(tmp_path, 40, "fp32"))
    heat_map = look(passage, [system], ENTITIES, STATISTICS, 1)

    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    model = transformers.AutoModel.from_pretrained(tmp_path, attn_implementation="eager").eval()
    encoded = tokenizer(passage.text, return_tensors="pt", return_offsets_mapping=True)
    offsets = encoded.pop("offset_mapping")[0].tolist()
    with torch.no_grad():
        last = model(**encoded, output_attentions=True).attentions[-1]
    weights = last[0, :, 0].mean(0).numpy()[1:-1]
    density = weights / weights.mean()
    spans = offsets[1:-1]
    found = {row.name: row.densities[0] for row in heat_map.entity_rows()}
    assert {"Anna Bell", "Rome"} <= {*found}
    expected = {}
    for name in found:
        start = passage.text.index(name)
        inside = [d for d, (a, b) in zip(density, spans, strict=True)
                  if a < start + len(name) and start < b]  # fmt: skip
        expected[name] = np.mean(inside)
    assert found == pytest.approx(expected, rel=1e-3)
    least = min(expected, key=lambda name: expected[name])
    assert [row.name for row in heat_map.entity_rows() if row.selected] == [least]


def test_a_text_that_is_empty_is_refused() -> None:
    with pytest.raises(InputError, match="the text is empty"):
        passage_of(" \n")
