"""The first stage refuses what would fail later, before anything is written."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from declarations import ROOT

from ecqg import paths
from ecqg.errors import InputError
from ecqg.params import Params, Supervised, load_params
from ecqg.stages import check


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    return load_params(ROOT / "params.yaml")


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        ("microcosm", {"families": ("person", "dragon")}, "no article type dragon; choose from"),
        ("microcosm", {"families": ("novel",)}, "microcosm.families lacks person"),
        ("entities", {"model": "en_none"}, "the spaCy pipeline en_none is not installed"),
        ("corpus", {"train_set": "nowhere"}, "corpus.train_set: there is no folder nowhere"),
        ("corpus", {"distractors": {"more": "far"}}, "corpus.distractors.more: there is no folder"),
        (
            "encoder_start",
            {"source": "folder", "name": "bert"},
            "encoder_start: there is no folder",
        ),
        ("encoder_start", {"source": "package", "name": "bert"}, "no package 'bert' of weights"),
        (
            "generator_start",
            {"source": "hub", "name": "org/bart"},
            "the hub model 'org/bart' has no",
        ),
        ("reader", {"start": "hub", "name": "org/bert@main"}, "'org/bert@main' has no commit"),
        (
            "baseline",
            {"source": "folder", "question": "q", "passage": "p"},
            "baseline: there is no",
        ),
    ],
)
def test_what_would_fail_later_fails_at_once(
    params: Params, section: str, values: dict[str, Any], message: str
) -> None:
    changed = dataclasses.replace(getattr(params, section), **values)
    with pytest.raises(InputError, match=message):
        check.run(dataclasses.replace(params, **{section: changed}))
    assert not paths.DATA.exists()


def test_folders_of_sets_must_be_there(params: Params) -> None:
    for section, value in (
        ("zero_shot", {"far": "far"}),
        ("reading_sets", {"quac": "quac"}),
        ("supervised", {"tail": Supervised("own", paths.MAIN, None)}),
    ):
        with pytest.raises(InputError, match=r"there is no folder .*; correct the path"):
            check.run(dataclasses.replace(params, **{section: value}))
    assert not paths.DATA.exists()
