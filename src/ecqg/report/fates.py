"""What became of generated questions: which filter dropped them, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.params import Filter
from ecqg.synthesis import filter as filters
from ecqg.synthesis.records import GENERATED, READ, SCORED, read_aligned

if TYPE_CHECKING:
    from pandas import DataFrame

KEPT = "kept"
UNSURE, OTHER, ELSEWHERE = "reader unsure", "reader answers otherwise", "answered elsewhere"
EASY = "too easy for the retriever"
FATES = (KEPT, UNSURE, OTHER, ELSEWHERE, EASY)
SAMPLE = 80  # questions of each set and fate


def read_fates(
    asked: Mapping[str, Sequence[str]], settings: Filter
) -> tuple[dict[str, dict[str, int]], DataFrame]:
    """Questions by set and fate: how many, and a sample of SAMPLE each, evenly over the passages,
    those of sets with filters first.

    `asked` are question sets with their filters; one that was not generated is left out. The
    sample's columns: set, fate, question, answer, reader (its answer), confidence (0 to 1), score
    (of the selecting system), entity (asked about, if any) and passage (its title). Raises
    InputError where the files about a set are of different questions.
    """
    import pandas as pd

    there = [name for name in asked if paths.scored(name).is_file()]
    if there:
        passages = Passages(paths.collection() / PASSAGES)
    counts, rows = {}, []
    for name in sorted(there, key=lambda name: not asked[name]):
        candidates = [*filters.read_candidates(name, passages)]
        _, readable, kept = filters.apply(candidates, asked[name], settings).values()
        read_well, hard = {c.id for c in readable}, {c.id for c in kept}
        fates = np.array([
            KEPT if c.id in hard
            else EASY if c.id in read_well
            else UNSURE if c.confidence < settings.reader_threshold
            else OTHER if settings.require_same_answer and not c.agrees
            else ELSEWHERE
            for c in candidates
        ])  # fmt: skip
        counts[name] = {fate: int((fates == fate).sum()) for fate in FATES}
        chosen = set[int]()
        for fate in FATES:
            places = np.flatnonzero(fates == fate)
            chosen.update(places[:: max(1, -(-len(places) // SAMPLE))].tolist())
        files: dict[Path, Mapping[str, Any]] = {paths.generated(name): GENERATED}
        files |= {paths.read(name): READ, paths.scored(name): SCORED}
        for place, (asking, read, scored) in enumerate(read_aligned(files)):
            if place in chosen:
                said = (asking["question"], asking["answer"], read["answer"])
                figures = (float(read["confidence"]), float(scored["score"]))
                about = asking.get("entity") or "", passages[asking["row"]].title
                rows.append((name, fates[place], *said, *figures, *about))
    columns = ["set", "fate", "question", "answer", "reader", "confidence", "score"]
    return counts, pd.DataFrame(rows, columns=[*columns, "entity", "passage"])
