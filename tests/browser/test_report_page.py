"""The page of a made-up study in a real browser: widths, dark, keyboard, search, and axe."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from looks import opened, overflow, reached
from made_up import (
    QUESTIONS,
    params_of,
    write_analyses,
    write_heat_map,
    write_questions,
    write_study,
)

from ecqg import paths
from ecqg.stages import report

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.browser
WIDTHS = (360, 800, 1280)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("study"))
        write_study()
        write_analyses()
        write_questions(9)
        write_heat_map()
        report.run(params_of())
        return paths.REPORT_HTML.resolve().as_uri()


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in ("light", "dark")])
def view(request: pytest.FixtureRequest, browser, address: str) -> Iterator[object]:
    """The page, drawn, at a width and in a colour scheme."""
    with opened(browser, address, *request.param) as page:
        page.wait_for_function("document.querySelectorAll('.first .chart svg').length == 2")
        yield page


CROWDED = """[...document.querySelectorAll('.chart .role-axis-label')].flatMap((axis) => {
    const labels = [...axis.querySelectorAll('text:not([opacity="0"])')]
        .filter((one) => one.textContent);
    const boxes = labels.map((one) => one.getBoundingClientRect());
    return labels.slice(1).filter((one, i) => boxes[i + 1].top < boxes[i].bottom
            && boxes[i + 1].bottom > boxes[i].top && boxes[i + 1].left < boxes[i].right + 5)
        .map((one) => one.textContent); })"""
UNHIDDEN = """[...document.querySelectorAll('.unseen-label')]
    .filter((one) => one.getBoundingClientRect().right > 0 && one.clientWidth > 1)
    .map((one) => one.textContent)"""


def test_nothing_runs_off_the_page(view) -> None:
    assert overflow(view) == 0
    view.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    drawn = "[...document.querySelectorAll('.chart')].every((one) => one.querySelector('svg'))"
    view.wait_for_function(drawn)  # those too that were folded
    assert overflow(view) == 0
    off = """[...document.querySelectorAll('.keys li, .chart svg, .bar i, h1, h2, h3, p, label')]
        .filter((one) => !one.closest('.scroll'))
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.textContent.slice(0, 40))"""
    assert view.evaluate(off) == []
    assert view.evaluate(UNHIDDEN) == []
    assert view.evaluate(CROWDED) == []


@pytest.mark.parametrize("width", [1100, 1200])
def test_three_heat_maps_stand_side_by_side(browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(address)
    tops = "[...document.querySelectorAll('.panels > div')].map((one) => one.offsetTop)"
    found = page.evaluate(tops)
    assert len(found) == 3 and len({*found}) == 1
    line = "getComputedStyle(document.querySelector('td.plot svg'))"
    assert page.evaluate(f"{line}.overflow") == "visible"  # a circle at its end is whole
    page.close()


def test_axe_finds_nothing_serious(view) -> None:
    view.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = axe.Axe().run(view).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200], one["help"]) for one in found
               if one["impact"] in ("serious", "critical")]  # fmt: skip
    assert serious == []


def test_dark_pages_are_dark_and_charts_with_them(view, request: pytest.FixtureRequest) -> None:
    dark = view.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    red, *_ = view.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)")
    assert (int(red) < 60) == dark
    bm25 = "getComputedStyle(document.querySelectorAll('.first .mark-symbol path')[1]).fill"
    assert view.evaluate(bm25) == ("rgb(255, 255, 255)" if dark else "rgb(0, 0, 0)")


def rows(page) -> list[str]:
    return page.locator("#sample tbody tr:not([hidden]) th").all_inner_texts()


def test_search_by_words_and_fate(view) -> None:
    everything = 9 * len(QUESTIONS)
    assert len(rows(view)) == everything
    view.fill("#q", "UNSURE who")
    assert rows(view) == ["who is unsure?"] * 9
    assert view.inner_text("#count") == f"9 of {everything} questions"
    view.fill("#q", "")
    view.select_option("#fate", "reader answers otherwise")
    assert rows(view) == ["who differs?"] * 9
    view.select_option("#set", "conditioned")
    view.fill("#q", "nothing has this")
    assert view.inner_text("#count") == f"0 of {everything} questions"


def test_the_keyboard_reaches_all_and_focus_is_seen(view) -> None:
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.className") == "skip"
    view.keyboard.press("Enter")
    assert view.evaluate("location.hash") == "#accuracy"
    assert {"q", "set", "fate", "SUMMARY"} <= reached(view, "id", 200)
    view.locator("summary", has_text="Values of Top-1").focus()
    view.keyboard.press("Enter")
    assert view.locator("details[open] caption").first.inner_text().startswith("Top-1 accuracy")


def test_a_print_is_light_and_unfolded(browser, address: str, tmp_path: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto(address)
    page.pdf(path=tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").stat().st_size > 20_000
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    colour = "getComputedStyle(document.body).color"
    assert page.evaluate(colour) == "rgb(29, 35, 41)"  # ecqg.attention.shading.INK
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0
    page.close()


def test_headings_and_landmarks_are_in_order(browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    levels = [int(one[1]) for one in page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map((one) => one.tagName)")]  # fmt: skip
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for landmark in ("header", "nav", "main"):
        assert page.locator(landmark).count() == 1
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    assert page.locator("table:not(:has(caption))").count() == 0
    page.close()
