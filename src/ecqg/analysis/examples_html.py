"""The page of examples as one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

from ecqg.analysis.examples import PassageExample, Shown
from ecqg.attention.aggregate import Mention, normalise
from ecqg.attention.heatmap_html import STYLE as HEATMAP_STYLE
from ecqg.attention.shading import ENTITY, FAINT, shade
from ecqg.corpus.passages import Passage

STYLE = f"""{HEATMAP_STYLE}
body {{ max-width: 80rem; }}
.passage {{ max-width: 54rem; line-height: 1.9; font-size: 1.1rem; }}
.passage span {{ padding: .1em .15em; border-radius: .2em; }}
.passage .entity {{ display: inline; }}
.passage .chosen {{ border-bottom: 3px solid {ENTITY}; font-weight: 700; }}
.passage .unseen {{ background: #f2f3f5; }}
.ranked {{ font-size: .85rem; color: {FAINT}; margin: .6rem 0; max-width: 54rem; }}
td {{ white-space: normal; vertical-align: top; }}
table {{ table-layout: fixed; }} th {{ box-sizing: border-box; font-size: .85rem; }}
th:nth-child(1) {{ width: 7.4rem; }} th:nth-child(2) {{ width: 8.5rem; }}
th:nth-child(4), th:nth-child(5) {{ width: 8rem; }} th:nth-child(6) {{ width: 6.6rem; }}
th:nth-child(7) {{ width: 5.2rem; }} th.n {{ width: 6.2rem; white-space: nowrap; }}
td.kind, td.status {{ color: {FAINT}; white-space: nowrap; }}
tr.out td {{ color: {FAINT}; }}
"""
RULE = (
    "{count} passages, drawn at random with the seed of params.yaml from those that have both a "
    "gold question and a conditioned question that passed the filters. Words of a question that "
    "also stand in the passage are in italics, stop words aside. A score compares questions about "
    "one passage under one system; scores of different systems have different scales."
)
LEGEND = (
    "of the baseline to an entity, per word piece, over the mean of all entities of the "
    "passage; bold and underlined: questions were conditioned on it; grey: beyond the length limit"
)
HEADER = ("Type", "Conditioned on", "Question", "Answer", "Reader's answer", "Confidence", "Filter")


def examples_html(examples: Sequence[PassageExample], systems: Mapping[str, str]) -> str:
    """The whole document; `systems` maps the systems whose scores are shown to their names."""
    known = [density for e in examples for _, density in e.entity_densities()]
    ceiling = max(2.0, ceil(2 * max(known, default=0.0)) / 2)
    body = "\n".join(_example(example, systems, ceiling) for example in examples)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Examples of questions by attention</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Examples</h1>
<p class=note>{escape(RULE.format(count=len(examples)))}</p>
{_legend(ceiling)}
{body}
</body>
</html>
"""


def _example(example: PassageExample, systems: Mapping[str, str], ceiling: float) -> str:
    title = escape(example.passage.title or "A passage without title")
    ranked = " · ".join(f"{escape(n)} {density:.2f}" for n, density in example.entity_densities())
    names = "".join(f"<th>{escape(name)}</th>" for name in HEADER)
    # A name of two words stands on two lines: the column is as wide as a number needs.
    shown = (escape(name).replace(" ", "<br>") for name in systems.values())
    names += "".join(f"<th class=n>{name}</th>" for name in shown)
    rows = "\n".join(_row(q, example.passage, systems) for q in example.questions)
    return f"""<h2>{title}</h2>
<p class=passage>{_passage(example, ceiling)}</p>
<p class=ranked>Entities, least attended first: {ranked}</p>
<table>
<thead><tr>{names}</tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _passage(example: PassageExample, ceiling: float) -> str:
    text, chosen = example.passage.text, example.conditioned()
    densities = {normalise(name): density for name, density in example.entity_densities()}
    out, end = [], 0
    for mention in example.mentions:
        if mention.start < end:
            continue
        out.append(escape(text[end : mention.start]))
        out.append(_mention(mention, densities, normalise(mention.text) in chosen, ceiling))
        end = mention.end
    return "".join([*out, escape(text[end:])])


def _mention(mention: Mention, densities: Mapping[str, float], chosen: bool, ceiling: float) -> str:
    """A mention in the colour of its entity, as the study ranks entities, not mentions."""
    text, kind = escape(mention.text), " chosen" * chosen
    density = densities.get(normalise(mention.text))
    if density is None:
        return f'<span class="unseen{kind}">{text}</span>'
    background, ink = shade(density, ceiling)
    style = f"background:{background};color:{ink}"
    label = f"{escape(mention.label)}: {density:.2f} × the average entity"
    return f'<span class="entity{kind}" style="{style}" title="{label}">{text}</span>'


def _row(question: Shown, passage: Passage, systems: Mapping[str, str]) -> str:
    marked = " ".join(
        f"<i>{escape(word)}</i>" if known else escape(word)
        for word, known in question.marked(passage)
    )
    confidence = "" if question.confidence is None else f"{question.confidence:.2f}"
    out = " class=out" * (question.status == "filtered out")
    scores = "".join(f"<td class=n>{question.scores[system]:.1f}</td>" for system in systems)
    return (
        f"<tr{out}><td class=kind>{question.kind}</td><td>{escape(question.entity)}</td>"
        f"<td>{marked}</td><td>{escape(question.answer)}</td>"
        f"<td>{escape(question.read_answer)}</td><td class=n>{confidence}</td>"
        f"<td class=status>{question.status}</td>{scores}</tr>"
    )


def _legend(ceiling: float) -> str:
    marks = "".join(
        f'<i style="left:{100 * density / ceiling:.1f}%">{words}</i>'
        for density, words in ((0.0, "0"), (1.0, "1 = average"), (ceiling, f"{ceiling:g}"))
    )
    return (
        f"<div class=legend><span>Attention</span><div class=bar>{marks}</div>"
        f"<span class=note>{LEGEND}</span></div>"
    )
