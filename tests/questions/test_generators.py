from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from ecqg.errors import InputError
from ecqg.params import Generate
from ecqg.questions import generator as generators
from ecqg.questions.finetune import _Tokens, batches_by_length, dev_score
from ecqg.questions.generator import Pair, add_gradients
from ecqg.questions.model import load_generator
from ecqg.training.loop import Plan, fit
from ecqg.training.weights import save_model
from tiny_models import tiny, tiny_bart

pytestmark = pytest.mark.slow

KINDS = ["seq2seq", "causal"]
GREEDY = Generate(top_p=1.0, top_k=1, temperature=1.0, attempts=1)
FREE = Generate(top_p=0.95, top_k=10, temperature=1.0, attempts=1)
SOURCES = [
    "Clara Moss | Clara Moss was a poet from Wick.",
    "Wick | Wick lies in Valdoria. Its wool made Wick rich.",
    "Norden Castle | It is built of granite and belonged to Anna Verge from 1852.",
    "Anna Verge | Norden Castle | It belonged to * Anna Verge *.",
    "Moss Works | It makes salt.",
    "Songs of Salt | Songs of Salt is a novel by Clara Moss.",
    "Battle of Wick | The Battle of Wick was fought in 1702.",
    "Valdoria | Valdoria is a country.",
]
TARGETS = [
    "wick | where was clara moss from",
    "wool | what made wick rich",
    "granite | what is norden castle made of",
    "norden castle | what did anna verge own",
    "salt | what does moss works make",
    "clara moss | who wrote songs of salt",
    "1702 | when was the battle of wick",
    "a country | what is valdoria",
]


def uniforms(rows: int, columns: int = 24) -> torch.Tensor:
    return torch.rand(rows, columns, generator=torch.Generator().manual_seed(3))


