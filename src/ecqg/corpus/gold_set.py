"""A gold set on disk: questions that people asked, each with the passage that answers it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ecqg.corpus.examples import write_examples
from ecqg.corpus.folder import Split, read_split
from ecqg.corpus.gold import GoldPair, answer_sentence, gold_examples, pair_up
from ecqg.corpus.passages import Passages
from ecqg.corpus.position import SentenceShare, question_position
from ecqg.corpus.sampling import sample
from ecqg.errors import InputError
from ecqg.params import GoldSet
from ecqg.resume import digest


def build_gold(
    settings: GoldSet, passages: Passages, seed: int, out: Path, resume_dir: Path | None = None
) -> tuple[dict[str, Any], list[SentenceShare]]:
    """Write train.jsonl and dev.jsonl to `out`; return counts and where train questions point.

    `passages` are those of the set's collection. Raises InputError for malformed files, and where
    no question of a split leads to a passage.
    """
    splits = {name: read_split(settings.folder, name) for name in ("train", "dev")}
    train, train_dropped = gold_pairs(settings, splits["train"], passages, resume_dir)
    if settings.train_answer_sentences is not None:
        train, late = _early(train, passages, settings.train_answer_sentences)
        train_dropped["answer_too_late"] = late
    train = sample(train, settings.max_train_questions, seed, "train")
    dev, dev_dropped = gold_pairs(settings, splits["dev"], passages, resume_dir)
    dev = sample(dev, settings.max_dev_questions, seed, "dev")
    for name, pairs in (("train", train), ("dev", dev)):
        write_examples(out / f"{name}.jsonl", gold_examples(pairs))
    counts = {
        "train": {"questions": len(train), **train_dropped},
        "dev": {"questions": len(dev), **dev_dropped},
    }
    return counts, question_position(train, passages)


def gold_pairs(
    settings: GoldSet, split: Split, passages: Passages, resume_dir: Path | None = None
) -> tuple[list[GoldPair], dict[str, int]]:
    """A split's gold pairs, and how many candidates were dropped; none at all is an InputError.

    Goes on with what the folder `resume_dir`, one for these passages, holds of the same questions.
    """
    if resume_dir is not None:
        resume_dir /= digest([], [candidate.context for candidate in split.candidates])
    pairs, dropped = pair_up(split.candidates, passages, resume_dir)
    if not pairs:
        raise InputError(
            f"none of {len(split.candidates)} gold questions leads to a passage",
            file=settings.folder,
            remedy="contexts must be texts of passages.tsv (docs/data.md)",
        )
    return pairs, dropped


def _early(
    pairs: Sequence[GoldPair], passages: Passages, sentences: int
) -> tuple[list[GoldPair], int]:
    """Pairs whose answer starts in the first `sentences` sentences, and how many do not."""
    early = []
    for pair in pairs:
        sentence = answer_sentence(pair, passages)
        if sentence is not None and sentence < sentences:
            early.append(pair)
    return early, len(pairs) - len(early)
