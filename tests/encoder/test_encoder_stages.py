"""The stages from files to files, on a toy collection."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from ruamel.yaml import YAML
from safetensors import safe_open

import ecqg
from ecqg import paths, resume
from ecqg.corpus.examples import Context, Example, write_examples
from ecqg.corpus.passages import Passage, write_passages
from ecqg.encoder.encode import Encoding
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.params import Supervised, load_params
from ecqg.stages import (
    baseline,
    encode,
    encoder_start,
    finetune,
    finetune_aug,
    pretrain,
    pretrain_aug,
    score,
    supervised_finetune,
)
from ecqg.tables import read_values
from ecqg.training.checkpoint import FILE
from interruption import steps_of_each_start

NOUNS = ["river", "town", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship"]


@pytest.fixture
def params(tmp_path, monkeypatch):
    whole = load_params(str(files("ecqg.profiles") / "microcosm.yaml"))
    start = replace(
        whole.encoder_start,
        hidden=16,
        heads=4,
        feed_forward=32,
        pretraining=replace(whole.encoder_start.pretraining, epochs=2, batch_size=8),
    )
    training = replace(whole.finetune, epochs=2, batch_size=8)
    monkeypatch.chdir(tmp_path)
    texts = [f"The {noun} flows past the old {NOUNS[i - 1]}." for i, noun in enumerate(NOUNS)]
    passages = [Passage(i, f"p{i}", NOUNS[i], text, (0,)) for i, text in enumerate(texts)]
    contexts = [Context(p.id, p.title, p.text) for p in passages]
    examples = [
        Example(f"what is old {noun}", (noun,), (contexts[i],), (contexts[i - 2],))
        for i, noun in enumerate(NOUNS)
    ]
    write_passages(paths.collection() / "passages.arrow", passages)
    write_examples(paths.gold("train"), examples)
    for name in ("gold-train", "gold-dev", "uncon", "supervised-far-train", "supervised-far-dev"):
        write_examples(paths.negatives(name), examples)
    generated = [
        {
            "id": f"u{i}",
            "passage_id": f"p{9 - i % 7}",
            "row": 9 - i % 7,
            "question": f"which {noun}",
            "answer": noun,
        }
        for i, noun in enumerate(NOUNS)
    ]
    write_jsonl(paths.generated("unconditioned"), generated)
    write_examples(
        paths.negatives("aug"),
        [replace(e, question=f"{e.question} {i}") for e in examples for i in range(3)],
    )
    aug = replace(whole.aug, pretrain=replace(training, epochs=3), finetune=training)
    return replace(whole, encoder_start=start, finetune=training, pretrain=training, aug=aug)


def test_augdpr_sees_one_question_of_a_passage_in_each_epoch(params):
    encoder_start.run(params)
    pretrain_aug.run(params)
    steps = {
        int(line.split(",")[1])
        for line in paths.loss_curve("pretrain-aug").read_text().splitlines()[1:]
        if line.startswith("dev")
    }
    assert steps == {20}  # the span of 20 steps in which the 2, 4 and 6 steps of the epochs end
    finetune_aug.run(params)
    metrics = read_values(paths.training_metrics("pretrain-aug"))
    assert len(metrics["epochs"]) == 3
    assert (paths.retriever("aug") / "question_encoder/model.safetensors").is_file()


def test_a_supervised_system_starts_as_dpr_does_and_has_data_of_its_own(params):
    params = replace(params, supervised={"far": Supervised("far", "main", None)})
    metrics = paths.training_metrics("finetune-supervised-far")
    encoder_start.run(params)
    supervised_finetune.run(params, "far")
    first = metrics.read_text()
    assert len(read_values(metrics)["epochs"]) == params.finetune.epochs
    write_examples(
        paths.negatives("gold-train"), [Example("other", ("x",), (Context("1", "a", "b"),))]
    )
    supervised_finetune.run(params, "far")
    assert metrics.read_text() == first
    longer = replace(params, supervised={"far": Supervised("far", "main", 5)})
    supervised_finetune.run(longer, "far")
    assert len(read_values(metrics)["epochs"]) == 5
    paths.negatives("supervised-far-train").unlink()
    with pytest.raises(InputError, match="supervised-far-train"):
        supervised_finetune.run(params, "far")
    with pytest.raises(InputError, match=r"params\.yaml: supervised has no near"):
        supervised_finetune.run(params, "near")


def test_the_chain_from_start_to_vectors_and_scores(params):
    encoder_start.run(params)
    finetune.run(params, "dpr")
    pretrain.run(params, "uncon")
    finetune.run(params, "uncon")
    encode.run(params, "dpr")
    encode.run(params, "uncon")
    baseline.run(params)
    score.run(params, "unconditioned")

    vectors = np.load(paths.embeddings("dpr"), mmap_mode="r")
    assert vectors.shape == (10, 16)
    assert vectors.dtype == np.float32
    assert not np.allclose(vectors, np.load(paths.embeddings("uncon")))
    folder = paths.retriever("dpr") / "passage_encoder"
    third = Context("", "bridge", "The bridge flows past the old town.")
    np.testing.assert_allclose(
        vectors[2], Encoding(folder, params.encoder).passages([third])[0], atol=1e-5
    )
    scored = [json.loads(line) for line in paths.scored("unconditioned").open()]
    assert [s["id"] for s in scored] == [f"u{i}" for i in range(10)]
    assert all(isinstance(s["score"], float) for s in scored)
    metrics = read_values(paths.training_metrics("finetune-dpr"))
    assert metrics["best_epoch"] in (1, 2)
    assert metrics["dev_average_rank"] == min(
        epoch["average_rank"] for epoch in metrics["epochs"].values()
    )
    curve = paths.loss_curve("pretrain-uncon").read_text().splitlines()
    assert curve[0] == "run,step,loss"
    assert {line.split(",")[0] for line in curve[1:]} == {"train", "dev"}
    assert not list(paths.DATA.rglob("*.part"))


@pytest.mark.parametrize("links", [True, False])
def test_vectors_survive_a_stop_while_they_are_handed_over(params, monkeypatch, links):
    encoder_start.run(params)
    finetune.run(params, "dpr")
    link, stops = os.link, [True]

    def stopped_once(source, target):
        if not links:
            raise OSError("another file system")
        link(source, target)
        if stops:
            stops.pop()
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", stopped_once)
    if links:
        with pytest.raises(KeyboardInterrupt):
            encode.run(params, "dpr")
        assert not paths.embeddings("dpr").exists()
    encode.run(params, "dpr")
    monkeypatch.setattr(os, "link", link)
    whole = paths.embeddings("dpr").read_bytes()
    encode.run(params, "dpr")
    assert paths.embeddings("dpr").read_bytes() == whole
    assert not list(resume.FOLDER.iterdir())


def test_a_stage_that_fails_leaves_nothing(params):
    encoder_start.run(params)
    broken = replace(params, encoder=replace(params.encoder, max_passage_tokens=100_000))
    with pytest.raises(InputError, match="more than the encoder's"):
        finetune.run(broken, "dpr")
    for path in (paths.retriever("dpr"), paths.loss_curve("finetune-dpr")):
        assert not path.exists()
    with pytest.raises(InputError, match="no such folder"):
        encode.run(params, "dpr")
    assert not list(paths.DATA.glob("embeddings/**/*"))
    with pytest.raises(InputError, match="no such folder; make it with 'ecqg baseline'"):
        score.run(params, "unconditioned")
    assert not paths.scored("unconditioned").exists()


@pytest.mark.parametrize("share", ["micro_batch", "batch"])
def test_finetuning_that_was_stopped_ends_the_same(params, share):
    """Three steps an epoch, four epochs; dropout draws from torch's random numbers."""
    encoder_start.run(params)
    training = replace(
        params.finetune, epochs=4, batch_size=4, accumulation=2, share_negatives=share
    )
    params = replace(params, finetune=training, encoder=replace(params.encoder, dropout=0.2))

    def run():
        finetune.run(params, "dpr")

    # Stopped in steps 6 (of the second epoch) and 7, so that starts begin after 0, 4 and 6.
    assert steps_of_each_start(run, [6, 3], every=2) == [12, 6, 3, 6]


