"""Gradient caching against one pass over the whole batch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.corpus.examples import Example
from ecqg.encoder.batches import build_training_set, epoch_batches, epoch_rows
from ecqg.encoder.gradient_cache import backward_shared
from ecqg.encoder.trainer import train
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.losslog import LossLog
from small_passages import make_passages
from tiny_models import dual_encoder

NOUNS = ["river", "town", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship"]
CPU = torch.device("cpu")


@pytest.fixture
def data(tokenizer, encoder_settings):
    """Ten questions with two, one or no hard negatives."""
    passages = make_passages(*(("", f"the {noun} flows past") for noun in NOUNS))
    examples = [
        Example(str(i), f"old {noun}", (noun,), (i,), tuple(range(10))[i - 2 : i][: i % 3])
        for i, noun in enumerate(NOUNS)
    ]
    return build_training_set(examples, passages, tokenizer, encoder_settings, 2)


@pytest.fixture
def model(tiny_bert, tokenizer):
    return dual_encoder(tiny_bert(2, 1), tiny_bert(2, 2), tokenizer)


def encoder_of(model, data):
    def encode(rows):
        questions, passages = data.batch(rows)
        return model.question_encoder(questions), model.passage_encoder(passages)

    return encode


def take_gradients(model):
    gradients = {k: p.grad for k, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    return gradients


def plain(model, data, chunks, factor):
    """The loss by the book: all chunks' graphs at once, one backward pass."""
    vectors = [encoder_of(model, data)(rows) for rows in chunks]
    questions = torch.cat([q for q, _ in vectors])
    passages = torch.cat([p for _, p in vectors])
    begins = np.cumsum([0] + [len(p) for _, p in vectors])
    targets = [b + i for b, (q, _) in zip(begins, vectors, strict=False) for i in range(len(q))]
    scores = factor * questions @ passages.T
    loss = (scores.logsumexp(1) - scores[range(len(targets)), targets]).mean()
    loss.backward()
    return loss.detach()


@pytest.mark.slow
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.permutations(range(10)), cuts=st.sets(st.integers(1, 9), max_size=5))
def test_loss_and_every_gradient_are_those_of_the_whole_batch(model, data, rows, cuts):
    rows = np.array(rows)
    want = plain(model, data, [rows], 0.25)
    wanted = take_gradients(model)
    chunks = np.split(rows, sorted(cuts))
    got = backward_shared(encoder_of(model, data), data, chunks, 0.25, 1.0, CPU)
    torch.testing.assert_close(got, want, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(take_gradients(model), wanted, atol=2e-6, rtol=1e-4)


def test_the_second_pass_sees_the_first_ones_dropout_masks(model, data):
    model.train()
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.3
    chunks = np.split(np.arange(10), [3, 7])
    torch.manual_seed(7)
    want = plain(model, data, chunks, 0.25)
    wanted, after = take_gradients(model), torch.get_rng_state()
    torch.manual_seed(7)
    got = backward_shared(encoder_of(model, data), data, chunks, 0.25, 1.0, CPU)
    torch.testing.assert_close(got, want, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(take_gradients(model), wanted, atol=2e-6, rtol=1e-4)
    # The next step draws new masks, those that it would draw without the cache.
    assert torch.equal(torch.get_rng_state(), after)


def test_the_weight_scales_loss_and_gradients_add_up(model, data):
    encode, rows = encoder_of(model, data), np.arange(10)
    whole = backward_shared(encode, data, [rows], 1.0, 1.0, CPU)
    wanted = take_gradients(model)
    parts = [backward_shared(encode, data, [rows], 1.0, w, CPU) for w in (0.25, 0.75)]
    torch.testing.assert_close(sum(parts), whole)
    torch.testing.assert_close(take_gradients(model), wanted, atol=2e-6, rtol=1e-4)


def test_only_one_chunk_has_its_activations_in_memory(model, data):
    """Of all passes that keep a graph, none sees more than a chunk; the last one's is first."""
    encode, passes = encoder_of(model, data), []

    def watched(rows):
        passes.append((len(rows), torch.is_grad_enabled()))
        return encode(rows)

    backward_shared(watched, data, np.split(np.arange(10), [4, 8]), 1.0, 1.0, CPU)
    assert passes == [(4, False), (4, False), (2, True), (4, True), (4, True)]


def test_a_step_that_shares_over_the_batch(model, data, encoder_settings, training_settings):
    """The logged loss of the first step is the whole batch's, whatever it is cut into."""
    one = replace(training_settings, epochs=1, batch_size=10)
    (step,) = epoch_batches(epoch_rows(data, False, 3, 1), one)
    with torch.no_grad():
        questions, passages = encoder_of(model, data)(step[0])
    target = torch.arange(10)
    want = torch.nn.functional.cross_entropy(questions @ passages.T / 16**0.5, target).item()
    weights = {k: v.clone() for k, v in model.state_dict().items()}

    def loss(accumulation, share):
        model.load_state_dict(weights)
        log = LossLog(every=1)
        cut = replace(one, accumulation=accumulation, share_negatives=share)
        train(model, data, data, encoder_settings, cut, seed=3, checkpoint=Checkpoint(log=log))
        return log._sums["train", 1][0]

    assert loss(1, "micro_batch") == pytest.approx(want, rel=1e-5)
    assert loss(5, "batch") == pytest.approx(want, rel=1e-5)
    assert loss(5, "micro_batch") < 0.9 * want  # fewer negatives are easier
