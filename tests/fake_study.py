"""A study without models for the local page: two rankings, attention that is even, one question."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ecqg.attention.aggregate import Mention
from ecqg.attention.heatmap import HeatMap, make_panel
from ecqg.attention.tokens import locate
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.inspection.study import Study
from small_passages import make_passages

EVIL = "<script>alert(1)</script>"


class Fake(Study):
    """Even attention on each word, the first of which is an entity; a question about any part."""

    def look(self, passage: Passage, systems: list[str]) -> HeatMap:  # type: ignore[override]
        words = passage.text.split()
        spans, begin = [], 0
        for word in words:
            start = passage.text.index(word, begin)
            begin = start + len(word)
            spans.append((start, begin))
        mentions = [Mention(words[0], "PERSON", *spans[0], 0.1, 1)]
        n = len(words) + 2
        attention = locate(passage.row, np.full(n, 1 / n, np.float32), n, spans)
        names = [f"System {system}" for system in systems]
        panels = [
            make_panel(name, "#0072B2", passage, attention, mentions, "exclude", "exclude")
            for name in names
        ]
        return HeatMap(passage.title, passage.text, mentions, set(), "DPR", [], panels)

    def ask(self, passage: Passage, start: int, end: int) -> list[tuple[str, str]]:
        return [(f"What is {passage.text[start:end]}?", EVIL)]


def make_study(folder: Path) -> Fake:
    passages = make_passages(("Mill", f"A mill of {EVIL} stands here."), (EVIL, "Rome fell."))
    write_passages(folder / PASSAGES, passages)

    def search(question: str, depth: int) -> tuple[object, object]:
        return np.array([1, 0]), np.array([2.0, 1.0], np.float32)

    systems = {"bm25": lambda: search, "dpr": lambda: search}
    return Fake(folder, systems, {"dpr": lambda: None}, lambda: None, None, None, 1)  # type: ignore
