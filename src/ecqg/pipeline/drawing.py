"""The steps of the DAG as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Any

from ecqg.pipeline.steps import STEPS, Edges, ordered
from ecqg.templates import fill

BOX, TALL = (206.0, 34.0), 30.0  # a step's width and height, and what is between two rows
BESIDE, MARGIN = 22.0, 10.0
Point = tuple[float, float]


def picture(edges: Edges) -> str:
    """The steps as SVG, from the top: boxes in rows (Sugiyama's layout) and lines between them."""
    places, lines = _layout(edges)
    half, deep = BOX[0] / 2, BOX[1] / 2
    beside = [place + side for place, _ in places.values() for side in (-half, half)]
    beside += [x for line in lines for x, _ in line]
    left, top = min(beside) - MARGIN, min(y for _, y in places.values()) - deep - MARGIN
    return fill(
        __file__,
        escape,
        left=-left,
        top=-top,
        width=max(beside) + MARGIN - left,
        height=max(y for _, y in places.values()) + deep + MARGIN - top,
        half=half,
        deep=deep,
        curves=map(_curve, lines),
        places=places,
    )


def _layout(edges: Edges) -> tuple[dict[str, Point], list[list[Point]]]:
    """Where the middles of boxes stand, and through which points each line goes."""
    from grandalf.graphs import Edge, Graph, Vertex
    from grandalf.layouts import SugiyamaLayout, VertexViewer

    vertices = {step: Vertex(step) for step in STEPS}
    for vertex in vertices.values():
        vertex.view = VertexViewer(*BOX)
    arrows = [Edge(vertices[a], vertices[b]) for a, b in ordered(edges)]
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
