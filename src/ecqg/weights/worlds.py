"""Questions on other worlds of the microcosm: what starting weights learn the language from.

Other world seeds give other names and other facts, told and asked about in the same language.
Sentences are asked about uniformly, so that starting weights bring no bias to the study.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ecqg.corpus.passages import Passage
from ecqg.files import read_jsonl, write_jsonl
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.world import World
from ecqg.questions.gold import Gold
from ecqg.questions.names import Names, shared_names

FIELDS = {"title": str, "text": str, "starts": list[int], "asked": list[list[Any]]}


def write_world(path: Path, seed: int, passages: int, questions: int, told: Sequence[str]) -> None:
    """Write a world's passages, a line each, with the questions asked about them.

    A question is [text, answer, names of the passage that it mentions].
    """
    drawer = Drawer(World(seed, passages, told), seed)
    drawn = drawer.by_sentence("start", questions, None, "train", set())
    names = Names(drawer.article(i).text for i in range(passages))
    asked: dict[int, list[list[Any]]] = {i: [] for i in range(passages)}
    for one in drawn:
        whole = [(0, len(one.text))]
        named = shared_names(one.text, whole, one.ask.article.text, names)
        asked[one.ask.article.index].append([one.text, one.ask.answer, named])
    records = (
        {"title": a.title, "text": a.text, "starts": list(a.starts), "asked": asked[a.index]}
        for a in map(drawer.article, range(passages))
    )
    write_jsonl(path, records)


def read_worlds(paths: Sequence[Path]) -> tuple[list[Passage], list[Gold]]:
    """All passages, and all questions on them."""
    passages: list[Passage] = []
    gold: list[Gold] = []
    records = chain.from_iterable(read_jsonl(path, FIELDS) for path in paths)
    for row, record in enumerate(records):
        starts = tuple(record["starts"])
        passage = Passage(row, str(row), record["title"], record["text"], starts)
        passages.append(passage)
        gold += [Gold(passage, q, answer, tuple(named)) for q, answer, named in record["asked"]]
    return passages, gold
