from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from ecqg.encoder import selfsupervised
from ecqg.encoder.selfsupervised import (
    LONGEST,
    bag_of_words_loss,
    distinct_pieces,
    inverse_document_frequency,
    random_spans,
)
from ecqg.encoder.tokens import tokenize_passages

TITLES = ["mill", "", "king"]
TEXTS = ["the river flows past the mill", "the king built", "the castle"]


@pytest.fixture
def tokens(tokenizer):
    return tokenize_passages(tokenizer, TITLES, TEXTS, 30)


def test_inverse_document_frequency_by_hand(tokens, tokenizer):
    weights = inverse_document_frequency(tokens, len(tokenizer))

    def weight(word):
        return weights[tokenizer.convert_tokens_to_ids(word)]

    assert weight("the") == weight("[CLS]") == weight("[SEP]") == 0  # in every passage
    assert weight("king") == pytest.approx(math.log(3 / 2))  # a text and another's title
    assert weight("mill") == pytest.approx(math.log(3))  # twice in one passage counts once
    assert weight("queen") == 0  # in none


def pieces_of(tokens, tokenizer):
    return distinct_pieces(tokens.batch(np.arange(len(tokens))), len(tokenizer))


def test_bag_of_words_loss_equals_a_loop(tokens, tokenizer):
    torch.manual_seed(0)
    logits = torch.randn(3, len(tokenizer), requires_grad=True)
    weights = torch.rand(len(tokenizer))
    weights[tokenizer.convert_tokens_to_ids("the")] = 0
    loss = bag_of_words_loss(logits, pieces_of(tokens, tokenizer), weights)
    total = torch.zeros(())
    for i in range(3):
        own = sorted(set(tokens.ids[tokens.offsets[i] : tokens.offsets[i + 1]].tolist()))
        target = weights[own] / weights[own].sum()
        total = total - (target * logits[i].log_softmax(0)[own]).sum() / 3
    torch.testing.assert_close(loss, total)
    ours, theirs = (torch.autograd.grad(x, logits)[0] for x in (loss, total))
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=1e-4)


def test_a_text_without_weight_has_no_loss(tokens, tokenizer):
    logits = torch.randn(3, len(tokenizer))
    loss = bag_of_words_loss(logits, pieces_of(tokens, tokenizer), torch.zeros(len(tokenizer)))
    assert loss.item() == 0


def test_spans_are_of_title_and_text_without_special_tokens(tokens, tokenizer):
    rows = np.tile(np.array([2, 0, 1]), 400)
    batch = random_spans(tokens, rows, np.random.default_rng(3))
    seen = [set() for _ in TITLES]
    for row, start, length in zip(rows, batch.starts, batch.mask.sum(1), strict=True):
        first, *inner, last = batch.ids[start : start + length].tolist()
        assert (first, last) == (tokenizer.cls_token_id, tokenizer.sep_token_id)
        seen[row].add(tuple(tokenizer.convert_ids_to_tokens(inner)))
    for title, text, spans in zip(TITLES, TEXTS, seen, strict=True):
        whole = tokenizer.tokenize(f"{title} {text}")
        lengths = range(min(2, len(whole)), min(LONGEST, len(whole)) + 1)
        all_of = {tuple(whole[i : i + n]) for n in lengths for i in range(len(whole) - n + 1)}
        assert spans == all_of


def test_frequencies_add_up_over_blocks(tokens, tokenizer, monkeypatch):
    once = inverse_document_frequency(tokens, len(tokenizer))
    monkeypatch.setattr(selfsupervised, "TOKENIZE_AT_ONCE", 2)
    assert (inverse_document_frequency(tokens, len(tokenizer)) == once).all()


def test_spans_are_stretches_of_their_passage_equally_often_everywhere(tokenizer):
    # Twenty distinct pieces, so that a span says where it is from.
    pieces = [p for p in tokenizer.get_vocab() if not p.startswith(("[", "##"))][:20]
    ids = tokenizer.convert_tokens_to_ids(pieces)
    tokens = tokenize_passages(tokenizer, [""], [" ".join(pieces)], 40)
    ends = tokenizer.cls_token_id, tokenizer.sep_token_id
    assert tokens.ids.tolist() == [ends[0], *ids, ends[1]]
    batch = random_spans(tokens, np.zeros(6000, np.int64), np.random.default_rng(0))
    starts = np.zeros(20)
    for i in range(6000):
        span = batch.ids[batch.starts[i] :][: int(batch.mask[i].sum())].tolist()
        assert (span[0], span[-1]) == ends
        inner = span[1:-1]
        assert 2 <= len(inner) <= LONGEST
        first = ids.index(inner[0])
        assert inner == ids[first : first + len(inner)]
        starts[first] += 1
    assert starts[:9].min() > 0.85 * starts[:9].max()  # any length fits there
    assert starts[18] > 0  # and the last two pieces are reached


def test_a_passage_shorter_than_a_span_is_taken_whole(tokenizer):
    tokens = tokenize_passages(tokenizer, [""], ["king"], 9)
    batch = random_spans(tokens, np.zeros(3, np.int64), np.random.default_rng(0))
    king = tokenizer.convert_tokens_to_ids("king")
    assert batch.ids.tolist() == [2, king, 3] * 3
