"""A heat map as one HTML file that needs no other."""

from __future__ import annotations

from html import escape
from itertools import groupby

from ecqg.attention.heatmap import HeatMap, Panel, Word
from ecqg.attention.shading import ENTITY, FAINT, INK, STOPS, UNSEEN, shade

STYLE = f"""
:root {{ color-scheme: light; }}
body {{ max-width: 56rem; margin: 2.5rem auto; padding: 0 1.5rem; color: {INK}; background: #fff;
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }}
h1 {{ font-size: 1.7rem; margin: 0 0 .2rem; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .4rem; display: flex; gap: 1rem; align-items: baseline;
  flex-wrap: wrap; }}
h2 small, .note {{ font-size: .85rem; font-weight: normal; color: {FAINT}; }}
.question {{ margin: .1rem 0; }} .question b {{ font-weight: 600; color: {FAINT}; }}
.passage {{ font-family: Georgia, "Times New Roman", serif; font-size: 1.2rem; line-height: 2.4;
  margin: 0; }}
.entity {{ display: inline-flex; flex-direction: column; line-height: 1.25; }}
.name {{ border-bottom: 2px solid {ENTITY}; }}
.tag {{ font: 700 .55rem/1.2 system-ui, sans-serif; color: {ENTITY}; letter-spacing: .03em;
  align-self: flex-start; margin-top: .2em; border-radius: .3em; }}
.alone > .tag {{ width: 0; white-space: nowrap; }}
.selected.alone > .tag {{ width: fit-content; margin-right: -3rem; }}
.selected > .tag {{ background: {ENTITY}; color: #fff; padding: 0 .35em; }}
.unseen {{ color: {UNSEEN}; }}
.legend {{ display: flex; gap: 1.2rem; align-items: center; margin: 1.8rem 0 3rem;
  font-size: .85rem; }}
.legend .note {{ padding-left: 1rem; }}
.bar {{ position: relative; flex: 0 0 22rem; height: 1rem; border: 1px solid #ccd1d6;
  background: linear-gradient(90deg, {", ".join(STOPS)}); }}
.bar i {{ position: absolute; top: 1.15rem; transform: translateX(-50%); font-style: normal;
  color: {FAINT}; white-space: nowrap; }}
table {{ border-collapse: collapse; margin-top: .4rem; width: 100%; font-size: .92rem; }}
th {{ text-align: left; font-weight: 600; border-bottom: 1px solid #ccd1d6;
  padding: .25rem .5rem; }}
td {{ padding: .2rem .5rem; border-bottom: 1px solid #eef0f2; white-space: nowrap; }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums; }}
td.plot {{ width: 40%; }} svg {{ display: block; width: 100%; height: 1.1rem; }}
"""


def heatmap_html(heat_map: HeatMap) -> str:
    """The whole document."""
    title = escape(heat_map.shown_title())
    questions = "\n".join(
        f"<p class=question><b>Gold question:</b> {escape(question)} "
        f"<b>Answer:</b> {escape(answer)}</p>"
        for question, answer in heat_map.questions
    )
    panels = "\n".join(_panel(heat_map, panel) for panel in heat_map.panels)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>[CLS] attention: {title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
{questions}
{panels}
{_legend(heat_map.ceiling(), heat_map.what_is_selected())}
{_entities(heat_map)}
</body>
</html>
"""


def _panel(heat_map: HeatMap, panel: Panel) -> str:
    out: list[str] = []
    end = 0
    for mention, group in groupby(panel.words, heat_map.mention_at):
        words = list(group)
        out.append(escape(heat_map.text[end : words[0].start]))
        inner = _words(heat_map.text, words, heat_map.ceiling())
        if mention:
            kind = "entity"
            kind += " selected" if heat_map.is_selected(mention) else ""
            # Where no other label is near, this one may be wider than the words above it.
            kind += " alone" if heat_map.room_after(mention) > 8 else ""
            tag = f"<span class=tag>{escape(mention.label)}</span>"
            inner = f'<span class="{kind}"><span class=name>{inner}</span>{tag}</span>'
        out.append(inner)
        end = words[-1].end
    return (
        f"<h2>{escape(panel.system)} <small>{panel.summary()}</small></h2>\n"
        f"<p class=passage>{''.join(out)}</p>"
    )


def _words(text: str, words: list[Word], ceiling: float) -> str:
    out: list[str] = []
    end = words[0].start
    for word in words:
        out.append(escape(text[end : word.start]))
        shown = escape(text[word.start : word.end])
        if word.density is None:
            out.append(f'<span class=unseen title="beyond the length limit">{shown}</span>')
        else:
            background, ink = shade(word.density, ceiling)
            style = f"background:{background};color:{ink}"
            out.append(f'<span style="{style}" title="{word.density:.2f} × uniform">{shown}</span>')
        end = word.end
    return "".join(out)


def _legend(ceiling: float, selected: str) -> str:
    marks = "".join(
        f'<i style="left:{100 * density / ceiling:.1f}%">{words}</i>'
        for density, words in ((0.0, "0"), (1.0, "1 = uniform"), (ceiling, f"≥ {ceiling:g}"))
    )
    return (
        f"<div class=legend><span>Attention</span><div class=bar>{marks}</div>"
        "<span class=note>of a word over the mean of all tokens; entities are underlined, "
        f"{escape(selected)} have a filled label</span></div>"
    )


def _entities(heat_map: HeatMap) -> str:
    """A table of all distinct entities, with every system's attention."""
    rows = []
    for row in heat_map.entity_rows():
        numbers = "".join(
            f"<td class=n>{'' if density is None else f'{density:.2f}'}</td>"
            for density in row.densities
        )
        name = f"<b>{escape(row.name)}</b>" if row.selected else escape(row.name)
        plot = _dots(heat_map.panels, row.densities, heat_map.largest_entity())
        rows.append(f"<tr><td>{name}</td><td class=plot>{plot}</td>{numbers}</tr>")
    header = "".join(
        f'<th class=n><span style="color:{panel.colour}">●</span> {escape(panel.system)}</th>'
        for panel in heat_map.panels
    )
    body = "\n".join(rows)
    return f"""<h2>Attention on each entity
<small>mean over the word pieces of all its mentions; uniform = 1</small></h2>
<table>
<thead><tr><th>Entity</th><th></th>{header}</tr></thead>
<tbody>
{body}
</tbody>
</table>"""


def _dots(panels: list[Panel], densities: list[float | None], largest: float) -> str:
    """The systems' densities on one line, the uniform density marked."""

    def x(density: float) -> str:
        return f"{2 + 96 * density / largest:.1f}%"

    known = [density for density in densities if density is not None]
    out = [f'<line x1="{x(1)}" x2="{x(1)}" y1="0" y2="100%" stroke="#ccd1d6"/>']
    if known:
        ends = f'x1="{x(min(known))}" x2="{x(max(known))}"'
        out.append(f'<line {ends} y1="50%" y2="50%" stroke="#c3c9cf" stroke-width="3"/>')
    for panel, density in zip(panels, densities, strict=True):
        if density is not None:
            out.append(f'<circle cx="{x(density)}" cy="50%" r="5" fill="{panel.colour}"/>')
    return f"<svg>{''.join(out)}</svg>"
