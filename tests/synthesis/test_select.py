"""What questions are asked about: by hand, and end to end on files written by hand."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import ecqg
from ecqg import paths
from ecqg.attention.aggregate import Aggregated, Mention, rank_entities
from ecqg.attention.entities import Entity, write_entities, write_entity_attention
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.params import Params, QuestionSet, load_params
from ecqg.stages import select
from ecqg.synthesis.select import CHOICES, selected_records
from ecqg.tables import read_values

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
#         0         1         2         3
#         0123456789012345678901234567890123456789
TEXT = "Ann met Bo. Ann saw Cy near Rome. Ann."
PLACES = [("Ann", 0), ("Bo", 8), ("Ann", 12), ("Cy", 20), ("Rome", 28), ("Ann", 34)]
SUMS = [0.4, 0.05, 0.01, np.nan, 0.06, 0.03]
PIECES = [1, 1, 1, 0, 2, 1]

#          0         1         2         3         4         5         6
#          0123456789012345678901234567890123456789012345678901234567890123456789
OTHER = "Ann met Bo in Rome. Cy knew Ann. Rome saw Bo, Eve and Dee, then bo."
NAMED = Passage(5, "p5", "Rome", OTHER, (0, 20, 33))
ATTENTION = {
    0: ("Ann", 0.5), 8: ("Bo", 0.1), 14: ("Rome", 0.3), 20: ("Cy", 0.05), 28: ("Ann", 0.2),
    33: ("Rome", 0.02), 42: ("Bo", 0.4), 46: ("Eve", 0.6), 54: ("Dee", np.nan), 64: ("bo", 0.06),
}  # fmt: skip
MENTIONS = [
    Mention(name, "GPE", at, at + len(name), total, int(total > 0))
    for at, (name, total) in ATTENTION.items()
]


def chosen(
    choice: str, size: int, seed: int = 1, passage: Passage = NAMED
) -> list[tuple[str, int]]:
    """Names and places. By mean the order is Cy 0.05, Rome 0.16, Bo 0.19, Ann 0.35, Eve 0.6."""
    mentions = Random(3).sample(MENTIONS, len(MENTIONS))
    found = CHOICES[choice](passage, mentions, rank_entities(mentions, "mean"), size, Random(seed))
    return [(r["entity"], r["start"]) for r in selected_records(passage, found)]


def test_lowest_and_highest_at_such_a_mention() -> None:
    assert chosen("lowest", 3) == [("Cy", 20), ("Rome", 33), ("bo", 64)]
    assert chosen("highest", 3) == [("Eve", 46), ("Ann", 0), ("Bo", 42)]
    assert len(chosen("lowest", 9)) == len(chosen("highest", 9)) == 5


def test_any_entity_at_its_least_attended_mention() -> None:
    least = {("Cy", 20), ("Rome", 33), ("bo", 64), ("Ann", 28), ("Eve", 46)}
    assert set(chosen("random", 9)) == least
    drawn = [chosen("random", 2, seed) for seed in range(2000)]
    assert all(len(set(pair)) == 2 for pair in drawn)
    counts = Counter(entity for pair in drawn for entity in pair)
    assert set(counts) == least
    # each in two of five draws: five standard deviations of a binomial are 110
    assert all(abs(count - 800) < 110 for count in counts.values())
    assert chosen("random", 2, 7) == drawn[7]


def test_what_the_last_sentence_names_in_its_order() -> None:
    assert chosen("last_sentence", 9) == [("Rome", 33), ("Bo", 42), ("Eve", 46)]
    assert chosen("last_sentence", 2) == [("Rome", 33), ("Bo", 42)]
    later = dataclasses.replace(NAMED, sentence_starts=(0, 33, 54))  # Dee, whom nobody sees, and bo
    assert chosen("last_sentence", 9, passage=later) == [("bo", 64)]
    nobody = dataclasses.replace(NAMED, sentence_starts=(0, 66))
    assert chosen("last_sentence", 9, passage=nobody) == []


def test_a_record_has_its_mentions_place_and_its_entitys_attention() -> None:
    found = CHOICES["highest"](NAMED, MENTIONS, rank_entities(MENTIONS, "mean"), 2, Random(1))
    assert selected_records(NAMED, found)[1] == {
        "passage_id": "p5",
        "row": 5,
        "entity": "Ann",
        "start": 0,
        "end": 3,
        "label": "GPE",
        "attention": pytest.approx(0.35),
        "rank": 2,
    }


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = [Passage(i, f"p{i}", "Rome", TEXT, (0, 12, 34)) for i in range(4)]
    write_passages(paths.collection() / PASSAGES, passages)
    entities = [
        Entity(row, start, start + len(name), "PERSON", name)
        for row in (0, 2)  # the others have none
        for name, start in PLACES
    ]
    paths.ENTITIES.parent.mkdir(parents=True)
    write_entities(paths.ENTITIES, entities)
    attention = Aggregated(np.array(SUMS * 2, np.float32), np.array(PIECES * 2, np.int16))
    write_entity_attention(paths.ENTITY_ATTENTION, [attention])
    return load_params(PROFILE)


def selected(
    params: Params, choice: object = "lowest", size: int = 4, name: str = "some", **changes: object
) -> list[dict[str, object]]:
    """What a question set of such settings is about; `changes` are to `select`."""
    section = dataclasses.replace(params.select, **changes)
    kind = "conditioned" if choice else "unconditioned"
    sets = {name: QuestionSet(kind, choice, size, 1, (), 0.0)}
    select.run(dataclasses.replace(params, select=section, question_sets=sets), name)
    return [json.loads(line) for line in paths.selected(name).read_text().splitlines()]


def test_lowest_entities_by_mean_and_by_sum(params: Params) -> None:
    by_mean = selected(params, per_passage=2, aggregate="mean")
    assert [(r["row"], r["entity"], r["rank"]) for r in by_mean] == [
        (0, "Rome", 1),  # 0.06 over two pieces
        (0, "Bo", 2),
        (2, "Rome", 1),
        (2, "Bo", 2),
    ]
    assert by_mean[0] == {
        "passage_id": "p0",
        "row": 0,
        "entity": "Rome",
        "start": 28,
        "end": 32,
        "label": "PERSON",
        "attention": pytest.approx(0.03),
        "rank": 1,
    }
    by_sum = selected(params, per_passage=3, aggregate="sum")
    assert [r["entity"] for r in by_sum[:3]] == ["Bo", "Rome", "Ann"]
    assert by_sum[2]["attention"] == pytest.approx(0.44)  # all three mentions
    assert by_sum[2]["start"] == 12  # the least attended one


@pytest.mark.parametrize(
    ("choice", "expected"), [("highest", [("Ann", 0), ("Bo", 8)]), ("last_sentence", [("Ann", 34)])]
)
def test_each_choice_is_made_in_every_passage(
    params: Params, choice: str, expected: list[tuple[str, int]]
) -> None:
    found = selected(params, choice, per_passage=2, aggregate="mean")
    assert [(r["row"], r["entity"], r["start"]) for r in found] == [
        (row, *place) for row in (0, 2) for place in expected
    ]


def test_each_question_set_has_samples_of_its_own(params: Params) -> None:
    """Of entities where any will do, and of the passages in which entities were looked for."""
    names = [f"set{i}" for i in range(8)]
    drawn = [selected(params, "random", name=name, per_passage=1) for name in names]
    assert len({tuple(str(r["entity"]) for r in of_set) for of_set in drawn}) > 1
    assert drawn[3] == selected(params, "random", name=names[3], per_passage=1)
    for seed in (3, 5):  # which leave out passage 2, and passage 0
        seeded = dataclasses.replace(params, seed=seed)
        looked_at = {0, 2} & set(sample_rows(4, 3, seed, "select"))
        rows = [{r["row"] for r in selected(seeded, size=1, name=n, passages=3)} for n in names]
        assert set.union(*rows) == looked_at
        assert read_values(paths.selection_metrics(names[0]))["passages"] == 1


def test_passages_are_drawn_where_no_entity_is_asked_about(params: Params) -> None:
    paths.ENTITY_ATTENTION.unlink()
    drawn = [selected(params, None, 2, f"set{i}") for i in range(8)]
    assert all(r == {"passage_id": f"p{r['row']}", "row": r["row"]} for of in drawn for r in of)
    rows = [[r["row"] for r in of] for of in drawn]
    assert all(len(of) == 2 and of == sorted(set(of)) for of in rows)
    assert len({tuple(of) for of in rows}) > 1
    assert read_values(paths.selection_metrics("set0")) == {"passages": 2}
    assert paths.entity_positions("set0").read_text() == "which,position,share\n"


def test_metrics_and_plot(params: Params) -> None:
    selected(params, per_passage=1, aggregate="sum")
    metrics = read_values(paths.selection_metrics("some"))
    counts = ("passages", "mentions", "truncated_mentions", "entities", "selected")
    assert [metrics[name] for name in counts] == [4, 12, 2, 6, 2]
    # Highest: Ann, at the begin; lowest: Bo, at 9 of 38 characters; both passages alike.
    assert (metrics["highest_first_half"], metrics["lowest_second_half"]) == (100, 0)
    assert (metrics["highest_mean_sentence"], metrics["lowest_mean_sentence"]) == (1, 1)
    rows = [line.split(",") for line in paths.entity_positions("some").read_text().splitlines()[1:]]
    shares = {(which, position): float(share) for which, position, share in rows}
    assert shares["highest", "0.05"] == 100
    assert shares["lowest", "0.25"] == 100
    assert sum(v for (which, _), v in shares.items() if which == "all") == pytest.approx(
        100, abs=1e-3
    )


def test_selected_titles_are_counted(params: Params) -> None:
    selected(params, per_passage=1, aggregate="mean")
    assert read_values(paths.selection_metrics("some"))["selected_titles"] == 2


def test_sample_is_seeded_sorted_and_without_repeats() -> None:
    rows = sample_rows(1000, 50, 1, "select")
    assert rows == sorted(set(rows)) and len(rows) == 50 and rows[-1] < 1000
    assert rows == sample_rows(1000, 50, 1, "select")
    assert rows != sample_rows(1000, 50, 2, "select")
    assert rows != sample_rows(1000, 50, 1, "attention")
    assert sample_rows(5, 50, 1, "select") == [0, 1, 2, 3, 4]
    # Every row is as likely as any other.
    drawn = np.bincount(np.concatenate([sample_rows(20, 5, s, "x") for s in range(2000)]))
    assert abs(drawn - 500).max() < 5 * (500 * 0.75) ** 0.5
