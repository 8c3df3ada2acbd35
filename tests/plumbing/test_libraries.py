"""The libraries are those that pyproject.toml names, as they are installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import faiss
import numpy as np
import pytest

from ecqg import closure
from ecqg.closure import versions

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_versions_are_of_what_the_package_requires() -> None:
    required = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    assert list(versions()) == [re.split("[<>=]", text)[0] for text in required]
    assert versions()["numpy"] == np.__version__
    assert versions()["faiss-cpu"] == faiss.__version__


def test_a_library_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    required = ["numpy>=2", "no-such-library", 'pytest; extra == "dev"']
    monkeypatch.setattr(closure, "requires", lambda name: required)
    assert versions.__wrapped__() == {"numpy": np.__version__}
