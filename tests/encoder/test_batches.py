from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.corpus.examples import Example
from ecqg.encoder import batches
from ecqg.encoder.batches import (
    TrainingSet,
    build_training_set,
    epoch_batches,
    epoch_rows,
)
from ecqg.encoder.tokens import Tokens, tokenize_passages, tokenize_questions
from ecqg.errors import InputError
from ecqg.params import Training
from ecqg.seeds import keys
from small_passages import make_passages

MILL, KING, SHIP = range(3)
PASSAGES = make_passages(
    ("mill", "the mill"),
    ("king", "the king"),
    ("ship", "the ship"),
    ("mill", "the mill"),  # another passage, whatever it says
    ("", "the mill"),
)
NO_NEGATIVES = np.zeros((0, 0), np.int64)


def training(batch_size, accumulation=1):
    return Training(1e-3, 1, batch_size, accumulation, "micro_batch", 0.1, 0.0, 2.0, 1, "last")


@settings(deadline=None)
@given(
    examples=st.integers(1, 100),
    micro=st.integers(1, 9),
    accumulation=st.integers(1, 4),
    epoch=st.integers(1, 3),
)
def test_an_epoch_uses_every_example_once(examples, micro, accumulation, epoch):
    sizes = training(micro * accumulation, accumulation)
    rows = epoch_rows(about(range(examples)), False, 7, epoch)
    steps = list(epoch_batches(rows, sizes))
    assert [row for step in steps for r in step for row in r] == rows.tolist()
    assert sorted(rows) == list(range(examples))
    assert len(steps) == -(-examples // sizes.batch_size)
    assert all(len(rows) == micro for step in steps[:-1] for rows in step)
    assert all(len(step) == accumulation for step in steps[:-1])
    assert all(len(rows) <= micro for rows in steps[-1])


def test_1024_with_8_is_eight_micro_batches_of_128():
    (step,) = epoch_batches(np.arange(1024), training(1024, 8))
    assert [len(rows) for rows in step] == [128] * 8


def test_the_order_is_a_matter_of_seed_and_epoch():
    def order(seed, epoch):
        return epoch_rows(about(range(50)), False, seed, epoch).tolist()

    assert order(1, 1) == order(1, 1)
    assert order(1, 1) != order(1, 2)
    assert order(1, 1) != order(2, 1)


@settings(deadline=None)
@given(
    some=st.sets(st.integers(0, 99), min_size=1),
    others=st.sets(st.integers(0, 99), min_size=1),
    one_per_passage=st.booleans(),
)
def test_examples_that_two_sets_share_come_in_one_order(some, others, one_per_passage):
    """So that a question more or less leaves the batches nearly as they are."""

    def order(names, shared):
        names = sorted(names)
        data = replace(about(range(len(names))), keys=keys(map(str, names)))
        rows = epoch_rows(data, one_per_passage, 5, 2)
        return [names[row] for row in rows if names[row] in shared]

    shared = some & others
    assert order(some, shared) == order(others, shared)


def about(positives):
    """Examples, each a question of one token about a passage of one token."""
    positives = np.array(positives)
    texts = one_text(len(positives)), one_text(positives.max() + 1)
    return TrainingSet(keys(map(str, range(len(positives)))), *texts, positives, NO_NEGATIVES)


def one_text(count):
    """As many token sequences of one token."""
    return Tokens(np.zeros(count, np.int32), np.arange(count + 1), np.ones(count, np.int32))


@settings(deadline=None)
@given(positives=st.lists(st.integers(0, 6), min_size=1, max_size=40), seed=st.integers(0, 9))
def test_an_epoch_can_draw_one_question_of_each_passage(positives, seed):
    every, rows = (epoch_rows(about(positives), drawn, seed, 1).tolist() for drawn in (False, True))
    assert sorted(positives[row] for row in rows) == sorted(set(positives))
    assert rows == [row for row in every if row in rows]


def test_every_question_of_a_passage_is_as_likely():
    examples = about([0, 1, 0, 0, 1])
    drawn = np.concatenate([epoch_rows(examples, True, 3, epoch) for epoch in range(3000)])
    counts = np.bincount(drawn, minlength=5)
    assert counts.sum() == 6000
    # three standard deviations of a binomial share of 3,000 draws are 2.6 and 2.7 percent
    assert np.abs(counts / 3000 - [1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 2]).max() < 0.028


def test_positives_come_first_then_hard_negatives(tokenizer, encoder_settings):
    examples = [
        Example("0", "old mill", ("x",), (MILL, SHIP), (KING, SHIP)),
        Example("1", "king", ("x",), (KING,), ()),  # no hard negative: it borrows the other's
        Example("2", "ship", ("x",), (SHIP,), (MILL,)),
    ]
    data = build_training_set(examples, PASSAGES, tokenizer, encoder_settings, 1)
    assert len(data.passages) == 3  # each distinct passage once
    questions, passages = data.batch(np.array([2, 1, 0]))

    def titles(batch):
        firsts = batch.ids[batch.starts + 1].tolist()
        return tokenizer.convert_ids_to_tokens(firsts)

    assert titles(questions) == ["ship", "king", "old"]
    assert titles(passages) == ["ship", "king", "mill", "mill", "king"]


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    drawn=st.lists(
        st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=3)),
        min_size=1,
        max_size=9,
    ),
    block=st.integers(1, 4),
)
def test_examples_are_read_in_blocks_to_the_same_set(tokenizer, encoder_settings, drawn, block):
    examples = [
        Example("1", f"the {PASSAGES[row].title}", ("x",), (row,), tuple(negatives))
        for row, negatives in drawn
    ]
    order = []  # distinct passages as they first occur
    for row, negatives in drawn:
        order += [r for r in dict.fromkeys([row, *negatives[:2]]) if r not in order]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "TOKENIZE_AT_ONCE", block)
        data = build_training_set(iter(examples), PASSAGES, tokenizer, encoder_settings, 2)
    assert data.positives.tolist() == [order.index(row) for row, _ in drawn]
    expected = [[order.index(r) for r in negatives[:2]] for _, negatives in drawn]
    assert data.hard_negatives.tolist() == [[*found, -1, -1][:2] for found in expected]
    want = tokenize_passages(
        tokenizer,
        [PASSAGES[row].title for row in order],
        [PASSAGES[row].text for row in order],
        encoder_settings.max_passage_tokens,
    )
    questions = tokenize_questions(
        tokenizer, [e.question for e in examples], encoder_settings.max_question_tokens
    )
    for got, whole in ((data.passages, want), (data.questions, questions)):
        for field in ("ids", "offsets", "second"):
            assert np.array_equal(getattr(got, field), getattr(whole, field))
        assert (got.separators, got.typed) == (whole.separators, whole.typed)


