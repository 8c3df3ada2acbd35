"""A heat map in the terminal: shaded words, and a table of entities."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ecqg.attention.heatmap import HeatMap, Panel
from ecqg.attention.shading import shade
from ecqg.errors import printable


def shown_in_terminal(heat_map: HeatMap, console: Console) -> None:
    """Print each system's text, darker where more attention goes, and attention by entity."""
    console.print(Text(printable(heat_map.shown_title()), "bold"))
    for panel in heat_map.panels:
        console.print(Text.assemble("\n", (panel.system, "bold"), f"  {panel.summary}"))
        console.print(_shaded(heat_map, panel))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("entity")
    for panel in heat_map.panels:
        table.add_column(panel.system, justify="right")
    for row in heat_map.entity_rows():
        values = ("" if density is None else f"{density:.2f}" for density in row.densities)
        name = Text(printable(row.name), "bold" if row.selected else "")
        table.add_row(name, *values)
    console.print()
    console.print(table)
    note = f"Attention to a word piece over the passage's mean; bold: {heat_map.what_is_selected()}"
    console.print(Text(note, "dim"))


def _shaded(heat_map: HeatMap, panel: Panel) -> Text:
    text, end, ceiling = Text(), 0, heat_map.ceiling()
    for start, stop, density in panel.words:
        text.append(printable(heat_map.text[end:start]))
        word, end = printable(heat_map.text[start:stop]), stop
        if density is None:
            text.append(word, "dim")
        else:
            background, ink = shade(density, ceiling)
            text.append(word, f"{ink} on {background}")
    text.append(printable(heat_map.text[end:]))
    return text
