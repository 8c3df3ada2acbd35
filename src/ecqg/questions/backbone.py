"""Starting weights of the question generators, and the tokenizer that goes with random ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ecqg import seeds
from ecqg.corpus.passages import Passage
from ecqg.files import atomic
from ecqg.params import GeneratorPretraining, InitGenerator
from ecqg.questions.copying import write_copy_circuit
from ecqg.questions.denoising import pretraining_texts
from ecqg.questions.format import format_source
from ecqg.questions.generator import add_gradients
from ecqg.questions.model import SECTION, load_pretrained
from ecqg.questions.names import Names
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.loop import Plan, fit
from ecqg.training.weights import record_source, save_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase, PreTrainedTokenizerFast

MAX_POSITIONS = 512
SPECIAL_TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")  # BART's, with BART's ids


def train_tokenizer(
    texts: Iterable[str], vocabulary: int, max_tokens: int
) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer, BART's kind, with at most `vocabulary` entries.

    The same texts give the same bytes. It lower-cases, so that a name copied from a passage into a
    lower-case question is the same tokens (BART itself keeps case, with far more data to learn
    from), and it begins every text with a space, so that a word is the same tokens everywhere.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
    from tokenizers.processors import TemplateProcessing
    from tokenizers.trainers import BpeTrainer
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    begin, end = (tokenizer.token_to_id(token) for token in ("<s>", "</s>"))
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", begin), ("</s>", end)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=max_tokens,
        clean_up_tokenization_spaces=False,
    )


def random_generator(
    settings: InitGenerator, passages: Sequence[Passage], questions: Iterable[str], seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A BART with random weights, and a tokenizer learned from passages and questions.

    BART's usual initial scale of 0.02 leaves attention so flat that a model of this size learns
    next to nothing; 0.07 works.
    """
    from transformers import BartConfig, BartForConditionalGeneration

    assert settings.layers is not None  # see ecqg.consistency
    # With the entity named and marked, so that the marks become tokens of their own.
    texts = (format_source(p.title, p.text, p.title) for p in passages)
    tokenizer = train_tokenizer(chain(texts, questions), settings.vocabulary, MAX_POSITIONS)
    config = BartConfig(
        vocab_size=len(tokenizer),
        d_model=settings.hidden,
        encoder_layers=settings.layers,
        decoder_layers=settings.layers,
        encoder_attention_heads=settings.heads,
        decoder_attention_heads=settings.heads,
        encoder_ffn_dim=settings.feed_forward,
        decoder_ffn_dim=settings.feed_forward,
        max_position_embeddings=MAX_POSITIONS,
        init_std=settings.init_std,
        dropout=0.0,
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id,
        forced_eos_token_id=tokenizer.eos_token_id,
    )
    torch.manual_seed(seeds.derive(seed, "weights"))
    model = BartForConditionalGeneration(config)
    write_copy_circuit(model, torch.Generator().manual_seed(seeds.derive(seed, "copy circuit")))
    return model, tokenizer


def make_start(
    output: Path,
    settings: InitGenerator,
    passages: Sequence[Passage],
    questions: Iterable[str],
    *,
    seed: int,
    checkpoint: Checkpoint,
) -> None:
    """Write the Hugging Face folder from which both generators start.

    `random` learns a vocabulary from passages and questions, draws weights and pre-trains them on
    the passages; it resumes from a `checkpoint` of the same pre-training. The other sources take
    weights as they are. Raises InputError where they cannot be had.
    """
    own = settings.pretraining
    if settings.source == "random":
        model, tokenizer = random_generator(settings, passages, questions, seed)
        generator = Seq2Seq(
            model.to(pick_device()), tokenizer, MAX_POSITIONS, MAX_POSITIONS, own.precision
        )
        pretrain(generator, own, passages, seed, checkpoint)
    else:
        model, tokenizer = load_pretrained(settings.source, settings.name)
    with atomic(output) as aside:
        save_model(aside, model, tokenizer)
        record_source(aside, settings.source, settings.name, SECTION)


def pretrain(
    generator: Seq2Seq,
    own: GeneratorPretraining,
    passages: Sequence[Passage],
    seed: int,
    checkpoint: Checkpoint,
) -> None:
    """Denoising in place; see ecqg.questions.denoising."""
    rng, names = seeds.python_rng(seed, "denoising"), Names(p.text for p in passages)
    texts = pretraining_texts(passages, names, own.steps, own.batch_size, rng)

    def gradients(_: int, batch: list[tuple[str, str]]) -> tuple[torch.Tensor, int]:
        return add_gradients(generator, generator.encode(*zip(*batch, strict=True)))

    plan = Plan(
        "denoising",
        1,
        own.steps,
        own.lr,
        "the learning rate of this generator",
        "init_generator.pretraining.batch_size",
    )
    fit(generator.model, lambda _: texts, gradients, plan, checkpoint=checkpoint)
