"""Selection of the least-attended entities, end to end on files written by hand."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import ecqg
from ecqg import paths
from ecqg.attention.aggregate import Aggregated
from ecqg.attention.attended import write_attended
from ecqg.attention.entities import Entity, write_entities
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import Passage, write_passages
from ecqg.params import Params, load_params
from ecqg.stages import select
from ecqg.tables import read_values

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
#         0         1         2         3
#         0123456789012345678901234567890123456789
TEXT = "Ann met Bo. Ann saw Cy near Rome. Ann."
PLACES = [("Ann", 0), ("Bo", 8), ("Ann", 12), ("Cy", 20), ("Rome", 28), ("Ann", 34)]
SUMS = [0.4, 0.05, 0.01, np.nan, 0.06, 0.03]
PIECES = [1, 1, 1, 0, 2, 1]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    params = load_params(PROFILE)
    monkeypatch.chdir(tmp_path)
    passages = [Passage(i, f"p{i}", "Rome", TEXT, (0, 12, 34)) for i in range(4)]
    write_passages(paths.collection() / "passages.arrow", passages)
    entities = [
        Entity(row, start, start + len(name), "PERSON", name)
        for row in (0, 2)  # the others have none
        for name, start in PLACES
    ]
    paths.ENTITIES.parent.mkdir(parents=True)
    write_entities(paths.ENTITIES, entities)
    attention = Aggregated(np.array(SUMS * 2, np.float32), np.array(PIECES * 2, np.int16))
    write_attended(paths.attended("baseline"), [attention])
    return params


def selected(params: Params, **changes: object) -> list[dict[str, object]]:
    section = dataclasses.replace(params.select, **changes)
    select.run(dataclasses.replace(params, select=section))
    return [json.loads(line) for line in paths.SELECTED.read_text().splitlines()]


def test_lowest_entities_by_mean_and_by_sum(params: Params) -> None:
    by_mean = selected(params, passages=4, lowest=2, aggregate="mean")
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
    by_sum = selected(params, passages=4, lowest=3, aggregate="sum")
    assert [r["entity"] for r in by_sum[:3]] == ["Bo", "Rome", "Ann"]
    assert by_sum[2]["attention"] == pytest.approx(0.44)  # all three mentions
    assert by_sum[2]["start"] == 12  # the least attended one


def test_metrics_and_plot(params: Params) -> None:
    selected(params, passages=4, lowest=1, aggregate="sum")
    metrics = read_values(paths.SELECTION_METRICS)
    counts = ("passages", "mentions", "truncated_mentions", "entities", "selected")
    assert [metrics[name] for name in counts] == [4, 12, 2, 6, 2]
    # Highest: Ann, at the begin; lowest: Bo, at 9 of 38 characters; both passages alike.
    assert (metrics["highest_first_half"], metrics["lowest_second_half"]) == (100, 0)
    assert (metrics["highest_mean_sentence"], metrics["lowest_mean_sentence"]) == (1, 1)
    rows = [line.split(",") for line in paths.ENTITY_POSITION.read_text().splitlines()[1:]]
    shares = {(which, position): float(share) for which, position, share in rows}
    assert shares["highest", "0.05"] == 100
    assert shares["lowest", "0.25"] == 100
    assert sum(v for (which, _), v in shares.items() if which == "all") == pytest.approx(
        100, abs=1e-3
    )


def test_selected_titles_are_counted(params: Params) -> None:
    selected(params, passages=4, lowest=1, aggregate="mean")
    assert read_values(paths.SELECTION_METRICS)["selected_titles"] == 2


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
