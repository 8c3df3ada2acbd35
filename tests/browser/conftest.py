"""A chromium, started once: the system's, or else the one that playwright has installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with playwright.sync_playwright() as started:
        if not program and not Path(started.chromium.executable_path).is_file():
            pytest.fail("no chromium: apt-get install chromium")
        opened = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
