"""The stages filter and mix in an empty folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ecqg
from ecqg import paths
from ecqg.corpus.examples import Context, Example, read_examples
from ecqg.corpus.passages import Passage, write_passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Filter, Mix, Params, load_params
from ecqg.stages import filter as filter_stage
from ecqg.stages import mix
from ecqg.tables import read_values

TEXT = "Anna Moor was born in Velda. She wrote the Harbour Song."
PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"


def generated(kind: str, count: int) -> list[dict[str, object]]:
    return [
        {
            "id": f"{kind[0]}{i}",
            "passage_id": "p1",
            "row": 1,
            "question": f"{kind} {i}?",
            "answer": "Velda",
        }
        for i in range(count)
    ]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = [Passage(0, "p0", "", "Another.", (0,)), Passage(1, "p1", "Moor", TEXT, (0, 29))]
    write_passages(paths.collection() / "passages.arrow", passages)
    for kind, count in (("unconditioned", 8), ("conditioned", 4)):
        rows = generated(kind, count)
        write_jsonl(paths.generated(kind), rows)
        write_jsonl(
            paths.read(kind),
            [
                {
                    "id": r["id"],
                    "answer": "Velda",
                    "start": 22 if i % 2 else 40,
                    "confidence": i / 4,
                }
                for i, r in enumerate(rows)
            ],
        )
        write_jsonl(paths.scored(kind), [{"id": r["id"], "score": -i} for i, r in enumerate(rows)])
    kinds = {"unconditioned": (), "conditioned": ("reader", "hard")}
    return replace(
        load_params(PROFILE), filter=Filter(0.25, False, "quantile", 0.5, kinds), mix=Mix(6, 0.5)
    )


def test_filter_and_mix(params: Params) -> None:
    filter_stage.run(params, "conditioned")
    filter_stage.run(params, "unconditioned")
    # c0 is below the threshold; of the scores -1, -2, -3 the lower half is -2 and -3
    assert [r["id"] for r in read_jsonl(paths.filtered("conditioned"))] == ["c2", "c3"]
    assert list(read_jsonl(paths.filtered("unconditioned"))) == generated("unconditioned", 8)
    metrics = read_values(paths.filter_metrics("conditioned"))
    assert (metrics["generated"], metrics["after_reader"], metrics["after_hard"]) == (4, 3, 2)
    assert metrics["sentence"]["generated"] == {"1": 50.0, "2": 50.0}
    assert len(paths.filter_plot("conditioned").read_text().splitlines()) == 7

    mix.run(params)
    uncon = list(read_examples(paths.synthetic("uncon")))
    mixed = list(read_examples(paths.synthetic("mixed")))
    # two conditioned questions allow sets of five, of which two (2.5 to even) are conditioned
    assert len(uncon) == len(mixed) == 5
    assert [e.question for e in mixed[3:]] == ["conditioned 2?", "conditioned 3?"]
    assert set(mixed[:3]) < set(uncon)
    context = Context("p1", "Moor", TEXT)
    assert mixed[3] == Example("conditioned 2?", ("Velda",), (context,))
    assert read_values(paths.MIX_METRICS) == {
        "uncon": {"examples": 5, "unconditioned": 5, "conditioned": 0, "passages": 1},
        "mixed": {"examples": 5, "unconditioned": 3, "conditioned": 2, "passages": 1},
    }


def test_too_strict_a_filter_is_one_line(params: Params) -> None:
    strict = replace(params, filter=replace(params.filter, reader_threshold=1.0))
    filter_stage.run(strict, "conditioned")
    filter_stage.run(strict, "unconditioned")
    with pytest.raises(InputError, match="from 8 unconditioned and 0 conditioned"):
        mix.run(strict)
    assert not paths.synthetic("uncon").exists()
