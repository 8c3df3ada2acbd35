"""Candidates by hand, the loss by hand, and that training finds what there is to find."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ecqg.corpus.examples import Example
from ecqg.errors import InputError
from ecqg.reranking import model
from ecqg.reranking.candidates import NONE, Candidates
from ecqg.reranking.pairs import Pairs
from ecqg.reranking.train import candidate_loss, train
from small_passages import make_passages

COLOURS = make_passages(
    ("", "it was red"), ("", "it was blue"), ("", "it was green"), ("", "it was red, not blue")
)
A, B, C, D = range(4)
CHAIN = [
    Example("1", "one", ("red",), (A,), (B,)),
    # b joins a and c, as d does: but d holds both answers
    Example("2", "two", ("blue",), (B,), (C,)),
    Example("3", "three", ("green",), (C,), (D,)),
    Example("4", "four", ("grey",), (D,), (B,)),
]


def test_candidates_by_hand(settings) -> None:
    made = Candidates(CHAIN, COLOURS, replace(settings, near_negatives=3, random_negatives=0))
    names = ["abcd"[passage.row] for passage in made.passages]
    drawn = made.draw(range(4), np.random.default_rng(0))
    found = [[names[row] for row in rows if row != NONE] for rows in drawn]
    assert [row[:2] for row in found] == [["a", "b"], ["b", "c"], ["c", "d"], ["d", "b"]]
    # one: b brings c (two) and d (four), and d holds "red"; no random passage is left
    assert [sorted(row[2:]) for row in found] == [["c"], ["a"], ["a", "b"], ["a", "c"]]
    assert drawn.shape == (4, 5)
    assert drawn[0].tolist()[3:] == [NONE, NONE]


def test_random_ones_fill_up_and_never_hold_the_answer(settings) -> None:
    # A chain of pairs that share nothing: there is nothing near.
    apart = [Example(str(i), f"q{i}", (f"n{i % 5}",), (i,), (10 + i,)) for i in range(10)]
    store = make_passages(*(("", f"n{i % 5} x") for i in range(10)), *[("", "x")] * 10)
    made = Candidates(apart, store, replace(settings, near_negatives=2, random_negatives=2))
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(20):
        for i, rows in enumerate(made.draw(range(10), rng).tolist()):
            assert len(set(rows)) == made.width == 6
            texts = [made.passages[row].text for row in rows]
            assert texts[0].startswith(f"n{i % 5} ")
            assert all(f"n{i % 5}" not in text.split() for text in texts[1:])
            seen |= set(rows[2:])
    assert seen == set(range(20))


def test_examples_that_cannot_be_used(settings) -> None:
    with pytest.raises(InputError, match="no training examples"):
        Candidates([], COLOURS, settings)


def test_loss_by_hand() -> None:
    scores = torch.tensor([[math.log(2), 0.0, 7.0], [0.0, math.log(3), 0.0]])
    present = torch.tensor([[True, True, False], [True, True, True]])
    # 2 of 2 + 1, and 1 of 1 + 3 + 1
    expected = (math.log(3 / 2) + math.log(5)) / 2
    assert candidate_loss(scores, present).item() == pytest.approx(expected)


@pytest.mark.slow
def test_training_keeps_the_best_epoch_and_repeats_itself(
    encoder_folder, settings, examples, passages
) -> None:
    settings = replace(settings, epochs=40, lr=5e-3)
    weights, histories = [], []
    for _ in range(2):
        torch.manual_seed(3)
        reranker = model.start(encoder_folder, settings)
        history = train(reranker, examples, examples, passages, settings, seed=5)
        weights.append(reranker.model.state_dict())
        histories.append(history)
    assert histories[0] == histories[1]
    assert all(torch.equal(weights[0][k], weights[1][k]) for k in weights[0])
    best = max(range(40), key=lambda i: (history.dev[i].accuracy, -history.dev[i].loss, -i))
    assert history.best_epoch == best + 1
    record = history.record()
    assert record["dev_accuracy"] == 1.0 > record["epochs"][0]["accuracy"]
    # The model is the one of that epoch: positives beat their hard negatives.
    told = [passages[row] for e in examples for row in (*e.positives, *e.negatives)]
    pairs = Pairs(reranker.tokenizer, [e.question for e in examples], told, reranker.form)
    with torch.no_grad():
        scores = reranker.scores(
            pairs.batch(np.repeat(np.arange(len(examples)), 2), np.arange(len(told)))
        ).view(-1, 2)
    assert (scores[:, 0] > scores[:, 1]).all()


def test_a_loss_that_is_no_number_is_said(encoder_folder, settings, examples, passages) -> None:
    settings = replace(settings, lr=1e30, warmup_fraction=0.0, max_grad_norm=1e9)
    reranker = model.start(encoder_folder, settings)
    with pytest.raises(InputError, match=r"the loss at step \d+ is nan; lower reranker\.lr"):
        train(reranker, examples, examples, passages, settings, seed=5)
