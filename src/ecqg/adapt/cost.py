"""What adapting will take, measured: the whole chain on a few passages, and on a few more."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from contextlib import chdir, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

from ecqg.adapt.corpus import write_sample
from ecqg.adapt.settings import BASE, CORPUS, DENSE, PLAIN, SETS, TRAINED
from ecqg.adapt.steps import TRAIN, Grows, Step, asking, filtering, link, run, training
from ecqg.params import Params
from ecqg.progress import silence

FEW, MORE = 4, 16  # passages
MEASURING = "measuring"  # all retrievers on the test questions, as one step
NAMED = 30.0  # seconds: what takes less is not named


def estimate(
    params: Params, study: Path, corpus: Path, base: Path, scratch: Path, sizes: Mapping[Grows, int]
) -> dict[str, float]:
    """Seconds of each step at its size.

    The time beyond MORE passages is what the last MORE - FEW of them took. Steps of both question
    sets are measured; of the retrievers one is trained, on unfiltered questions, so that a training
    takes at most as long as is said. `scratch` is removed at the end.
    """
    steps = [
        *asking(),
        *filtering(),
        *training([PLAIN]),
        Step("encode", (BASE, "main"), "passages"),
    ]
    taken: dict[int, dict[str, float]] = {FEW: {}, MORE: {}}
    shutil.rmtree(scratch, ignore_errors=True)
    for count, seconds in taken.items():
        folder = scratch / str(count)
        write_sample(corpus, folder / CORPUS, count, params.seed)
        link(study, folder, base)
        with chdir(folder), silence(), redirect_stdout(StringIO()):
            for step in steps:
                begin = time.monotonic()
                run(step, _small(params, count))
                seconds[step.name] = time.monotonic() - begin
    shutil.rmtree(scratch)
    found = {}
    for step in steps:
        few, more = taken[FEW][step.name], taken[MORE][step.name]
        slope = max(0.0, more - few) / (MORE - FEW)
        found[step.name] = more + slope * max(0, sizes[step.grows] - MORE)
    for stage in ("negatives_synthetic", TRAIN):
        once = found[Step(stage, (PLAIN,)).name]
        found |= {Step(stage, (name,)).name: once for name in TRAINED}
    encoded = found.pop(Step("encode", (BASE, "main")).name)
    return found | {MEASURING: len(DENSE) * encoded}


def _small(params: Params, count: int) -> Params:
    """Of a few passages nothing is filtered, as nothing might be left."""
    changed = {
        name: replace(params.question_sets[name], passages=count, filters=()) for name in SETS
    }
    plain = {PLAIN: params.pretrained[PLAIN]}
    collections = {n: replace(of, test_sets={}) for n, of in params.collections.items()}
    return replace(
        params,
        question_sets=params.question_sets | changed,
        pretrained=plain,
        collections=collections,
        select=replace(params.select, passages=count),
    )


def in_words(seconds: Mapping[str, float]) -> str:
    """The sum, and what takes longest.

    >>> in_words({"generate conditioned": 620, "train adapted": 240, "filter": 0.1})
    'about 14 minutes: generate conditioned 10, train adapted 4'
    """
    ordered = sorted(seconds.items(), key=lambda item: -item[1])
    most = ", ".join(f"{n} {s / 60:.0f}" for n, s in ordered[:4] if s >= NAMED)
    total = max(1, round(sum(seconds.values()) / 60))
    return f"about {total} minute{'s'[: total > 1]}" + (f": {most}" if most else "")
