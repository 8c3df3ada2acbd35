"""The retrievers that are probed: where their files are, and how they make vectors of texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecqg.encoder.architectures import max_tokens
from ecqg.encoder.encode import encode_rows
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.encoder.modules import MODULES, read_if_there, routes, settings_of
from ecqg.encoder.text_encoder import TextEncoder, load_text_encoder
from ecqg.encoder.tokens import tokenize_questions
from ecqg.errors import InputError
from ecqg.training.device import pick_device
from ecqg.training.weights import PACKAGES, check_digests, find_folder

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ENCODERS = [name for name, package in PACKAGES.items() if package.file.endswith(".safetensors")]
HUB = re.compile(r"[\w.-]+/[\w.-]+(@.*)?")
MODEL = f"a folder, a package ({', '.join(ENCODERS)}), QUESTION,PASSAGE, or a hub's NAME@COMMIT"
UNLIMITED = 100_000  # tokens, or more, that a tokenizer says where it knows of no limit


class Halves(NamedTuple):
    """The folders of a dual encoder, and what it is called."""

    name: str
    question: Path
    passage: Path


def find_model(argument: str) -> Halves:
    """The folders that an argument of the command line names; the files are not read yet.

    A folder of ours has question_encoder and passage_encoder, one of sentence-transformers may have
    a Router; two that are joined by a comma are
    question encoder and passage encoder; any other serves both. Raises InputError where there is
    no such folder, package or hub model.
    """
    if "," in argument and not Path(argument).is_dir():
        question, _, passage = argument.partition(",")
        halves = _find(question), _find(passage)
        return Halves(_name(passage, halves[1]), *halves)
    folder = _find(argument)
    if (folder / QUESTION).is_dir() and (folder / PASSAGE).is_dir():
        return Halves(_name(argument, folder), folder / QUESTION, folder / PASSAGE)
    if of_router := routes(folder):
        return Halves(_name(argument, folder), *of_router)
    return Halves(_name(argument, folder), folder, folder)


def _name(argument: str, folder: Path) -> str:
    """How tables call it: a folder by its last part, or by the one above where that says no more.

    A hub model has a name of its own, without commit.
    """
    if not Path(argument).is_dir():
        return argument.partition("@")[0].split("/")[-1]
    folder = folder.resolve()
    return folder.parent.name if folder.name in (QUESTION, PASSAGE) else folder.name


def _find(name: str) -> Path:
    if Path(name).is_dir():
        return check_digests(Path(name))
    if name in PACKAGES:
        return find_folder("package", name, "MODEL")
    if not HUB.fullmatch(name) or Path(name).exists():
        raise InputError("no such folder", file=name, remedy=f"give {MODEL}")
    if not re.fullmatch("[0-9a-f]{40}", name.partition("@")[2]):
        raise InputError(
            "no such folder, and no hub model without its commit", file=name, remedy=f"give {MODEL}"
        )
    try:
        return find_folder("hub", name, "MODEL")
    except InputError:
        raise InputError(
            f"the hub model {name} cannot be had, or has no safetensors files",
            remedy="check name and network, or give a folder (docs/data.md, Public encoders)",
        ) from None


@dataclass(frozen=True)
class Model:
    """A dual encoder, ready; one that serves both sides is loaded once."""

    name: str
    question: TextEncoder
    question_tokenizer: PreTrainedTokenizerBase
    passage: TextEncoder
    passage_tokenizer: PreTrainedTokenizerBase
    max_tokens: int  # of a passage, and of a question
    cosine: bool  # whether vectors are compared by their angle; else by the dot product

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors, [n, dimensions]."""
        tokens = tokenize_questions(self.question_tokenizer, texts, self.max_tokens)
        return self.comparable(encode_rows(self.question, tokens, "fp32"))

    def comparable(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vectors whose dot products are scores."""
        if not self.cosine:
            return vectors
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, 1e-12), np.float32)


def load(halves: Halves, most: int | None = None) -> Model:
    """Load a dual encoder; passages and questions are cut to `most` tokens.

    By default that is the limit that the passage encoder's folder states. Raises InputError as
    `load_text_encoder` does, where `most` is more than there are positions, or the two encoders'
    vectors have different sizes.
    """
    device = pick_device()
    passage, tokenizer = load_text_encoder(halves.passage)
    question, other = passage, tokenizer
    if halves.question != halves.passage:
        question, other = load_text_encoder(halves.question)
        if question.dimensions != passage.dimensions:
            raise InputError(
                f"its vectors have {question.dimensions} dimensions, those of {halves.passage} "
                f"{passage.dimensions}",
                file=halves.question,
                remedy="give two encoders that were trained together",
            )
    positions = min(max_tokens(passage.backbone), max_tokens(question.backbone))
    if most is not None and most > positions:
        raise InputError(
            f"has {positions} positions, --max-tokens is {most}",
            file=halves.passage,
            remedy=f"give {positions} or less",
        )
    stated = _stated_limit(halves.passage) or int(min(tokenizer.model_max_length, UNLIMITED))
    kind = settings_of(halves.passage).get("similarity_fn_name")
    return Model(
        halves.name,
        question.to(device).eval(),
        other,
        passage.to(device).eval(),
        tokenizer,
        most or min(stated, positions),
        kind == "cosine",
    )


def _stated_limit(folder: Path) -> int | None:
    """max_seq_length of a sentence-transformers folder."""
    if not (folder / MODULES).is_file():
        return None
    limit = read_if_there(folder / "sentence_bert_config.json").get("max_seq_length")
    return limit if isinstance(limit, int) and limit > 0 else None
