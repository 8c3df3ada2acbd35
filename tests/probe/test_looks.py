"""Means by sentence, and a look of a tiny encoder, against hand-made sums."""

from __future__ import annotations

import numpy as np

from ecqg.attention.looking import look_at
from ecqg.attention.tokens import AttentionMeasures
from ecqg.corpus.passages import Passage
from ecqg.probe.looks import by_sentence, look
from ecqg.probe.models import find_model, load


def measured(*densities):
    shares = np.array(densities) / len(densities)
    return AttentionMeasures(9, 1.0, shares, np.array(densities, float), densities[0], 1.0, 1.0)


def test_means_are_over_the_passages_that_have_the_sentence():
    found = list(by_sentence([measured(2.0, 0.5), measured(1.0), measured(0.6, 0.7)]))
    assert [(s.sentence, round(s.density, 9), s.passages) for s in found] == [
        ("1", 1.2, 3),
        ("2", 0.6, 2),
    ]
    assert round(found[1].share, 9) == 30.0


def test_late_sentences_are_taken_together_and_rare_ones_left_out():
    found = list(by_sentence([measured(*[1.0] * 6, 0.4, 0.8), measured(1.0)]))
    assert [s.sentence for s in found] == ["1", "2", "3", "4", "5", "6", "7 and later"]
    assert round(found[-1].density, 9) == 0.6
    assert round(found[-1].share, 9) == 15.0
    rare = [measured(1.0, 1.0), *[measured(1.0)] * 20]
    assert [s.sentence for s in by_sentence(rare)] == ["1"]


def test_a_look(mean_folder):
    model = load(find_model(str(mean_folder)), 40)
    tail = "queen song ship sails hill castle " * 6
    texts = [f"The river flows past town. King built the old mill. {tail}", "Old mill."]
    passages = [
        Passage(0, "a", "song", texts[0], (0, 27)),
        Passage(1, "b", "", texts[1], (0,)),
    ]
    king, mill = (texts[0].index(word) for word in ("King", "mill"))
    spans = [[(4, 9, "LOC"), (king, king + 4, "PERSON"), (mill, mill + 4, "FAC")], []]
    seen = look(model, passages, spans)
    assert (seen.look.passages, seen.look.cut) == (2, 50.0)
    assert [s.passages for s in seen.look.sentences] == [2, 1]

    (attention, vector), (_, other) = look_at(
        model.passage, model.passage_tokenizer, passages, 40, ""
    )
    np.testing.assert_array_equal(seen.vectors, [vector, other])
    inside = attention.weights[attention.kinds == 2]
    weights = {}
    for start, end, _ in spans[0]:
        here = (attention.starts < end) & (attention.ends > start)
        weights[texts[0][start:end]] = inside[here].mean() / inside.mean()
    ordered = sorted(weights, key=weights.get)
    assert [e.lowest.text for e in seen.ranked[0]] == ordered
    assert seen.ranked[1] == []
    entities = seen.look.entities
    np.testing.assert_allclose(entities["lowest_density"], weights[ordered[0]], rtol=1e-5)
    np.testing.assert_allclose(entities["highest_density"], weights[ordered[-1]], rtol=1e-5)
    assert entities["ranked_passages"] == 1
