"""The page's section on the smaller analyses, of a made-up study."""

from __future__ import annotations

import csv
import dataclasses
from io import StringIO
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from made_up import (
    STUDY,
    accuracy_rows,
    add_rows,
    comparison_rows,
    params_of,
    value,
    write_dense,
    write_study,
)
from rich.console import Console

from ecqg import paths
from ecqg.palette import REFERENCE, SERIES, STYLES
from ecqg.report import pictures
from ecqg.report.attention_picture import Panel, Point, panels
from ecqg.report.measured import LOCATION, OVERLAP, TRAIN
from ecqg.report.published import papers
from ecqg.report.results import Study, read_results
from ecqg.report.terminal import show
from ecqg.stages import report
from ecqg.tables import read_values, write_values

# As if the made-up test sets were the papers' own.
PAPERS = dataclasses.replace(STUDY, published={"nq_like": "NQ", "trivia_like": "TriviaQA"})
PLACES = [(where, name) for where, names in STUDY.collections.items() for name in names]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_study()


def write_explanation() -> None:
    half = {"score": 7.0, "top1": 40.0, "median_rank": 3}
    gap = {"score": 0.5, "low": -0.25, "high": 1.25, "p": 0.0001}
    extremes = {"passages": 9, "highest": half | {"score": 7.5}, "lowest": half, "difference": gap}
    attention = {"mean": 0.125, "low": 0.1, "high": 0.15, "passages": 8}
    found = {"extremes": extremes, "explains_rank": {"attention": attention}}
    write_values(paths.EXPLANATION, {"dpr": found, "mixed": found | {"same_questions": extremes}})


def write_analyses() -> None:
    write_explanation()
    position = {
        f"sentence_{i}": {"question_overlap": 40 - i, "answer_location": 30 - i, "answer_start": 1}
        for i in range(1, 7)
    }
    write_values(paths.gold_metrics(), {"position": position})
    overlaps = {}
    for system, missed in (("dpr", 12.5), ("mixed", None)):
        row = {"found": 50.0, "missed": missed, "difference": None, "low": None, "high": None}
        if missed:
            row |= {"difference": 50 - missed, "low": -1.25, "high": 60.0}
        row |= {"found_questions": 36, "missed_questions": 24 if missed else 0}
        metrics = {"questions": 40, "depth": 7, "found": 90.0, "sentences_mean": 5.56}
        overlaps[system] = (
            metrics
            | {f"sentence_{i}": row for i in range(1, 6)}
            | {"sentence_6": row | {"missed_questions": 4}}
        )
    write_values(paths.OVERLAP, overlaps)
    values = {"questions": 77, "words": 61.25, "content_words": None, "without_passage": 3}
    values["judged"] = 1
    names = ["gold_train", "nq_like", "gone"]
    write_values(paths.coverage_metrics(), dict.fromkeys(names, values))
    for name in ("covid", "gone"):
        other = values | {"questions": 5, "judged": 0}
        write_values(paths.coverage_metrics(name), {name: other})
        overlap = {"overlap": 33.3, "words": 2500, "passages": 1200, "main_passages": 5000}
        overlap |= {"by_words": {"1000": 44.4, "2500": 33.3}}
        write_values(paths.vocabulary_metrics(name), overlap)
    scores = {"dpr": {"gold": 16.0, "conditioned": 10.0}, "mixed": {"gold": 17.0}}
    write_values(paths.EXAMPLE_METRICS, {"passages": 2, "questions": 9} | scores)


def table(page: str, caption: str) -> list[list[str]]:
    below = page.split(f"### {caption}\n")[1].split("###")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")][2:]
    return [[cell.strip(" _") for cell in line.strip("|").split("|")] for line in lines]


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
    page = paths.REPORT.read_text()
    found = table(page, "Gold training questions by sentence of the passage (%)")
    assert found[0] == ["1", "39.0", "29.0", "26.2", "30.0"]
    assert found[5] == ["6", "34.0", "24.0", "", ""]
    found = table(page, "Question overlap by retrieval, gold dev questions (%)")
    ours = ["50.0", "12.5", "+37.5 [-1.2, +60.0]", "50.0", "", ""]
    assert found[4] == ["5", *ours, "13.1", "10.4"]
    assert "Published: DPR on NQ dev, thesis tab. 4.3, with 5.3 sentences on average" in page
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
    found = table(paths.REPORT.read_text(), "Overlap of vocabularies (%)")
    assert found[1] == [
        "published: Wikipedia and PubMed", "3,000,000 each", "10,000", "17.0", "",
    ]  # fmt: skip


