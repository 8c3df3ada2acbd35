"""Two processes, that talk through gloo, against one that has the whole batch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from ruamel.yaml import YAML
from safetensors.torch import load_file

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.batches import build_training_set
from ecqg.encoder.model import DualEncoder
from ecqg.params import load_params
from ecqg.stages import finetune
from ecqg.tables import read_values
from small_training import TOGETHER, WITHOUT_EFFECT, python, write_training

pytestmark = pytest.mark.slow
# Cases: groups of chunks; the chunks of a group share negatives, the loss is the groups' mean.
CASES = {
    "whole": [[[3, 1, 4, 0, 5, 9, 2, 6, 8, 7]]],
    "odd": [[[8, 2, 5, 1, 0, 7, 9]]],
    "cached": [[[8, 2, 5], [1, 0], [7, 9]]],
    "no share": [[[8, 2, 5], [1]]],  # of the last chunk the second process has nothing
    "only one question": [[[4]]],
    "micro batches": [[[8, 2, 5]], [[1, 0, 7]]],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory, tokenizer):
    """A folder in which one process trained, and one for each of the two that trained together."""
    root = tmp_path_factory.mktemp("processes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ECQG_DEVICE", "cpu")
        patch.chdir(root)
        Path("alone").mkdir()
        patch.chdir("alone")
        # Batches of 6 and 4 questions, cut into 3 + 3 and 3 + 1.
        write_training(tokenizer, batch_size=6, accumulation=2, share_negatives="batch")
        for copy in ("0", "1", "inputs"):
            shutil.copytree(".", root / copy)
        command = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
        done = python(*command, TOGETHER, root, json.dumps(CASES))
        assert done.returncode == 0, done.stderr
        (root / "stderr").write_text(done.stderr)
        finetune.run(load_params(), "dpr")
        yield root


@pytest.mark.parametrize("case", CASES)
def test_loss_and_every_gradient_are_those_of_one_process(run, case, monkeypatch):
    monkeypatch.chdir(run / "alone")
    model = DualEncoder.load(paths.start())
    gold = paths.gold_negatives("train")
    passages = Passages(gold.with_name(PASSAGES))
    examples = list(read_examples(gold, passages))
    total = torch.zeros(())
    for group in CASES[case]:
        rows = [row for chunk in group for row in chunk]
        chosen = [examples[i] for i in rows]
        batch = build_training_set(chosen, passages, model.tokenizer, load_params().encoder, 1)
        asked, told = batch.batch(torch.arange(len(rows)).numpy())
        scores = model.question_encoder(asked) @ model.passage_encoder(told).T / 4
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(len(rows)))
        total = total + loss / len(CASES[case])
    total.backward()
    wanted = {k: p.grad for k, p in model.named_parameters() if p.grad is not None}
    first, second = (load_file(run / rank / f"{case}.safetensors") for rank in ("0", "1"))
    assert first.keys() == second.keys() == wanted.keys() | {"loss"}
    assert all(torch.equal(first[k], second[k]) for k in first)
    torch.testing.assert_close(first, {**wanted, "loss": total.detach()}, atol=2e-6, rtol=1e-4)


def test_the_trained_model_is_that_of_one_process(run):
    def weights(folder):
        path = folder / paths.retriever("dpr")
        found = {p.parent.name: load_file(p) for p in path.rglob("model.safetensors")}
        return {f"{k}.{n}": v for k, part in found.items() for n, v in part.items()}

    start = load_file(run / "alone" / paths.start() / "model.safetensors")
    alone, together = weights(run / "alone"), weights(run / "0")
    assert alone.keys() == together.keys()
    assert len(alone) == 2 * len(start)
    for name, want in alone.items():
        if name.endswith(WITHOUT_EFFECT):
            continue
        torch.testing.assert_close(together[name], want, atol=3e-5, rtol=1e-4, msg=name)
    moved = alone["question_encoder.embeddings.LayerNorm.weight"]
    assert (moved - start["embeddings.LayerNorm.weight"]).abs().max() > 1e-3


def test_the_first_process_writes_what_one_would(run):
    def metrics(folder):
        return read_values(folder / paths.training_metrics("finetune-dpr"))

    def curve(folder):
        lines = (folder / paths.loss_curve("finetune-dpr")).read_text().splitlines()[1:]
        return [float(x) for line in lines for x in line.split(",")[1:]]

    alone, together = metrics(run / "alone"), metrics(run / "0")
    assert together["best_epoch"] == alone["best_epoch"] == 3
    assert together["dev_average_rank"] == alone["dev_average_rank"]
    assert together["dev_loss"] == pytest.approx(alone["dev_loss"], rel=1e-4)
    assert curve(run / "0") == pytest.approx(curve(run / "alone"), rel=1e-4)


def test_the_second_process_writes_and_says_nothing(run):
    for path in (
        paths.retriever("dpr"),
        paths.training_metrics("finetune-dpr"),
        paths.loss_curve("finetune-dpr"),
    ):
        assert (run / "0" / path).exists()
        assert not (run / "1" / path).exists()
    assert (run / "stderr").read_text().count("train, 3 epochs: 100%") == 1


def test_training_that_was_stopped_goes_on_to_the_same_bytes(run, tmp_path):
    tree = YAML(typ="safe").load((run / "inputs/params.yaml").read_text())
    tree["encoder"]["dropout"] = 0.1  # each process draws masks of its own
    for root in ("whole", "stopped"):
        for rank in ("0", "1"):  # as of machines that share no disk
            shutil.copytree(run / "inputs", tmp_path / root / rank)
            YAML().dump(tree, tmp_path / root / rank / "params.yaml")

    def written(root):
        folder = tmp_path / root / "0"
        own = (
            path for path in folder.rglob("*") if path.suffix != ".lock" and path.name != "steps"
        )
        return {path.relative_to(folder): path.read_bytes() for path in own if path.is_file()}

    starts = [
        {"folders": [str(tmp_path / root / rank) for rank in ("0", "1")], "stop": stop}
        for root, stop in (("whole", 0), ("stopped", 5), ("stopped", 0))
    ]
    done = python(TOGETHER, "--fork", json.dumps(starts))
    assert done.returncode == 0, done.stderr
    whole, stopped, again = map(json.loads, done.stdout.splitlines())
    # Steps that each process began, and checkpoints that it has left.
    assert whole == [True, [6, 0], [6, 0]]
    assert not stopped[0] and [kept for _, kept in stopped[1:]] == [1, 0], done.stderr
    assert again == [True, [2, 0], [2, 0]], done.stderr  # four steps were kept
    assert written("stopped") == written("whole")
    name = paths.retriever("dpr") / "question_encoder/model.safetensors"
    assert written("whole")[name] != (run / "0" / name).read_bytes()  # masks were drawn
