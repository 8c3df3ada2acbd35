"""The local page in a real browser: a question, a passage, a question about an entity."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from looks import opened, overflow

from ecqg.inspection.app import HOST, make_app
from fake_study import EVIL, make_study

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.browser
WIDTHS = (360, 800, 1280)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    listening = socket.create_server((HOST, 0))
    app = make_app(make_study(tmp_path_factory.mktemp("study")), ["dpr"])
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://{HOST}:{listening.getsockname()[1]}/"
    server.should_exit = True
    thread.join()


@pytest.fixture(params=WIDTHS)
def view(request: pytest.FixtureRequest, browser, address: str) -> Iterator[object]:
    """The page at a width."""
    with opened(browser, address, request.param) as page:
        yield page


def check(page) -> None:
    assert overflow(page) == 0
    found = axe.Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []


def test_from_a_question_to_a_passage_to_a_question_about_it(view) -> None:
    check(view)
    view.get_by_label("Question").fill("Who fell?")
    view.get_by_label("An answer").fill("rome")
    view.get_by_label("beside").select_option("bm25")
    view.get_by_role("button", name="Ask").click()
    assert view.locator("ol.ranking").count() == 2
    assert view.get_by_text("has the answer").count() == 2
    assert view.get_by_label("Question").input_value() == "Who fell?"
    check(view)
    view.get_by_role("link", name="Mill").first.click()
    assert view.get_by_role("heading", name="System dpr").count() == 1
    check(view)
    view.get_by_role("link", name="ask about A").click()
    assert EVIL in view.locator("#asked + ul").inner_text()
    check(view)
    view.get_by_role("link", name="What is A?").click()
    assert view.get_by_label("Question").input_value() == "What is A?"
    assert view.get_by_label("An answer").input_value() == EVIL


def test_by_keyboard_alone(view) -> None:
    view.keyboard.type("Who fell?")  # the first field has the focus
    view.keyboard.press("Enter")
    view.wait_for_selector("ol.ranking")
    for _ in range(20):
        if view.evaluate("document.activeElement.closest('ol.ranking') !== null"):
            break
        view.keyboard.press("Tab")
    assert view.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    view.keyboard.press("Enter")
    view.wait_for_url("**/passage/*")
    assert view.locator("p.passage").count() == 1


def test_what_is_not_there_is_a_page_with_a_sentence(browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    assert page.goto(f"{address}passage/nothing").status == 404
    assert page.locator("main p").inner_text() == "There is no passage nothing."
    check(page)
    page.close()
