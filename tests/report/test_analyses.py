"""The page's section on the smaller analyses, of a made-up study."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
import vl_convert
from html_tables import rows_of, tables
from made_up import (
    STUDY,
    accuracy_rows,
    add_rows,
    comparison_rows,
    params_of,
    value,
    write_analyses,
    write_dense,
    write_explanation,
    write_study,
)
from rich.console import Console

from ecqg import paths
from ecqg.palette import DARK, STYLES
from ecqg.report import charts
from ecqg.report.charts import Chart
from ecqg.report.names import LABELS
from ecqg.report.plots import ANSWER_COLUMNS
from ecqg.report.published import papers
from ecqg.report.results import Study, read_results
from ecqg.report.terminal import show
from ecqg.stages import report
from ecqg.tables import read_values, write_table, write_values

pytestmark = pytest.mark.slow

# As if the made-up test sets were the papers' own.
PAPERS = dataclasses.replace(STUDY, published={"nq_like": "NQ", "trivia_like": "TriviaQA"})
PLACES = [(where, name) for where, names in STUDY.collections.items() for name in names]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_study()


def table(page: str, caption: str) -> list[list[str]]:
    return rows_of(page, caption)[1:]


def colours(picture: Path) -> set[str]:
    pixels = matplotlib.image.imread(picture)[..., :3]
    found = np.unique((pixels.reshape(-1, 3) * 255).round().astype(int), axis=0).tolist()
    return {f"#{r:02X}{g:02X}{b:02X}" for r, g, b in found}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as lines:
        return list(csv.DictReader(lines))


def test_ours_stand_beside_the_published_where_the_data_are_theirs(study: None) -> None:
    write_analyses()
    report.run(params_of(PAPERS))
    page = paths.REPORT_HTML.read_text()
    found = table(page, "Gold training questions by sentence of the passage (%)")
    assert found[0] == ["1", "39.0", "29.0", "26.2", "30.0"]
    assert found[5] == ["6", "34.0", "24.0", "", ""]
    found = table(page, "Question overlap by retrieval, gold dev questions (%)")
    ours = ["50.0", "12.5", "+37.5 [-1.2, +60.0]", "50.0", "", ""]
    assert found[4] == ["5", *ours, "13.1", "10.4"]
    said = "Published: DPR on NQ dev, thesis tab. 4.3, with 5.3 sentences on average"
    assert said in " ".join(page.split())
    assert table(page, "Coverage of questions by their gold passage (%)") == [
        ["gold, train", "77", "recorded", "61.2", "", ""],
        ["nq_like", "77", "recorded", "61.2", "", "58.6"],
        ["covid", "5", "BM25's first", "61.2", "", ""],
    ]  # what is no longer asked is left aside
    assert table(page, "Scores of the example questions with their passages") == [
        ["gold", "16.0", "17.0", "85.9"],
        ["conditioned", "10.0", "", ""],
        ["published: three synthetic questions", "", "", "78.0 / 82.2 / 86.8"],
    ]
    theirs = [float(r["percent"]) for r in rows(paths.QUESTION_OVERLAP_PLOT)
              if r["source"] == "published"]  # fmt: skip
    bias = papers()["question_bias"]
    assert theirs == [
        *bias["question_overlap"], *bias["answer_location"], *bias["found"], *bias["missed"],
    ]  # fmt: skip
    coverage = [r for r in rows(paths.COVERAGE_PLOT) if r["source"] == "published"]
    assert [(r["test_set"], float(r["coverage"])) for r in coverage] == [("nq_like", 58.6)]
    # PubMed is none of these collections.
    assert [r["source"] for r in rows(paths.VOCABULARY_PLOT)] == ["ours", "ours"]
    of_pubmed = dataclasses.replace(PAPERS, published=PAPERS.published | {"covid": "BioASQ"})
    report.run(params_of(of_pubmed))
    assert [r["words"] for r in rows(paths.VOCABULARY_PLOT)] == ["1000", "2500", "10000"]
    found = table(paths.REPORT_HTML.read_text(), "Overlap of vocabularies (%)")
    assert found[1] == [
        "published: Wikipedia and PubMed", "3,000,000 each", "10,000", "17.0", "",
    ]  # fmt: skip


def test_ours_stand_alone_where_the_data_are_others(study: None) -> None:
    write_analyses()
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    ours = page.split("<section id=published")[0]
    assert not [caption for caption, _ in tables(ours) if "ublished" in caption]
    assert "<tr class=published>" not in ours
    found = table(page, "Gold training questions by sentence of the passage (%)")
    assert found[0] == ["1", "39.0", "29.0"]
    found = table(page, "Question overlap by retrieval, gold dev questions (%)")
    assert found[4] == ["5", "50.0", "12.5", "+37.5 [-1.2, +60.0]", "50.0", "", ""]
    assert "among the top 7 (DPR finds 90.0 % of 40; Mixed-DPR finds 90.0 % of 40)" in page
    assert "5.6 sentences on average." in page
    assert table(page, "Coverage of questions by their gold passage (%)")[1] == [
        "nq_like", "77", "recorded", "61.2", "",
    ]  # fmt: skip
    assert table(page, "Overlap of vocabularies (%)") == [
        ["main and covid", "5,000 and 1,200", "2,500", "33.3", "1,000: 44.4"],
    ]
    assert table(page, "Scores of the example questions with their passages") == [
        ["gold", "16.0", "17.0"],
        ["conditioned", "10.0", ""],
    ]
    assert '<a href="examples.html">' in page
    dev = [r for r in rows(paths.QUESTION_OVERLAP_PLOT) if r["questions"].startswith("dev")]
    # Mixed-DPR missed none, and the passages of only four missed questions have six sentences.
    assert len(dev) == 3 * 6 - 1
    assert {r["test_set"] for r in rows(paths.COVERAGE_PLOT)} == {"gold, train", "nq_like", "covid"}
    assert [(r["source"], r["words"]) for r in rows(paths.VOCABULARY_PLOT)] == [
        ("ours", "1000"), ("ours", "2500"),
    ]  # fmt: skip


def drawn(page: str) -> list[dict[str, Any]]:
    """The specifications of all charts."""
    return json.loads(re.search("id=specs>(.*?)</script>", page)[1])  # type: ignore[index]


@pytest.mark.parametrize("of", [STUDY, PAPERS])
def test_charts_have_the_colours_of_what_they_show(study: None, of: Study) -> None:
    write_analyses()
    report.run(params_of(of))
    found = [charts.accuracy_charts(read_results(of), 0.95)[0], *charts.attention_charts(),
             *charts.explanation_charts(read_results(of))]  # fmt: skip
    for chart in found:
        colours = {name: colour for name, colour, _ in chart.series()}
        for system in ("dpr", "uncon", "mixed"):
            if (name := LABELS[system]) in colours:
                assert colours[name] == charts.variable(STYLES[system].colour)
    page = paths.REPORT_HTML.read_text()
    for colour, dark in DARK.items():
        name = f"--c-{colour[1:]}: "
        assert page.count(f"{name}{colour}") == page.count(f"{name}{dark}") == 1
    names = [name for chart in charts.question_charts() for name, _, _ in chart.series()]
    parts = "gold train", "dev, found by DPR", "dev, missed by DPR", "gold train"
    theirs = [*(f"{name}, published (NQ)" for name in parts), "not said, published"]
    assert [name for name in names if "published" in name] == (theirs if of is PAPERS else [])


def test_each_value_of_a_chart_is_drawn_and_in_its_table(study: None) -> None:
    write_analyses()
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    specs = drawn(page)
    for chart in (*charts.attention_charts(), *charts.question_charts(), *charts.answer_charts()):
        svg = vl_convert.vegalite_to_svg(chart.spec() | {"width": 300}, vl_version=charts.VEGA_LITE)
        assert svg.count('aria-roledescription="point"') == len(chart.frame), chart.title
        assert "NaN" not in svg and "undefined" not in svg
        cells = [row[1:] for row in table(page, f"{chart.title}: {chart.value}")]
        shown = [float(cell.split()[0]) for row in cells for cell in row if cell]
        values = [v for _, at in chart.frame.groupby("at", sort=False) for v in at.value]
        assert shown == pytest.approx(values, abs=0.51 * 10**-chart.digits)
    assert len(specs) == page.count("<div class=chart role=img")
    entropy, by_sentence, _ = charts.attention_charts()
    assert entropy.table().rows[0].cells == ["DPR", "4.090 [4.080, 4.110]", "", ""]
    assert by_sentence.table().rows[1].cells == ["2", "0.90", "0.95", "0.99"]
    (explanation,) = charts.explanation_charts(read_results(STUDY))
    both = ["0.125 [0.100, 0.150]"] * 2
    assert [row.cells for row in explanation.table().rows] == [["[CLS] attention", *both]]
    # Mixed-DPR missed none, and the passages of only four missed questions have six sentences.
    overlap = charts.question_charts()[0]
    assert [row.cells[3] for row in overlap.table().rows] == ["12.5"] * 5 + [""]


def test_what_files_say_is_no_html(study: None) -> None:
    evil = "</script><script>alert(1)</script>\u202e"
    write_values(paths.gold_metrics(), {"position": {"sentence_1": {
        "question_overlap": 1, "answer_location": 1, "answer_start": 1}}})  # fmt: skip
    write_table(paths.answer_positions("conditioned"), ANSWER_COLUMNS, [[evil, 1, 4, 100.0]])
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    assert evil not in page and "<script>alert" not in page and "\u202e" not in page
    assert "&lt;script&gt;alert(1)" in page and "\\u003cscript>alert(1)" in page


def test_a_study_without_analyses_has_no_tables_of_them(study: None) -> None:
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    for caption in (
        "Gold training questions by sentence", "Question overlap by retrieval", "Coverage of",
        "Overlap of vocabularies (%)",
    ):  # fmt: skip
        assert not [name for name, _ in tables(page) if name.startswith(caption)]
    assert "examples.html" not in page


def test_the_published_numbers_keep_what_the_thesis_says_of_them() -> None:
    # "considerably lower" in the first two sentences where the passage is missed, less so after
    bias, coverage, example = (papers()[key] for key in ("question_bias", "coverage", "example"))
    gaps = np.subtract(bias["found"], bias["missed"])
    assert gaps[:2].min() > gaps[2:].max()
    for column in ("question_overlap", "answer_location", "found"):
        assert bias[column] == sorted(bias[column], reverse=True)
    assert max(coverage, key=lambda name: coverage[name]) == "BioASQ"
    low, _, high = example["synthetic"]
    assert low < example["gold"] < high


def test_entities_by_attention(study: None) -> None:
    for system in ("dpr", "mixed"):
        file = paths.attention_means(system)
        shares = {"highest_first_half": 70, "lowest_second_half": 61.25, "all_first_half": 50}
        write_values(file, read_values(file) | shares)
    add_rows(paths.ATTENTION, [["mixed", "highest_first_half", 2000, 70, 66.5, 73.25]])
    write_explanation()
    write_values(paths.generation_metrics("conditioned"), {"entity_in_question": 87.5})
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    assert "published: DPR" not in page
    assert "87.5 % of those of conditioned name their entity." in page
    report.run(params_of(PAPERS))
    page = paths.REPORT_HTML.read_text()
    assert table(page, "Highest- and lowest-attended entity of a passage (%)") == [
        ["DPR", "70.0", "61.2", "50.0"],
        ["Mixed-DPR", "70.0 [66.5, 73.2]", "61.2", "50.0"],
        ["published: DPR", "65", "60", ""],
    ]
    scores = table(page, "Questions about the highest- and the lowest-attended entity")
    ours = ["7.50", "7.00", "+0.50 [-0.25, +1.25]", "< 0.001", "40.0", "40.0"]
    assert scores[0] == ["DPR, by its own attention (9 passages)", *ours]
    assert [row[0] for row in scores[1:3]] == [
        "Mixed-DPR, by its own attention (9 passages)",
        "Mixed-DPR, the entities by DPR's attention (9 passages)",
    ]
    assert scores[3][:4] == ["published: DPR", "73.7", "72.1", "+1.6"]
    both = ["+0.125 [+0.100, +0.150] (8)"] * 2
    assert table(page, "Does attention explain retrieval?") == [["[CLS] attention", *both]]


def test_a_system_of_ones_own_has_rows_by_its_name(study: None) -> None:
    write_analyses()
    write_dense("tas_b", entropy=3.25)
    overlap = read_values(paths.OVERLAP)
    write_values(paths.OVERLAP, overlap | {"tas_b": overlap["dpr"]})
    for collection, name in PLACES:
        rows = accuracy_rows("tas_b", collection, name, {1: 77, 5: 77, 20: 77, 100: 77})
        add_rows(paths.ACCURACY, rows)
        add_rows(paths.COMPARISONS, comparison_rows("tas_b", "mixed", collection, name))
    outcome = [1.25, "", 0.25, 3.0, 0.01, 9, 80, 5]
    add_rows(paths.COMPARISONS, [["tas_b", "mixed", "", "", "", "entropy", *outcome]])
    explained = read_values(paths.EXPLANATION)
    analysed = {"tas_b": explained["dpr"], "mixed": explained["mixed"]}
    write_values(paths.EXPLANATION, analysed)  # as analysis.systems: [tas_b, mixed] makes it
    report.run(params_of())
    assert "tas_b" not in paths.REPORT.read_text()  # not named

    dense = (*STUDY.dense, "tas_b")
    named = dataclasses.replace(STUDY, dense=dense, analysed=("tas_b", "mixed"))
    report.run(params_of(named))
    page = paths.REPORT_HTML.read_text()
    found = table(page, "Attention of [CLS] over passage tokens")
    assert ["tas_b", "3.250", "1.500", "0.900"] in found
    assert page.count("tas_b - Mixed") == 3  # top-1, top-5, attention
    cells = {row[0]: row[-1] for row in table(page, "Accuracy, top-1 / top-5 (%)")}
    assert cells["nq_like"].strip("*") == "77.0 / 77.0"
    assert rows_of(page, "Accuracy, top-1 / top-5 (%)")[0][-2:] == ["Mixed-DPR", "tas_b"]
    scores = table(page, "Questions about the highest- and the lowest-attended entity")
    assert [row[0] for row in scores[:3]] == [
        "tas_b, by its own attention (9 passages)",
        "Mixed-DPR, by its own attention (9 passages)",
        "Mixed-DPR, the entities by tas_b's attention (9 passages)",
    ]
    assert "top 7 (tas_b finds 90.0 % of 40; Mixed-DPR finds 90.0 % of 40)" in page
    entropy: Chart = charts.attention_charts()[0]
    assert entropy.series()[-1][0] == "tas_b"
    pink = "#CC79A7"  # none of the papers' systems has it
    assert paths.ENTROPY_PLOT.read_text().splitlines()[-1] == f"tas_b,tas_b,6,{pink},3.25,,"
    assert pink in colours(paths.ACCURACY_PICTURE)
    for chart in (entropy, *charts.explanation_charts(read_results(named))):
        assert ("tas_b", pink) in [look[:2] for look in chart.series()]


def test_references_have_rows_on_the_page_while_params_name_them(study: None) -> None:
    for system in ("dpr_trivia_like", "gone"):
        write_dense(system, entropy=3.5)
        for collection, name in PLACES:
            values = {k: value("mixed", "trivia_like", k) for k in STUDY.ks}
            add_rows(paths.ACCURACY, accuracy_rows(system, collection, name, values))
            add_rows(paths.COMPARISONS, comparison_rows(system, "dpr", collection, name))
    named = dataclasses.replace(
        STUDY, dense=(*STUDY.dense, "dpr_trivia_like"), references=("dpr_trivia_like",)
    )
    report.run(params_of(named))
    page = paths.REPORT_HTML.read_text()
    found = table(page, "Attention of [CLS] over passage tokens")
    assert ["dpr_trivia_like", "3.500", "1.500", "0.900"] in found
    assert rows_of(page, "Accuracy, top-1 / top-5 (%)")[0][-2:] == ["Mixed-DPR", "dpr_trivia_like"]
    assert "dpr_trivia_like - DPR" in page
    assert "gone" not in page
    entropy = paths.ENTROPY_PLOT.read_text().splitlines()[-1]
    assert entropy.startswith("dpr_trivia_like,dpr_trivia_like,6,")
    assert charts.attention_charts()[0].series()[-1][0] == "dpr_trivia_like"
    for chart in charts.accuracy_charts(read_results(named), 0.95):
        assert "dpr_trivia_like" not in str(chart.series())
    terminal = StringIO()
    show(named, Console(file=terminal, width=200))
    accuracies, *others = terminal.getvalue().split("Difference in ")
    assert "Mixed-DPR" in accuracies and "dpr_trivia_like" not in accuracies
    assert not any("dpr_trivia_like - " in text for text in others)
