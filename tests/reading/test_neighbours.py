"""The written heads look where they should, and the reader stays a plain BERT."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import BertForQuestionAnswering

from ecqg.errors import InputError
from ecqg.reading import model
from ecqg.reading.neighbours import shift, sinusoids, write_neighbour_heads
from ecqg.reading.windows import Lengths
from tiny_models import tiny_bert

OFFSETS = (-1, 1, -2, 2, -3, 3)


def random_reader(heads: int = 8) -> BertForQuestionAnswering:
    sizes = {"hidden_size": 256, "intermediate_size": 512, "max_position_embeddings": 512}
    more = {"num_hidden_layers": 2, "num_attention_heads": heads, "initializer_range": 0.06}
    more["attn_implementation"] = "eager"
    return tiny_bert(500, "BertForQuestionAnswering", 1, **sizes, **more)


def test_heads_attend_to_their_neighbours() -> None:
    reader = random_reader()
    write_neighbour_heads(reader, OFFSETS)
    ids = torch.randint(5, 500, (4, 60), generator=torch.Generator().manual_seed(2))
    with torch.inference_mode():
        layers = reader(input_ids=ids, output_attentions=True).attentions
    first = layers[0].mean(0)  # [heads, from, to]
    for head, offset in enumerate(OFFSETS):
        wanted = torch.diagonal(first[head], offset)
        assert wanted.mean() > 0.8  # of all attention, where 1/60 is its even share
    assert all(torch.diagonal(first[head], -1).mean() < 0.2 for head in (6, 7))


@given(st.integers(1, 12).map(lambda n: 2 * n), st.integers(-40, 40))
def test_a_turn_is_a_shift(size: int, offset: int) -> None:
    table = sinusoids(100, size)
    turned = table @ shift(size, offset).T
    inside = slice(max(0, -offset), min(100, 100 - offset))
    moved = slice(inside.start + offset, inside.stop + offset)
    assert torch.allclose(turned[inside], table[moved], atol=1e-3)


def test_positions_are_told_apart() -> None:
    table = sinusoids(384, 32)
    product = table @ table.T / 16 - torch.eye(384)
    assert product.abs().max() < 0.5


def test_other_weights_stay() -> None:
    before = random_reader().state_dict()
    reader = random_reader()
    write_neighbour_heads(reader, (-1, 1))
    changed = {n for n, t in reader.state_dict().items() if not torch.equal(t, before[n])}
    projections = {
        f"bert.encoder.layer.{layer}.attention.self.{name}.weight"
        for layer in (0, 1)
        for name in ("query", "key")
    }
    assert changed == projections | {"bert.embeddings.position_embeddings.weight"}
    for name in projections:  # heads 2 to 7
        assert torch.equal(reader.state_dict()[name][64:], before[name][64:])


def test_more_offsets_than_heads_are_refused(encoder_folder: Path) -> None:
    settings = model.Settings(Lengths(40, 12, 10), 6, "fp32", True)
    with pytest.raises(InputError, match="6 heads, the encoder has 4"):
        model.start(encoder_folder, settings, 2, OFFSETS)
