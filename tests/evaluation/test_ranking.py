"""Ranking metrics by hand, against the thesis's equations, and against trec_eval itself."""

from __future__ import annotations

import tempfile
from math import log2
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, nDCG

from ecqg.evaluation.ranking import means, ranking_metrics
from ecqg.evaluation.runs import Ranking, read_run, strictly_decreasing, write_run

KS = (1, 3, 20)


def ranking(question: str, names: str) -> Ranking:
    """One-letter passages, best first."""
    return Ranking(question, tuple(names), tuple(float(-i) for i in range(len(names))))


def mean_metrics(judgements, rankings, ks) -> dict[str, float]:
    """Over all judged questions."""
    return means(ranking_metrics(judgements, rankings, ks), list(judgements))


def test_by_hand() -> None:
    judgements = {"1": {"b": 1, "d": 1}, "2": {"a": 1}, "3": {"x": 1}}
    rankings = [ranking("1", "abcd"), ranking("2", "ab"), ranking("4", "x")]  # none for question 3
    found = mean_metrics(judgements, rankings, (1, 2, 5))
    assert found == pytest.approx(
        {
            "P@1": (0 + 1 + 0) / 3,
            "P@2": (1 / 2 + 1 / 2 + 0) / 3,
            "P@5": (2 / 5 + 1 / 5 + 0) / 3,
            "R@1": (0 + 1 + 0) / 3,
            "R@2": (1 / 2 + 1 + 0) / 3,
            "R@5": (1 + 1 + 0) / 3,
            "MRR@10": (1 / 2 + 1 + 0) / 3,
            "MRR": (1 / 2 + 1 + 0) / 3,
            "MAP": ((1 / 2 + 2 / 4) / 2 + 1 + 0) / 3,
            "nDCG": ((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)) + 1 + 0) / 3,
            "nDCG@10": ((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)) + 1 + 0) / 3,
        }
    )


def test_graded_gains_are_the_thesiss_and_at_ten_trec_evals() -> None:
    judgements = {"1": {"a": 1, "b": 3, "c": 0, "d": -1}}
    found = mean_metrics(judgements, [ranking("1", "dcab")], (1,))
    gained = 1 / log2(4) + 7 / log2(5)
    assert found["nDCG"] == pytest.approx(gained / (7 + 1 / log2(3)))
    linear = 1 / log2(4) + 3 / log2(5)
    assert found["nDCG@10"] == pytest.approx(linear / (3 + 1 / log2(3)))


def test_ties_stand_as_in_the_run() -> None:
    tied = Ranking("1", ("a", "b", "c"), (2.0, 2.0, 2.0))
    for relevant, place in (("a", 1), ("b", 2), ("c", 3)):
        found = mean_metrics({"1": {relevant: 1}}, [tied], (1,))
        assert found["MRR@10"] == pytest.approx(1 / place)


def test_what_is_cut_at_ten() -> None:
    names = "abcdefghijklm"
    for relevant, expected in (("j", 1 / 10), ("k", 0)):
        found = mean_metrics({"1": {relevant: 1}}, [ranking("1", names)], (1,))
        assert found["MRR@10"] == pytest.approx(expected)
        assert (found["nDCG@10"] > 0) == (expected > 0)
        assert found["MAP"] == found["MRR"] == pytest.approx(1 / (names.index(relevant) + 1))
        assert found["nDCG"] == pytest.approx(1 / log2(names.index(relevant) + 2))


def test_each_question_has_its_own_values() -> None:
    judgements = {"1": {"b": 1}, "2": {"a": 1}, "3": {"x": 1}}
    found = ranking_metrics(judgements, [ranking("1", "ab"), ranking("2", "ab")], (1,))
    assert found["P@1"] == {"1": 0, "2": 1, "3": 0}
    assert found["MRR@10"] == {"1": 0.5, "2": 1, "3": 0}
    assert means(found, ["1", "2"])["MRR@10"] == 0.75


def test_no_judgements() -> None:
    with pytest.raises(ValueError, match="no qrels"):
        ranking_metrics({}, [ranking("1", "a")], KS)


LETTERS = "abcdefghijklmnop"
RUNS = st.dictionaries(st.sampled_from("1234"), st.permutations(LETTERS).map("".join), max_size=4)
JUDGED = st.dictionaries(
    st.sampled_from("1234"),
    st.dictionaries(st.sampled_from(LETTERS + "xyz"), st.just(1), min_size=1, max_size=6),
    min_size=1,
)


