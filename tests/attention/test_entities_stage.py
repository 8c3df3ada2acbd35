"""The stage entities, stopped on its way."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ecqg
from ecqg import paths, processes, resume, shards
from ecqg.attention import ner
from ecqg.attention.entities import Entities
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.params import load_params
from ecqg.stages import entities

TEXT = "In 1901 Harriet Vale met Barack Obama in Chicago. "
BLOCK = 16  # a smaller one than the stage's
COUNT = 2 * BLOCK + 9


@pytest.mark.slow
def test_passages_that_were_read_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = load_params(Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(processes, "processors", lambda: 1)
    monkeypatch.setattr(ner, "BLOCK", BLOCK)
    monkeypatch.setattr(entities, "BLOCK", BLOCK)
    texts = [TEXT * (1 + i % 3) for i in range(COUNT)]
    passages = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(texts)]
    write_passages(paths.collection() / PASSAGES, passages)
    entities.run(params)
    expected = paths.ENTITIES.read_bytes()
    assert len(Entities(paths.ENTITIES)) >= COUNT

    given: list[int] = []
    whole = ner.recognise

    def until_stopped(texts: Iterable[str], **settings: Any) -> Iterator[list[ner.Mention]]:
        listed = list(texts)
        given.append(len(listed))
        for done, mentions in enumerate(whole(listed, **settings)):
            if len(given) == 1 and done == BLOCK + 3:
                raise KeyboardInterrupt
            yield mentions

    paths.ENTITIES.unlink()
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(entities, "recognise", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        entities.run(params)
    assert not paths.ENTITIES.exists()
    entities.run(params)
    assert given == [COUNT, COUNT - BLOCK]
    assert paths.ENTITIES.read_bytes() == expected
    assert not list(resume.FOLDER.iterdir())

    types = dataclasses.replace(params.entities, types=("PERSON",))
    entities.run(dataclasses.replace(params, entities=types))  # other settings, other work
    assert given[-1] == COUNT


@pytest.mark.slow
def test_only_the_passages_that_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = load_params(Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(processes, "processors", lambda: 1)
    names = ["Harriet Vale", "Barack Obama", "Chicago"]
    texts = [f"In 1901 {names[i % 3]} met {names[(i + 1) % 3]} there." for i in range(40)]
    passages = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(texts)]
    write_passages(paths.collection() / PASSAGES, passages)
    entities.run(params)  # its samples are larger than the collection
    every = {row: Entities(paths.ENTITIES).of(row) for row in range(40)}
    assert all(every.values())

    small = dataclasses.replace(
        params,
        select=dataclasses.replace(params.select, passages=5),
        attention_statistics=dataclasses.replace(params.attention_statistics, passages=4),
        analysis=dataclasses.replace(params.analysis, entity_passages=3),
    )
    entities.run(small)
    # As the stages that look at them draw them.
    wanted = {
        row
        for size, stream in ((5, "select"), (4, "attention-report"), (3, "entity-questions"))
        for row in sample_rows(40, size, params.seed, stream)
    }
    assert 5 < len(wanted) <= 12
    found = Entities(paths.ENTITIES)
    assert list(found.passages()) == sorted(wanted)
    assert all(found.of(row) == every[row] for row in wanted)
