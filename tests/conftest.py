"""What all tests share: no network, no analytics, one thread, the default numerics."""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from ecqg import numerics

assert numerics.fix(), "a plugin of pytest has imported NumPy before its environment was set"
from ecqg import checking, digests  # noqa: E402

hypothesis.settings.register_profile("ecqg", deadline=None)  # a first example may import torch
hypothesis.settings.load_profile("ecqg")
os.environ.setdefault("DVC_NO_ANALYTICS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# Ray's handler of SIGSEGV would take the place of Java's, which lives by that signal: a process
# that searches with Lucene and then has a cluster would die of it.
os.environ["RAY_DISABLE_FAILURE_SIGNAL_HANDLER"] = "1"
os.environ.pop("PYTHONUNBUFFERED", None)  # commands print to files as most people have them do
os.environ["RAY_ADDRESS"] = ""  # no cluster, also where this machine is a node of one
os.environ.setdefault("ECQG_THREADS", "1")  # two tests run at a time; some start processes


@pytest.fixture(autouse=True)
def shared_digests(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The package's modules are digested once, not once in each test's working folder."""
    monkeypatch.setattr(digests, "FOLDER", tmp_path_factory.getbasetemp() / "digests")


parse, parsed = checking.parse_yaml, dict[str, Any]()


@pytest.fixture(autouse=True)
def shared_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of files with the same text, which most tests' parameters are, one is parsed."""

    def parse_once(text: str, path: str | Path) -> Any:
        if text not in parsed:
            parsed[text] = parse(text, path)
        return deepcopy(parsed[text])

    monkeypatch.setattr(checking, "parse_yaml", parse_once)


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the marks in this hook, too
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What pytest-xdist's processes share out, and in what order.

    Tests that work in the one clone of the whole DAG stay in one process, and begin at once; other
    tests stay with those of their file, whose fixtures they share, long ones first.
    """
    groups = {item: _group(item) for item in items}
    slow = {groups[item] for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (groups[item] != "pipeline", groups[item] not in slow))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item]))


def _group(item: pytest.Item) -> str:
    in_clone = item.get_closest_marker("pipeline") and "pipeline" in item.fixturenames
    return "pipeline" if in_clone else item.nodeid.partition("::")[0]


@pytest.fixture
def fast_bf16(monkeypatch: pytest.MonkeyPatch) -> None:
    """Precision bf16 is bf16, also on a processor that is slow at it."""
    from ecqg.training import device

    monkeypatch.setattr(device, "_is_bf16_fast", lambda kind: True)