def learn(generator: Any, pairs: list[Pair], steps: int) -> None:
    plan = Plan("test", 1, steps, 5e-3, "the learning rate", "nothing")
    fit(
        generator.model,
        lambda epoch: [pairs] * steps,
        lambda step, batch: add_gradients(generator, batch),
        plan,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_eight_examples_are_learned_by_heart(kind: str) -> None:
    generator = tiny(kind, target=40)
    pairs = generator.encode(SOURCES, TARGETS)
    before = dev_score(generator, pairs).loss
    learn(generator, pairs, 120)
    assert before > 4
    assert dev_score(generator, pairs).loss < 0.05
    texts = generator.sample([p.source for p in pairs], torch.full((8, 40), 0.5), GREEDY)
    assert [text.strip() if text else text for text in texts] == TARGETS


@pytest.mark.parametrize("kind", KINDS)
def test_loss_equals_that_of_transformers_one_by_one(kind: str) -> None:
    """Padding, shifting, cutting of logits and sharing of sources change nothing."""
    generator = tiny(kind)
    asked_twice = [SOURCES[0], *SOURCES[:-2], SOURCES[2]]
    pairs = generator.encode(asked_twice, TARGETS)
    total, tokens = generator.loss(pairs)
    expected = 0.0
    for source, target in pairs:
        if kind == "seq2seq":
            ids, labels = torch.tensor([source]), torch.tensor([target])
            loss = generator.model(input_ids=ids, labels=labels).loss
        else:
            ids = torch.tensor([source + target])
            labels = torch.tensor([[-100] * len(source) + target])
            loss = generator.model(input_ids=ids, labels=labels).loss
        expected += loss.item() * len(target)
    assert tokens == sum(len(target) for _, target in pairs)
    assert total.item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_of_a_batch_is_that_of_all_pairs_together(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generators, "ON_CPU", 3)  # of eight pairs
    generator = tiny(kind)
    pairs = generator.encode(SOURCES, TARGETS)
    summed, tokens = add_gradients(generator, pairs)
    ours = {name: p.grad.clone() for name, p in generator.model.named_parameters()}
    generator.model.zero_grad()
    loss, expected_tokens = generator.loss(pairs)
    (loss / expected_tokens).backward()
    assert tokens == expected_tokens
    torch.testing.assert_close(summed, loss.detach())
    theirs = {name: p.grad for name, p in generator.model.named_parameters()}
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_top_1_equals_greedy_generate(kind: str) -> None:
    generator = tiny(kind, target=12)
    pairs = generator.encode(SOURCES, TARGETS)
    ours = generator.sample([p.source for p in pairs], uniforms(8, 12), GREEDY)
    for (source, _), text in zip(pairs, ours, strict=True):
        ids = torch.tensor([source])
        out = generator.model.generate(
            ids, do_sample=False, max_new_tokens=12, forced_eos_token_id=None
        )[0]
        new = out[1:] if kind == "seq2seq" else out[len(source) :]
        ended = 2 in new.tolist()
        decoded = generator.tokenizer.decode(new, skip_special_tokens=True)
        assert text == (decoded if ended else None)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_do_not_depend_on_their_batch(kind: str) -> None:
    generator = tiny(kind)
    train = generator.encode(SOURCES, TARGETS)
    learn(generator, train, 40)
    sources = [p.source for p in train]
    uniform = uniforms(16)
    together = generator.sample(sources, uniform, FREE)
    assert together == generator.sample(sources, uniform, FREE)
    alone = [
        text
        for i, source in enumerate(sources)
        for text in generator.sample([source], uniform[2 * i : 2 * i + 2], FREE)
    ]
    assert together == alone
    assert together[::2] != together[1::2]  # two samples of a source differ
    other = generator.sample(sources, 1 - uniform, FREE)
    assert other != together


@pytest.mark.parametrize("kind", KINDS)
def test_samples_of_a_source_share_what_they_begin_with(kind: str) -> None:
    """As if each sample were a source of its own, read by itself."""
    generator = tiny(kind)
    train = generator.encode(SOURCES, TARGETS)
    learn(generator, train, 40)
    sources, uniform = [p.source for p in train], uniforms(24)
    apart = generator.sample([s for s in sources for _ in range(3)], uniform, FREE)
    assert generator.sample(sources, uniform, FREE) == apart
    assert apart[::3] != apart[1::3]  # samples of a source differ


def test_lengths_are_cut() -> None:
    long = ["salt " * 100]
    [pair] = tiny("seq2seq", source=20, target=10).encode(long, long)
    assert [len(pair.source), len(pair.target)] == [20, 10]
    causal = tiny("causal", source=20, target=10)
    [pair] = causal.encode(long, long)
    assert [len(pair.source), len(pair.target)] == [20, 10]
    line_break = causal.encode([""], [""])[0].source
    assert pair.source[-len(line_break) :] == line_break  # the prompt ends as in training


@pytest.mark.parametrize("kind", KINDS)
def test_texts_that_return_are_not_tokenized_again(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = tiny(kind)
    encode, tokenized = generator.encode, []

    def noted(sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        tokenized.extend(text for text in [*sources, *targets] if text)
        return encode(sources, targets)

    monkeypatch.setattr(generator, "encode", noted)
    epochs = [
        [(SOURCES[0], TARGETS[0]), (SOURCES[0], TARGETS[1]), (SOURCES[1], TARGETS[2])],
        [(SOURCES[2], TARGETS[0]), (SOURCES[2], TARGETS[1]), (SOURCES[1], TARGETS[2])],
        [(SOURCES[0], TARGETS[0]), (SOURCES[1], TARGETS[0])],
    ]
    tokens = _Tokens(generator)
    for texts in epochs:
        assert tokens.of(texts) == encode(*zip(*texts, strict=True))
    assert tokenized == [*SOURCES[:2], *TARGETS[:3], SOURCES[2], SOURCES[0]]
    assert tokens.of([]) == []


def test_batches_hold_every_pair_once_and_are_even() -> None:
    from random import Random

    pairs = [Pair([i] * (i % 17 + 1), [i]) for i in range(70)]
    batches = batches_by_length(pairs, 8, Random(1))
    assert sorted(p.target[0] for batch in batches for p in batch) == list(range(70))
    spread = [max(map(len, s)) - min(map(len, s)) for s in ([p.source for p in b] for b in batches)]
    assert max(spread) <= 3
    assert batches_by_length(pairs, 8, Random(1)) == batches
    assert batches_by_length(pairs, 8, Random(2)) != batches


def test_pairs_of_one_source_come_together() -> None:
    from random import Random

    pairs = [Pair([i % 24] * (i % 4 + 1), [i]) for i in range(96)]  # 24 sources, of 4 pairs each
    batches = batches_by_length(pairs, 8, Random(1))
    assert sorted(p.target[0] for batch in batches for p in batch) == list(range(96))
    assert all(len({tuple(p.source) for p in batch}) == 2 for batch in batches)


def test_a_source_is_encoded_once_for_all_its_targets() -> None:
    generator = tiny("seq2seq")
    encoder = generator.model.get_encoder()
    rows = []
    encoder.register_forward_hook(lambda module, args, out: rows.append(len(out[0])))
    generator.loss(generator.encode([SOURCES[0], SOURCES[1], SOURCES[0]], TARGETS[:3]))
    assert rows == [2]


@pytest.mark.parametrize("kind", KINDS)
def test_folders_load_with_transformers_alone(kind: str, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    generator = tiny(kind)
    for name in ("a", "b"):
        save_model(tmp_path / name, generator.model, generator.tokenizer)
    files = {p.name: p.read_bytes() for p in (tmp_path / "a").iterdir()}
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "b").iterdir()}
    assert not {n for n in files if n.endswith((".bin", ".pt", ".pkl"))}
    auto = AutoModelForSeq2SeqLM if kind == "seq2seq" else AutoModelForCausalLM
    theirs: Any = auto.from_pretrained(tmp_path / "a")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "a")
    assert tokenizer("clara moss").input_ids == generator.tokenizer("clara moss").input_ids
    ours = load_generator(tmp_path / "a", 48, 24, "fp32")
    assert type(ours) is type(generator)
    weights = dict(theirs.named_parameters())
    assert all(torch.equal(p, weights[n]) for n, p in ours.model.named_parameters())


def test_folders_that_are_none_are_refused(tmp_path: Path) -> None:
    def load(folder: Path, source: int = 48) -> None:
        load_generator(folder, source, 24, "fp32")

    with pytest.raises(InputError, match=r"absent: no config\.json; give a Hugging Face folder"):
        load(tmp_path / "absent")
    generator = tiny("seq2seq")
    save_model(tmp_path / "model", generator.model, generator.tokenizer)
    with pytest.raises(InputError, match="has 96 positions, 200 are asked for; lower generator"):
        load(tmp_path / "model", source=200)
    weights = tmp_path / "model" / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    with pytest.raises(InputError, match="cannot be loaded as a generator"):
        load(tmp_path / "model")
    smaller = tiny_bart(encoder_layers=0).state_dict()
    del smaller["lm_head.weight"], smaller["model.encoder.embed_tokens.weight"]
    del smaller["model.decoder.embed_tokens.weight"]
    from safetensors.torch import save_file

    save_file(smaller, weights, {"format": "pt"})
    with pytest.raises(InputError, match=r"model\.safetensors: lacks weight"):
        load(tmp_path / "model")
