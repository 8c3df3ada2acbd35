from __future__ import annotations

import pytest
import torch

from ecqg.questions.copying import sinusoids, step_back, write_copy_circuit
from tiny_models import tiny_bart


@pytest.mark.parametrize("size", [8, 64])
def test_a_step_back_turns_each_position_into_the_one_before(size: int) -> None:
    positions = sinusoids(40, size)
    torch.testing.assert_close(positions[1:] @ step_back(size).T, positions[:-1], atol=1e-4, rtol=0)
    nearest = (positions @ positions.T).argmax(-1)
    assert nearest.tolist() == list(range(40))


def test_the_model_copies_before_it_has_learned_anything() -> None:
    """Given the start of a random sequence, the most probable next token is the source's next."""
    shares = {}
    for circuit in (True, False):
        model = tiny_bart(vocab_size=200, d_model=128, encoder_ffn_dim=128, decoder_ffn_dim=128)
        if circuit:
            write_copy_circuit(model, torch.Generator().manual_seed(1))
        model.eval()
        draws = torch.Generator().manual_seed(2)
        source = torch.stack([5 + torch.randperm(195, generator=draws)[:30] for _ in range(20)])
        with torch.inference_mode():
            logits = model(input_ids=source, decoder_input_ids=source[:, :-1]).logits
        shares[circuit] = (logits.argmax(-1) == source[:, 1:]).float().mean().item()
    assert shares[True] > 0.9
    assert shares[False] < 0.05
