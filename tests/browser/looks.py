"""What is asked of every page."""

from __future__ import annotations

from typing import Any


def overflow(page: Any) -> int:
    """Pixels by which a page is wider than its window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