def test_a_set_is_found_again_where_it_was_written(tokenizer, encoder_settings, tmp_path):
    examples = [
        Example("0", "old mill", ("x",), (MILL,), (KING, SHIP)),
        Example("1", "king", ("x",), (KING,), ()),
    ]

    def interrupted():
        yield examples[0]
        raise KeyboardInterrupt

    def build(examples, folder=tmp_path / "kept"):
        return build_training_set(examples, PASSAGES, tokenizer, encoder_settings, 2, folder)

    with pytest.raises(KeyboardInterrupt):
        build(interrupted())
    assert not list(tmp_path.iterdir())
    build(iter(examples))
    again, fresh = build(iter([])), build(examples, None)
    assert again.positives.tolist() == fresh.positives.tolist() == [0, 1]
    assert again.hard_negatives.tolist() == fresh.hard_negatives.tolist() == [[1, 2], [-1, -1]]
    for got, want in ((again.questions, fresh.questions), (again.passages, fresh.passages)):
        for field in ("ids", "offsets", "second"):
            assert np.array_equal(getattr(got, field), getattr(want, field))


def test_no_examples_are_one_line(tokenizer, encoder_settings):
    with pytest.raises(InputError, match="no training examples"):
        build_training_set([], PASSAGES, tokenizer, encoder_settings, 1)
