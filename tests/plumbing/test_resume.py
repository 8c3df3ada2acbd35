"""What is left for the next start: the same work finds it, other work does not."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from ecqg import closure, digests, resume
from ecqg.errors import InputError
from ecqg.resume import digest, resumable

TOY = "package.toy"


@dataclass(frozen=True)
class Settings:
    lr: float
    layers: int


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(digests, "FOLDER", Path("digests"))
    monkeypatch.setattr(closure, "PACKAGE", tmp_path / "package")
    toy = SimpleNamespace(__file__=str(tmp_path / "package/toy.py"))
    monkeypatch.setitem(sys.modules, TOY, cast(ModuleType, toy))
    closure.imported_names.cache_clear()
    Path("input").write_text("a\n")
    Path("package").mkdir()
    Path("package/toy.py").write_text("from package import a\n")
    module("SIZE = 1")


def module(text: str) -> None:
    """Make `text` the only module that the toy's imports."""
    (closure.PACKAGE / "a.py").write_text(f"{text}\n")


def interrupted(*settings: object, stage: str = "train") -> list[str]:
    """Names found in the folder by work that is killed after writing one more."""
    found: list[str] = []
    with (
        pytest.raises(KeyboardInterrupt),
        resumable(TOY, stage, [Path("input")], *settings) as folder,
    ):
        found += sorted(p.name for p in folder.iterdir())
        (folder / f"{len(found)}").write_text("")
        raise KeyboardInterrupt
    return found


def test_the_same_work_goes_on() -> None:
    settings = Settings(1e-3, 2), {"seed": 1}
    assert [interrupted(*settings) for _ in range(3)] == [[], ["0"], ["0", "1"]]


@pytest.mark.parametrize("change", ["setting", "input", "code", "module", "library"])
def test_other_work_starts_anew_and_clears_up(change: str, monkeypatch) -> None:
    assert interrupted(Settings(1e-3, 2)) == []
    assert interrupted(stage="other") == []
    if change == "input":
        Path("input").write_text("b\n")
    if change == "code":
        module("SIZE = 2")
    if change == "module":
        closure.imported_names.cache_clear()
        (closure.PACKAGE / "b.py").write_text("")
        (closure.PACKAGE / "toy.py").write_text("from package import a, b\n")
    if change == "library":
        spacy = closure.versions() | {"spacy": "0.1"}
        monkeypatch.setattr(resume, "versions", lambda: spacy)
    assert interrupted(Settings(1e-3, 3 if change == "setting" else 2)) == []
    assert len(list((resume.FOLDER / "train").iterdir())) == 1
    assert interrupted(stage="other") == ([] if change != "setting" else ["0"])


def test_what_is_said_of_the_code_costs_no_work() -> None:
    interrupted()
    module('"""Of the module."""\n\n# Of the line.\nSIZE = 1  # byte')
    assert interrupted() == ["0"]


def test_a_module_that_is_not_imported_is_no_part_of_the_work() -> None:
    """Also one that is half edited."""
    assert interrupted() == []
    (closure.PACKAGE / "other.py").write_text("def f(:\n")
    assert interrupted() == ["0"]


@pytest.mark.parametrize("seconds", [0, 10])
def test_a_large_input_of_other_bytes_is_other_work(seconds: int, monkeypatch) -> None:
    """Also where it was rewritten to the same size, at once or when its digest is kept."""
    monkeypatch.setattr(resume, "LARGE", 1)
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + seconds * 10**9)
    monkeypatch.setattr(digests, "time", clock)
    assert [interrupted(), interrupted()] == [[], ["0"]]
    assert (digests.FOLDER / "content_digest.json").exists() == (seconds > 0)
    Path("input").write_text("b\n")
    os.utime("input", ns=(0, time.time_ns() + seconds))
    assert interrupted() == []


def test_what_can_be_mended_elsewhere_costs_no_work() -> None:
    """Such as a device that another process had filled, or one that was misspelt."""
    interrupted()
    with pytest.raises(InputError), resumable(TOY, "train", [Path("input")]):
        raise InputError("out of memory", remedy="wait")
    assert interrupted() == ["0"]


def test_nothing_is_left_at_the_end() -> None:
    interrupted()
    with resumable(TOY, "train", [Path("input")]) as folder:
        assert (folder / "0").is_file()
    assert not (resume.FOLDER / "train").exists()


def test_a_digest_tells_names_from_contents() -> None:
    for name, text in (("x/a", "1"), ("x/b/c", "2"), ("y/a", "1"), ("y/b", "2"), ("z/a", "12")):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    digests = {digest([Path(name)]) for name in ("x", "y", "z", "x/a", "z/a")}
    assert len(digests) == 5
    assert digest([Path("x/a")]) == digest([Path("y/a")])
    assert digest([Path("x"), Path("y")]) != digest([Path("y"), Path("x")])
    assert digest([], [1]) != digest([], [2])


def test_settings_must_be_json() -> None:
    with pytest.raises(TypeError, match="set is no JSON"):
        digest([], {1, 2})


def test_an_input_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="missing: no such file or folder; run the stage that"):
        digest([Path("missing")])
