"""A small BART that has learned to ask on other worlds, in each way that the study asks.

One model learns all three kinds at once, told apart by what they read and write
(`ecqg.questions.format`); the study fine-tunes a copy for each on its own gold questions. Sources
grow from one sentence to whole passages in random order, as in `ecqg.questions.denoising`: which
sentence answers is learned sooner where there are few, and short sources take less time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from ecqg import seeds
from ecqg.corpus.passages import Passage
from ecqg.params import GeneratorKind, InitGenerator
from ecqg.questions.backbone import MAX_POSITIONS, random_generator
from ecqg.questions.finetune import DevScore, batches_by_length, dev_score
from ecqg.questions.format import find_mentions
from ecqg.questions.generator import Pair, add_gradients
from ecqg.questions.gold import Gold, beside_title, can_train, gold_texts
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.loop import Development, Plan, fit

KINDS: tuple[GeneratorKind, ...] = (
    "conditioned",
    "conditioned",
    "unconditioned",
    "answer_sentence",
)
GROWTH = 0.5  # of all epochs' questions, over which sources grow
TOKENIZER_PASSAGES = 20_000
BLOCK = 8192  # questions that are tokenized and sorted by length together


def pretrain(
    settings: InitGenerator,
    passages: Sequence[Passage],
    train: Sequence[Gold],
    dev: Sequence[Gold],
    *,
    epochs: int,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> tuple[Seq2Seq, DevScore]:
    """A generator of these sizes, trained on the questions, and its score on `dev` at the end.

    Of `settings.pretraining` batch size, learning rate and precision count.
    """
    own = settings.pretraining
    rng = seeds.python_rng(seed, "tokenizer")
    sample = rng.sample(list(passages), min(TOKENIZER_PASSAGES, len(passages)))
    model, tokenizer = random_generator(settings, sample, (g.question for g in train), seed)
    generator = Seq2Seq(
        model.to(pick_device()), tokenizer, MAX_POSITIONS, MAX_POSITIONS, own.precision
    )
    model.set_attn_implementation("eager")  # the faster one to train on a CPU

    def encode(gold: Sequence[Gold], rng: Random) -> list[Pair]:
        return generator.encode(*zip(*texts(gold, rng), strict=True))

    held_out = encode(dev, seeds.python_rng(seed, "dev"))

    def batches(epoch: int) -> Iterator[list[Pair]]:
        rng = seeds.python_rng(seed, "questions", epoch)
        order = rng.sample(train, len(train))
        for begin in range(0, len(order), BLOCK):
            block = order[begin : begin + BLOCK]
            share = (epoch - 1 + begin / len(order)) / epochs / GROWTH
            yield from batches_by_length(
                encode([shortened(g, min(1.0, share), rng) for g in block], rng),
                own.batch_size,
                rng,
            )

    whole, rest = divmod(len(train), BLOCK)
    steps = whole * -(-BLOCK // own.batch_size) + -(-rest // own.batch_size)
    plan = Plan("generator", epochs, steps, own.lr, "lr", "batch_size", warmup_fraction=0.02)
    history = fit(
        model,
        batches,
        lambda _, batch: add_gradients(generator, batch),
        plan,
        checkpoint=checkpoint,
        development=Development(DevScore, lambda: dev_score(generator, held_out)),
    )
    return generator, history.dev[-1]


def texts(gold: Sequence[Gold], rng: Random) -> list[tuple[str, str]]:
    """(source, target) of each question, in a way of asking that can ask it."""
    pairs = []
    for item in gold:
        kind = rng.choice(KINDS)
        kind = kind if can_train(item, kind) else "unconditioned"
        pairs += gold_texts([item], kind, marked=True, shuffled=True, rng=rng)
    return pairs


def shortened(item: Gold, share: float, rng: Random) -> Gold:
    """The question on the sentence that answers it and this share of the others, in their order.

    Sentences that name the question's entities stay, so that a mark has its place.
    """
    passage = item.passage
    spans = passage.sentences()
    place = passage.text.find(item.answer)
    needed = {passage.sentence_at(place)} if place >= 0 else set(range(len(spans)))
    for entity in beside_title(item):
        needed |= {passage.sentence_at(at) for at, _ in find_mentions(passage.text, entity)[:1]}
    others = [i for i in range(len(spans)) if i not in needed]
    needed |= set(rng.sample(others, round(share * len(others))))
    text, starts = "", []
    for i in sorted(needed):
        starts.append(len(text))
        text += passage.text[slice(*spans[i])].strip() + " "
    text = text.rstrip()
    return replace(item, passage=replace(passage, text=text, sentence_starts=tuple(starts)))
