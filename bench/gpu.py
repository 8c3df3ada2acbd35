"""What one GPU does with models of BERT-base's and BART-base's size: steps of the profile `paper`.

    python bench/gpu.py [--data FOLDER] [--passages 20000] [--vectors 1000000] [--rounds 3]
    ECQG_DEVICE=cpu python bench/gpu.py --layers 2 --passages 64 --vectors 5000 --rounds 1

Weights are random and vocabularies of the papers' size; texts are real where `--data` names them
(passages again and again, until there are as many). Each step begins with strings and ends with
what its stage writes, tokenization and files included, but for vectors, whose tokens are made
before, as `ecqg encode` shares them between retrievers. The ceiling is what the floating-point
operations of the texts' own tokens, padding left out, would take at the rate of one large matrix
product of the same type; training counts three forward passes. Memory is the most that PyTorch
held on the GPU. The last lines are for src/ecqg/planning/gpu.yaml, by which `ecqg plan` goes: units
of costs.py a second.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

import train as training
from ecqg import profiles
from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.passages import Passage
from ecqg.encoder.backbone import random_encoder
from ecqg.encoder.encode import Encoding
from ecqg.encoder.load import load_encoder
from ecqg.encoder.token_file import tokenize_on_disk
from ecqg.encoder.tokens import tokenize_passages
from ecqg.params import Encoder, Generate, Params, load_params
from ecqg.planning.costs import BACKWARD
from ecqg.planning.sizes import QUESTION_TOKENS, TARGET_TOKENS, Shape, generator_shape
from ecqg.questions import generation
from ecqg.questions.backbone import random_generator
from ecqg.questions.format import format_source
from ecqg.questions.generation import Plan, Prompt, generate
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.reading.model import Settings, start
from ecqg.reading.predict import predict
from ecqg.reading.windows import Lengths
from ecqg.search import gpu
from ecqg.search.index import Index
from ecqg.training.device import pick_device
from ecqg.training.weights import save_model
from flops import of_encoder, of_generator
from matrix import matrix_rate
from side_by_side import number, spread
from texts import add_data_option, open_texts

TOKENS, BATCH, SAMPLES = 256, 64, 2
STEPS = 100  # of training: the optimiser's set-up is part of it
END_BIAS = 2.0  # questions end after about a dozen tokens
DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
Precision = Literal["fp32", "bf16"]


@dataclass(frozen=True)
class Step:
    """A step's work: what `run` does is `units` of `unit` and `flops` operations in `precision`."""

    name: str
    unit: str
    precision: Precision
    units: int
    run: Callable[[], object]
    flops: Callable[[], float]  # asked after a run
    planned: float  # as ecqg.planning.costs counts it


