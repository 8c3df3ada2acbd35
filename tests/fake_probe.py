"""A probe that is made by hand, with words that a page must not take for its own."""

from __future__ import annotations

import numpy as np

from ecqg.attention.aggregate import Mention
from ecqg.attention.heatmap import HeatMap, make_panel
from ecqg.attention.tokens import TEXT, TokenAttention
from ecqg.corpus.passages import Passage
from ecqg.evaluation.bootstrap import Comparison
from ecqg.probe.ask import Answered, Pair
from ecqg.probe.looks import Look, SentenceAttention
from ecqg.probe.places import Accuracy, Found, Moved
from ecqg.probe.run import Probe, Probed

EVIL = "<script>alert(1)</script>\x1b[31m"


def comparison(difference, low, high):
    return Comparison(difference, low, high, 0.01, 3, 4, 5)


def top(first, fifth):
    return {"1": first, "5": fifth, "20": 90.0, "100": 100.0}


def found(low, high):
    moved = Moved(300, top(57.0, 81.0), top(45.7, 77.0), comparison(11.3, low, high))
    sentences = {str(i): Accuracy(10 * i, top(60.0 - i, 80.0 - i)) for i in range(1, 7)}
    sentences["7 and later"] = Accuracy(7, top(1.0, 2.0))
    return Found(Accuracy(210, top(50.0, 75.0)), sentences, {}, moved)


def model(name="mini", low=7.0, high=16.0, later=0.9):
    look = Look(
        passages=2000,
        cut=12.5,
        sentences=[SentenceAttention(str(i), 1.5 - i / 10, 16.0, 2000) for i in range(1, 8)],
        means={"normalised_entropy": 0.944, "first_sentence": 1.36, "later_sentences": later},
        entities={
            "highest_density": 3.08,
            "lowest_density": 0.47,
            "highest_first_half": 86.0,
            "lowest_second_half": 67.0,
            "all_first_half": 50.0,
        },
    )
    pair = Pair(0, "Ann", "who is ann", 12, EVIL, f"who is {EVIL}", 1)
    asked = Answered(
        Accuracy(399, top(40.1, 60.0)),
        Accuracy(399, top(51.4, 70.0)),
        2.0,
        1.0,
        comparison(11.3, 6.0, 16.0),
        [pair],
    )
    return Probed(name, "mean", "dot", 384, 256, look, found(low, high), asked)


def heat_map():
    text = f"Ann {EVIL}"
    passage = Passage(0, "0", EVIL, text, (0,))
    weights = np.array([0.7, 0.3], np.float32)
    places = (np.array([0, 4], np.int32), np.array([3, len(text)], np.int32))
    attention = TokenAttention(0, weights, np.full(2, TEXT, np.int8), *places, False)
    mentions = [Mention("Ann", "PERSON", 0, 3, 0.7, 1)]
    panel = make_panel(EVIL, "", passage, attention, mentions, "exclude", "exclude")
    return HeatMap(EVIL, text, mentions, {"ann"}, EVIL, [], [panel])


def probe(*models):
    return Probe(EVIL, 2000, 5000, 1000, 3, 1, list(models), {"typical": heat_map()})
