from __future__ import annotations

from dataclasses import replace

import pytest

from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.encoder.backbone import MAX_POSITIONS, make_start
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import tokenize_questions
from ecqg.errors import InputError
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.losslog import LossLog
from ecqg.training.weights import save_model

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"
TEXTS = [(w, f"the {w} of the {v}") for w in WORDS.split()[1:] for v in WORDS.split()[1:5]]
PASSAGES = [Passage(i, str(i), title, text, (0,)) for i, (title, text) in enumerate(TEXTS)]
QUESTIONS = ["whose mill", "whose castle"]


def make(folder, settings, seed=1, passages=PASSAGES):
    log = LossLog(every=1)
    make_start(folder, settings, passages, QUESTIONS, seed=seed, checkpoint=Checkpoint(log=log))
    return {p.name: p.read_bytes() for p in folder.iterdir()}, log


def test_random_start_is_the_same_again_and_another_with_another_seed(tmp_path, start_settings):
    first, _ = make(tmp_path / "a", start_settings)
    again, _ = make(tmp_path / "b", start_settings)
    other, _ = make(tmp_path / "c", start_settings, seed=2)
    assert first == again
    assert first["model.safetensors"] != other["model.safetensors"]
    assert first["tokenizer.json"] == other["tokenizer.json"]


def test_a_collection_on_disk_gives_the_same_bytes(tmp_path, start_settings):
    write_passages(tmp_path / "passages.arrow", PASSAGES)
    mapped = Passages(tmp_path / "passages.arrow")
    first, _ = make(tmp_path / "a", start_settings)
    assert make(tmp_path / "b", start_settings, passages=mapped)[0] == first


@pytest.mark.slow
def test_random_start_learns_and_has_the_shape_asked(tmp_path, start_settings):
    pretraining = replace(start_settings.pretraining, epochs=30)
    _, log = make(tmp_path / "a", replace(start_settings, pretraining=pretraining))
    losses = [total for total, _ in log._sums.values()]
    assert sum(losses[-5:]) < 0.8 * sum(losses[:5])
    model, tokenizer = load_encoder(tmp_path / "a")
    assert len(model.encoder.layer) == 1
    assert model.config.hidden_size == 16
    assert model.config.max_position_embeddings == MAX_POSITIONS
    assert model.config.vocab_size == len(tokenizer) <= 150
    pieces = tokenize_questions(tokenizer, ["Whose mill"], 10).ids.tolist()
    assert tokenizer.convert_ids_to_tokens(pieces) == ["[CLS]", "whose", "mill", "[SEP]"]


def test_folder_keeps_the_lowest_layers(tmp_path, tiny_bert, tokenizer, start_settings):
    model = tiny_bert(3)
    save_model(tmp_path / "whole", model, tokenizer)
    settings = replace(start_settings, source="folder", name=str(tmp_path / "whole"), layers=2)
    make(tmp_path / "start", settings)
    kept, _ = load_encoder(tmp_path / "start")
    state = model.state_dict()
    assert len(kept.encoder.layer) == kept.config.num_hidden_layers == 2
    assert all((state[name] == value).all() for name, value in kept.state_dict().items())
    make(tmp_path / "all", replace(settings, layers=None))
    assert len(load_encoder(tmp_path / "all")[0].encoder.layer) == 3
    with pytest.raises(InputError, match="layers is 4, the weights have 3"):
        make(tmp_path / "more", replace(settings, layers=4))
    assert not (tmp_path / "more").exists()


def test_weights_that_cannot_be_had_are_one_line(start_settings, tmp_path):
    with pytest.raises(InputError, match=r"init_encoder\.name: no package 'bert' of weights"):
        make(tmp_path / "a", replace(start_settings, source="package", name="bert"))
    with pytest.raises(InputError, match="no such folder"):
        make(tmp_path / "a", replace(start_settings, source="folder", name="nowhere"))
