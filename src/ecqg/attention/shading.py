"""The colours of heat maps, the same in HTML and PNG."""

from __future__ import annotations

# Light to dark, one hue, so that it also reads in print and with any colour vision.
STOPS = ("#ffffff", "#feead6", "#fdcb9c", "#fd9f55", "#ef6f1a", "#c14702", "#7f2704")
INK, PAPER, ENTITY, FAINT, UNSEEN = "#1d2329", "#ffffff", "#0b6a78", "#6b737c", "#a9b0b7"
BLACK, LEGIBLE = "#000000", 4.5  # where neither ink nor paper has this contrast
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
    background = f"#{red:02x}{green:02x}{blue:02x}"
    legible = (ink for ink in (INK, PAPER) if contrast(background, ink) >= LEGIBLE)
    return background, next(legible, BLACK)


def contrast(one: str, other: str) -> float:
    """The ratio of contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").

    >>> round(contrast("#000000", "#ffffff"), 2), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    dark, light = sorted(_luminance(colour) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _rgb(colour))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
