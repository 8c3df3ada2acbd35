"""What is asked of every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def overflow(page: Any) -> int:
    """Pixels by which a page is wider than its window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


@contextmanager
def opened(browser: Any, address: str, width: int, scheme: str = "light") -> Iterator[Any]:
    """A page at a width and in a colour scheme; whatever it complains of fails."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("requestfailed", lambda asked: said.append(asked.url))
    page.goto(address)
    yield page
    page.close()
    assert said == []


def reached(page: Any, name: str, presses: int) -> set[str]:
    """What Tab leads to, by an attribute or else the tag; each shows that it has the focus."""
    found = set()
    for _ in range(presses):
        page.keyboard.press("Tab")
        at, outline = page.evaluate(f"""(() => {{ const one = document.activeElement;
            return [one.{name} || one.tagName, getComputedStyle(one).outlineStyle]; }})()""")
        if at == "BODY":
            break
        assert outline != "none", at
        found.add(at)
    return found
