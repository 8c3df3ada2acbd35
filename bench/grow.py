"""Time and memory of a study's steps as its collection grows.

    python bench/grow.py [--sizes 1000 3000 10000]
    python bench/grow.py --sizes 10000 100000 1000000
    python bench/grow.py --sizes 1000000 --steps generate corpus tfidf --keep grown
    python bench/grow.py --sizes 1000000 --steps bm25 evaluate --keep grown

Each size is a generated encyclopedia with the same number of questions, and each step runs in a
process of its own, as stages do: corpus preparation (sentences, gold pairs), tokenization, encoding
by a tiny random model, index and search, entities and that model's attention to them, TF-IDF and
BM25 (index and search each) and evaluation. Time ought to be linear, that is to say to grow with an
exponent of 1; resident memory to stay under 4 GB and to grow by less than 1.5 times over the last
ten-fold step. Private memory is what counts: pages of memory-mapped files are the operating
system's to drop. Disk is what a step leaves, indexes that later steps use among it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from ecqg import paths, profiles
from ecqg.params import Params, load_params
from side_by_side import MIB, Measured, measure

STEPS = (
    "generate", "collection", "gold", "tokenize", "encode", "retrieve", "entities", "attention",
    "tfidf", "bm25", "evaluate",
)  # fmt: skip
SYSTEM = "dpr"
GOLD = 1_000  # passages that training questions are about
VOCABULARY_FROM = 1_000  # passages


def main() -> None:
    """Print the table, and how the numbers grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 3_000, 10_000])
    parser.add_argument("--scratch", type=Path, help="folder for the data, which are deleted")
    parser.add_argument("--keep", type=Path, help="folder for the data, which stay for more steps")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="some, in order")
    options = parser.parse_args()
    sizes = sorted(options.sizes)
    found: dict[str, list[Measured]] = {step: [] for step in options.steps}
    left: dict[str, list[float]] = {step: [] for step in options.steps}
    for size in sizes:
        with folder_of(size, options.scratch, options.keep) as folder:
            for step in options.steps:
                before = on_disk(folder)
                run = measure(run_step, step, size, folder)
                found[step].append(run)
                left[step].append(on_disk(folder) - before)
                said = f"{run.seconds:.1f} s, {run.private:,.0f} MiB, {left[step][-1]:,.0f} on disk"
                print(f"{size:,} {step}: {said}", flush=True)
    print(f"\n{report(sizes, found, left)}")


def on_disk(folder: str) -> float:
    """MiB of all files in a folder."""
    files = (path for path in Path(folder).rglob("*") if path.is_file())
    return sum(path.stat().st_blocks * 512 for path in files) / MIB


@contextmanager
def folder_of(size: int, scratch: Path | None, keep: Path | None) -> Iterator[str]:
    """Where the data of a size lie: in `keep`, if given, otherwise in a folder that goes away."""
    if keep:
        (keep / str(size)).mkdir(parents=True, exist_ok=True)
        yield str(keep / str(size))
    else:
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            yield folder


def report(sizes: list[int], found: dict[str, list[Measured]], left: dict[str, list[float]]) -> str:
    """Markdown: seconds, memory and disk by step and size, and how they grow."""
    head = ["step", *(f"{size:,}: s" for size in sizes), "exponent"]
    head += [f"{size:,}: private MiB (all)" for size in sizes] + ["last growth"]
    head += [f"{size:,}: MiB on disk" for size in sizes]
    lines = [head, ["---"] * len(head)]
    for step, runs in found.items():
        row = [step, *(f"{run.seconds:.1f}" for run in runs)]
        row.append(f"{exponent(sizes, [run.seconds for run in runs]):.2f}")
        row += [f"{run.private:,.0f} ({run.peak:,.0f})" for run in runs]
        row.append(f"{growth([run.private for run in runs]):.2f}")
        row += [f"{mib:,.1f}" for mib in left[step]]
        lines.append(row)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """Of the power law that fits best: 1 is linear, what every process starts with lowers it."""
    if len(sizes) < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def growth(values: list[float]) -> float:
    """The last value by the one before."""
    return values[-1] / values[-2] if len(values) > 1 else float("nan")


