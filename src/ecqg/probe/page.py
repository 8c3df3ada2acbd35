"""A probe as one HTML file that needs no other."""

from __future__ import annotations

from html import escape

from ecqg import __version__, templates
from ecqg.attention.shading import STYLE
from ecqg.probe.looks import sentence_name
from ecqg.probe.run import Probe
from ecqg.probe.summary import caption, table, verdict


def page(probe: Probe) -> str:
    """The whole document."""
    return templates.fill(
        __file__,
        escape,
        probe=probe,
        table=table(probe),
        caption=caption(probe),
        verdict=verdict,
        sentence_name=sentence_name,
        version=__version__,
        **STYLE,
    )
