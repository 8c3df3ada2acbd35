"""The page's sentence, and the fates of generated questions, of made-up tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from html_tables import rows_of
from made_up import QUESTIONS, params_of, write_questions, write_study

from ecqg import paths
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.files import write_jsonl
from ecqg.params import Filter
from ecqg.report import fates
from ecqg.report.results import read_results
from ecqg.report.summary import verdict
from ecqg.stages import report
from ecqg.tables import read_values, write_table, write_values

SETTINGS = Filter(
    reader_threshold=0.5,
    require_same_answer=True,
    require_same_sentence=True,
    hard_by="value",
    hard_cut=10,
)


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_study()


def test_the_fate_of_each_question(study: None) -> None:
    write_questions()
    counts, sample = fates.read_fates({"conditioned": ("reader", "hard"), "gone": ()}, SETTINGS)
    assert counts == {"conditioned": dict.fromkeys(fates.FATES, 1)}
    assert [*sample["fate"]] == [fate for *_, fate in QUESTIONS]
    assert [*sample["passage"]] == ["One", "Two & more", "One", "Two & more", "One"]
    _, sample = fates.read_fates({"conditioned": ()}, SETTINGS)  # no filter
    assert [*sample["fate"]] == ["kept"] * 5
    _, sample = fates.read_fates({"conditioned": ("hard",)}, SETTINGS)
    assert [*sample["fate"]] == ["kept"] * 4 + ["too easy for the retriever"]


def test_the_sample_is_bounded_and_even(study: None) -> None:
    write_questions(3 * fates.SAMPLE)
    counts, sample = fates.read_fates({"conditioned": ("reader", "hard")}, SETTINGS)
    assert counts["conditioned"] == dict.fromkeys(fates.FATES, 3 * fates.SAMPLE)
    assert sample["fate"].value_counts().to_dict() == dict.fromkeys(fates.FATES, fates.SAMPLE)


def test_files_about_other_questions_are_refused(study: None) -> None:
    write_questions()
    write_jsonl(paths.scored("conditioned"), [{"id": "other", "score": 1.0}])
    with pytest.raises(InputError, match=r"conditioned\.jsonl"):
        fates.read_fates({"conditioned": ()}, SETTINGS)


@pytest.mark.slow
def test_the_page_shows_them_escaped(study: None) -> None:
    write_questions()
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    caption = "A sample of the generated questions, evenly over the passages"
    found = {row[0]: row[1:] for row in rows_of(page, caption)[1:]}
    expected = ["b", "reader answers otherwise", "0.90", "4.0", "conditioned", "It", "One"]
    assert found["who differs?"] == ["x", *expected]
    assert "who <b>kept</b> it?" in found and "<b>kept" not in page
    table = rows_of(page, "Generated questions by what became of them")
    assert table[1] == ["conditioned", "5", "1", "1", "1", "1", "1"]
    assert len(page.encode()) < 5e6


def test_the_sentence_has_the_figures_of_the_tables(study: None) -> None:
    rows = []
    for name, gap, p in (("nq_like", 2.5, 0.01), ("tail", -4.25, 0.001), ("uniform", 9, 0.2),
                         ("webq_like", 3.75, 0.04)):  # fmt: skip
        where = ["mixed", "uncon", paths.MAIN, name, ""]
        rows.append([*where, "top1", gap, "", gap - 1, gap + 1, p, 9, 80, 5])
    rows.append(["mixed", "uncon", "", "", "", "entropy", 0.5, "", 0.25, 0.75, 0.01, 9, 80, 5])
    write_table(paths.COMPARISONS, headers.COMPARISONS, rows)
    file = paths.attention_means("dpr")
    write_values(file, read_values(file) | {"lowest_second_half": 61.25})
    assert verdict(read_results(report.study(params_of()))) == (
        "DPR's least-attended entity stands in the second half of 61.2 % of passages; beside "
        "UnCon-DPR, Mixed-DPR's top-1 accuracy is higher on 2 (webq_like +3.8 [+2.8, +4.8], "
        "nq_like +2.5 [+1.5, +3.5]) and lower on 1 (tail -4.2 [-5.2, -3.2]) of 4 test sets, the "
        "others being within chance; the entropy of its [CLS] attention differs by "
        "+0.500 [+0.250, +0.750] nats, the weight of later sentences by +4.2 %."
    )
    write_table(paths.COMPARISONS, headers.COMPARISONS, [])
    assert verdict(read_results(report.study(params_of()))) == ""


def test_markdown_is_short_however_many_test_sets_there_are(study: None) -> None:
    report.run(params_of())
    page = paths.REPORT.read_text()
    assert len(page.splitlines()) <= 150
    assert page.index("![") < page.index("### ")  # pictures before tables
    from ecqg.report.formats import Row, Table
    from ecqg.report.page import ROWS, _short

    many = Table(["a"], [Row([str(i)]) for i in range(ROWS + 7)], notes=["x"])
    short = _short(many)
    assert [row.cells for row in short.rows] == [[str(i)] for i in range(ROWS)]
    assert short.notes == ["7 more rows: plots/report.html", "x"]