def test_pretraining_that_was_stopped_ends_the_same(params):
    encoder_start.run(params)
    longer = replace(params.aug.pretrain, batch_size=4, epochs=3)
    params = replace(params, aug=replace(params.aug, pretrain=longer))
    begun = steps_of_each_start(lambda: pretrain_aug.run(params), [8, 2], every=7)
    assert begun == [9, 8, 2, 2]
    training = replace(params.pretrain, batch_size=2, epochs=1, weight_decay=0.1)
    params = replace(params, pretrain=training)
    begun = steps_of_each_start(lambda: pretrain.run(params, "uncon"), [2, 2], every=3)
    assert begun == [5, 2, 2, 5]  # stopped before there was a checkpoint


def test_a_start_that_was_stopped_ends_the_same(params):
    """Two steps an epoch, with spans drawn one after the other."""
    pretraining = replace(params.encoder_start.pretraining, epochs=5)
    params = replace(params, encoder_start=replace(params.encoder_start, pretraining=pretraining))
    begun = steps_of_each_start(lambda: encoder_start.run(params), [5, 4], every=3)
    assert begun == [10, 5, 4, 4]


def test_training_that_was_killed_ends_the_same(params, monkeypatch):
    """A process of its own, which a signal ends wherever it is."""
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    monkeypatch.setenv("PYTHONPATH", str(Path(ecqg.__file__).parents[1]))
    encoder_start.run(params)
    params = replace(params, finetune=replace(params.finetune, epochs=10, batch_size=4))
    YAML().dump(json.loads(json.dumps(asdict(params))), Path("params.yaml"))
    assert load_params() == params
    outputs = (
        paths.retriever("dpr") / "question_encoder/model.safetensors",
        paths.retriever("dpr") / "passage_encoder/model.safetensors",
        paths.loss_curve("finetune-dpr"),
        paths.training_metrics("finetune-dpr"),
    )
    finetune.run(params, "dpr")
    expected = [path.read_bytes() for path in outputs]
    for path in outputs:
        path.unlink()
    code = (
        "import sys, time\n"
        "from ecqg.__main__ import main\n"
        "from ecqg.training import checkpoint\n"
        "def save(self, state, step, write=checkpoint.Checkpoint._write):\n"
        "    write(self, self._folder / checkpoint.FILE, state, step)\n"
        "    time.sleep(0.2)\n"  # or it might be over before it is killed
        "checkpoint.Checkpoint.save_if_due = save\n"
        "sys.argv[1:] = ['finetune', 'dpr']\n"
        "main()\n"
    )
    latest = time.monotonic() + 120
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        while not (found := list(resume.FOLDER.rglob(FILE))) and process.poll() is None:
            if time.monotonic() > latest:
                break
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    with safe_open(found[0], framework="pt") as stored:
        done = json.loads(stored.metadata()["state"])["step"]
    assert 0 < done < 30
    assert not any(path.exists() for path in outputs)
    finetune.run(params, "dpr")
    assert [path.read_bytes() for path in outputs] == expected


def test_a_start_folder_that_is_missing_is_one_line(params):
    with pytest.raises(InputError, match="data/backbone/encoder: no such file or folder"):
        finetune.run(params, "dpr")
    with pytest.raises(InputError, match="data/models/pretrained/aug: no such file or folder"):
        finetune_aug.run(params)


def test_an_unknown_passage_of_a_question_is_named_with_its_line(params):
    encoder_start.run(params)
    finetune.run(params, "dpr")
    baseline.run(params)
    with paths.generated("unconditioned").open("a") as file:
        file.write(
            '{"id": "x", "passage_id": "p77", "row": 77, "question": "what", "answer": ""}\n'
        )
    with pytest.raises(InputError, match=r"unconditioned.jsonl:11: .*p77"):
        score.run(params, "unconditioned")
    assert not paths.scored("unconditioned").exists()
