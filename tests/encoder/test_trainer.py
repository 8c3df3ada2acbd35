from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from ecqg.corpus.examples import Example
from ecqg.encoder.batches import build_training_set, epoch_batches, epoch_rows
from ecqg.encoder.encode import Encoding, encode_rows
from ecqg.encoder.model import DualEncoder
from ecqg.encoder.trainer import DevScore, dev_score, train
from ecqg.errors import InputError
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.losslog import LossLog
from public_encoders import MAKERS
from small_passages import make_passages
from tiny_models import dual_encoder

NOUNS = ["river", "town", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship"]
SHARED = 10  # the row of a passage that no question is about
PASSAGES = make_passages(
    *(("", f"the {noun} flows past") for noun in NOUNS), ("", "the queen song")
)
# 'old NOUN' is answered by the passage that names the noun, with another as hard negative.
EXAMPLES = [
    Example(str(i), f"old {noun}", (noun,), (i,), ((i + 3) % 10,)) for i, noun in enumerate(NOUNS)
]


@pytest.fixture
def data(tokenizer, encoder_settings):
    return build_training_set(EXAMPLES, PASSAGES, tokenizer, encoder_settings, 1)


@pytest.fixture
def model(tiny_bert, tokenizer):
    return dual_encoder(tiny_bert(1, 1), tiny_bert(1, 1), tokenizer)


def run(model, data, encoder, training, seed=1):
    log = LossLog(every=1)
    checkpoint = Checkpoint(log=log)
    return train(model, data, data, encoder, training, seed=seed, checkpoint=checkpoint), log


@pytest.mark.slow
def test_learns_and_keeps_the_best_epoch(model, data, encoder_settings, training_settings):
    before = dev_score(model, data, encoder_settings)
    settings = replace(training_settings, epochs=30, batch_size=5, lr=1e-2)
    history, _ = run(model, data, encoder_settings, settings)
    after = dev_score(model, data, encoder_settings)
    assert after.average_rank < 0.5 < before.average_rank
    assert after == history.dev[history.best_epoch - 1]
    assert after.average_rank == min(s.average_rank for s in history.dev)
    assert history.record()["dev_average_rank"] == after.average_rank


@pytest.mark.parametrize("by", ["last", "average"])
def test_last_keeps_the_last_epoch(by, model, data, encoder_settings, training_settings):
    history, _ = run(model, data, encoder_settings, replace(training_settings, select_by=by))
    assert history.best_epoch == 3
    assert dev_score(model, data, encoder_settings) == history.dev[-1]


def test_which_score_is_better():
    low, high = DevScore(1.0, 0.5, 2.0), DevScore(2.0, 0.6, 1.0)
    assert low.better_than(high, "average_rank")
    assert not high.better_than(low, "average_rank")
    assert not low.better_than(low, "average_rank")  # a tie keeps the earlier epoch
    assert high.better_than(low, "in_batch_accuracy")
    assert not high.better_than(high, "in_batch_accuracy")
    assert low.better_than(high, "last") and low.better_than(high, "average")


def test_the_same_seed_gives_the_same_weights(
    tiny_bert, tokenizer, data, encoder_settings, training_settings
):
    settings = replace(encoder_settings, dropout=0.1)

    def weights(seed):
        model = dual_encoder(tiny_bert(2, 1), tiny_bert(2, 1), tokenizer)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.1
        run(model, data, settings, training_settings, seed)
        return torch.cat([p.flatten() for p in model.state_dict().values()])

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_each_process_draws_its_own_dropout_masks(
    tiny_bert, tokenizer, data, encoder_settings, training_settings, monkeypatch
):
    def weights(rank):
        monkeypatch.setattr("ecqg.training.distributed.rank", lambda: rank)
        model = dual_encoder(tiny_bert(1, 1), tiny_bert(1, 1), tokenizer)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.1
        run(model, data, encoder_settings, training_settings)
        return torch.cat([p.flatten() for p in model.state_dict().values()])

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(0), weights(1))


def test_a_step_is_the_mean_over_micro_batches_of_transformers_own_forward_pass(
    model, tiny_bert, tokenizer, data, encoder_settings, training_settings
):
    """One step with accumulation 2 against padded BertModel, torch's cross-entropy and AdamW."""
    settings = replace(
        training_settings, epochs=1, batch_size=10, accumulation=2, max_grad_norm=0.05
    )
    twin = torch.nn.ModuleList([tiny_bert(1, 1), tiny_bert(1, 1)])
    _, log = run(model, data, encoder_settings, settings, seed=5)

    (step,) = epoch_batches(epoch_rows(data, False, 5, 1), settings)
    optimizer = torch.optim.AdamW(twin.parameters(), lr=settings.lr, weight_decay=0.0)
    total = 0.0
    for rows in step:
        batch = [EXAMPLES[i] for i in rows]
        named = [e.positives[0] for e in batch] + [e.negatives[0] for e in batch]
        texts = [PASSAGES[row].text for row in named]
        vectors = [
            encoder(**tokenizer(part, padding=True, return_tensors="pt")).last_hidden_state[:, 0]
            for encoder, part in zip(twin, ([e.question for e in batch], texts), strict=True)
        ]
        scores = vectors[0] @ vectors[1].T / 16**0.5
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(5)) / 2
        loss.backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_(twin.parameters(), 0.05)
    optimizer.step()

    assert log._sums["train", 1][0] == pytest.approx(total, rel=1e-5)
    ours = dict(model.question_encoder.backbone.named_parameters())
    for name, parameter in twin[0].named_parameters():
        if "attention.self.key.bias" in name:  # its true gradient is 0, Adam's step is noise
            continue
        torch.testing.assert_close(ours[name], parameter, atol=3e-5, rtol=1e-4, msg=name)


