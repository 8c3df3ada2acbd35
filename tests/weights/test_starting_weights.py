"""The starting weights' own pipeline, at a size that takes seconds."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from ecqg.corpus.passages import Passage
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import tokenize_questions
from ecqg.errors import InputError
from ecqg.params import EncoderPretraining, GeneratorPretraining, InitEncoder, InitGenerator
from ecqg.questions.gold import Gold
from ecqg.questions.model import load_parts
from ecqg.resume import FOLDER
from ecqg.training.weights import DIGESTS, find_folder
from ecqg.weights import __main__ as command
from ecqg.weights import encoder, generator
from ecqg.weights.worlds import read_worlds, write_world

FAMILIES = ["person", "company", "settlement", "novel", "battle"]
TEXT = "Clara Moss was a poet. She met Anna Verge in 1852. Her books sold well."
PASSAGE = Passage(0, "1", "Clara Moss", TEXT, (0, 23, 51))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("worlds") / "world.jsonl"
    write_world(path, 7, 600, 200, FAMILIES)
    return path


def test_a_world_is_read_as_it_was_written(world: Path) -> None:
    passages, gold = read_worlds([world, world])
    assert len(passages) == 1200
    assert [p.row for p in passages] == list(range(1200))
    assert len(gold) == 400
    for item in gold:
        assert item.answer in item.passage.text
        assert all(name in item.passage.text for name in item.entities)
        assert all(name.lower() in item.question for name in item.entities)
    assert sum(bool(item.entities) for item in gold) > 300


def test_the_sentence_that_answers_and_those_of_the_entities_stay() -> None:
    item = Gold(PASSAGE, "who met anna verge", "1852", ("Clara Moss", "Anna Verge"))
    least = generator.shortened(item, 0.0, Random(1))
    assert least.passage.text == "She met Anna Verge in 1852."
    assert least.passage.sentence_starts == (0,)
    whole = generator.shortened(item, 1.0, Random(1))
    assert whole.passage.text == TEXT
    assert [TEXT[slice(*span)] for span in whole.passage.sentences()] == [
        TEXT[slice(*span)] for span in PASSAGE.sentences()
    ]


@pytest.mark.slow
def test_a_generator_learns(world: Path) -> None:
    passages, gold = read_worlds([world])
    own = GeneratorPretraining(steps=1, batch_size=16, lr=4e-3, precision="fp32")
    settings = InitGenerator("random", "", 1, 32, 4, 64, 600, 0.07, own)
    _, first = generator.pretrain(settings, passages, gold[:180], gold[180:], epochs=1, seed=1)
    learned, last = generator.pretrain(settings, passages, gold[:180], gold[180:], epochs=2, seed=1)
    assert last.loss < first.loss
    assert learned.model.config.encoder_layers == 1
    assert len(learned.tokenizer) <= 600


@pytest.mark.slow
def test_an_encoder_is_trained(world: Path) -> None:
    passages, gold = read_worlds([world])
    own = EncoderPretraining(epochs=1, batch_size=32, lr=1e-3)
    settings = InitEncoder("random", "", 2, 32, 4, 64, 600, 0.06, own)
    questions = [item.question for item in gold]
    model, tokenizer = encoder.pretrain(settings, passages, questions, precision="fp32", seed=1)
    assert model.config.num_hidden_layers == 2
    fresh, _ = encoder.random_encoder(settings, passages, questions, 1)
    words = "embeddings.word_embeddings.weight"
    assert not torch.equal(model.state_dict()[words], fresh.state_dict()[words])
    assert len(tokenizer) <= 600


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["encoder", "generator"])
def test_the_command_writes_a_folder_and_no_scratch_is_left(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "DEV", 20)
    sizes = "--layers 1 --hidden 32 --heads 4 --feed-forward 64 --vocabulary 600"
    steps = "--seed 1 --epochs 1 --batch-size 64 --lr 1e-3"
    arguments = ["train", kind, "out", str(world), *sizes.split(), *steps.split()]
    result = CliRunner().invoke(command.app, arguments)
    assert result.exit_code == 0, result.output
    assert not list((tmp_path / FOLDER).glob("*"))
    load = load_encoder if kind == "encoder" else load_parts
    model, _ = load(find_folder("folder", "out", "section"))
    assert model.dtype == torch.float32
    assert "600 passages and 200 questions" in (tmp_path / "out/README.md").read_text()
    listed = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd="out")
    assert listed.returncode == 0
    with (tmp_path / "out/model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\x7f")
    with pytest.raises(InputError, match=r"model\.safetensors: sha256 is [0-9a-f]{64}, in SHA256"):
        find_folder("folder", "out", "section")
    (tmp_path / "out/model.safetensors").unlink()
    with pytest.raises(InputError, match=r"SHA256SUMS.*no file 'model\.safetensors'"):
        find_folder("folder", "out", "section")


def test_masked_pieces_are_the_wanted_ones(world: Path) -> None:
    passages, gold = read_worlds([world])
    settings = InitEncoder(
        "random", "", 1, 32, 4, 64, 600, 0.06, EncoderPretraining(epochs=1, batch_size=8, lr=1e-3)
    )
    _, tokenizer = encoder.random_encoder(settings, passages[:200], [g.question for g in gold], 1)
    tokens = tokenize_questions(tokenizer, [g.question for g in gold], 40)
    batch = tokens.batch(np.arange(len(gold)))
    read, wanted = encoder.mask_pieces(batch, tokenizer, np.random.default_rng(1))
    same = read.ids == batch.ids
    assert bool(same[~wanted].all())
    special = np.isin(batch.ids.numpy(), tokenizer.all_special_ids)
    assert not wanted.numpy()[special].any()
    assert 0.12 < wanted.float().mean() / (~special).mean() < 0.18
    masked = (read.ids == tokenizer.mask_token_id)[wanted].float().mean()
    assert 0.75 < masked < 0.85


def test_the_shipped_weights_are_those_that_were_made() -> None:
    """Their digests, and that all of them are small."""
    folder = Path(__file__).parents[2] / "weights"
    for kind in ("encoder", "generator"):
        listed = (find_folder("folder", str(folder / kind), "section") / DIGESTS).read_text()
        assert listed == (folder / "training" / f"{kind}.sha256").read_text()
        assert {line.split("  ")[1] for line in listed.splitlines()} == {
            path.name for path in (folder / kind).iterdir() if path.name != DIGESTS
        }
    files = [path for kind in ("encoder", "generator") for path in (folder / kind).iterdir()]
    assert sum(path.stat().st_size for path in files) < 25e6
    assert load_encoder(folder / "encoder")[0].config.num_hidden_layers == 2
    assert load_parts(folder / "generator")[0].config.encoder_layers == 3
