"""The stage `lexical`, by both systems, and its searches that are stopped and started again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ecqg import paths, resume, shards
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.evaluation.runs import read_run
from ecqg.lexical.bm25 import BM25
from ecqg.lexical.hits import Hits
from ecqg.lexical.tfidf import TfIdf
from ecqg.params import load_params
from ecqg.stages import lexical

WORDS = ["river", "town", "bridge", "mill", "castle", "queen", "harbour"]


def collection(texts: Sequence[str], words: Sequence[str], name: str = "main") -> None:
    """Write a collection with two test sets, the second of one question."""
    folder = paths.collection(name)
    store = [Passage(i, f"{name}{i}", "", text, (0,)) for i, text in enumerate(texts)]
    write_passages(folder / PASSAGES, store)
    for test_set, about in {"long": words, "short": words[:1]}.items():
        questions = [Question(str(i), f"Which {word}?", (word,)) for i, word in enumerate(about)]
        write_questions(folder / "questions" / f"{test_set}.qa.tsv", questions)


@pytest.mark.slow
@pytest.mark.parametrize("system", [pytest.param("bm25", marks=pytest.mark.slow), "tfidf"])
def test_every_collection_is_searched_by_itself(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    texts = [f"The {word} stands here." for word in WORDS]
    collection(texts, WORDS)
    collection(texts[::-1], WORDS, "far")
    for name, best in (("main", range(7)), ("far", range(6, -1, -1))):
        lexical.run(params, system, *([name] if name == "far" else []))
        found = {r.question_id: r for r in read_run(paths.runs(system, name) / "long.trec")}
        assert {i: r.passage_ids[:1] for i, r in found.items()} == {
            str(i): (f"{name}{row}",) for i, row in enumerate(best)
        }
        with (paths.runs(system, name) / "short.trec").open() as lines:
            assert {line.split()[-1] for line in lines} == {system}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "searcher", "changed"),
    [("bm25", BM25, {"k1": 2.0}), ("tfidf", TfIdf, {"ngrams": 1})],
)
def test_a_stopped_search_goes_on_to_the_same_run(
    system: str,
    searcher: type[BM25 | TfIdf],
    changed: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    texts = [f"The {word} of {other}" for word in WORDS for other in WORDS if other != word]
    collection(texts, WORDS)
    lexical.run(params, system)
    runs = paths.runs(system)
    whole = {path.name: path.read_bytes() for path in runs.iterdir()}
    assert whole.keys() == {"long.trec", "short.trec"}
    assert all(text.count(b"\n") > 5 for text in whole.values())
    searched: list[str] = []
    search = searcher.search

    def until_stopped(self: BM25 | TfIdf, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        found = search(self, questions, depth)  # type: ignore[arg-type]
        for question, result in zip(questions, found, strict=True):
            if stopping and len(searched) == 4:
                raise KeyboardInterrupt
            searched.append(question)
            yield result

    monkeypatch.setattr(searcher, "search", until_stopped)
    monkeypatch.setattr(shards, "SECONDS", 0)
    other = replace(params, **{system: replace(getattr(params, system), **changed)})
    every = [f"Which {word}?" for word in (*WORDS, WORDS[0])]
    for again, begun in ((params, 4), (other, 0)):  # other work begins anew
        shutil.rmtree(runs)
        searched.clear()
        stopping = True
        with pytest.raises(KeyboardInterrupt):
            lexical.run(params, system)
        assert searched == every[:4]
        assert not runs.exists()
        searched.clear()
        stopping = False
        lexical.run(again, system)
        assert searched == every[begun:]
        if again is params:
            assert {path.name: path.read_bytes() for path in runs.iterdir()} == whole
        assert not list(resume.FOLDER.iterdir())