def test_ours_stand_alone_where_the_data_are_others(study: None) -> None:
    write_analyses()
    report.run(params_of())
    page = paths.REPORT.read_text()
    assert "ublished" not in page.split("## Published, on other data")[0]
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
    assert "(../results/examples.md)" in page
    assert page.index("## Examples") < page.index("## Pictures")
    dev = [r for r in rows(paths.QUESTION_OVERLAP_PLOT) if r["questions"].startswith("dev")]
    # Mixed-DPR missed none, and the passages of only four missed questions have six sentences.
    assert len(dev) == 3 * 6 - 1
    assert {r["test_set"] for r in rows(paths.COVERAGE_PLOT)} == {"gold, train", "nq_like", "covid"}
    assert [(r["source"], r["words"]) for r in rows(paths.VOCABULARY_PLOT)] == [
        ("ours", "1000"), ("ours", "2500"),
    ]  # fmt: skip


@pytest.mark.parametrize("of", [STUDY, PAPERS])
def test_pictures_have_the_colours_of_what_they_show(study: None, of: Study) -> None:
    write_analyses()
    report.run(params_of(of))
    grey = [REFERENCE] if of is PAPERS else []
    systems = [STYLES[system].colour for system in ("dpr", "mixed")]
    for picture, expected in (
        (paths.QUESTION_OVERLAP_PICTURE, SERIES[:3] if of is PAPERS else SERIES[:2]),
        (paths.ATTENTION_PICTURE, (*systems, STYLES["uncon"].colour, *SERIES[:2])),
        (paths.WORDS_PICTURE, (*SERIES[:2], *grey)),
        (paths.EXPLANATION_PICTURE, systems),
    ):
        assert colours(picture).issuperset(expected), picture


def test_a_study_without_analyses_has_no_tables_of_them(study: None) -> None:
    report.run(params_of())
    page = paths.REPORT.read_text()
    for caption in (
        "Gold training questions by sentence", "Question overlap by retrieval", "Coverage of",
        "Overlap of vocabularies (%)",
    ):  # fmt: skip
        assert f"### {caption}" not in page
    assert "## Examples" not in page


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
    page = paths.REPORT.read_text()
    assert "published: DPR" not in page
    assert "87.5 % of those of conditioned name their entity." in page
    alone = [shown(p) for p in panels(read_results(STUDY), read_values(paths.EXPLANATION))]
    assert all(ours and not theirs for ours, theirs in alone)
    report.run(params_of(PAPERS))
    page = paths.REPORT.read_text()
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
    entropy, sentences, halves, later, gaps = panels(
        read_results(PAPERS), read_values(paths.EXPLANATION)
    )
    assert entropy.rows == ["DPR", "UnCon-DPR", "Mixed-DPR"]
    ours, theirs = shown(entropy)
    assert [point.value for point in ours] == pytest.approx([4.09, 4.095, 4.099])
    assert [(point.low, point.high) for point in ours[:1]] == [pytest.approx((4.08, 4.11))]
    assert [point.value for point in theirs] == [3.97, 3.80, 4.10]
    assert [point.value for point in shown(sentences)[0]] == [1.5] * 3 + [0.9, 0.95, 0.99]
    ours, theirs = shown(later)
    assert {point.row: point.value for point in ours} == pytest.approx(
        {"over DPR": 10, "over UnCon-DPR": 100 * (0.99 / 0.95 - 1)}
    )
    assert [(point.row, point.value) for point in theirs] == [
        ("over DPR", 1.8),
        ("over UnCon-DPR", 1.1),
    ]
    # made_up: from 0.5 less to 3 more, of 0.9 and 0.95
    assert [(point.low, point.high) for point in ours] == [
        pytest.approx((100 * -0.5 / 0.9, 100 * 3 / 0.9)),
        pytest.approx((100 * -0.5 / 0.95, 100 * 3 / 0.95)),
    ]
    ours, theirs = shown(halves)
    assert [(point.row, point.value) for point in ours] == [
        ("DPR", 70), ("Mixed-DPR", 70), ("DPR", 61.25), ("Mixed-DPR", 61.25),
    ]  # fmt: skip
    assert [(point.row, point.value) for point in theirs] == [("DPR", 65), ("DPR", 60)]
    ours, theirs = shown(gaps)
    # in percent of the lowest's score, 7
    assert [point[1:4] for point in ours] == [pytest.approx((50 / 7, -25 / 7, 125 / 7))] * 2
    assert [point.value for point in theirs] == pytest.approx([160 / 72.1])
    assert "(../plots/analysis/attention.png)" in page
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
    page = paths.REPORT.read_text()
    found = table(page, "Attention of [CLS] over passage tokens")
    assert ["tas_b", "3.250", "1.500", "0.900"] in found
    assert page.count("tas_b - Mixed") == 3  # top-1, top-5, attention
    cells = {row[0]: row[-1] for row in table(page, "Accuracy, top-1 / top-5 (%)")}
    assert cells["nq_like"].strip("*") == "77.0 / 77.0"
    assert "Mixed-DPR | tas_b |\n" in page.split("### Accuracy, top-1 / top-5 (%)")[1]
    scores = table(page, "Questions about the highest- and the lowest-attended entity")
    assert [row[0] for row in scores[:3]] == [
        "tas_b, by its own attention (9 passages)",
        "Mixed-DPR, by its own attention (9 passages)",
        "Mixed-DPR, the entities by tas_b's attention (9 passages)",
    ]
    assert "top 7 (tas_b finds 90.0 % of 40; Mixed-DPR finds 90.0 % of 40)" in page
    entropy_panel = panels(read_results(named), {})[0]
    assert entropy_panel.rows[-1] == "tas_b"
    pink = "#CC79A7"  # none of the papers' systems has it
    assert paths.ENTROPY_PLOT.read_text().splitlines()[-1] == f"tas_b,tas_b,6,{pink},3.25,,"
    for picture in (paths.ATTENTION_PICTURE, paths.ACCURACY_PICTURE, paths.EXPLANATION_PICTURE):
        assert pink in colours(picture)


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
    page = paths.REPORT.read_text()
    found = table(page, "Attention of [CLS] over passage tokens")
    assert ["dpr_trivia_like", "3.500", "1.500", "0.900"] in found
    assert "Mixed-DPR | dpr_trivia_like |\n" in page.split("### Accuracy, top-1 / top-5 (%)")[1]
    assert "dpr_trivia_like - DPR" in page
    assert "gone" not in page
    entropy = paths.ENTROPY_PLOT.read_text().splitlines()[-1]
    assert entropy.startswith("dpr_trivia_like,dpr_trivia_like,6,")
    assert panels(read_results(named), {})[0].rows[-1] == "dpr_trivia_like"
    terminal = StringIO()
    show(named, Console(file=terminal, width=200))
    accuracies, *others = terminal.getvalue().split("Difference in ")
    assert "Mixed-DPR" in accuracies and "dpr_trivia_like" not in accuracies
    assert not any("dpr_trivia_like - " in text for text in others)


