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
    _set_head(previous, 0, size, FOCUS * step_back(size), position, one, position)
    _set_value(previous, 0, size, project, token, one, match)

    own = stacks.decoder.layers[0].self_attn
    cross = stacks.decoder.layers[-1].encoder_attn
    for head, start in enumerate(range(token.start, token.stop, size)):
        part = slice(start, start + size)
        _set_head(own, head, size, FOCUS * one, position, one, position)
        _set_value(own, head, size, one, part, -one, part)
        _set_head(cross, head, size, MATCH * one, match, one, match)
        _set_value(cross, head, size, one, part, COPY * one, part)
    last = width // size
    _set_head(own, last, size, FOCUS * one, position, one, position)
    _set_value(own, last, size, project, token, one, match)


def sinusoids(positions: int, size: int) -> torch.Tensor:
    """[positions, size]: sine and cosine, in turn, of position * frequency."""
    angles = torch.arange(positions)[:, None] * _frequencies(size)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


def step_back(size: int) -> torch.Tensor:
    """The matrix [size, size] that turns the sinusoids of position i into those of i - 1."""
    matrix = torch.zeros(size, size)
    for i, frequency in enumerate(_frequencies(size).tolist()):
        sine, cosine = math.sin(frequency), math.cos(frequency)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor(
            [[cosine, -sine], [sine, cosine]]
        )
    return matrix


def _frequencies(size: int) -> torch.Tensor:
    """From nearly half a turn per position to one turn in 600, in equal ratios."""
    return torch.linspace(math.log(0.7 * math.pi), math.log(2 * math.pi / 600), size // 2).exp()


def _set_head(
    attention: Any,
    head: int,
    size: int,
    query: torch.Tensor,
    query_from: slice,
    key: torch.Tensor,
    key_from: slice,
) -> None:
    """Where a head looks: queries and keys are these functions of parts of the hidden units."""
    rows = slice(head * size, (head + 1) * size)
    for projection, weight, part in (
        (attention.q_proj, query, query_from),
        (attention.k_proj, key, key_from),
    ):
        projection.weight[rows] = 0
        projection.weight[rows, part] = weight


def _set_value(
    attention: Any,
    head: int,
    size: int,
    value: torch.Tensor,
    value_from: slice,
    output: torch.Tensor,
    output_to: slice,
) -> None:
    """What a head carries from one part of the hidden units to another."""
    rows = slice(head * size, (head + 1) * size)
    attention.v_proj.weight[rows] = 0
    attention.v_proj.weight[rows, value_from] = value
    attention.out_proj.weight[:, rows] = 0
    attention.out_proj.weight[output_to, rows] = output
