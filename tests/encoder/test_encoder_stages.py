"""The stages from files to files, on a toy collection."""

from __future__ import annotations

import json
import os
import shutil
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
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, write_passages
from ecqg.encoder.encode import Encoding
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.params import Dense, load_params
from ecqg.stages import encode, finetune, init_encoder, pretrain, score
from ecqg.tables import read_values
from interruption import steps_of_each_start
from small_passages import make_passages, write_gold

pytestmark = pytest.mark.slow

NOUNS = ["river", "town", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship"]


STORE = make_passages(
    *((noun, f"The {noun} flows past the old {NOUNS[i - 1]}.") for i, noun in enumerate(NOUNS))
)
EXAMPLES = [
    Example(str(i), f"what is old {noun}", (noun,), (i,), ((i - 2) % 10,))
    for i, noun in enumerate(NOUNS)
]


@pytest.fixture
def params(tmp_path, monkeypatch):
    """Ten questions; three more of each for `aug`, which sees one of them in each epoch."""
    whole = load_params(str(files("ecqg.profiles") / "microcosm.yaml"))
    monkeypatch.chdir(tmp_path)
    write_passages(paths.collection() / PASSAGES, STORE)
    write_examples(paths.gold("train"), EXAMPLES)
    write_gold(STORE, EXAMPLES)
    write_examples(paths.synthetic_negatives("uncon"), EXAMPLES)
    thrice = [replace(e, question=f"{e.question} {i}") for e in EXAMPLES for i in range(3)]
    write_examples(paths.synthetic_negatives("aug"), thrice)
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
    start = replace(
        whole.init_encoder,
        source="random",
        name="",
        layers=2,
        hidden=16,
        heads=4,
        feed_forward=32,
        pretraining=replace(whole.init_encoder.pretraining, epochs=2, batch_size=8),
    )
    return with_training(
        replace(
            whole,
            init_encoder=start,
            reader=replace(whole.reader, neighbour_heads=()),  # of which the profile names six
            finetune=replace(whole.finetune, epochs=2, batch_size=8),
            pretrain=replace(whole.pretrain, epochs=2, batch_size=8, select_by="average_rank"),
        ),
        "aug",
        epochs=3,
        one_per_passage=True,
    )


def with_training(params, name, **training):
    """The parameters with those settings of a pre-training alone replaced."""
    changed = replace(params.pretrained[name], training=training)
    return replace(params, pretrained={**params.pretrained, name: changed})


def with_dense(params, name, *settings):
    """The parameters with another dual encoder, or one of another start, gold set or training."""
    dense = {**params.systems.dense, name: Dense(*settings)}
    return replace(params, systems=replace(params.systems, dense=dense))


def written(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_augdpr_sees_one_question_of_a_passage_in_each_epoch(params):
    init_encoder.run(params)
    pretrain.run(params, "aug")
    steps = {
        int(line.split(",")[1])
        for line in paths.loss_curve("pretrain-aug").read_text().splitlines()[1:]
        if line.startswith("dev")
    }
    assert steps == {20}  # the span of 20 steps in which the 2, 4 and 6 steps of the epochs end
    finetune.run(params, "aug")
    metrics = read_values(paths.training_metrics("pretrain-aug"))
    assert len(metrics["epochs"]) == 3
    assert (paths.retriever("aug") / "question_encoder/model.safetensors").is_file()


@pytest.mark.parametrize("stage", ["pretrain", "finetune"])
def test_settings_of_one_training_replace_those_of_all(params, stage):
    init_encoder.run(params)
    own = {"epochs": 3, "lr": 1e-2}

    def trained(params):
        if stage == "pretrain":
            pretrain.run(params, "uncon")
            return written(paths.start("uncon"))
        finetune.run(params, "dpr")
        return written(paths.retriever("dpr"))

    plain = trained(params)
    of_all = trained(replace(params, **{stage: replace(getattr(params, stage), **own)}))
    one = with_dense(with_training(params, "uncon", **own), "dpr", "init", "main", own)
    assert trained(one) == of_all != plain
    names = {"pretrain": "pretrain-uncon", "finetune": "finetune-dpr"}
    metrics = read_values(paths.training_metrics(names[stage]))
    assert (metrics["best_epoch"] if stage == "finetune" else len(metrics["epochs"])) == 3


def test_pretraining_can_start_from_another_pretraining(params):
    init_encoder.run(params)
    fresh = with_training(params, "aug", epochs=1)
    aug = replace(fresh.pretrained["aug"], start="uncon")
    later = replace(fresh, pretrained={**fresh.pretrained, "aug": aug})
    with pytest.raises(InputError, match="data/start/uncon: no such file or folder"):
        pretrain.run(later, "aug")
    pretrain.run(params, "uncon")
    found = []
    for params in (fresh, later):
        pretrain.run(params, "aug")
        found.append(written(paths.start("aug")))
    assert found[0].keys() == found[1].keys()
    assert found[0] != found[1]


def test_a_system_of_another_gold_set_has_passages_of_its_own(params):
    """It ends as one whose gold questions have these texts in another collection's order."""
    init_encoder.run(params)
    finetune.run(params, "dpr")
    expected = written(paths.retriever("dpr"))
    moved = [
        replace(e, positives=(9 - e.positives[0],), negatives=(9 - e.negatives[0],))
        for e in EXAMPLES
    ]
    write_gold(make_passages(*((p.title, p.text) for p in STORE[::-1])), moved, "far")
    paths.collection().joinpath(PASSAGES).unlink()  # what mining wrote is enough
    shutil.rmtree(paths.gold_negatives("train").parent)
    far = with_dense(params, "dpr", "init", "far")
    finetune.run(far, "dpr")
    assert written(paths.retriever("dpr")) == expected
    paths.gold_negatives("train", "far").unlink()
    with pytest.raises(InputError, match=r"negatives/gold/far/train\.jsonl"):
        finetune.run(far, "dpr")


def test_a_shared_start_is_left_as_it_is_where_nothing_is_learned(params):
    init_encoder.run(params)
    finetune.run(with_dense(params, "dpr", "init", "main", {"epochs": 0}), "dpr")
    start = written(paths.start())
    halves = {Path(half) / p: content for half in ("question_encoder", "passage_encoder")
              for p, content in start.items()}  # fmt: skip
    assert written(paths.retriever("dpr")) == halves
    assert paths.loss_curve("finetune-dpr").read_text() == "run,step,loss\n"
    assert read_values(paths.training_metrics("finetune-dpr")) == {}


def test_a_public_pair_is_left_as_it_is_where_nothing_is_learned(params):
    init_encoder.run(params)
    finetune.run(params, "dpr")
    shutil.copytree(paths.retriever("dpr"), paths.start("other"))
    paths.start("other").joinpath("passage_encoder/hub.json").write_text("{}")  # its own word
    nothing = replace(params, finetune=replace(params.finetune, epochs=0))
    finetune.run(with_dense(nothing, "other", "other", "main"), "other")
    assert written(paths.retriever("other")) == written(paths.start("other"))
    encode.run(params, "other")
    encode.run(params, "dpr")
    same = [paths.embeddings(system).read_bytes() for system in ("other", "dpr")]
    assert same[0] == same[1]


def test_the_chain_from_start_to_vectors_and_scores(params):
    init_encoder.run(params)
    finetune.run(params, "dpr")
    pretrain.run(params, "uncon")
    finetune.run(params, "uncon")
    encode.run(params, "dpr")
    encode.run(params, "uncon")
    score.run(params, "unconditioned")

    vectors = np.load(paths.embeddings("dpr"), mmap_mode="r")
    assert vectors.shape == (10, 16)
    assert vectors.dtype == np.float32
    assert not np.allclose(vectors, np.load(paths.embeddings("uncon")))
    folder = paths.retriever("dpr") / "passage_encoder"
    np.testing.assert_allclose(
        vectors[2], Encoding(folder, params.encoder).passages([STORE[2]])[0], atol=1e-5
    )
    scored = [json.loads(line) for line in paths.scored("unconditioned").open()]
    assert [s["id"] for s in scored] == [f"u{i}" for i in range(10)]
    assert all(isinstance(s["score"], float) for s in scored)
    assert read_values(paths.training_metrics("finetune-dpr"))["best_epoch"] == 2
    metrics = read_values(paths.training_metrics("pretrain-uncon"))
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
    init_encoder.run(params)
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
    init_encoder.run(params)
    broken = replace(params, encoder=replace(params.encoder, max_passage_tokens=100_000))
    with pytest.raises(InputError, match="more than the encoder's"):
        finetune.run(broken, "dpr")
    for path in (paths.retriever("dpr"), paths.loss_curve("finetune-dpr")):
        assert not path.exists()
    with pytest.raises(InputError, match="no such folder"):
        encode.run(params, "dpr")
    assert not list(paths.DATA.glob("embeddings/**/*"))
    with pytest.raises(InputError, match="retriever/dpr: no such file or folder; run"):
        score.run(params, "unconditioned")
    assert not paths.scored("unconditioned").exists()


@pytest.mark.parametrize("share", ["micro_batch", "batch"])
def test_finetuning_that_was_stopped_ends_the_same(params, share):
    """Three steps an epoch, four epochs; dropout draws from torch's random numbers."""
    init_encoder.run(params)
    training = replace(
        params.finetune, epochs=4, batch_size=4, accumulation=2, share_negatives=share
    )
    params = replace(params, finetune=training, encoder=replace(params.encoder, dropout=0.2))

    def run():
        finetune.run(params, "dpr")

    # Stopped in steps 6 (of the second epoch) and 7, so that starts begin after 0, 4 and 6.
    assert steps_of_each_start(run, [6, 3], every=2) == [12, 6, 3, 6]


def test_pretraining_that_was_stopped_ends_the_same(params):
    init_encoder.run(params)
    params = with_training(params, "aug", batch_size=4, epochs=3, one_per_passage=True)
    begun = steps_of_each_start(lambda: pretrain.run(params, "aug"), [8, 2], every=7)
    assert begun == [9, 8, 2, 2]
    training = replace(params.pretrain, batch_size=2, epochs=1, weight_decay=0.1)
    params = replace(params, pretrain=training)
    begun = steps_of_each_start(lambda: pretrain.run(params, "uncon"), [2, 2], every=3)
    assert begun == [5, 2, 2, 5]  # stopped before there was a checkpoint


def test_a_start_that_was_stopped_ends_the_same(params):
    """Two steps an epoch, with spans drawn one after the other."""
    pretraining = replace(params.init_encoder.pretraining, epochs=5)
    params = replace(params, init_encoder=replace(params.init_encoder, pretraining=pretraining))
    begun = steps_of_each_start(lambda: init_encoder.run(params), [5, 4], every=3)
    assert begun == [10, 5, 4, 4]


def states() -> list[Path]:
    """Written so far, by a process that moves and removes folders meanwhile."""
    # rglob stops with an error where a folder has gone; walk passes it over.
    files = (Path(at) / name for at, _, names in os.walk(resume.FOLDER) for name in names)
    return [file for file in files if file.match("state-*.safetensors")]


def test_training_that_was_killed_ends_the_same(params, monkeypatch):
    """A process of its own, which a signal ends wherever it is."""
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    monkeypatch.setenv("PYTHONPATH", str(Path(ecqg.__file__).parents[1]))
    init_encoder.run(params)
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
        while not (found := states()) and process.poll() is None:
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
    with pytest.raises(InputError, match="data/start/init: no such file or folder"):
        finetune.run(params, "dpr")
    with pytest.raises(InputError, match="data/start/aug: no such file or folder"):
        finetune.run(params, "aug")


def test_an_unknown_passage_of_a_question_is_named_with_its_line(params):
    init_encoder.run(params)
    finetune.run(params, "dpr")
    with paths.generated("unconditioned").open("a") as file:
        file.write(
            '{"id": "x", "passage_id": "p77", "row": 77, "question": "what", "answer": ""}\n'
        )
    with pytest.raises(InputError, match=r"unconditioned.jsonl:11: .*p77"):
        score.run(params, "unconditioned")
    assert not paths.scored("unconditioned").exists()