def shown(panel: Panel) -> tuple[list[Point], list[Point]]:
    """All points of a panel, ours and the published."""
    points = [point for series in panel.series for point in series.points]
    return [p for p in points if p.ours], [p for p in points if not p.ours]


def test_the_picture_of_tables_4_2_and_4_3_shows_all_points(monkeypatch) -> None:
    drawn = []
    monkeypatch.setattr(pictures, "save", lambda figure, path: drawn.append(figure))
    curves = [
        ("ours", OVERLAP, TRAIN, [30.0, 20.0]),
        ("ours", LOCATION, TRAIN, [45.0, None]),
        ("ours", OVERLAP, "dev, found by Mixed-DPR", [60.0, 10.0]),
    ]
    pictures.draw_question_bias(Path("unused"), curves)
    (figure,) = drawn
    assert len(figure.axes) == 3  # none for DPR's, which were not measured
    assert figure.axes[0].get_ylim()[0] == 0
    assert all(axes.get_ylim()[1] > 60 for axes in figure.axes)
    assert [list(line.get_ydata()) for line in figure.axes[1].lines] == [[45.0]]


def test_the_picture_of_tables_4_2_and_4_3_has_a_panel_for_each_system(monkeypatch) -> None:
    drawn = []
    monkeypatch.setattr(pictures, "save", lambda figure, path: drawn.append(figure))
    curves = [
        ("ours", OVERLAP, f"dev, {part} by {system}", [share, 10.0])
        for system, share in (("UnCon-DPR", 60.0), ("tas_b", 40.0))
        for part in ("found", "missed")
    ]
    curves.append(("published", OVERLAP, "dev, found by DPR", [50.0]))
    pictures.draw_question_bias(Path("unused"), curves)
    titles = [axes.get_title(loc="left") for axes in drawn[0].axes]
    expected = ["UnCon-DPR", "tas_b", "DPR"]
    assert titles == [f"Question overlap, dev questions, {name}" for name in expected]
    lines = [[list(line.get_ydata()) for line in axes.lines] for axes in drawn[0].axes]
    assert lines == [[[60.0, 10.0]] * 2, [[40.0, 10.0]] * 2, [[50.0]]]
    legend = [text.get_text() for text in drawn[0].axes[1].get_legend().get_texts()]
    assert legend == ["found by tas_b", "missed by tas_b"]
