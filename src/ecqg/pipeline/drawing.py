"""The steps of the DAG as a picture, as a page, and in characters for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Any

from ecqg.pipeline.steps import OF_ALL, STEPS, Edges, Stages

BOX, TALL = (206.0, 34.0), 30.0  # a step's width and height, and what is between two rows
BESIDE, MARGIN = 22.0, 10.0
FONT = "font-family='Helvetica,Arial,sans-serif' font-size='15' fill='#1d2329'"
Point = tuple[float, float]


def in_characters(edges: Edges) -> str:
    """The steps as `dvc dag` draws stages, narrow enough for a wide terminal."""
    from dvc.dagascii import draw

    drawn = draw(list(STEPS), [(user, maker) for maker, user in _ordered(edges)])
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def picture(edges: Edges) -> str:
    """The steps as SVG, from the top: boxes in rows (Sugiyama's layout) and lines between them."""
    places, lines = _layout(edges)
    half, deep = BOX[0] / 2, BOX[1] / 2
    beside = [place + side for place, _ in places.values() for side in (-half, half)]
    beside += [x for line in lines for x, _ in line]
    left, top = min(beside) - MARGIN, min(y for _, y in places.values()) - deep - MARGIN
    width = max(beside) + MARGIN - left
    height = max(y for _, y in places.values()) + deep + MARGIN - top
    out = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
        f"width='{width:.0f}' height='{height:.0f}' {FONT}>",
        "<title>The steps of the study</title>",
        "<defs><marker id='end' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='8' "
        "markerHeight='8' orient='auto'><path d='M0 0 8 4 0 8z' fill='#6b737c'/></marker></defs>",
        "<rect width='100%' height='100%' fill='#ffffff'/>",
        f"<g transform='translate({-left:.0f} {-top:.0f})'>",
    ]
    out += [
        f"<path d='{_curve(line)}' fill='none' stroke='#6b737c' stroke-width='1.3' "
        "marker-end='url(#end)'/>"
        for line in lines
    ]
    for step, (x, y) in places.items():
        out.append(
            f"<rect x='{x - half:.0f}' y='{y - deep:.0f}' width='{BOX[0]:.0f}' "
            f"height='{BOX[1]:.0f}' rx='6' fill='#eef3f8' stroke='#0072b2'/>"
            f"<text x='{x:.0f}' y='{y + 5:.0f}' text-anchor='middle'>{escape(step)}</text>"
        )
    return "\n".join([*out, "</g>", "</svg>"]) + "\n"


def page(edges: Edges, stages: Stages) -> str:
    """The steps for Mermaid, which shows them on code hosts, and a table of their stages."""
    numbers = {step: number for number, step in enumerate(STEPS, 1)}
    return "\n".join(
        [
            "# The pipeline in steps",
            "",
            "Written from [dvc.yaml](../dvc.yaml) by `ecqg dag`, which also draws the steps in the",
            "terminal (140 columns). A step leads to those that read what its stages write; a line",
            "that others imply is left out, and so is the one that leads back: what selects",
            "entities and scores questions is one of the retrievers that are trained, by default",
            "DPR, which sees gold questions alone. Before all of them comes",
            f"`{OF_ALL}`: {_first_small(stages[OF_ALL]['desc'])}.",
            "",
            "`dvc dag --collapse-foreach-matrix --md` lists all stages for Mermaid, and `dvc dag",
            "--collapse-foreach-matrix finetune@dpr` draws those that one needs.",
            "",
            "```mermaid",
            "flowchart TD",
            *(f'    s{number}["{step}"]' for step, number in numbers.items()),
            *(f"    s{numbers[a]} --> s{numbers[b]}" for a, b in _ordered(edges)),
            "```",
            "",
            "| step | stages of dvc.yaml |",
            "|---|---|",
            *(f"| {step} | {', '.join(f'`{s}`' for s in STEPS[step])} |" for step in STEPS),
            "",
        ]
    )


def _first_small(text: str) -> str:
    return text[0].lower() + text[1:]


def _ordered(edges: Edges) -> list[tuple[str, str]]:
    order = list(STEPS)
    return sorted(edges, key=lambda edge: (order.index(edge[0]), order.index(edge[1])))


def _layout(edges: Edges) -> tuple[dict[str, Point], list[list[Point]]]:
    """Where the middles of boxes stand, and through which points each line goes."""
    from grandalf.graphs import Edge, Graph, Vertex
    from grandalf.layouts import SugiyamaLayout, VertexViewer

    vertices = {step: Vertex(step) for step in STEPS}
    for vertex in vertices.values():
        vertex.view = VertexViewer(*BOX)
    arrows = [Edge(vertices[a], vertices[b]) for a, b in _ordered(edges)]
    for arrow in arrows:
        arrow.view = _Line()
    graph = Graph(list(vertices.values()), arrows).C[0]
    layout = SugiyamaLayout(graph)
    layout.dw = BESIDE  # a line takes less room than a box
    layout.init_all(roots=[v for v in graph.sV if not v.e_in()], optimize=True)
    layout.xspace, layout.yspace = BESIDE, TALL
    layout.route_edge = lambda edge, points: None
    layout.draw()
    places = {step: vertex.view.xy for step, vertex in vertices.items()}
    return places, [list(_ends(arrow.view.points)) for arrow in arrows]


class _Line:
    """What grandalf tells of an edge: the points that it goes through."""

    def setpath(self, points: list[Any]) -> None:
        self.points: list[Point] = points


def _ends(points: list[Point]) -> Iterator[Point]:
    """From the lower edge of a box to the upper edge of another, straight down between boxes."""
    half = BOX[1] / 2
    for above, below in pairwise(points):
        yield above[0], above[1] + half
        yield below[0], below[1] - half


def _curve(points: list[Point]) -> str:
    """A path that leaves and reaches every point downwards."""
    out = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for (x, y), (u, v) in pairwise(points):
        middle = (y + v) / 2
        out.append(f"C{x:.0f} {middle:.0f} {u:.0f} {middle:.0f} {u:.0f} {v:.0f}")
    return " ".join(out)
