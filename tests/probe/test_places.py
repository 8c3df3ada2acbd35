"""Ranks against brute force; accuracy by the answer's place; sentences that are moved."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ecqg.corpus.passages import Passage
from ecqg.probe import places
from ecqg.probe.places import find, move_sentence, ranks
from ecqg.probe.texts import ProbeQuery


def passage(row: int, text: str, title: str = "") -> Passage:
    starts = [0, *(i + 2 for i in range(len(text) - 2) if text[i : i + 2] == ". ")]
    return Passage(row, str(row), title, text, tuple(starts))


def test_ranks_are_those_of_sorting_all_scores(monkeypatch):
    rng = np.random.default_rng(3)
    questions, vectors = (rng.normal(size=(n, 4)).astype(np.float32) for n in (30, 50))
    own = [rng.choice(50, rng.integers(1, 4), replace=False).tolist() for _ in questions]
    monkeypatch.setattr(places, "AT_ONCE", 7)
    found = ranks(questions, vectors, own)
    for question, rows, rank in zip(questions, own, found, strict=True):
        ordered = np.argsort(-(vectors @ question)).tolist()
        assert rank == 1 + min(ordered.index(row) for row in rows)
    instead = ranks(questions, vectors, own, np.full(30, np.inf, np.float32))
    assert (instead == 1).all()


def test_a_twin_of_the_passage_does_not_push_it_down():
    vectors = np.array([[1, 0], [1, 0], [2, 0]], np.float32)
    question = np.array([[1, 0]], np.float32)
    assert ranks(question, vectors, [[1]]).tolist() == [2]
    assert ranks(question, vectors, [[1, 2]]).tolist() == [1]


def test_a_sentence_is_moved_whole():
    text = "One mill. Two ships sail.  Three kings."
    there = passage(4, text)
    assert there.sentence_starts == (0, 10, 26)
    at = text.index("ships")
    first, last = (move_sentence(there, at, front=front) for front in (True, False))
    assert (first.text, first.sentence_starts) == (
        "Two ships sail. One mill. Three kings.",
        (0, 16, 26),
    )
    assert (last.text, last.sentence_starts) == (
        "One mill. Three kings. Two ships sail.",
        (0, 10, 23),
    )
    for moved in (first, last):
        sentences = sorted(moved.text[a:b].strip() for a, b in moved.sentences())
        assert sentences == ["One mill.", "Three kings.", "Two ships sail."]


@pytest.fixture
def looked(monkeypatch):
    """Passages, and a model whose vectors are given: [1, 0] if the text begins with 'Gold'."""

    def look_at(_encoder, _tokenizer, passages, _limit, _what):
        of = {True: [1.0, 0.0], False: [0.4, 0.0]}
        return ((None, np.array(of[p.text.startswith("Gold")])) for p in passages)

    monkeypatch.setattr(places, "look_at", look_at)
    texts = ["Gold one. Two. Three.", "One. Gold two. Three.", "One two. Two. Gold.", "None."]
    return [passage(i, text) for i, text in enumerate(texts)]


def test_accuracy_by_place(looked):
    # Passage 3 stands before all but the first; each question scores 1, 0.6, 0.6 of its own.
    vectors = np.array([[1.0, 0], [0.6, 0], [0.6, 0], [0.8, 0]], np.float32)
    model = SimpleNamespace(
        name="m",
        passage=None,
        passage_tokenizer=None,
        max_tokens=9,
        encode_questions=lambda texts: np.array([[1.0, 0]] * len(texts), np.float32),
        comparable=lambda vectors: vectors.astype(np.float32),
    )
    starts = [p.text.index("Gold") if "Gold" in p.text else None for p in looked]
    queries = [ProbeQuery(f"q{i}", (i,), start) for i, start in enumerate(starts)]
    found = find(model, looked, vectors, queries, seed=1)
    # Ranks: 1; 3 (behind 0 and 3), level with passage 2; the same; 2.
    assert found.all.top == {"1": 25.0, "5": 100.0, "20": 100.0, "100": 100.0}
    assert {name: (of.questions, of.top["1"]) for name, of in found.sentences.items()} == {
        "1": (1, 100.0),
        "2": (1, 0.0),
        "3": (1, 0.0),
    }
    assert {name: of.questions for name, of in found.halves.items()} == {"first": 2, "second": 1}
    # In front each scores 1, as much as passage 0, which does not push it down; last it has 0.4.
    assert found.moved.questions == 3
    assert (found.moved.front["1"], found.moved.end["1"]) == (100.0, 0.0)
    assert found.moved.difference.difference == 100.0
    assert (found.moved.difference.wins, found.moved.difference.losses) == (3, 0)


def test_without_places_there_is_only_the_whole(looked):
    model = SimpleNamespace(encode_questions=lambda texts: np.ones((len(texts), 2), np.float32))
    vectors = np.eye(4, 2, dtype=np.float32)
    found = find(model, looked, vectors, [ProbeQuery("q", (0,), None)], seed=1)
    assert (found.sentences, found.halves, found.moved) == ({}, {}, None)
    assert found.all.top["1"] == 100.0
