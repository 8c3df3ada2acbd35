"""The stages train-reader and read in an empty folder."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ecqg
from ecqg import paths, resume, shards
from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.reading import Answer, ReadingExample, write_reading
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.parallel import pool
from ecqg.params import Params, ReadingPhase, ReadingSet, load_params
from ecqg.reading import predict
from ecqg.reading.predict import BestSpans, best_spans
from ecqg.reading.windows import cut
from ecqg.stages import read, reading, train_reader
from ecqg.tables import read_values
from interruption import steps_of_each_start

TOWN = "Anna Moor was born in Velda. She wrote the Harbour Song at age 30."
BANK = "Tomas Lind founded a bank in Velda."
PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"


def example(name: str, question: str, context: str, answer: str | None) -> ReadingExample:
    answers = () if answer is None else (Answer(answer, context.index(answer)),)
    return ReadingExample(name, question, "", context, answers)


EXAMPLES = [
    example("0", "Where was Anna Moor born?", TOWN, "Velda"),
    example("1", "What did Anna Moor do?", TOWN, "wrote the Harbour Song"),
    example("2", "Who founded a bank?", TOWN, None),
    example("3", "Who founded a bank?", BANK, "Tomas Lind"),
    example("4", "Where was Anna Moor born?", BANK, None),
]


@pytest.fixture
def params(tmp_path: Path, encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(encoder_folder, paths.start())
    write_reading(paths.reading("train"), EXAMPLES)
    write_reading(paths.reading("dev"), EXAMPLES)
    write_passages(
        paths.collection() / "passages.arrow",
        [Passage(0, "b7", "Bank", BANK, (0,)), Passage(1, "t3", "Town", TOWN, (0, 29))],
    )
    questions = [
        {
            "id": f"u{i}",
            "passage_id": ("b7", "t3")[row],
            "row": row,
            "question": e.question,
            "answer": "Velda",
        }
        for i, (row, e) in enumerate(zip([1, 1, 1, 0, 0], EXAMPLES, strict=True))
    ]
    write_jsonl(paths.generated("unconditioned"), questions)
    phase = ReadingPhase("main", 3e-3, 60, 4, 40, 12, 10)
    params = load_params(PROFILE)
    reader = replace(params.reader, phases=(phase,), neighbour_heads=(-1, 1), precision="fp32")
    return replace(params, reader=reader)


@pytest.mark.slow
def test_a_reader_is_trained_and_reads(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    train_reader.run(params)
    metrics = read_values(paths.READER_METRICS)
    assert metrics["exact"] == metrics["f1"] == 100  # what it was trained on
    assert metrics["examples"] == 5
    assert paths.READER_RELIABILITY.read_text().startswith("bin,examples,confidence,right\n")
    assert paths.loss_curve("reader").read_text().startswith("run,step,loss\nphase 1,20,")
    first = {p.name: p.read_bytes() for p in paths.READER.iterdir()}

    read.run(params, "unconditioned")
    rows = list(read_jsonl(paths.read("unconditioned")))
    assert [row["id"] for row in rows] == ["u0", "u1", "u2", "u3", "u4"]
    assert rows[0].keys() == {"id", "answer", "start", "confidence", "null_margin"}
    assert (rows[0]["answer"], rows[0]["start"]) == ("Velda", TOWN.index("Velda"))
    assert rows[3]["answer"] == "Tomas Lind"
    assert min(rows[i]["confidence"] for i in (0, 1, 3)) > max(
        rows[i]["confidence"] for i in (2, 4)
    )
    assert [row["null_margin"] > 0 for row in rows] == [True, True, False, True, False]
    with monkeypatch.context() as patch:
        patch.setattr(predict, "TOKENS_PER_BATCH", {"cpu": 1})  # a window at a time
        read.run(params, "unconditioned")
        alone = paths.read("unconditioned").read_bytes()
        patch.setenv("ECQG_THREADS", "2")
        patch.setattr(predict, "run", partial(pool.run, first=0))
        read.run(params, "unconditioned")
    assert paths.read("unconditioned").read_bytes() == alone

    train_reader.run(params)
    assert first == {p.name: p.read_bytes() for p in paths.READER.iterdir()}


def stopped_at(batch: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Have reading stopped in that batch; the list grows with each that is begun."""
    decoded: list[Any] = []

    def until_stopped(*arguments: Any) -> BestSpans:
        decoded.append(arguments)
        if len(decoded) == batch:
            raise KeyboardInterrupt
        return best_spans(*arguments)

    monkeypatch.setattr(predict, "best_spans", until_stopped)
    return decoded