def main() -> None:
    """Print the table, a row as soon as its step is measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data_option(parser)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--vectors", type=int, default=1_000_000, help="that are searched")
    parser.add_argument("--layers", type=int, default=12, help="of the encoder; BART has half")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--sequences", type=int, nargs="+", default=[1024], help="decoded side by side, each tried"
    )
    parser.add_argument("--profile", action="store_true", help="print what a step spends time on")
    parser.add_argument("--only", nargs="*", default=["*"], help="such as train-bf16, search-*")
    options = parser.parse_args()
    device = pick_device()
    with open_texts(options.data) as texts, tempfile.TemporaryDirectory() as scratch:
        store = texts.passages()
        drawn = random.Random(1).choices(range(len(store)), k=options.passages)
        passages = [replace(store[row], row=i) for i, row in enumerate(drawn)]
        examples = texts.examples()
        questions = [e.question for e in examples]
        pairs = [(e.question, store[e.positives[0]].text) for e in examples]
        params = paper(options.layers)
        folder = Path(scratch)
        model, tokenizer = random_encoder(params.init_encoder, store, questions, 1)
        model.resize_token_embeddings(params.init_encoder.vocabulary)
        save_model(folder, model, tokenizer)
        where = torch.cuda.get_device_name() if device.type == "cuda" else "CPU"
        print(f"{texts.name}, {len(passages)} passages; {where}, torch {torch.__version__}")
        shape = (16_384, 4096, 4096) if device.type == "cuda" else (1024, 768, 768)
        rates = {p: matrix_rate(*shape, device, d) for p, d in DTYPES.items()}
        print(", ".join(f"{p}: {rate / 1e12:.1f} TFLOP/s" for p, rate in rates.items()) + "\n")
        print("| step | rate | of the ceiling | GPU memory, MiB |\n|---|---|---|---|")
        steps: list[Callable[[], Iterator[Step]]] = [
            lambda: encode(folder, passages),
            lambda: attend(folder, passages),
            lambda: train(folder, [replace(p, title="") for p in store], examples[: len(passages)]),
            lambda: write(params, store, passages, options.sequences),
            lambda: read(folder, (pairs * (1 + len(passages) // len(pairs)))[: len(passages)]),
        ]
        planned: dict[str, dict[str, float]] = {}
        for make in steps:
            for step in make():
                if wanted(f"{step.name}-{step.precision}", options.only):
                    rate = measure(step, rates[step.precision], device, options.rounds)
                    planned.setdefault(step.name, {})[step.precision] = rate
                    if options.profile:
                        profile(step)
        if wanted("search-fp32", options.only):
            hidden = params.init_encoder.hidden
            rate = search(folder, options.vectors, hidden, device, options.rounds)
            planned["search"] = {"fp32": rate}
    print("\ngpu:\n  rates:")
    for name, of in planned.items():
        if name != "tokenize" and " " not in name:
            print(f"    {name}: {{{', '.join(f'{p}: {rate:.3e}' for p, rate in of.items())}}}")


def wanted(name: str, patterns: Sequence[str]) -> bool:
    """Whether a step is asked for."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def paper(layers: int) -> Params:
    """The profile, with models of random weights and their sizes."""
    params = load_params(profiles.FOLDER / "paper.yaml")
    encoder = replace(params.init_encoder, source="random", layers=layers)
    generator = replace(params.init_generator, source="random", layers=max(1, layers // 2))
    return replace(params, init_encoder=encoder, init_generator=generator)


def measure(step: Step, rate: float, device: torch.device, rounds: int) -> float:
    """Print a step's row; what comes first, such as kernels that are chosen, is not timed.

    Returns units of the plan a second.
    """
    step.run()
    if device.type == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    seconds = []
    for _ in range(rounds):
        since = time.perf_counter()
        step.run()
        seconds.append(time.perf_counter() - since)
    rates = spread([step.units / s for s in seconds])
    share = spread([100 * step.flops() / rate / s for s in seconds])
    memory = torch.cuda.max_memory_allocated() / 2**20 if device.type == "cuda" else float("nan")
    print(
        f"| {step.name}, {step.precision} | {rates} {step.unit}/s | {share} % | {number(memory)} |",
        flush=True,
    )
    return step.planned / statistics.median(seconds)


def profile(step: Step) -> None:
    """Print the functions in which a step spends most time, by the GPU's and by the CPU's."""
    with torch.profiler.profile() as seen:
        step.run()
    for key in ("self_device_time_total", "self_cpu_time_total"):
        print(seen.key_averages().table(key, row_limit=20, max_name_column_width=60))


def encode(folder: Path, passages: list[Passage]) -> Iterator[Step]:
    """Passages to a file of vectors; and their tokenization, which is the CPU's."""
    config, tokenizer = model_config(folder), load_encoder(folder)[1]
    with tempfile.TemporaryDirectory() as scratch:
        tokens = tokenize_on_disk(Path(scratch, "tokens"), tokenizer, passages, TOKENS)
        lengths = tokens.lengths()
        print(f"<!-- {lengths.mean():.0f} tokens a passage -->")

        for precision in DTYPES:
            encoding = Encoding(folder, Encoder(TOKENS, TOKENS, "none", 0.0, precision))

            def run(encoding: Encoding = encoding) -> None:
                with tempfile.TemporaryDirectory() as aside:
                    encoding.on_disk(tokens, Path(aside))

            done = len(passages)
            flops, planned = of_encoder(lengths, config), lengths.sum() * weights(config)
            yield Step("encode", "passages", precision, done, run, lambda f=flops: f, planned)

    def tokenize() -> None:
        with tempfile.TemporaryDirectory() as aside:
            tokenize_on_disk(Path(aside, "tokens"), tokenizer, passages, TOKENS)

    yield Step("tokenize", "passages", "fp32", len(passages), tokenize, lambda: 0.0, 0.0)


def attend(folder: Path, passages: list[Passage]) -> Iterator[Step]:
    """[CLS] attention of every passage, token by token."""
    config, tokenizer = model_config(folder), load_encoder(folder)[1]
    titles, texts = [p.title for p in passages], [p.text for p in passages]
    lengths = tokenize_passages(tokenizer, titles, texts, TOKENS).lengths()
    for precision in DTYPES:
        source = PassageAttention(folder, TOKENS, precision)

        def run(source: PassageAttention = source) -> None:
            for _ in source.attend(passages, len(passages)):
                pass

        flops, planned = of_encoder(lengths, config), lengths.sum() * weights(config)
        done = len(passages)
        yield Step("attend", "passages", precision, done, run, lambda f=flops: f, planned)


def train(folder: Path, passages: list[Passage], examples: Sequence[Any]) -> Iterator[Step]:
    """Steps of 64 questions, each with a positive and a hard negative, at dropout 0."""
    config = model_config(folder)
    count = min(STEPS, len(examples) // BATCH) * BATCH
    chosen = training.with_negatives(examples, count)
    for precision in DTYPES:
        setting = training.Setting(folder, passages, BATCH, TOKENS, precision)
        ours = training.Ours(setting, 1)
        tokens = ours.tokenized(chosen)
        rows = tokens.positives.tolist() + tokens.hard_negatives.ravel().tolist()
        seen = tokens.questions.lengths().sum() + tokens.passages.lengths()[rows].sum()
        forward = of_encoder(tokens.questions.lengths(), config) + of_encoder(
            tokens.passages.lengths()[rows], config
        )
        yield Step(
            "train",
            "questions",
            precision,
            count,
            lambda ours=ours: ours.train(chosen),
            lambda forward=forward: 3 * forward,
            BACKWARD * weights(config) * seen,
        )


def write(
    params: Params, store: Sequence[Passage], passages: list[Passage], sequences: Sequence[int]
) -> Iterator[Step]:
    """Questions by BART, top-k 10 and top-p 0.95, two of each passage."""
    some = [store[row] for row in range(min(2000, len(store)))]
    model, tokenizer = random_generator(params.init_generator, some, [], 1)
    model.resize_token_embeddings(params.init_generator.vocabulary)
    model.final_logits_bias[0, model.config.eos_token_id] = END_BIAS
    model.generation_config.forced_eos_token_id = None
    model.eval().to(pick_device()).set_attn_implementation("sdpa")
    longest = params.generator.max_target_tokens
    prompts = [Prompt(row) for row in range(max(1, len(passages) // 5))]
    sources = [format_source(passages[p.row].title, passages[p.row].text) for p in prompts]
    lengths = [min(len(ids), TOKENS) for ids in tokenizer(sources, verbose=False)["input_ids"]]
    shape = generator_shape(params.init_generator)
    planned = SAMPLES * len(prompts) * (np.mean(lengths) + TARGET_TOKENS) * shape.of_token()
    for many, precision in product(sequences, DTYPES):
        generator = Seq2Seq(model, tokenizer, TOKENS, longest, precision)
        plan = Plan(SAMPLES, TOKENS, longest, precision, False, Generate(0.95, 10, 1.0, 1), 1)
        written: list[int] = []

        def run(
            generator: Seq2Seq = generator,
            plan: Plan = plan,
            written: list[int] = written,
            many: int = many,
        ) -> None:
            generation._side_by_side = lambda: many
            records = list(generate(generator, passages, prompts, plan, lambda t: (t, "none")))
            texts = [record["question"] for record in records]
            written.append(sum(map(len, tokenizer(texts, verbose=False)["input_ids"])))

        yield Step(
            "generate" if many == sequences[0] else f"generate, {many} at a time",
            "questions",
            precision,
            SAMPLES * len(prompts),
            run,
            lambda written=written: of_generator(lengths, written[-1], model.config),
            planned,
        )


def read(folder: Path, pairs: list[tuple[str, str]]) -> Iterator[Step]:
    """The reader over questions, each with one passage."""
    for precision in DTYPES:
        reader = start(folder, Settings(Lengths(384, 64, 128), 30, precision, False), None)
        asked, contexts = map(list, zip(*pairs, strict=True))
        encoded = reader.tokenizer(asked, contexts, max_length=384, truncation=True)
        lengths = [len(ids) for ids in encoded["input_ids"]]
        yield Step(
            "read",
            "pairs",
            precision,
            len(pairs),
            lambda reader=reader: predict(reader, pairs),
            lambda lengths=lengths, c=reader.model.config: of_encoder(lengths, c, whole=True),
            (sum(lengths) - QUESTION_TOKENS * len(pairs)) * weights(reader.model.config),
        )


def search(folder: Path, count: int, hidden: int, device: torch.device, rounds: int) -> float:
    """Exact search for the best 100 of `count` random vectors on disk, by torch and by FAISS.

    Returns products of numbers a second, by torch.
    """
    rng = np.random.default_rng(1)
    path = folder / "vectors.npy"
    vectors = np.lib.format.open_memmap(path, "w+", np.float32, (count, hidden))
    for first in range(0, count, 2**16):
        vectors[first : first + 2**16] = rng.standard_normal(
            (min(2**16, count - first), hidden), np.float32
        )
    queries = rng.standard_normal((1024, hidden), np.float32)
    by_torch = Index(vectors, "Flat", 1, near=lambda q, v, n: gpu.nearest(q, v, n, device))
    found: dict[str, list[np.ndarray]] = {}
    best: dict[str, float] = {}
    for name, index in (("torch", by_torch), ("FAISS on the CPU", Index(vectors, "Flat", 1))):
        seconds = []
        for _ in range(1 + (rounds if name == "torch" else 1)):
            since = time.perf_counter()
            found[name] = [rows for rows, _ in index.search(queries, 100)]
            seconds.append(time.perf_counter() - since)
        rates = spread([len(queries) / s for s in seconds[1:]])
        best[name] = len(queries) * count * hidden / statistics.median(seconds[1:])
        print(f"| search {count:,} x {hidden}, {name} | {rates} questions/s | | |", flush=True)
    same = all(np.array_equal(a, b) for a, b in zip(*found.values(), strict=True))
    print(f"\nrankings are {'the same' if same else 'NOT the same'}")
    return best["torch"]


def weights(config: Any) -> float:
    """That a token passes, as the plan has it."""
    shape = (config.num_hidden_layers, config.hidden_size, config.intermediate_size)
    return Shape(*shape, config.vocab_size).of_token()


def model_config(folder: Path) -> Any:
    """The encoder's."""
    from transformers import AutoConfig

    return AutoConfig.from_pretrained(folder)


if __name__ == "__main__":
    main()
