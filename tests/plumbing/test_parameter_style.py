"""params.yaml in the style that DVC writes, so that a parameter set by DVC is one line's change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from declarations import ROOT
from dvc.utils.hydra import apply_overrides
from dvc.utils.serialize import load_yaml, modify_yaml

from ecqg.profiles import DATA_SETS, describe, use, whole

pytestmark = pytest.mark.slow

PROFILES = [name for name, _ in describe()]


@cache
def text_of(name: str) -> str:
    """Of a profile, or of the repository's params.yaml."""
    return whole(name) if name in PROFILES else (ROOT / name).read_text(encoding="utf-8")


def ends(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The first and the last single value of each mapping, by its dotted name."""
    single = [key for key, value in tree.items() if not isinstance(value, dict | list)]
    for key in dict.fromkeys([*single[:1], *single[-1:]]):
        yield f"{prefix}{key}", tree[key]
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from ends(value, f"{prefix}{key}.")


def differences(old: str, new: str) -> Iterator[tuple[str, str]]:
    """The lines that differ, of two texts that have as many."""
    for pair in zip(old.splitlines(), new.splitlines(), strict=True):
        if pair[0] != pair[1]:
            yield pair


@pytest.fixture(params=["params.yaml", *PROFILES])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a parameter file."""
    target: Path = tmp_path / "params.yaml"
    target.write_text(text_of(request.param), encoding="utf-8")
    return target


def test_what_dvc_reads_and_writes_is_the_same(written: Path) -> None:
    text = written.read_bytes()
    with modify_yaml(written):
        pass
    assert written.read_bytes() == text
    # `dvc exp run --set-param` sets every parameter anew, the lists too.
    apply_overrides(written, [])
    assert written.read_bytes() == text


def test_one_value_set_by_dvc_is_one_line(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    names = dict(ends(load_yaml(written)))
    assert len(names) > 50
    for some in (list(names.items())[i::8] for i in range(8)):  # neighbours are not set together
        # By the call that `dvc exp run --set-param` makes.
        apply_overrides(written, [f"{name}={8 if value == 7 else 7}" for name, value in some])
        changed = list(differences(text, written.read_text(encoding="utf-8")))
        keys = sorted(name.rsplit(".", 1)[-1] for name, _ in some)
        assert sorted(old.split(":")[0].strip() for old, _ in changed) == keys
        for old, new in changed:
            assert old.split(":")[0] == new.split(":")[0]
            # A comment behind the value stays there.
            assert old.partition(" #")[2] == new.partition(" #")[2]
        written.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_profile_with_data_has_the_style_too(name: str, tmp_path: Path) -> None:
    sets = DATA_SETS[name]
    named = (*sets.test_sets, *sets.distractors, *sets.zero_shot, *sets.reading_sets)
    for folder in (sets.train, *named):
        (tmp_path / "data" / folder).mkdir(parents=True)
        (tmp_path / "data" / folder / "train.dpr.json").touch()
    target = tmp_path / "params.yaml"
    use(name, data=tmp_path / "data", target=target)
    text = target.read_text(encoding="utf-8")
    tree = load_yaml(target)
    assert len(tree["gold_sets"]) > 1 and len(tree["collections"]) > 1
    assert "\n\n " not in text and text.count("\n\n") == text_of("params.yaml").count("\n\n")
    apply_overrides(target, ["seed=2"])
    changed = [*differences(text, target.read_text(encoding="utf-8"))]
    assert changed == [("seed: 1", "seed: 2")]