@pytest.mark.slow
def test_a_stopped_reading_goes_on(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    train_reader.run(params)
    monkeypatch.setitem(predict.TOKENS_PER_BATCH, "cpu", 1)  # a window a batch
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(read, "BLOCK", 2)
    read.run(params, "unconditioned")
    expected = paths.read("unconditioned").read_bytes()
    paths.read("unconditioned").unlink()
    decoded, tokenized = stopped_at(4, monkeypatch), []

    def recording(tokenizer: Any, pairs: list[tuple[str, str]], *rest: Any, **named: Any) -> Any:
        tokenized.append([question for question, _ in pairs])
        return cut(tokenizer, pairs, *rest, **named)

    monkeypatch.setattr(predict, "cut", recording)
    with pytest.raises(KeyboardInterrupt):
        read.run(params, "unconditioned")
    assert not paths.read("unconditioned").exists()
    # Another device has other batches, and finds none of these.
    assert {p.parent.name for p in resume.FOLDER.rglob("*.jsonl")} >= {"cpu"}
    read.run(params, "unconditioned")
    assert len(decoded) == 4 + 2  # of five windows, three were kept
    asked = [example.question for example in EXAMPLES]
    assert tokenized == [asked[:2], asked[2:4], asked[2:4], asked[4:]]  # the first block once
    assert paths.read("unconditioned").read_bytes() == expected
    assert not list(resume.FOLDER.iterdir())


@pytest.mark.slow
def test_a_stopped_calibration_goes_on(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(predict.TOKENS_PER_BATCH, "cpu", 1)
    monkeypatch.setattr(shards, "SECONDS", 0)
    train_reader.run(params)
    expected = {p.name: p.read_bytes() for p in (*paths.READER.iterdir(), paths.READER_METRICS)}
    shutil.rmtree(paths.READER)
    decoded = stopped_at(3, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        train_reader.run(params)
    assert not paths.READER.exists()
    train_reader.run(params)
    assert len(decoded) == 3 + 3  # of five examples, two were kept
    found = {p.name: p.read_bytes() for p in (*paths.READER.iterdir(), paths.READER_METRICS)}
    assert found == expected
    assert not list(resume.FOLDER.iterdir())


def test_another_folder_trains_a_phase_of_its_own(params: Params) -> None:
    folders = {"other": "mine/other", "absent": "nowhere"}
    sets = {name: ReadingSet(folder) for name, folder in folders.items()}
    Path("nowhere").mkdir()
    params = replace(params, reading_sets=sets)
    write_reading(Path("mine/other/squad-train.json"), EXAMPLES[:2])
    reading.run(params, "other")
    short = replace(params.reader.phases[0], epochs=1)
    phases = (replace(short, examples="other"), short)
    train_reader.run(replace(params, reader=replace(params.reader, phases=phases)))
    curves = {row.split(",")[0] for row in paths.loss_curve("reader").read_text().splitlines()[1:]}
    assert curves == {"phase 1", "phase 2"}
    with pytest.raises(InputError, match=r"nowhere/squad-train.json: no such file"):
        reading.run(params, "absent")


def test_a_phase_without_examples_stops_before_any_is_trained(params: Params) -> None:
    other, own = Path("mine/other"), params.reader.phases[0]
    params = replace(params, reading_sets={"other": ReadingSet(str(other))})
    write_reading(other / "squad-train.json", EXAMPLES)
    reading.run(params, "other")
    write_reading(paths.reading("train"), [])
    reader = replace(params.reader, phases=(replace(own, examples="other"), own))
    with pytest.raises(InputError, match="main has no reading examples") as caught:
        train_reader.run(replace(params, reader=reader))
    assert "\n" not in str(caught.value)
    assert not resume.FOLDER.exists()


@pytest.mark.slow
def test_training_that_was_stopped_ends_the_same(params: Params) -> None:
    """Two phases of 10 and 6 steps, each with its own optimiser and its own checkpoint."""
    first, second = replace(params.reader.phases[0], epochs=5), params.reader.phases[0]
    phases = first, replace(second, epochs=2, batch_size=2)
    params = replace(params, reader=replace(params.reader, phases=phases))
    begun = steps_of_each_start(lambda: train_reader.run(params), [6, 11, 4], every=4)
    # From 0; from 4 to the second phase's step 5; from 8, then from the second phase's 4, twice.
    assert begun == [16, 6, 11, 4, 4]


def test_a_failing_stage_leaves_nothing(params: Params) -> None:
    write_reading(paths.reading("train"), [])
    with pytest.raises(InputError, match=r"phases: main has no reading examples; add some"):
        train_reader.run(params)
    write_reading(paths.reading("train"), EXAMPLES)
    write_reading(paths.reading("dev"), [])
    with pytest.raises(InputError, match=r"dev split of main has no reading exam"):
        train_reader.run(params)
    assert not paths.READER.exists()
    assert not list(paths.READER.parent.glob("*"))
    with pytest.raises(InputError, match="no reader"):
        read.run(params, "unconditioned")
    assert not paths.read("unconditioned").exists()
