"""Debian's chromium, started once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

playwright = pytest.importorskip("playwright.sync_api")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.fail("no chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
