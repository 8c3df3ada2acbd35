"""The stage premises on files written here, every figure counted by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ecqg
from ecqg import paths
from ecqg.analysis.premises import HEADER, premises
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.corpus.questions import Question
from ecqg.evaluation.topk import write_per_query
from ecqg.files import write_jsonl
from ecqg.microcosm.realise import write_article
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.world import World
from ecqg.params import Collection, Dense, Filter, Params, Pretrained, QuestionSet, load_params
from ecqg.stages import premises as stage
from ecqg.tables import read_table, write_values

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
SIZE = 200
RANKS = {  # of four questions of a test set
    "bm25": [1, 0, 3, 1],
    "dpr": [1, 1, 2, 1],
    "uncon": [0, 0, 0, 0],
    "mixed": [2, 1, 1, 1],
}


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    whole = load_params(PROFILE)
    world = World(whole.microcosm.world_seed, SIZE, whole.microcosm.families)
    write_collection(world)
    # Each on two passages, one of them the same.
    gold = [Example(str(i), "who?", ("x",), rows) for i, rows in enumerate(((3,), (3, 4)))]
    write_examples(paths.gold("train"), gold)
    write_questions(world)
    write_results()
    of_pretrained = {"uncon": {"plain": 1.0}, "mixed": {"plain": 0.5, "late": 0.5}}
    dense = {name: Dense(start, paths.MAIN) for name, start in
             (("dpr", "init"), ("uncon", "uncon"), ("mixed", "mixed"))}  # fmt: skip
    dense["other"] = Dense("mixed", "webq_like")
    test_sets = {"first": "first.qa.tsv", "second": "second.qa.tsv"}
    return replace(
        whole,
        microcosm=replace(whole.microcosm, passages=SIZE),
        collections={paths.MAIN: Collection("data/raw/microcosm", test_sets)},
        filter=Filter(0.5, False, False, "value", 7.0),
        question_sets={
            "plain": QuestionSet("unconditioned", None, 9, 1, (), 0.0),
            "late": QuestionSet("conditioned", "lowest", 9, 1, ("reader", "hard"), 0.0),
        },
        pretrained={name: Pretrained("init", of) for name, of in of_pretrained.items()},
        systems=replace(whole.systems, dense=dense),
    )


def write_collection(world: World) -> None:
    """All passages of the world and, behind them, a distractor."""
    articles = [write_article(world, i) for i in range(SIZE)]
    passages = [Passage(a.index, a.id, a.title, a.text, a.starts) for a in articles]
    passages.append(Passage(SIZE, "other", "", "Another one.", (0,)))
    write_passages(paths.collection() / PASSAGES, passages)


def write_questions(world: World) -> None:
    """Ten of each set.

    Four are the world's own, two of them with a wrong answer; the last one, on the distractor, is
    not judged. The reader is sure of all but the last four; of the plain ones no filter is asked.
    """
    drawn = Drawer(world, 1).by_sentence("train", 4, None, "train", set())
    for name in ("plain", "late"):
        asked = [(q.ask.article.index, q.text, q.ask.answer) for q in drawn]
        asked[1:3] = [(row, text, "nobody") for row, text, _ in asked[1:3]]
        asked += [(i, "who knows nothing of this?", "nobody") for i in range(5)]
        asked += [(SIZE, "which one?", "another")]
        records: list[dict[str, Any]] = [
            {
                **{"id": f"{i}", "passage_id": "", "row": row, "entity": None},
                **{"question": text, "answer": answer},
            }
            for i, (row, text, answer) in enumerate(asked)
        ]
        write_jsonl(paths.generated(name), records)
        read = [
            {
                "id": r["id"],
                "answer": r["answer"] if i % 2 else "somebody",
                "start": 0,
                "confidence": 0.9 if i < 6 else 0.1,
            }
            for i, r in enumerate(records)
        ]
        write_jsonl(paths.read(name), read)
        # Of what passes the reader, the first two score too high.
        scores = [{"id": r["id"], "score": 9.0 - i} for i, r in enumerate(records)]
        write_jsonl(paths.scored(name), scores)
    write_values(paths.generation_metrics("plain"), {"malformed": 2.5})
    late = {"malformed": 0.5, "entity_in_question": 91.0}
    write_values(paths.generation_metrics("late"), late)


def write_results() -> None:
    attention = {"normalised_entropy": 0.8, "ranked_passages": 9, "highest_first_half": 70.0}
    attention |= {"lowest_second_half": 71.0, "entity_density": 1.25, "highest_density": 3.5}
    attention |= {"lowest_density": 0.5, "entity_entropy": 0.9, "entity_variation": 0.75}
    write_values(paths.attention_means("dpr"), attention)
    made = {"uncon": {"examples": 6, "passages": 5}, "mixed": {"examples": 3, "passages": 2}}
    write_values(paths.TRAINING_SETS, made)
    write_values(paths.READER_METRICS, {"exact": 66.5, "f1": 70.0})
    questions = [Question(str(i), f"who is {i}?", ("x",)) for i in range(4)]
    for system, ranks in RANKS.items():
        for test_set, times in (("first", 1), ("second", 100)):
            numbered = [replace(q, id=f"{i}-{q.id}") for i in range(times) for q in questions]
            file = paths.per_query(system) / f"{test_set}.csv"
            write_per_query(file, numbered, np.array(ranks * times))


def measured(params: Params) -> dict[tuple[str, str], tuple[str, str]]:
    """What is measured, and whether it meets the target, by premise and what it is about."""
    stage.run(params)
    rows = read_table(paths.PREMISES, HEADER)
    return {(row["premise"], row["about"]): (row["here"], row["met"]) for row in rows}


def test_every_figure_of_the_embedded_world(params: Params) -> None:
    found = measured(params)
    assert list(dict.fromkeys(premise for premise, _ in found)) == list(premises())
    assert found == {
        ("gold coverage", ""): ("0.995025", "yes"),  # two of 201 passages
        ("synthetic to gold", "uncon"): ("3", "yes"),
        ("synthetic to gold", "mixed"): ("1.5", "no"),
        ("attention entropy", ""): ("0.8", "yes"),
        ("attention to entities", "all"): ("1.25", ""),
        ("attention to entities", "highest"): ("3.5", ""),
        ("attention to entities", "lowest"): ("0.5", ""),
        ("entropy among entities", ""): ("0.9", ""),
        ("variation among entities", ""): ("0.75", ""),
        ("highest in first half", ""): ("70", "yes"),
        ("lowest in second half", ""): ("71", "no"),
        # Nine are judged: four of them valid, two with the right answer.
        ("valid about entities", "late"): ("44.4444", "no"),
        # The reader leaves 0 to 5, the scores 2 to 5.
        ("valid after filters", "late after reader"): ("66.6667", "yes"),
        ("valid after filters", "late after hard"): ("50", "no"),
        ("valid, others", "plain"): ("44.4444", ""),
        ("right answers", "plain"): ("22.2222", ""),
        ("right answers", "late"): ("22.2222", ""),
        ("right answers", "late after reader"): ("33.3333", ""),
        ("right answers", "late after hard"): ("25", ""),
        ("reader agrees", "plain"): ("50", ""),
        ("reader agrees", "late"): ("50", ""),
        ("reader agrees", "late after reader"): ("50", ""),
        ("reader agrees", "late after hard"): ("50", ""),
        ("malformed", "plain"): ("2.5", ""),
        ("malformed", "late"): ("0.5", ""),
        ("entity named", "late"): ("91", "yes"),
        ("reader, exact match", ""): ("66.5", ""),
        ("gain over BM25, top-1", "dpr"): ("25", ""),
        ("gain over BM25, top-5", "dpr"): ("25", "yes"),
        ("test questions", "first"): ("4", "no"),
        ("test questions", "second"): ("400", "no"),
        ("resolved difference, top-1", "first"): ("", ""),
        # A half differs: sqrt(0.5) (1.959964 * 20 + 0.841621 sqrt(396.867)) / 400.708
        ("resolved difference, top-1", "second"): ("9.87593", ""),
    }


def test_of_passages_of_ones_own_no_question_is_judged(params: Params) -> None:
    embedded = measured(params)
    own = replace(params, collections={paths.MAIN: replace(params.collections["main"], folder="x")})
    found = measured(own)
    assert found == measured(replace(params, source="folder"))
    unknown = {key for key, value in embedded.items() if found[key] != value}
    assert all(found[key] == ("", "") for key in unknown)
    assert {premise for premise, _ in unknown} == {
        *("valid about entities", "valid after filters", "valid, others", "right answers")
    }


def test_questions_that_are_wrong_on_purpose_are_no_premise(params: Params) -> None:
    whole = measured(params)
    wrong = replace(params.question_sets["plain"], wrong_passage=0.2)
    control = replace(params, question_sets=params.question_sets | {"plain": wrong})
    found = measured(control)
    assert {about for _, about in whole.keys() - found.keys()} == {"plain"}
    assert found == {key: value for key, value in whole.items() if key[1] != "plain"}


def test_what_was_not_measured_is_empty(params: Params) -> None:
    write_values(paths.attention_means("dpr"), {"normalised_entropy": 0.7, "ranked_passages": 0})
    alone = replace(params, pretrained={"uncon": params.pretrained["uncon"]})
    found = measured(alone)
    assert found["attention entropy", ""] == ("0.7", "no")
    for premise in ("entropy among entities", "highest in first half", "lowest in second half"):
        assert found[premise, ""] == ("", "")
    assert found["attention to entities", "lowest"] == ("", "")
    assert found["resolved difference, top-1", "second"] == ("", "")
