"""Initial weights with which a BART copies from its source before it has learned anything.

A question generator copies most of what it writes, and copying names never seen before is the
hardest thing for a small random model to find: at the usual initial weights it takes most of the
training. So the circuit that does it in trained transformers, an induction head (Olsson et al.
2022, "In-context Learning and Induction Heads"), is written into the random weights, in the
spirit of mimetic initialisation (Trockman and Kolter 2023). Everything remains trainable and the
model remains a plain BART.

The hidden units fall into three parts: `position` (one head wide), `token` (all that is left) and
`match` (one head wide). Token embeddings fill only `token`, position embeddings are sinusoids in
`position`. Then
- encoder layer 1, one head: attend to the position before; write its token, projected, to `match`;
- decoder layer 1, self-attention: attend to oneself; write the own token, projected, to `match`,
  and take it out of `token`, so that it is not predicted again;
- last decoder layer, cross-attention: attend where the source's `match` equals one's own, that
  is, to the token after an occurrence of the last token; write that token to `token`.
The tied output embeddings turn `token` into logits.
"""

from __future__ import annotations

import math
from typing import Any

import torch

# Found by the loss at step 0 and after 100 steps; a factor of two either way changes little.
FOCUS = 6.0  # sharpness of attention by position
MATCH = 3.0  # sharpness of attention by token
COPY = 2.0  # strength of the copied token in the decoder's stream
DAMP = 0.3  # scale of all other branches' outputs, which are noise at first


@torch.no_grad()
def write_copy_circuit(model: Any, rng: torch.Generator) -> None:
    """Overwrite part of a random BartForConditionalGeneration's weights, in place.

    It needs at least ecqg.consistency.LEAST_HEADS heads, the same number in encoder and decoder.
    """
    config, stacks = model.config, model.model
    size = config.d_model // config.encoder_attention_heads
    position, match = slice(0, size), slice(config.d_model - size, config.d_model)
    token = slice(size, config.d_model - size)
    width = token.stop - token.start
    project = math.sqrt(width / size) * torch.linalg.qr(torch.randn(width, width, generator=rng))[0]
    project = project[:size]  # [size, width], orthogonal rows

    embeddings = stacks.shared.weight
    embeddings[:, : token.start] = 0
    embeddings[:, token.stop :] = 0
    for stack in (stacks.encoder, stacks.decoder):
        weight = stack.embed_positions.weight
        weight.zero_()
        weight[:, position] = config.init_std * sinusoids(len(weight), size)
        for layer in stack.layers:
            layer.fc2.weight *= DAMP
            layer.self_attn.out_proj.weight *= DAMP
    for layer in stacks.decoder.layers:
        layer.encoder_attn.out_proj.weight *= DAMP

    one = torch.eye(size)
    previous = stacks.encoder.layers[0].self_attn
    _set_head(previous, 0, FOCUS * step_back(size), position, project, token, 1, match)
    own = stacks.decoder.layers[0].self_attn
    cross = stacks.decoder.layers[-1].encoder_attn
    for head, start in enumerate(range(token.start, token.stop, size)):
        part = slice(start, start + size)
        _set_head(own, head, FOCUS * one, position, one, part, -1, part)
        _set_head(cross, head, MATCH * one, match, one, part, COPY, part)
    _set_head(own, width // size, FOCUS * one, position, project, token, 1, match)


def sinusoids(positions: int, size: int) -> torch.Tensor:
    """[positions, size]: sine and cosine, in turn, of position * frequency."""
    angles = torch.arange(positions)[:, None] * _frequencies(size)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


def step_back(size: int) -> torch.Tensor:
    """The matrix [size, size] that turns the sinusoids of position i into those of i - 1."""
    frequencies = _frequencies(size).tolist()
    turns = [[[math.cos(f), -math.sin(f)], [math.sin(f), math.cos(f)]] for f in frequencies]
    matrix: torch.Tensor = torch.block_diag(*torch.tensor(turns))  # type: ignore[no-untyped-call]
    return matrix


def _frequencies(size: int) -> torch.Tensor:
    """From nearly half a turn per position to one turn in 600, in equal ratios."""
    return torch.linspace(math.log(0.7 * math.pi), math.log(2 * math.pi / 600), size // 2).exp()


def _set_head(
    attention: Any,
    head: int,
    query: torch.Tensor,
    at: slice,
    value: torch.Tensor,
    source: slice,
    scale: float,
    target: slice,
) -> None:
    """Where a head looks and what it carries, by parts of the hidden units.

    Keys are the part `at`, and queries `query` times that; `scale` times `value` times the part
    `source` goes to `target`.
    """
    size = len(query)
    rows, one = slice(head * size, (head + 1) * size), torch.eye(size)
    for weight, part, function in (
        (attention.q_proj.weight, at, query),
        (attention.k_proj.weight, at, one),
        (attention.v_proj.weight, source, value),
    ):
        weight[rows] = 0
        weight[rows, part] = function
    attention.out_proj.weight[:, rows] = 0
    attention.out_proj.weight[target, rows] = scale * one
