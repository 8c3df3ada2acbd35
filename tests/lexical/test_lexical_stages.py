"""Searches of the stages `bm25` and `tfidf` that are stopped and started again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from ecqg import paths, resume, shards
from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.lexical.bm25 import BM25
from ecqg.lexical.hits import Hits
from ecqg.lexical.tfidf import TfIdf
from ecqg.params import load_params
from ecqg.stages import bm25, tfidf

WORDS = ["river", "town", "bridge", "mill", "castle", "queen", "harbour"]


@pytest.mark.parametrize(("stage", "searcher"), [(bm25, BM25), (tfidf, TfIdf)])
def test_a_stopped_search_goes_on_to_the_same_run(
    stage: ModuleType,
    searcher: type[BM25 | TfIdf],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    texts = [f"The {word} of {other}" for word in WORDS for other in WORDS if other != word]
    folder = paths.collection()
    store = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(texts)]
    write_passages(folder / "passages.arrow", store)
    for name, words in {"long": WORDS, "short": WORDS[:1]}.items():
        questions = [Question(str(i), f"Which {word}?", (word,)) for i, word in enumerate(words)]
        write_questions(folder / "questions" / f"{name}.qa.tsv", questions)
    stage.run(params)
    runs = paths.runs(stage.__name__.rpartition(".")[2])
    whole = {path.name: path.read_bytes() for path in runs.iterdir()}
    assert whole.keys() == {"long.trec", "short.trec"}
    assert all(text.count(b"\n") > 5 for text in whole.values())
    shutil.rmtree(runs)
    searched: list[str] = []
    search, stopping = searcher.search, True

    def until_stopped(self: BM25 | TfIdf, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        found = search(self, questions, depth)  # type: ignore[arg-type]
        for question, result in zip(questions, found, strict=True):
            if stopping and len(searched) == 4:
                raise KeyboardInterrupt
            searched.append(question)
            yield result

    monkeypatch.setattr(searcher, "search", until_stopped)
    monkeypatch.setattr(shards, "SECONDS", 0)
    with pytest.raises(KeyboardInterrupt):
        stage.run(params)
    assert not runs.exists()
    stopping = False
    stage.run(params)
    assert searched == [f"Which {word}?" for word in (*WORDS, WORDS[0])]
    assert {path.name: path.read_bytes() for path in runs.iterdir()} == whole
    assert not list(resume.FOLDER.iterdir())