def run_step(step: str, size: int, folder: str) -> None:
    """Run a step in `folder`, which holds what the steps before it wrote."""
    os.chdir(folder)
    steps: dict[str, Callable[[Params], None]] = {
        "generate": generate,
        "collection": collection,
        "gold": gold,
        "tokenize": tokenize,
        "encode": encode,
        "retrieve": retrieve,
        "entities": entities,
        "attention": attention,
        "tfidf": tfidf,
        "bm25": bm25,
        "evaluate": evaluate,
    }
    steps[step](settings(size))


def settings(size: int) -> Params:
    """The default study on a world of `size` passages, with questions whose number is fixed."""
    params = load_params(profiles.FOLDER / "microcosm.yaml")
    world = replace(
        params.microcosm,
        passages=size,
        gold_share=min(1.0, GOLD / size),
        train_questions=1_000,
        dev_questions=100,
        test_questions=200,
        reading_questions=200,
    )
    whole = replace(params.select, passages=size)  # entities of all passages
    main = {"main": params.collections["main"]}
    return replace(params, microcosm=world, collections=main, select=whole)


def generate(params: Params) -> None:
    """The encyclopedia."""
    from ecqg.microcosm import write_microcosm

    write_microcosm(Path(params.collections["main"].folder), params.microcosm, params.seed)


def collection(params: Params) -> None:
    """Stages collection and subsets' empty answer: no gold set is compared with."""
    from ecqg.files import write_json
    from ecqg.stages import collection

    collection.run(params, paths.MAIN)
    write_json(paths.subsets(), {})


def gold(params: Params) -> None:
    """Stage gold: the passages of the training questions."""
    from ecqg.stages import gold

    gold.run(params, paths.MAIN)


def tokenize(params: Params) -> None:
    """All passages, to where encoding finds them; writes the tiny model that the next steps use."""
    from ecqg import paths
    from ecqg.corpus.passages import Passages
    from ecqg.encoder.encode import Encoding
    from ecqg.encoder.model import PASSAGE
    from ecqg.training.wordpiece import train_tokenizer

    store = paths.collection() / "passages.arrow"
    sample = [passage.text for passage in Passages(store)[:VOCABULARY_FROM]]
    write_model(train_tokenizer(sample, params.init_encoder.vocabulary))
    Encoding(paths.retriever(SYSTEM) / PASSAGE, params.encoder).tokens_of(store)


def write_model(tokenizer: object) -> None:
    """One random encoder, for questions as for passages."""
    import torch
    from transformers import BertConfig, BertModel

    from ecqg import paths
    from ecqg.encoder.model import PASSAGE, QUESTION
    from ecqg.training.weights import save_model

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=256,
    )
    model = BertModel(config, add_pooling_layer=False)
    for half in (QUESTION, PASSAGE):
        save_model(paths.retriever(SYSTEM) / half, model, tokenizer)


def encode(params: Params) -> None:
    """Stage encode, of passages that are tokenized."""
    from ecqg.stages import encode

    encode.run(params, SYSTEM)


def retrieve(params: Params) -> None:
    """Stage retrieve: index and search."""
    from ecqg.stages import retrieve

    retrieve.run(params, SYSTEM)


def entities(params: Params) -> None:
    """Stage entities."""
    from ecqg.stages import entities

    entities.run(params)


def attention(params: Params) -> None:
    """Stage entity-attention: the attention of the tiny model, over mentions."""
    from ecqg.stages import entity_attention

    entity_attention.run(params)


def tfidf(params: Params) -> None:
    """Stage lexical, TF-IDF: index and search."""
    from ecqg.stages import lexical

    lexical.run(params, "tfidf")


def bm25(params: Params) -> None:
    """Stage lexical, BM25: index and search."""
    from ecqg.stages import lexical

    lexical.run(params, "bm25")


def evaluate(params: Params) -> None:
    """Stage evaluate, of those that have searched."""
    from ecqg.stages import evaluate

    for system in (SYSTEM, "bm25"):
        if paths.runs(system).is_dir():
            evaluate.run(params, system)


if __name__ == "__main__":
    main()
