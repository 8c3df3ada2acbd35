"""The colours of heat maps, the same in HTML and PNG."""

from __future__ import annotations

# Light to dark, one hue, so that it also reads in print and with any colour vision.
STOPS = ("#ffffff", "#feead6", "#fdcb9c", "#fd9f55", "#ef6f1a", "#c14702", "#7f2704")
INK, PAPER, ENTITY, FAINT, UNSEEN = "#1d2329", "#ffffff", "#0b6a78", "#6b737c", "#a9b0b7"
STYLE = {"STOPS": STOPS, "INK": INK, "ENTITY": ENTITY, "FAINT": FAINT, "UNSEEN": UNSEEN}  # in CSS


def shade(density: float, ceiling: float) -> tuple[str, str]:
    """Background and legible text colour for a density; full at `ceiling` and above.

    >>> shade(0.0, 3.0)
    ('#ffffff', '#1d2329')
    >>> shade(9.0, 3.0)
    ('#7f2704', '#ffffff')
    """
    place = min(max(density / ceiling, 0.0), 1.0) * (len(STOPS) - 1)
    i = min(int(place), len(STOPS) - 2)
    ends = zip(_rgb(STOPS[i]), _rgb(STOPS[i + 1]), strict=True)
    red, green, blue = (round(a + (b - a) * (place - i)) for a, b in ends)
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return f"#{red:02x}{green:02x}{blue:02x}", INK if bright else PAPER


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
