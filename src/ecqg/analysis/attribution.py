"""Attribution of a passage's vector to its entities, by two other ways than attention.

Both are about the passage alone, as attention is, not about a question:

- gradient x input: with v the vector and u = v / |v| held fixed, the derivative of u'v by the word
  embedding of each token, times that embedding, in absolute value; the mean over an entity's word
  pieces.
- leave one out: 1 - cos(v, v'), where v' is the vector without the entity's word pieces. The other
  tokens keep their positions.

Jain and Wallace (2019, Attention is not Explanation) hold attention against the same two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ecqg.corpus.passages import Passage
from ecqg.encoder.text_encoder import load_text_encoder
from ecqg.encoder.tokens import Batch, Tokens, tokenize_and_locate
from ecqg.progress import track
from ecqg.shards import map_blocks
from ecqg.training.device import explain_out_of_memory, pick_device

Span = tuple[int, int]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Attribution:
    """Of the m entities of one passage, NaN for those that the encoder does not see."""

    gradient: NDArray[np.float64]  # [m]
    left_out: NDArray[np.float64]  # [m]


class PassageAttribution:
    """A passage encoder, read from a Hugging Face folder; computes in fp32."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        """Raises InputError as `load_text_encoder` does."""
        model, self._tokenizer = load_text_encoder(folder)
        self._device = pick_device()
        self._model = model.to(self._device).eval()
        self._max_tokens = max_tokens

    def attribute(
        self,
        passages: Sequence[Passage],
        entities: Sequence[Sequence[Sequence[Span]]],
        resume_dir: Path | None = None,
    ) -> list[Attribution]:
        """For each passage and each of its entities, given as the spans of its mentions.

        Resumes from the folder `resume_dir`, where there is one (`map_blocks`).
        """
        texts = [passage.text for passage in passages]
        titles = [passage.title for passage in passages]
        tokens, offsets = tokenize_and_locate(self._tokenizer, titles, texts, self._max_tokens)

        def attributed(row: int) -> list[list[float]]:
            places = [_places(tokens, row, offsets[row], spans) for spans in entities[row]]
            found = self._one(tokens, row, places)
            return [found.gradient.tolist(), found.left_out.tolist()]

        done = map_blocks(resume_dir, range(len(passages)), attributed)
        bar = track(done, "attribute", total=len(passages), unit="passage")
        return [Attribution(*(np.array(values, np.float64) for values in both)) for both in bar]

    def _one(self, tokens: Tokens, row: int, places: Sequence[Places]) -> Attribution:
        with explain_out_of_memory("encoder.max_passage_tokens"):
            return self._attribute(tokens, row, places)

    def _attribute(self, tokens: Tokens, row: int, places: Sequence[Places]) -> Attribution:
        batch = tokens.batch(np.array([row]))
        weights, vector = self._gradient(batch)
        out = Attribution(*(np.full(len(places), np.nan) for _ in range(2)))
        seen = [i for i, p in enumerate(places) if len(p)]
        if seen:
            out.gradient[seen] = [weights[places[i]].mean() for i in seen]
            with torch.inference_mode():
                copies = leave_out(batch, [places[i] for i in seen])
                vectors = self._model(copies.to(self._device))
                moved = 1 - torch.cosine_similarity(vectors, vector[None], dim=1)
            out.left_out[seen] = moved.tolist()
        return out

    def _gradient(self, batch: Batch) -> tuple[NDArray[np.float64], torch.Tensor]:
        """|gradient x input| of each token, [t], and the passage's vector."""
        embedded: list[torch.Tensor] = []

        def watch(_: Any, __: Any, output: torch.Tensor) -> torch.Tensor:
            embedded.append(output.detach().requires_grad_())
            return embedded[0]

        handle = self._model.backbone.get_input_embeddings().register_forward_hook(watch)
        try:
            vector = self._model(batch.to(self._device))[0]
        finally:
            handle.remove()
        direction = (vector / vector.norm()).detach()
        (gradient,) = torch.autograd.grad(direction @ vector, embedded)
        products = (gradient * embedded[0].detach()).sum(-1).abs().flatten()
        return products.double().cpu().numpy(), vector.detach()


def leave_out(batch: Batch, places: Sequence[Places]) -> Batch:
    """A batch of len(places) copies of its one sequence, each without the tokens at its places."""
    length = len(batch.ids)
    keep = torch.ones(len(places), length, dtype=torch.bool)
    for copy, dropped in zip(keep, places, strict=True):
        copy[torch.from_numpy(dropped)] = False
    lengths = keep.sum(1)
    width = int(lengths.max())
    mask = torch.arange(width) < lengths[:, None]

    def repeated(values: torch.Tensor) -> torch.Tensor:
        return values.expand(len(places), -1)[keep]

    return Batch(
        ids=repeated(batch.ids),
        types=repeated(batch.types),
        positions=repeated(batch.positions),
        starts=lengths.cumsum(0) - lengths,
        slots=mask.flatten().nonzero()[:, 0],
        mask=mask,
    )


def _places(tokens: Tokens, row: int, offsets: Sequence[Span], spans: Sequence[Span]) -> Places:
    """Where in the sequence the word pieces of an entity's mentions stand; none if cut off."""
    length = int(tokens.lengths()[row])
    second = int(tokens.second[row])
    begin = second if second < length else 1
    held = offsets[: length - 1 - begin]
    seen = held[-1][1] if held else 0  # a mention that is cut has no place, as for attention
    found = {
        begin + i
        for start, end in spans
        if len(held) == len(offsets) or end <= seen
        for i, (first, last) in enumerate(held)
        if first < end and last > start
    }
    return np.array(sorted(found), np.int64)
