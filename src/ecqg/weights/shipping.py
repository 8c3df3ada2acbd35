"""Starting weights as a folder to be committed: fp16, with a model card and digests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.files import atomic, write_text
from ecqg.templates import fill
from ecqg.training.weights import save_model, write_digests

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def ship(
    output: Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    *,
    kind: str,
    title: str,
    about: str,
    facts: Mapping[str, object],
) -> None:
    """Write weights, tokenizer, model card (README.md) and SHA256SUMS.

    fp16 halves what lies in git; its 11 bits move a weight by less than a step of training does.
    """
    card = fill(__file__, str, kind=kind, title=title, about=about, facts=facts)
    with atomic(output) as aside:
        save_model(aside, model.half(), tokenizer)
        write_text(aside / "README.md", card)
        write_digests(aside)
