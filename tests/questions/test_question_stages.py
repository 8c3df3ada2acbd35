"""The stages on a collection of a few passages, as `ecqg` runs them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ecqg import paths, resume, shards
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.files import read_jsonl, write_jsonl
from ecqg.parallel import pool
from ecqg.params import Params, QuestionSet, load_params
from ecqg.questions import generation
from ecqg.questions.names import COMPONENTS
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.stages import generate, init_generator, question_entities, select, train_generator
from ecqg.tables import read_values
from interruption import steps_of_each_start

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
TOWNS = ["Wick", "Norden", "Malham", "Tavwold", "Ebbstead", "Oakport", "Selwich", "Luddon"]
PEOPLE = ["Clara Moss", "Anna Verge", "John Hart", "Emil Storr"]


def passage(row: int) -> Passage:
    town, person = TOWNS[row], PEOPLE[row % 4]
    first = f"{town} is a town on the sea. "
    return Passage(
        row, f"p{row}", town, f"{first}In {1800 + row} {person} built a mill in {town}.",
        (0, len(first)),
    )  # fmt: skip


def example(row: int) -> Example:
    return Example(
        str(row), f"who built a mill in {TOWNS[row].lower()}", (PEOPLE[row % 4],), (row,)
    )


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = [passage(row) for row in range(8)]
    write_passages(paths.collection() / PASSAGES, passages)
    write_examples(paths.gold("train"), [example(row) for row in range(6)])
    write_examples(paths.gold("dev"), [example(row) for row in (6, 7)])
    starts = [(p.row, p.text.index(PEOPLE[p.row % 4])) for p in passages]
    write_jsonl(
        paths.selected("conditioned"),
        (
            {
                "row": row,
                "entity": PEOPLE[row % 4],
                "start": start,
                "end": start + len(PEOPLE[row % 4]),
            }
            for row, start in starts
        ),
    )
    full = load_params(PROFILE)
    start = full.init_generator
    return dataclasses.replace(
        full,
        init_generator=dataclasses.replace(
            start,
            source="random",
            name="",
            layers=1,
            hidden=64,
            heads=4,
            feed_forward=64,
            vocabulary=400,
            pretraining=dataclasses.replace(start.pretraining, steps=40, batch_size=8, lr=5e-3),
        ),
        generator=dataclasses.replace(
            full.generator, lr=5e-3, epochs=40, batch_size=6, max_target_tokens=40
        ),
        generate=dataclasses.replace(full.generate, top_k=1),
        question_sets={
            "free": QuestionSet("unconditioned", None, 5, 2, (), 0.0),
            "conditioned": QuestionSet("conditioned", "lowest", 8, 1, (), 0.0),
            "sentence": QuestionSet("answer_sentence", None, 4, 1, (), 0.0),
        },
    )


def run(params: Params) -> dict[str, bytes]:
    question_entities.run(params)
    init_generator.run(params)
    for name, settings in params.question_sets.items():
        train_generator.run(params, settings.generator)
        if settings.entities is None:
            select.run(params, name)
        generate.run(params, name)
    return {str(p): p.read_bytes() for p in sorted(Path().rglob("*")) if p.is_file()}


@pytest.mark.slow
def test_from_gold_to_synthetic_questions(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    files = run(params)
    assert [r["entities"] for r in read_jsonl(paths.question_entities("dev"))] == [
        ["Selwich"],
        ["Luddon"],
    ]
    free = list(read_jsonl(paths.generated("free")))
    rows = [r["row"] for r in free]
    assert rows == sorted(set(rows))  # top-k 1 draws the same question twice
    selected = list(read_jsonl(paths.selected("free")))
    assert selected == [{"passage_id": f"p{r['row']}", "row": r["row"]} for r in selected]
    assert len(selected) == 5
    assert set(rows) <= {r["row"] for r in selected}
    asked = {f"who built a mill in {town.lower()}" for town in TOWNS[:6]}
    assert len(asked.intersection(r["question"] for r in free)) >= 3
    about = list(read_jsonl(paths.generated("conditioned")))
    assert [(r["passage_id"], r["entity"]) for r in about] == [
        (f"p{r['row']}", PEOPLE[r["row"] % 4]) for r in about
    ]
    chains = list(read_jsonl(paths.generated("sentence")))
    assert {r["row"] for r in chains} <= {r["row"] for r in read_jsonl(paths.selected("sentence"))}
    assert asked.intersection(r["question"] for r in chains)  # the last of three parts
    assert all(" | " not in r["question"] + r["answer"] for r in chains)
    metrics = read_values(paths.generation_metrics("free"))
    assert metrics["drawn"] == 10
    assert metrics["questions"] == len(free)
    assert metrics["duplicates"] == 10.0 * len(free)
    curve = paths.loss_curve("generator-conditioned").read_text().splitlines()
    assert curve[0] == "run,step,loss"
    assert {line.split(",")[0] for line in curve[1:]} == {"dev", "train"}

    assert run(params) == files  # the same bytes, weights included

    monkeypatch.setattr(generation, "SEQUENCES_ON_CPU", 2)  # a batch for each of five passages
    with monkeypatch.context() as patch:
        patch.setenv("ECQG_THREADS", "2")
        patch.setattr(generation, "run", partial(pool.run, first=0))
        paths.generated("free").unlink()
        generate.run(params, "free")
    assert {str(p): p.read_bytes() for p in sorted(Path().rglob("*")) if p.is_file()} == files
    monkeypatch.setattr(shards, "SECONDS", 0)
    drawn = []
    sample = Seq2Seq.sample

    def until_stopped(self: Seq2Seq, *arguments: Any) -> list[str | None]:
        drawn.append(arguments)
        if len(drawn) == 4:
            raise KeyboardInterrupt
        return sample(self, *arguments)

    monkeypatch.setattr(Seq2Seq, "sample", until_stopped)
    paths.generated("free").unlink()
    with pytest.raises(KeyboardInterrupt):
        generate.run(params, "free")
    assert not paths.generated("free").exists()
    generate.run(params, "free")
    assert len(drawn) == 4 + 2
    assert {str(p): p.read_bytes() for p in sorted(Path().rglob("*")) if p.is_file()} == files


@pytest.mark.slow
def test_a_sample_of_the_questions_can_train(params: Params) -> None:
    question_entities.run(params)
    short = dataclasses.replace(params.generator, max_questions=4, batch_size=1, epochs=10)
    params = dataclasses.replace(params, generator=short)
    init_generator.run(params)
    train_generator.run(params, "conditioned")
    curve = paths.loss_curve("generator-conditioned").read_text().splitlines()
    steps = {name: int(step) for name, step, _ in (line.split(",") for line in curve[1:])}
    assert steps == {"train": 40, "dev": 40}  # of 60 with all six questions


@pytest.mark.slow
def test_entities_of_questions_that_were_found_are_not_sought_again(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_entities.run(params)
    expected = [paths.question_entities(split).read_bytes() for split in ("train", "dev")]
    sought: list[int] = []
    whole = question_entities.conditioning_entities

    def until_stopped(pairs: Sequence[tuple[str, str]], nlp: Any, names: Any) -> Any:
        sought.append(len(pairs))
        for found, entities in enumerate(whole(pairs, nlp, names)):
            if len(sought) == 1 and found == 3:
                raise KeyboardInterrupt
            yield entities

    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(question_entities, "conditioning_entities", until_stopped)
    nlp = question_entities.load_spacy(params.entities.model, enable=COMPONENTS)
    monkeypatch.setattr(nlp, "batch_size", 2)
    monkeypatch.setattr(question_entities, "load_spacy", lambda model, enable: nlp)
    with pytest.raises(KeyboardInterrupt):
        question_entities.run(params)
    question_entities.run(params)
    assert sought == [6, 4, 2]
    assert expected == [paths.question_entities(split).read_bytes() for split in ("train", "dev")]
    assert not list(resume.FOLDER.iterdir())


@pytest.mark.slow
def test_training_that_was_stopped_ends_the_same(params: Params) -> None:
    question_entities.run(params)
    start = params.init_generator
    shorter = dataclasses.replace(start.pretraining, steps=9)
    params = dataclasses.replace(
        params,
        init_generator=dataclasses.replace(start, pretraining=shorter),
        generator=dataclasses.replace(params.generator, epochs=4, batch_size=2),
    )
    begun = steps_of_each_start(lambda: init_generator.run(params), [6, 3], every=2)
    assert begun == [9, 6, 3, 3]

    def run() -> None:
        train_generator.run(params, "conditioned")

    # Three steps an epoch, each ended by the loss on the development set.
    assert steps_of_each_start(run, [5, 5], every=3) == [12, 5, 5, 6]