def twin(relevant: dict[str, int], names: str) -> dict[str, float]:
    """Thesis eqs. 2.10 to 2.15 for one question, word by word."""
    hit = [name in relevant for name in names]
    precision = [sum(hit[: i + 1]) / (i + 1) for i in range(len(hit))]
    reciprocal = [h / (i + 1) for i, h in enumerate(hit)]

    def gain(depth: int) -> float:
        gained = sum(h / log2(i + 2) for i, h in enumerate(hit[:depth]))
        return gained / sum(1 / log2(i + 2) for i in range(min(depth, len(relevant))))

    return {
        **{f"P@{k}": sum(hit[:k]) / k for k in KS},
        **{f"R@{k}": sum(hit[:k]) / len(relevant) for k in KS},
        "MRR": max(reciprocal, default=0.0),
        "MRR@10": max(reciprocal[:10], default=0.0),
        "MAP": sum(p * h for p, h in zip(precision, hit, strict=True)) / len(relevant),
        "nDCG": gain(100),
        "nDCG@10": gain(10),
    }


@settings(max_examples=60, deadline=None)
@given(judgements=JUDGED, run=RUNS, length=st.integers(1, 16))
def test_against_the_equations_and_trec_eval(judgements, run, length) -> None:
    import pytrec_eval

    cut = {question: names[:length] for question, names in run.items()}
    found = mean_metrics(judgements, [ranking(q, names) for q, names in cut.items()], KS)
    expected = [twin(relevant, cut.get(q, "")) for q, relevant in judgements.items()]
    assert found == pytest.approx(
        {name: sum(e[name] for e in expected) / len(expected) for name in expected[0]}
    )
    theirs = {"map": "MAP", "ndcg_cut_10": "nDCG@10", "ndcg": "nDCG"}
    theirs |= {"recip_rank": "MRR", "of ten": "MRR@10"}
    theirs |= {f"P_{k}": f"P@{k}" for k in KS} | {f"recall_{k}": f"R@{k}" for k in KS}
    names = {"map", "ndcg", "ndcg_cut.10", "P.1,3,20", "recall.1,3,20", "recip_rank"}
    # With scores of its own kind: a float a passage, all different.
    scores = {q: {n: 9.5 - i / 8 for i, n in enumerate(names)} for q, names in cut.items()}
    results = pytrec_eval.RelevanceEvaluator(judgements, names).evaluate(scores)
    # trec_eval cuts no reciprocal rank: it is that of a run of ten.
    ten = {q: dict(list(found.items())[:10]) for q, found in scores.items()}
    for q, values in pytrec_eval.RelevanceEvaluator(judgements, names).evaluate(ten).items():
        results[q]["of ten"] = values["recip_rank"]
    for name, ours in theirs.items():
        mean = sum(results[q][name] for q in results) / len(judgements)
        assert found[ours] == pytest.approx(mean)


@settings(max_examples=60, deadline=None)
@given(judgements=JUDGED, run=RUNS, scores=st.lists(st.sampled_from([0.0, -0.5, 7.1]), min_size=16))
def test_trec_eval_on_the_file_says_what_we_say(judgements, run, scores) -> None:
    """Whatever the scores, many of them equal: trec_eval orders passages by scores and ids."""
    import ir_measures

    scores = sorted(scores, reverse=True)[: len(LETTERS)]
    rankings = [Ranking(q, tuple(names), tuple(scores)) for q, names in run.items()]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "toy.trec"
        write_run(file, rankings, "toy")
        assume(file.stat().st_size)  # a run without results is refused
        found = mean_metrics(judgements, read_run(file), KS)
        theirs = list(ir_measures.read_trec_run(str(file)))
    assert found == mean_metrics(judgements, rankings, KS)
    measures = {"P@1": P @ 1, "P@3": P @ 3, "R@3": R @ 3, "MAP": AP, "MRR": RR, "nDCG": nDCG}
    by_trec_eval = ir_measures.pytrec_eval.calc_aggregate(measures.values(), judgements, theirs)
    for name, measure in measures.items():
        # ir_measures averages over judged questions, those without results among them.
        assert found[name] == pytest.approx(by_trec_eval[measure])


def test_equal_scores_are_written_as_the_next_lower_ones() -> None:
    assert strictly_decreasing([3.0, 2.0, 1.0]) == [3.0, 2.0, 1.0]
    below = [2.0 - i * 2.0**-23 for i in range(3)]  # of numbers from 1 to 2 in float32
    assert strictly_decreasing([2.0, 2.0, 2.0 - 2.0**-23]) == below
    assert strictly_decreasing([]) == []
    assert strictly_decreasing([0.0, 0.0]) == [0.0, -(2.0**-149)]
