"""The first stage refuses what would fail later, before anything is written."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from declarations import ROOT

from ecqg import paths
from ecqg.checking import read_yaml
from ecqg.errors import InputError
from ecqg.params import Collection, GoldSet, Params, ReadingSet, Weights, build_params, load_params
from ecqg.stages import check

field_for = cache(check.field_for)


@pytest.fixture(autouse=True)
def shared_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of the same field of research are drawn once, not in each test."""
    monkeypatch.setattr(check, "field_for", field_for)


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


MOST = " than the 512 positions of init_encoder; set it to 512 or less"
RANDOM = {"init_encoder.source": "random", "init_encoder.layers": 1}
CASES = [
    ({"filter.hard_cut": 1.5}, r"filter\.hard_cut is 1\.5; a quantile lies between 0 and 1"),
    ({"retrieval.index": "Nonsense"}, r"retrieval\.index is 'Nonsense', which FAISS refuses"),
    ({"retrieval.index": ""}, r"retrieval\.index is '', which FAISS refuses"),
    ({"retrieval.index": "PQ7"}, r"retrieval\.index is 'PQ7', .* multiple of the number"),
    ({"retrieval.index": "HNSW99999999999"}, r"retrieval\.index is .* \(C\+\+ exception stoi\);"),
    ({"retrieval.index": "Flat nprobe=2"}, r"retrieval\.index is 'Flat nprobe=2'"),
    ({"reader.phases.0.stride": 10000}, r"reader\.phases\[0\]\.stride 10000 leaves gaps .* is 149"),
    ({"reader.phases.0.stride": 0}, r"reader\.phases\[0\]\.stride 0 leaves gaps"),
    ({"reader.phases.0.max_tokens": 5000}, r"reader\.phases\[0\]\.max_tokens is 5000, more" + MOST),
    ({"reader.neighbour_heads": [*range(1, 8)]}, r"neighbour_heads names 7 heads, .* has 6; name"),
    (
        {"init_encoder.layers": 50},
        r"init_encoder\.layers is 50, the weights have 2; set it",
    ),
    ({"encoder.max_passage_tokens": 100000}, r"encoder\.max_passage_tokens is 100000, more" + MOST),
    ({"encoder.max_question_tokens": 513}, r"encoder\.max_question_tokens is 513, more" + MOST),
    ({"reranker.max_tokens": 10}, r"reranker\.max_tokens is 10; it must leave room for a passage"),
    ({"reranker.max_tokens": 513}, r"reranker\.max_tokens is 513, more" + MOST),
    ({"microcosm.gold_share": 0.0}, r"microcosm\.gold_share 0 of 15000 passages is none; raise it"),
    ({"microcosm.sentence_bias": [0, 0]}, r"microcosm\.sentence_bias is \[0\.0, 0\.0\]; give some"),
    ({"microcosm.sentence_bias": []}, r"microcosm\.sentence_bias is \[\]; give some"),
    ({**RANDOM, "encoder.max_passage_tokens": 513}, r"max_passage_tokens is 513, more" + MOST),
    ({**RANDOM, "reader.neighbour_heads": [*range(1, 10)]}, r"names 9 heads, init_encoder has 8;"),
    (
        {"reader.start": "folder", "reader.name": "short", "reader.phases.0.max_tokens": 129},
        r"reader\.phases\[0\]\.max_tokens is 129, more than the 128 positions of reader",
    ),
    (
        {"public": {"far": {"source": "folder", "question": "short", "passage": "short"}}},
        r"encoder\.max_passage_tokens is 160, more than the 126 positions of public\.far",
    ),
]


@pytest.mark.parametrize(("changes", "message"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_what_a_stage_would_refuse_is_refused_at_once(
    params: Params, changes: dict[str, Any], message: str
) -> None:
    """Before DVC has deleted what the stage made in an earlier run."""
    Path("short").mkdir()
    config = {"model_type": "roberta", "pad_token_id": 1, "max_position_embeddings": 128}
    if "reader.name" in changes:
        config["model_type"] = "bert"
    Path("short/config.json").write_text(json.dumps(config))
    Path("short/model.safetensors").touch()
    Path("short/tokenizer.json").touch()
    tree = read_yaml(ROOT / "params.yaml")
    for key, value in changes.items():
        *path, last = key.split(".")
        found = tree
        for part in path:
            found = found[int(part)] if part.isdigit() else found[part]
        found[last] = value
    with pytest.raises(InputError, match=rf"^params\.yaml: .*{message}"):
        check.run(build_params(tree))
    assert not paths.DATA.exists()


@pytest.mark.parametrize("folder", ["nowhere", "data/nope", "data/raw/nope", "data/raw/squad"])
@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("collections.far", lambda folder: Collection(folder, {})),
        ("distractors.far", str),
        ("gold_sets.far", lambda folder: GoldSet(folder, paths.MAIN)),
        ("reading_sets.far", ReadingSet),
        ("public.far", lambda folder: Weights("folder", folder, folder)),
    ],
)
def test_folders_must_be_there(params: Params, section: str, entry: Any, folder: str) -> None:
    """Or be what the source makes; what another one has left there is deleted."""
    (paths.RAW / "squad").mkdir(parents=True)
    (paths.RAW / "squad/model.safetensors").touch()
    name, key = section.split(".")
    changed = getattr(params, name) | {key: entry(folder)}
    said = rf"{section}(\.folder|\.question)?: there is no folder {folder}; correct the path"
    with pytest.raises(InputError, match=said):
        check.run(dataclasses.replace(params, **{name: changed}))
    assert not paths.CODE.exists()


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
    changed = dataclasses.replace(params, collections=params.collections | {"far": far})
    with pytest.raises(InputError, match=r"far\.test_sets\.asked: far has no file tset\.qa\.tsv;"):
        check.run(changed)
    Path("far/tset.qa.tsv").touch()
    Path("far/passages.tsv").write_text("id\ttitle\ttext\n")
    with pytest.raises(InputError, match=r"passages\.tsv:1: the columns are id, title, text"):
        check.run(changed)
    assert not paths.DATA.exists()


def test_what_is_there_is_said_and_what_nothing_uses(params: Params) -> None:
    said = list(check.summary(params))
    assert said == [
        "params.yaml is valid: 7 systems, 3 question sets, 3 collections with 7 test sets"
    ]
    unused = params.question_sets | {"more": params.question_sets["conditioned"]}
    notes = check.summary(dataclasses.replace(params, question_sets=unused))
    assert list(notes)[1:] == ["note: question_sets.more is made, and nothing is trained with it"]
