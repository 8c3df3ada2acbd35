"""The stages filter and training-sets in an empty folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ecqg
from ecqg import paths
from ecqg.corpus.examples import Example, read_examples
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.params import Filter, Params, Pretrained, QuestionSet, load_params
from ecqg.stages import filter as filter_stage
from ecqg.stages import training_sets
from ecqg.tables import read_values

TEXT = "Anna Moor was born in Velda. She wrote the Harbour Song."
PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"


def generated(kind: str, count: int) -> list[dict[str, object]]:
    return [
        {
            "id": f"{kind[0]}{i}",
            "passage_id": "p1",
            "row": 1,
            "entity": "Anna Moor" if kind == "conditioned" else None,
            "question": f"{kind} {i}?",
            "answer": "Velda",
        }
        for i in range(count)
    ]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = [Passage(0, "p0", "", "Another.", (0,)), Passage(1, "p1", "Moor", TEXT, (0, 29))]
    write_passages(paths.collection() / PASSAGES, passages)
    for kind, count in (("unconditioned", 8), ("conditioned", 4)):
        rows = generated(kind, count)
        others = {"c2": "Anna Moor", "c3": ""}  # reader and generator disagree, or there is nothing
        write_jsonl(paths.generated(kind), rows)
        write_jsonl(
            paths.read(kind),
            [
                {
                    "id": r["id"],
                    "answer": others.get(str(r["id"]), "Velda"),
                    "start": 22 if i % 2 else 40,
                    "confidence": i / 4,
                }
                for i, r in enumerate(rows)
            ],
        )
        write_jsonl(paths.scored(kind), [{"id": r["id"], "score": -i} for i, r in enumerate(rows)])
    sets = {
        "unconditioned": QuestionSet("unconditioned", None, 8, 1, (), 0.0),
        "conditioned": QuestionSet("conditioned", "lowest", 8, 1, ("reader", "hard"), 0.0),
    }
    shares = {
        "uncon": {"unconditioned": 1.0},
        "mixed": {"unconditioned": 0.5, "conditioned": 0.5},
    }
    whole = load_params(PROFILE)
    return replace(
        whole,
        filter=Filter(0.25, False, False, "quantile", 0.5),
        question_sets=sets,
        pretrained={name: Pretrained("init", of) for name, of in shares.items()},
        pretrain=replace(whole.pretrain, examples=6),
    )


def run(params: Params) -> dict[str, list[Example]]:
    """The training sets."""
    for name in params.question_sets:
        filter_stage.run(params, name)
    training_sets.run(params)
    passages = Passages(paths.collection() / PASSAGES)
    return {
        name: list(read_examples(paths.synthetic(name), passages)) for name in params.pretrained
    }


def test_from_generated_questions_to_training_sets(params: Params) -> None:
    found = run(params)
    # c0 is below the threshold; of the scores -1, -2, -3 the lower half is -2 and -3
    filtered = list(read_jsonl(paths.filtered("conditioned")))
    assert [(r["id"], r["reader_answer"]) for r in filtered] == [("c2", "Anna Moor"), ("c3", "")]
    assert list(read_jsonl(paths.filtered("unconditioned"))) == [
        {**record, "reader_answer": "Velda"} for record in generated("unconditioned", 8)
    ]
    metrics = read_values(paths.filter_metrics("conditioned"))
    assert (metrics["generated"], metrics["after_reader"], metrics["after_hard"]) == (4, 3, 2)
    assert metrics["sentence"]["generated"] == {"1": 50.0, "2": 50.0}
    assert metrics["same_answer"] == pytest.approx(
        {"generated": 50.0, "reader": 100 / 3, "hard": 0.0}
    )
    # Of c1 and c3 the reader's answer is in the first sentence, which names the entity.
    assert metrics["same_sentence"] == pytest.approx(
        {"generated": 50.0, "reader": 200 / 3, "hard": 50.0}
    )
    assert "same_sentence" not in read_values(paths.filter_metrics("unconditioned"))
    assert len(paths.answer_positions("conditioned").read_text().splitlines()) == 7

    uncon, mixed = found["uncon"], found["mixed"]
    # two conditioned questions allow a set of five, of which two (2.5 to even) are conditioned
    assert (len(uncon), len(mixed)) == (6, 5)
    assert [e.question for e in mixed[3:]] == ["conditioned 2?", "conditioned 3?"]
    assert set(mixed[:3]) < set(uncon)
    # no passage with either answer may become a negative; the empty one would stand in all
    assert mixed[3] == Example("conditioned/c2", "conditioned 2?", ("Velda", "Anna Moor"), (1,))
    assert mixed[4] == Example("conditioned/c3", "conditioned 3?", ("Velda",), (1,))
    assert {e.answers for e in uncon} == {("Velda",)}
    assert read_values(paths.TRAINING_SETS) == {
        "uncon": {"examples": 6, "unconditioned": 6, "passages": 1},
        "mixed": {"examples": 5, "unconditioned": 3, "conditioned": 2, "passages": 1},
    }


def test_each_encoder_can_have_examples_of_its_own_number(
    params: Params, capsys: pytest.CaptureFixture[str]
) -> None:
    of = {
        "all": {"examples": None},
        "few": {"examples": 3},
        "many": {"examples": 99},
        "as_ever": {},
    }
    questions = {"unconditioned": 1.0}
    sets = {name: Pretrained("init", questions, training) for name, training in of.items()}
    found = run(replace(params, pretrained=sets))
    assert {name: len(examples) for name, examples in found.items()} == {
        "all": 8, "few": 3, "many": 8, "as_ever": 6,
    }  # fmt: skip
    assert set(found["few"]) < set(found["as_ever"]) < set(found["all"])
    assert [e.id for e in found["all"]] == [f"unconditioned/u{i}" for i in range(8)]
    assert "many: 8 examples; for 99 there are too few questions" in capsys.readouterr().out


def test_too_strict_a_filter_is_one_line(params: Params) -> None:
    with pytest.raises(InputError, match="no question of conditioned is left to pre-train on"):
        run(replace(params, filter=replace(params.filter, reader_threshold=1.0)))
    assert not paths.TRAINING_SETS.exists()
    assert not any(paths.synthetic(name).exists() for name in params.pretrained)
