"""Sampling of questions against transformers' own `generate`.

    python bench/generate.py [--prompts 256] [--samples 4] [--rounds 5] [--data FOLDER]

A BART of the default profile's size with random weights, top-k 10 and top-p 0.95 at temperature
1, at most 48 tokens each. Its end token has a bias under which questions end after about a dozen
tokens, some late. Both sides tokenize the passages, sample and make texts. The other side is
given the passages in order of their lengths and decodes as many side by side as we do. Ours draws
every question from random numbers of its own, theirs from one stream, so that samples differ:
agreement is checked without chance, by the most probable token at each step, on every passage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import torch

from ecqg import profiles
from ecqg.corpus.passages import Passages
from ecqg.params import Generate, load_params
from ecqg.questions.backbone import random_generator
from ecqg.questions.format import format_source
from ecqg.questions.generation import SEQUENCES, Plan, Prompt, generate
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.seeds import python_rng
from ecqg.training.device import pick_device
from side_by_side import alternate, table
from texts import add_data_option, open_texts

SOURCE, TARGET = 192, 48  # most tokens
FREE, GREEDY = Generate(0.95, 10, 1.0, 1), Generate(1.0, 1, 1.0, 1)
END_BIAS = 2.0


def main() -> None:
    """Print the table; ends the program where texts differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--prompts", type=int, default=256)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with open_texts(options.data) as texts:
        passages = texts.passages()
        size = min(options.prompts, len(passages))
        prompts = [Prompt(row) for row in python_rng(1, "bench").sample(range(len(passages)), size)]
        generator, counter = random_bart(passages)
        found = ours(generator, passages, prompts, 1, GREEDY)
        expected = theirs(generator, passages, prompts, 1, GREEDY)
        if found != expected:
            differ = sum(found.get(p.row) != expected.get(p.row) for p in prompts)
            sys.exit(f"{differ} of {size} texts differ without chance")

        def counted(side: Side) -> Callable[[], float]:
            def work() -> float:
                before = counter.tokens
                side(generator, passages, prompts, options.samples, FREE)
                return counter.tokens - before

            return work

        before = counter.both()
        ours(generator, passages, prompts, options.samples, FREE)
        tokens, ended = (now - was for now, was in zip(counter.both(), before, strict=True))
        print(
            f"{texts.name}: {size} passages, {options.samples} questions each, of which "
            f"{100 * ended / (size * options.samples):.0f} % end, after {tokens / ended:.0f} "
            "tokens on average; without chance all texts agree\n"
        )
        sides = {"ours": counted(ours), "transformers": counted(theirs)}
        print(table(alternate(sides, options.rounds), "tokens/s"))


class Counting:
    """A tokenizer that counts what it makes texts of."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.tokens = self.texts = 0

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._tokenizer(*args, **options)

    def decode(self, ids: Sequence[int], **options: Any) -> str:
        self.tokens, self.texts = self.tokens + len(ids), self.texts + 1
        return str(self._tokenizer.decode(ids, **options))

    def pad(self, *args: Any, **options: Any) -> Any:
        return self._tokenizer.pad(*args, **options)

    def both(self) -> tuple[int, int]:
        return self.tokens, self.texts


def random_bart(passages: Passages) -> tuple[Seq2Seq, Counting]:
    """The model and its tokenizer, learned from the passages."""
    start = load_params(profiles.FOLDER / "microcosm.yaml").init_generator
    some = [passages[row] for row in range(min(2000, len(passages)))]
    model, tokenizer = random_generator(start, some, [], 1)
    model.final_logits_bias[0, model.config.eos_token_id] = END_BIAS
    model.generation_config.forced_eos_token_id = None
    model.eval().to(pick_device()).set_attn_implementation("sdpa")
    counter = Counting(tokenizer)
    return Seq2Seq(model, counter, SOURCE, TARGET), counter  # type: ignore[arg-type]


Texts = dict[int, str]  # a text of each passage of which one ended, by row
Side = Callable[[Seq2Seq, Passages, list[Prompt], int, Generate], Texts]


def ours(
    generator: Seq2Seq, passages: Passages, prompts: list[Prompt], samples: int, how: Generate
) -> Texts:
    """The package's."""
    plan = Plan(samples, SOURCE, TARGET, "fp32", False, how, 1)
    records = generate(generator, passages, prompts, plan, lambda text: (text, "none"))
    return {record["row"]: record["question"] for record in records}


@torch.inference_mode()
def theirs(
    generator: Seq2Seq, passages: Passages, prompts: list[Prompt], samples: int, how: Generate
) -> Texts:
    """transformers'."""
    tokenizer: Any = generator.tokenizer
    model: Any = generator.model
    chance = {"top_k": how.top_k, "top_p": how.top_p, "temperature": how.temperature}
    rows = [prompt.row for prompt in prompts]
    sources = [format_source(passages[row].title, passages[row].text) for row in rows]
    encoded = [ids[:SOURCE] for ids in tokenizer(sources, verbose=False)["input_ids"]]
    order = sorted(range(len(rows)), key=lambda i: len(encoded[i]))
    size, end = SEQUENCES // samples, model.config.eos_token_id
    texts: Texts = {}
    for first in range(0, len(order), size):
        batch = order[first : first + size]
        inputs = tokenizer.pad({"input_ids": [encoded[i] for i in batch]}, return_tensors="pt")
        out = model.generate(
            **inputs.to(model.device),
            do_sample=how != GREEDY,
            num_return_sequences=samples,
            max_new_tokens=TARGET,
            **(chance if how != GREEDY else {}),
        )
        for place, ids in enumerate(out[:, 1:].tolist()):  # without the token that starts each
            if end in ids:
                row = rows[batch[place // samples]]
                texts[row] = tokenizer.decode(ids[: ids.index(end)], skip_special_tokens=True)
    return texts


if __name__ == "__main__":
    main()
