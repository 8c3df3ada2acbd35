"""What the generated encyclopedia is like, and what it costs.

    python bench/microcosm.py [--passages N]

Writes a world of N passages (params.yaml's other settings) to a temporary folder and prints, as
Markdown: time and peak memory of writing it; sentences and words of its passages; and how many of
the names that its facts state en_core_web_sm finds as one span, by OntoNotes type, on a sample.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import resource
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from ecqg.attention.ner import recognise, trim
from ecqg.microcosm import write_microcosm
from ecqg.params import load_params

NAMES_OF = 600  # passages


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, help="size of the world")
    options = parser.parse_args()
    params = load_params()
    settings = params.microcosm
    if options.passages:
        settings = dataclasses.replace(settings, passages=options.passages)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "world"
        before = time.perf_counter()
        write_microcosm(folder, settings, params.seed)
        seconds = time.perf_counter() - before
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{settings.passages:,} passages: {seconds:.1f} s, {peak:.2f} GiB at most\n")
        print(prose(folder))
        print(names(folder, params.entities.model, params.entities.types))


def prose(folder: Path) -> str:
    """Sentences and words of passages."""
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        words = np.array(
            [len(row["text"].split()) for row in csv.DictReader(lines, delimiter="\t")]
        )
    with (folder / "sentences.jsonl").open(encoding="utf-8") as lines:
        sentences = Counter(len(json.loads(line)["starts"]) for line in lines)
    shares = ", ".join(f"{n}: {100 * sentences[n] / len(words):.0f} %" for n in sorted(sentences))
    low, quarter, half, third, high = np.percentile(words, [0, 25, 50, 75, 100])
    return (
        f"sentences {shares}; words {words.mean():.1f} on average, {low:.0f} to {high:.0f}, "
        f"quartiles {quarter:.0f}, {half:.0f}, {third:.0f}\n"
    )


def names(folder: Path, model: str, types: tuple[str, ...]) -> str:
    """Share of stated names that are found as one span, whatever its label."""
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(islice(csv.DictReader(lines, delimiter="\t"), 50_000))
    chosen = {row["id"]: row["text"] for row in Random(1).sample(rows, min(NAMES_OF, len(rows)))}
    found = {
        key: {(start, end) for start, end, _ in mentions}
        for key, mentions in zip(chosen, recognise(chosen.values(), model, types), strict=True)
    }
    stated: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    with (folder / "facts.jsonl").open(encoding="utf-8") as lines:
        for fact in map(json.loads, lines):
            key, kind = fact["passage_id"], fact["kind"]
            if key in chosen and kind in types:
                end = fact["start"] + len(fact["object"])
                stated[kind] += 1
                hit[kind] += trim(chosen[key], fact["start"], end) in found[key]
    rows_out = [
        f"| {kind} | {stated[kind]} | {100 * hit[kind] / stated[kind]:.1f} |"
        for kind in sorted(stated)
    ]
    total = f"| all | {stated.total()} | {100 * hit.total() / stated.total():.1f} |"
    return "\n".join(["| type | stated | found (%) |", "|---|---|---|", *rows_out, total])


if __name__ == "__main__":
    main()