def test_average_rank_counts_distinct_passages_above_the_gold_one(
    model, tokenizer, encoder_settings
):
    data = [replace(e, negatives=(*e.negatives, SHARED)) for e in EXAMPLES]
    dev = build_training_set(data, PASSAGES, tokenizer, encoder_settings, 2)
    texts = [passage.text for passage in PASSAGES]
    with torch.no_grad():
        questions, passages = (
            encoder(**tokenizer(part, padding=True, return_tensors="pt")).last_hidden_state[:, 0]
            for encoder, part in (
                (model.question_encoder.backbone, [e.question for e in data]),
                (model.passage_encoder.backbone, texts),
            )
        )
    scores = (questions @ passages.T).numpy()
    ranks = [sorted(-row).index(-row[i]) for i, row in enumerate(scores)]
    score = dev_score(model, dev, encoder_settings)
    assert score.average_rank == pytest.approx(np.mean(ranks))
    # All ten questions are one batch, and all eleven passages its candidates.
    assert score.in_batch_accuracy == pytest.approx(np.mean(np.array(ranks) == 0))
    log_sum = np.log(np.exp(_with_repeats(scores / 4)).sum(1))
    assert score.loss == pytest.approx(np.mean(log_sum - np.diagonal(scores) / 4), rel=1e-4)


def _with_repeats(scores):
    """Columns of the batch: positives, then each question's two hard negatives."""
    negatives = [c for i in range(10) for c in ((i + 3) % 10, 10)]
    return scores[:, [*range(10), *negatives]]


TRAINABLE = ("ours", "dpr context", "tas-b", "sbert bare")


@pytest.mark.slow
@pytest.mark.parametrize("kind", TRAINABLE)
def test_a_public_encoder_is_trained_as_it_pools_and_written_as_it_is_read(
    kind, tmp_path, data, encoder_settings, training_settings
):
    MAKERS[kind](tmp_path / "start")
    model = DualEncoder.load(tmp_path / "start")
    data = build_training_set(EXAMPLES, PASSAGES, model.tokenizer, encoder_settings, 1)
    settings = replace(encoder_settings, score_scale="cosine" if "sbert" in kind else "none")
    before = dev_score(model, data, settings)
    history, _ = run(model, data, settings, replace(training_settings, epochs=12))
    after = dev_score(model, data, settings)
    assert after.average_rank < before.average_rank
    assert after == history.dev[history.best_epoch - 1]
    model.save(tmp_path / "end")
    again = DualEncoder.load(tmp_path / "end")
    assert dev_score(again, data, settings) == after
    assert again.passage_encoder.pooling == ("mean" if "sbert" in kind else "cls")
    # The encoding's tokens are those of the training, token types included.
    encoding = Encoding(tmp_path / "end" / "passage_encoder", settings)
    vectors = encoding.passages([PASSAGES[row] for row in range(len(NOUNS))])
    trained = encode_rows(model.passage_encoder, data.passages, "fp32")
    np.testing.assert_allclose(np.sort(vectors, 0), np.sort(trained, 0), atol=1e-5)


@pytest.mark.parametrize("kind", ["dpr projected", "ance", "sbert mean"])
def test_a_head_with_weights_is_not_trained(kind, tmp_path):
    MAKERS[kind](tmp_path / "start")
    with pytest.raises(InputError, match="a head with weights, which is not trained"):
        DualEncoder.load(tmp_path / "start")


def test_a_loss_that_is_not_finite_stops_with_one_line(
    model, data, encoder_settings, training_settings
):
    with torch.no_grad():
        model.passage_encoder.backbone.embeddings.word_embeddings.weight.fill_(float("nan"))
    with pytest.raises(InputError, match=r"the loss at step 1 is nan; lower the learning rate"):
        run(model, data, encoder_settings, training_settings)


def test_more_tokens_than_positions_is_an_error(model, data, encoder_settings, training_settings):
    with pytest.raises(InputError, match=r"max_passage_tokens is 65, more than the encoder's 64"):
        run(model, data, replace(encoder_settings, max_passage_tokens=65), training_settings)
