"""The page of a made-up probe in a real browser: widths, dark, keyboard, and axe."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from looks import opened, overflow, reached

from ecqg.probe.page import page as written
from fake_probe import model, probe

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.browser
WIDTHS = (360, 800, 1280)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("probe") / "probe.html"
    file.write_text(written(probe(model("mean"), model("cls"))), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in ("light", "dark")])
def view(request: pytest.FixtureRequest, browser, address: str) -> Iterator[object]:
    """The page, unfolded, at a width and in a colour scheme."""
    with opened(browser, address, *request.param) as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        yield page


def test_nothing_runs_off_and_axe_finds_nothing_serious(view) -> None:
    assert overflow(view) == 0
    found = axe.Axe().run(view).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200], one["help"]) for one in found
               if one["impact"] in ("serious", "critical")]  # fmt: skip
    assert serious == []


def test_the_most_attended_words_can_be_read(view) -> None:
    """Of words in full shade, on the page's own colours, as WCAG 2 computes contrast."""
    ratio = view.evaluate("""() => {
        const probe = document.createElement('i');
        document.body.append(probe);
        const light = (name) => {
            probe.style.color = `var(${name})`;
            const parts = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3);
            const [r, g, b] = parts.map((one) => one / 255)
                .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const [one, other] = [light('--ink'), light('--hot')];
        return Math.max(one, other) / Math.min(one, other);
    }""")
    assert ratio >= 4.6


def test_the_keyboard_reaches_what_scrolls_and_focus_is_seen(view) -> None:
    assert {"wide", "SUMMARY"} <= reached(view, "className", 60)
