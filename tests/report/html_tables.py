"""What stands in the tables of an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[list[str], list[list[str]]]] = []
        self.into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.found.append(([""], []))
        elif tag == "caption":
            self.into = self.found[-1][0]
        elif tag == "tr":
            self.found[-1][1].append([])
        elif tag in ("th", "td"):
            self.into = self.found[-1][1][-1]
            self.into.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("caption", "th", "td"):
            self.into = None

    def handle_data(self, data: str) -> None:
        if self.into is not None:
            self.into[-1] += data


def tables(page: str) -> list[tuple[str, list[list[str]]]]:
    """Captions with rows of text, the header first."""
    parser = _Tables()
    parser.feed(page)
    return [(caption[0], rows) for caption, rows in parser.found]


def rows_of(page: str, caption: str) -> list[list[str]]:
    """The rows of the first table with that caption."""
    return next(rows for name, rows in tables(page) if name == caption)
