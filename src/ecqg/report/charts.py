"""The charts of the page: Vega-Lite from the tables of `dvc plots`, with a table of the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ecqg import paths
from ecqg.attention.positions import HISTOGRAM
from ecqg.palette import DARK, REFERENCE, SERIES, styles
from ecqg.report import measured, plots
from ecqg.report.formats import Row, Table, bounded
from ecqg.report.names import shown
from ecqg.report.numbers import nested
from ecqg.report.results import Results
from ecqg.tables import number, read_frame

if TYPE_CHECKING:
    from pandas import DataFrame

VEGA_LITE = "6.4"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"  # a name; nothing is fetched
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-right")
FIELDS = ["series", "colour", "at", "value", "low", "high"]
POINT = {"type": "point", "filled": True, "size": 45, "opacity": 1}


@dataclass(frozen=True)
class Chart:
    """Values by series and place: a frame of FIELDS, without the last two where none is known.

    Of kind "dots" there is a line for each place, of kind "lines" places are numbers.
    """

    frame: DataFrame
    title: str
    kind: Literal["dots", "lines"]
    at: str  # what places are
    value: str  # what is measured, with its unit
    digits: int = 1
    log: bool = False
    tabled: bool = True

    def series(self) -> list[tuple[str, str, str]]:
        """Each series with its colour in CSS and its shape."""
        looks = nested(self.frame, "series", "colour")
        pairs = zip(looks.items(), cycle(SHAPES), strict=False)
        return [(name, variable(colour), shape) for (name, colour), shape in pairs]

    def table(self) -> Table:
        """A row for each place."""
        names = [name for name, _, _ in self.series()]
        values = self.frame.iloc[:, 3:].itertuples(index=False)
        texts = [bounded(value, bounds, self.digits) for value, *bounds in values]
        by_place = nested(self.frame.assign(text=texts), "at", "series", "text")
        rows = [
            Row([str(at), *(of.get(name, "") for name in names)]) for at, of in by_place.items()
        ]
        return Table([self.at, *names], rows, f"{self.title}: {self.value}")

    def spec(self) -> dict[str, Any]:
        """The chart in Vega-Lite, as wide as its place on the page."""
        names, colours, shapes = zip(*self.series(), strict=True)
        colour, shape = (
            {"legend": None, "sort": None, "field": "series"}
            | {"scale": {"domain": names, "range": looks}}
            for looks in (colours, shapes)
        )
        value = {"type": "quantitative", "field": "value", "title": self.value}
        point = {"mark": POINT, "encoding": {"shape": shape}}
        values = self.frame.drop(columns="colour").to_dict("records")
        spec: dict[str, Any] = {"$schema": SCHEMA, "width": "container", "data": {"values": values}}
        spec |= {"autosize": {"type": "fit-x", "contains": "padding"}}
        if self.kind == "lines":
            scale = {"type": "log"} if self.log else {"type": "linear", "zero": False}
            x: dict[str, Any] = {"type": "quantitative", "field": "at", "title": self.at}
            x |= {"axis": {"grid": False}, "scale": scale}
            line = {"mark": {"type": "line", "strokeWidth": 1.8}}
            layer = [line, point] if self.tabled else [line]
            encoding: dict[str, Any] = {"x": x, "y": value, "color": colour}
            return spec | {"height": 190, "encoding": encoding, "layer": layer}
        places = [*dict.fromkeys(self.frame["at"])]
        alone = [*names] == places
        x = value | {"scale": {"zero": False}}
        y: dict[str, Any] = {"field": "at", "type": "nominal", "sort": places, "title": None}
        y |= {"axis": {"labelLimit": 130, "grid": not alone, "tickBand": "extent"}}
        encoding = {"y": y, "color": colour, "x": x}
        if not alone:
            encoding["yOffset"] = {"field": "series", "sort": names}
        ends = {"x": x | {"field": "low"}, "x2": {"field": "high"}}
        bars = [{"mark": "rule", "encoding": ends}] if "low" in self.frame else []
        height = len(places) * (20 if alone else 8 + 8 * len(names))
        return spec | {"height": height, "encoding": encoding, "layer": [*bars, point]}


def variable(colour: str) -> str:
    """A colour of the palette as CSS, which has another for dark pages."""
    return f"var(--c-{colour[1:]})" if colour in DARK else colour


def _chart(
    rows: DataFrame, columns: Sequence[str], colours: Sequence[str], *words: Any, **more: Any
) -> list[Chart]:
    """A chart of a table, whose `columns` are series, places and values; none without values.

    Without `colours` the table has them. `words` are the fields of Chart behind the frame.
    """
    frame = rows.assign(**dict(zip(("series", "at", "value"), map(rows.get, columns), strict=True)))
    if colours:
        of = dict(zip(dict.fromkeys(frame["series"]), cycle(colours), strict=False))
        frame["colour"] = frame["series"].map(of)
    frame = frame.reindex(columns=FIELDS).dropna(subset=["value"])
    if frame.empty:
        return []
    return [Chart(frame if frame["low"].notna().all() else frame[FIELDS[:4]], *words, **more)]


def _read(path: Path, header: Sequence[str], *numbers: str, **whole: Any) -> DataFrame:
    return read_frame(path, header, dict.fromkeys(numbers, number) | whole)


def accuracy_charts(results: Results, confidence: float) -> list[Chart]:
    """Top-1 and top-5 on whole test sets, or the least k of the study; no references."""
    rows = _read(paths.ACCURACY_PLOT, plots.ACCURACY_COLUMNS, "accuracy", "low", "high", k=int)
    study = results.study
    rows = rows[rows.test_set.isin(study.test_sets) & ~rows.system.isin(study.references)]
    place = study.test_sets.index
    rows = rows.sort_values("test_set", key=lambda names: names.map(place), kind="stable")
    ks = [k for k in (1, 5) if k in study.ks] or [min(study.ks)]
    unit = f"% of questions, {100 * confidence:g} % interval"
    words = "dots", "test set", unit
    columns = ("name", "test_set", "accuracy")
    found = (_chart(rows[rows.k == k], columns, (), f"Top-{k} accuracy", *words) for k in ks)
    return [*chain(*found)]


def attention_charts() -> list[Chart]:
    """Entropy, weight by sentence, and where the entities stand that get most and least."""
    entropy = _read(paths.ENTROPY_PLOT, plots.ENTROPY_COLUMNS, "entropy", "low", "high")
    header = (*plots.LOOKS, *plots.SENTENCE_COLUMNS)
    sentences = _read(paths.BY_SENTENCE_PLOT, header, "density", sentence=int)
    positions = _read(paths.ENTITY_POSITION_PLOT, HISTOGRAM, "position", "share")
    words = "Attention by sentence", "lines", "sentence", "weight of a token, 1: uniform"
    where = "Entities by attention", "lines", "place in the passage, 0 to 1", "% of entities"
    return [
        *_chart(entropy, ("name", "name", "entropy"), (),
                "Attention entropy", "dots", "system", "nats", digits=3),
        *_chart(sentences, ("name", "sentence", "density"), (), *words, digits=2),
        *_chart(positions, HISTOGRAM, (*SERIES[:2], REFERENCE), *where),
    ]  # fmt: skip


def explanation_charts(results: Results) -> list[Chart]:
    """How well attributions explain ranks."""
    import pandas as pd

    looks = styles(results.study.systems)
    rows = [
        [shown(system), looks[system].colour, words, *(of[key][n] for n in ("mean", "low", "high"))]
        for system, found in measured.of_analysed(results.study, paths.EXPLANATION).items()
        for of in [found.get("explains_rank", {})]  # none of a small corpus
        for key, words in measured.ATTRIBUTIONS.items()
        if key in of
    ]
    words = "What goes with how well a question finds its passage", "dots", "attribution"
    frame = pd.DataFrame(rows, columns=FIELDS)
    return _chart(frame, FIELDS[:1] + FIELDS[2:4], (), *words, "Spearman's correlation", digits=3)


def question_charts() -> list[Chart]:
    """Overlap and location by sentence, coverage, and vocabularies; the papers' are said to be."""
    curves = _read(paths.QUESTION_OVERLAP_PLOT, plots.CURVE_COLUMNS, "percent", sentence=int)
    curves["questions"] += curves["source"].map({"ours": "", "published": ", published (NQ)"})
    coverage = _read(paths.COVERAGE_PLOT, plots.COVERAGE_COLUMNS, "coverage")
    coverage["words"] += coverage["source"].map({"ours": "", "published": ", published"})
    lists = _read(paths.VOCABULARY_PLOT, plots.VOCABULARY_COLUMNS, "overlap", words=int)
    columns = ("questions", "sentence", "percent")
    found = [
        _chart(of, columns, SERIES, str(measure).capitalize(), "lines", "sentence", "%")
        for measure, of in curves.groupby("measure", sort=False)
    ]
    words = "Words of questions in their passages", "dots", "questions", "%"
    found.append(_chart(coverage, ("words", "test_set", "coverage"), SERIES, *words))
    words = "Most frequent words shared with the main collection", "lines", "words in a list", "%"
    found.append(_chart(lists, ("collection", "words", "overlap"), SERIES, *words, log=True))
    return [*chain(*found)]


def answer_charts() -> list[Chart]:
    """Where the answers of each question set stand, before and after each filter."""
    header = ("question_set", *plots.ANSWER_COLUMNS)
    rows = _read(paths.ANSWER_POSITION_PLOT, header, "percent", sentence=int)
    rows = rows.drop_duplicates(["question_set", "sentence", "questions", "percent"])
    words = "lines", "sentence", "% of questions"
    columns = ("step", "sentence", "percent")
    sets = rows.groupby("question_set", sort=False)
    found = (_chart(of, columns, SERIES, f"Answers of {name}", *words) for name, of in sets)
    return [*chain(*found)]


def loss_charts() -> list[Chart]:
    """A chart for each training; the page has a table of the last values only."""
    rows = _read(paths.LOSS_PLOT, ("training", *plots.LOSS_COLUMNS), "loss", step=int)
    words, columns = ("lines", "update", "loss"), ("run", "step", "loss")
    trainings = rows.groupby("training", sort=False)
    return [
        chart
        for name, of in trainings
        for chart in _chart(of, columns, SERIES[:2], str(name), *words, tabled=False)
    ]
