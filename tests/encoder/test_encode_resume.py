"""Encoding that is stopped goes on where it was, to the bytes of one that was not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ecqg
from ecqg import paths, resume
from ecqg.corpus.passages import Passage, write_passages
from ecqg.encoder import encode, token_file, vector_file
from ecqg.encoder.encode import Encoding
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.vector_file import VectorFile
from ecqg.params import load_params
from ecqg.profiles import FOLDER
from ecqg.stages import encode as stage
from tiny_models import dual_encoder

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"
COUNT = 60


def some_passages():
    rng = np.random.default_rng(0)
    words = WORDS.split()
    texts = [" ".join(rng.choice(words, 1 + i % 20)) for i in range(COUNT)]
    return [
        Passage(i, f"p{i}", words[i % 5] if i % 3 else "", t, (0,)) for i, t in enumerate(texts)
    ]


@pytest.fixture
def tokenized(tokenizer, encoder_settings, tmp_path):
    """A function that gives passages' token ids, as the encoder has them."""
    limit = encoder_settings.max_passage_tokens
    return lambda passages: tokenize_on_disk(tmp_path / "tokens", tokenizer, passages, limit)


@pytest.fixture
def folder(tmp_path, tiny_bert, tokenizer):
    """An encoder, small windows and batches, and vectors that are sent to disk at once."""
    dual_encoder(tiny_bert(2, 1), tiny_bert(2, 2), tokenizer).save(tmp_path / "dual")
    return tmp_path / "dual" / "passage_encoder"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(encode, "WINDOW", 25)
    monkeypatch.setitem(encode.TOKENS_PER_BATCH, "cpu", 60)
    monkeypatch.setattr(token_file, "TOKENIZE_AT_ONCE", 16)
    monkeypatch.setattr(vector_file, "SECONDS", 0.0)


@pytest.fixture
def computed(monkeypatch):
    """Counts batches; `computed["until"]` is the one at which the computer is switched off."""
    counts = {"batches": 0, "until": None}
    forward = TextEncoder.forward

    def counting(self, batch):
        if counts["batches"] == counts["until"]:
            raise KeyboardInterrupt
        counts["batches"] += 1
        return forward(self, batch)

    monkeypatch.setattr(TextEncoder, "forward", counting)
    return counts


def test_on_disk_and_in_memory_are_the_same_bytes(folder, tokenized, encoder_settings, tmp_path):
    passages = some_passages()
    encoding = Encoding(folder, encoder_settings)
    tokens = tokenized(passages)
    path = encoding.on_disk(tokens, tmp_path / "scratch")
    got = np.load(path)
    assert got.dtype == np.float32
    assert np.array_equal(got, encoding.passages(passages))
    half = np.load(encoding.on_disk(tokens, tmp_path / "half", "fp16"))
    assert half.dtype == np.float16
    assert np.array_equal(half, got.astype(np.float16))


@pytest.mark.parametrize("every", [1, 3, 7])
def test_no_batch_is_computed_twice(folder, tokenized, encoder_settings, tmp_path, computed, every):
    tokens, encoding = tokenized(some_passages()), Encoding(folder, encoder_settings)
    whole = encoding.on_disk(tokens, tmp_path / "whole").read_bytes()
    batches = computed["batches"]
    assert batches > 10
    computed["batches"], computed["until"] = 0, every
    starts = 1
    while True:
        try:
            path = encoding.on_disk(tokens, tmp_path / "scratch")
            break
        except KeyboardInterrupt:
            computed["until"] += every
            starts += 1
    assert starts == 1 + (batches - 1) // every
    assert computed["batches"] == batches
    assert path.read_bytes() == whole


def test_what_never_reached_the_disk_is_computed_again(
    folder, tokenized, encoder_settings, tmp_path, computed, monkeypatch
):
    tokens, encoding = tokenized(some_passages()), Encoding(folder, encoder_settings)
    whole = encoding.on_disk(tokens, tmp_path / "whole").read_bytes()
    batches, computed["batches"] = computed["batches"], 0
    monkeypatch.setattr(vector_file, "SECONDS", np.inf)
    computed["until"] = 5
    with pytest.raises(KeyboardInterrupt):
        encoding.on_disk(tokens, tmp_path / "scratch")
    assert not np.load(tmp_path / "scratch" / "done.npy").any()
    np.lib.format.open_memmap(tmp_path / "scratch" / "vectors.npy", "r+")[:] = np.nan
    computed["until"] = None
    assert encoding.on_disk(tokens, tmp_path / "scratch").read_bytes() == whole
    assert computed["batches"] == 5 + batches


