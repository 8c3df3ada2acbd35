"""The first stage refuses what would fail later, before anything is written."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from declarations import ROOT

from ecqg import paths
from ecqg.errors import InputError
from ecqg.params import Collection, GoldSet, Params, ReadingSet, Weights, load_params
from ecqg.stages import check


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    Path("weights").symlink_to(ROOT / "weights")
    return load_params(ROOT / "params.yaml")


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        ("microcosm", {"families": ("person", "dragon")}, "no article type dragon; choose from"),
        ("microcosm", {"families": ("novel",)}, "microcosm.families lacks person"),
        ("entities", {"model": "en_none"}, "the spaCy pipeline en_none is not installed"),
        (
            "init_encoder",
            {"source": "folder", "name": "bert"},
            "init_encoder.name: there is no folder",
        ),
        ("init_encoder", {"source": "package", "name": "bert"}, "no package 'bert' of weights"),
        (
            "init_generator",
            {"source": "hub", "name": "org/bart"},
            "the hub model 'org/bart' has no",
        ),
        ("reader", {"start": "hub", "name": "org/bert@main"}, "'org/bert@main' has no commit"),
    ],
)
def test_what_would_fail_later_fails_at_once(
    params: Params, section: str, values: dict[str, Any], message: str
) -> None:
    changed = dataclasses.replace(getattr(params, section), **values)
    with pytest.raises(InputError, match=message):
        check.run(dataclasses.replace(params, **{section: changed}))
    assert not paths.DATA.exists()


@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("collections.far", Collection("nowhere", {})),
        ("distractors.far", "nowhere"),
        ("gold_sets.far", GoldSet("nowhere", paths.MAIN)),
        ("reading_sets.far", ReadingSet("nowhere")),
        ("public.far", Weights("folder", "nowhere", "nowhere")),
    ],
)
def test_folders_must_be_there(params: Params, section: str, entry: Any) -> None:
    name, key = section.split(".")
    changed = getattr(params, name) | {key: entry}
    said = rf"{section}(\.folder|\.question)?: there is no folder nowhere; correct the path"
    with pytest.raises(InputError, match=said):
        check.run(dataclasses.replace(params, **{name: changed}))
    assert not paths.DATA.exists()


def test_public_encoders_must_be_whole_and_want_no_code(params: Params) -> None:
    public = {"far": Weights("folder", "far", "far")}
    changed = dataclasses.replace(params, public=public)
    Path("far/0_Transformer").mkdir(parents=True)
    modules = [{"path": "0_Transformer", "type": "sentence_transformers.models.Transformer"}]
    for name, content, message in (
        ("0_Transformer/model.safetensors", "", "far: no config.json; an encoder folder has"),
        ("config.json", '{"auto_map": {}}', "far: no tokenizer.json or vocab.txt or vocab.json;"),
        ("tokenizer.json", "{}", r"far: no model.safetensors or model.safetensors.index.json;"),
        ("model.safetensors", "", r"far/config.json: auto_map names code of the model's own"),
        ("modules.json", json.dumps(modules), r"far/0_Transformer: no config.json;"),
        (
            "modules.json",
            json.dumps([*modules, {"path": "", "type": "custom.Pooling"}]),
            "far/modules.json: custom.Pooling is code of the model's own",
        ),
    ):
        Path("far", name).write_text(content)
        with pytest.raises(InputError, match=message):
            check.run(changed)
    assert not paths.DATA.exists()


def test_test_sets_must_be_there(params: Params) -> None:
    Path("far").mkdir()
    far = Collection("far", {"asked": "tset.qa.tsv"})
    with pytest.raises(InputError, match=r"far\.test_sets\.asked: far has no file tset\.qa\.tsv;"):
        check.run(dataclasses.replace(params, collections=params.collections | {"far": far}))
    assert not paths.DATA.exists()


def test_what_is_there_is_said_and_what_nothing_uses(params: Params) -> None:
    said = list(check.summary(params))
    assert said == [
        "params.yaml is valid: 7 systems, 3 question sets, 3 collections with 7 test sets"
    ]
    unused = params.question_sets | {"more": params.question_sets["conditioned"]}
    notes = check.summary(dataclasses.replace(params, question_sets=unused))
    assert list(notes)[1:] == ["note: question_sets.more is made, and nothing is trained with it"]