def test_a_row_is_done_only_after_its_vector_is_on_disk(tmp_path, monkeypatch):
    file = VectorFile(tmp_path, 4, 2, "fp32")
    file.write(np.array([3, 1]), np.ones((2, 2), np.float32))
    assert not file.lacks(np.array([1, 3]))
    assert file.lacks(np.array([0, 1]))
    flush = np.memmap.flush

    def full_disk(self):
        if self.ndim == 2:
            raise OSError("no space left")
        flush(self)

    monkeypatch.setattr(np.memmap, "flush", full_disk)
    with pytest.raises(OSError, match="no space"):
        file.write(np.array([0]), np.ones((1, 2), np.float32))
    assert np.flatnonzero(np.load(tmp_path / "done.npy")).tolist() == [1, 3]


def test_a_row_that_was_damaged_on_disk_is_not_done(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_file, "CHECKED", 2)
    file = VectorFile(tmp_path, 6, 2, "fp32")
    file.write(np.arange(5), np.ones((5, 2), np.float32))
    file.save()
    whole = (tmp_path / "vectors.npy").read_bytes()
    (tmp_path / "vectors.npy").write_bytes(whole[:-20] + b"x" + whole[-19:])  # of row 3
    again = VectorFile(tmp_path, 6, 2, "fp32")
    assert [bool(again.lacks(np.array([row]))) for row in range(6)] == [0, 0, 0, 1, 0, 1]
    again.write(np.array([3]), np.ones((1, 2), np.float32))
    again.save()
    assert (tmp_path / "vectors.npy").read_bytes() == whole


def prepare(folder):
    """What the stage needs, in the current folder."""
    write_passages(paths.collection() / "passages.arrow", some_passages())
    target = paths.retriever("dpr") / "passage_encoder"
    target.parent.mkdir(parents=True)
    folder.rename(target)
    return settings()


def settings():
    params = load_params(FOLDER / "microcosm.yaml")
    return replace(params, encoder=replace(params.encoder, max_passage_tokens=24))


KILLED = """
import os, signal
from dataclasses import replace
from ecqg.encoder import encode, token_file, vector_file
from ecqg.params import load_params
from ecqg.profiles import FOLDER
from ecqg.stages import encode as stage

encode.WINDOW, token_file.TOKENIZE_AT_ONCE, vector_file.SECONDS = 25, 16, 0.0
encode.TOKENS_PER_BATCH["cpu"] = 60
write, written = vector_file.VectorFile.write, []

def dying(file, rows, vectors):
    write(file, rows, vectors)
    written.append(rows)
    if len(written) == 6:
        os.kill(os.getpid(), signal.SIGKILL)

vector_file.VectorFile.write = dying
params = load_params(FOLDER / "microcosm.yaml")
stage.run(replace(params, encoder=replace(params.encoder, max_passage_tokens=24)), "dpr")
"""


@pytest.mark.slow
def test_a_stage_that_is_killed_goes_on(folder, tmp_path, monkeypatch, computed):
    monkeypatch.chdir(tmp_path)
    params = prepare(folder)
    stage.run(params, "dpr")
    whole = paths.embeddings("dpr").read_bytes()
    batches, computed["batches"] = computed["batches"], 0
    paths.embeddings("dpr").unlink()

    source = str(Path(ecqg.__file__).parents[1])
    killed = subprocess.run(
        [sys.executable, "-c", KILLED],
        env={**os.environ, "PYTHONPATH": source},
        check=False,
        capture_output=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not list(paths.DATA.glob("embeddings/**/*.npy"))
    (scratch,) = (resume.FOLDER / "encode-dpr@main").iterdir()
    assert 0 < np.count_nonzero(np.load(scratch / "done.npy")) < COUNT

    stage.run(params, "dpr")
    assert computed["batches"] == batches - 6
    assert paths.embeddings("dpr").read_bytes() == whole
    assert not (resume.FOLDER / "encode-dpr@main").exists()


@pytest.mark.slow
def test_other_settings_do_not_go_on_with_it(folder, tmp_path, monkeypatch, computed):
    monkeypatch.chdir(tmp_path)
    params = prepare(folder)
    computed["until"] = 6
    with pytest.raises(KeyboardInterrupt):
        stage.run(params, "dpr")
    computed["until"] = None
    shorter = replace(params.encoder, max_passage_tokens=9)
    stage.run(replace(params, encoder=shorter), "dpr")
    want = Encoding(paths.retriever("dpr") / "passage_encoder", shorter).passages(some_passages())
    assert np.array_equal(np.load(paths.embeddings("dpr")), want)
