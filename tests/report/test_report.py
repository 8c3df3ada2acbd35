"""The page, the terminal table and the picture of a made-up study."""

import shutil
from io import StringIO
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from made_up import value, write_study
from rich.console import Console

from ecqg import paths
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.files import read_json, write_json
from ecqg.params import load_params
from ecqg.report import published
from ecqg.report.results import read_intervals, read_results
from ecqg.report.table import show
from ecqg.stages import report

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_study()


def lines_of(page: str, caption: str) -> list[str]:
    """The table beneath a caption."""
    below = page.split(f"### {caption}\n")[1].split("###")[0]
    return [line for line in below.splitlines() if line.startswith("|")]


def cells(line: str) -> list[str]:
    return [cell.strip(" _*") for cell in line.strip("|").split("|")]


def test_the_page_shows_a_question_of_each_test_set(study: None) -> None:
    for collection, name, text, answers in (
        (paths.MAIN, "nq_like", "who built a|b_c <mill>?", ("Ada *Holt*", "Holt")),
        (paths.MAIN, "gone", "who?", ("nobody",)),
        ("covid", "covid", "what is it?", ("a virus",)),
    ):
        folder = paths.collection(collection) / "questions"
        asked = [Question("0", text, answers), Question("1", "and then?", ("no",))]
        write_questions(folder / f"{name}.qa.tsv", asked)
    report.run(load_params(PROFILE))
    assert lines_of(paths.REPORT.read_text(), "A question of each test set") == [
        "| test set | question | answers |",
        "| --- | --- | --- |",
        r"| nq_like | who built a\|b\_c &lt;mill>? | Ada \*Holt\*; Holt |",
        "| covid | what is it? | a virus |",
    ]


def test_the_page_shows_ours_beside_the_published(study: None) -> None:
    report.run(load_params(PROFILE))
    page = paths.REPORT.read_text()
    sizes = [cells(line) for line in lines_of(page, "Questions of the test sets")][2:]
    assert sizes[0] == ["nq_like", "94", "NQ: 3,610"]  # 9 wins, 80 ties, 5 losses
    assert sizes[1] == ["&nbsp;&nbsp;no answer overlap", "64", "NQ, no answer overlap: 1,313"]
    assert sizes[-2:] == [
        ["published: WikiMovies", "", "9,952"],
        ["published: BioASQ", "", "1,092"],
    ]
    assert "A question of each test set" not in page  # the collections are not at hand
    table = [cells(line) for line in lines_of(page, "Accuracy, top-1 / top-5 (%)")]
    assert table[0] == ["test set", "TF-IDF", "BM25", "DPR", "UnCon-DPR", "Mixed-DPR"]
    assert [row[0].replace("&nbsp;", "") for row in table[2:]] == [
        "nq_like", "published: NQ",
        "no answer overlap", "published",
        "no question overlap", "published",
        "webq_like", "published: WebQuestions",
        "trivia_like", "published: TriviaQA",
        "covid", "tail", "uniform",
    ]  # fmt: skip
    ours = f"{value('dpr', 'nq_like', 1):.1f} / {value('dpr', 'nq_like', 5):.1f}"
    assert (table[2][3], table[3][3]) == (ours, "44.3 / 67.1")
    assert table[5][5] == "33.8 / 55.7"  # Mixed-DPR without answer overlap, SIGIR tab. 3
    assert table[9][2] == "18.9 / 41.8"  # BM25 on WebQuestions
    assert table[11][2] == ""  # BM25 on TriviaQA was not published
    deep = [cells(line) for line in lines_of(page, "Accuracy, top-20 / top-100 (%)")]
    header = ["test set", "TF-IDF", "BM25", "DPR", "UnCon-DPR", "Mixed-DPR", "AugDPR"]
    assert deep[0] == [*header, "supervised DPR"]
    assert deep[2][:2] == ["nq_like", "60.8 / 65.6"]
    trivia = next(i for i, row in enumerate(deep) if row[0].endswith("published: TriviaQA"))
    assert deep[trivia][2:] == [
        "66.9 / 76.7", "69.0 / 78.7", "", "", "72.2 / 81.1", "79.4 / 85.0",
    ]  # fmt: skip
    assert deep[-1][:4] == ["published: BioASQ", "", "42.1 / 50.5", "34.7 / 46.9"]  # ours has none
    assert lines_of(page, "Accuracy, top-1 / top-10 / top-20 (%)")[3].count("30.5 / 54.5 / 62.5")
    amounts = lines_of(
        page, "AugDPR by passages with synthetic questions, top-10 / top-20 / top-100 (%)"
    )
    assert [cells(line) for line in amounts[2:5]] == [
        ["none", "- / 70.8 / 75.6"],
        ["published: none", "73.6 / 78.1 / 85.0"],
        ["published: 1M", "74.4 / 79.2 / 85.5"],
    ]
    assert "| nq_like | +1.2 [-0.5, +3.0] |" in page
    assert "| covid | +1.2 [+0.2, +3.0]* |" in page
    assert "| entropy | +1.250 [+0.250, +3.000]* |" in page
    definitions = lines_of(page, "Attention by its definition")
    assert cells(definitions[2]) == ["all tokens", "entropy", "3.500", "3.500", "3.500"]
    assert cells(definitions[3])[1:] == ["later sentences", "0.900", "0.950", "0.990"]
    assert "Mixed-DPR over DPR: +10.0 % (published +1.8 %)" in page
    assert "(../plots/accuracy.png)" in page
    assert (paths.REPORT.parent / "../plots/accuracy.png").is_file()


def test_reranking_stands_beside_its_first_stage(study: None) -> None:
    report.run(load_params(PROFILE))
    page = paths.REPORT.read_text()
    assert "Re-ranking" not in page
    accuracy = {name: {"top1": 61.25, "top5": 83.5} for name in ("nq_like", "tail")}
    metrics = read_json(paths.retrieval_metrics())
    write_json(paths.retrieval_metrics(), metrics | {"bm25-reranked": accuracy})
    comparison = read_json(paths.COMPARISON)
    found = comparison["mixed_vs_dpr"]["nq_like"]
    write_json(paths.COMPARISON, comparison | {"bm25-reranked_vs_bm25": {"nq_like": found}})
    report.run(load_params(PROFILE))
    with_reranking = paths.REPORT.read_text()
    caption = "Re-ranking by the cross-encoder, top-1 / top-5 (%)"
    table = [cells(line) for line in lines_of(with_reranking, caption)]
    assert table[0] == ["test set", "BM25", "re-ranked", "top-1, difference"]
    rows = {row[0]: row[1:] for row in table[2:]}
    first = f"{value('bm25', 'nq_like', 1):.1f} / {value('bm25', 'nq_like', 5):.1f}"
    assert rows["nq_like"] == [first, "61.2 / 83.5", "+1.2 [-0.5, +3.0]"]
    assert rows["tail"][1:] == ["61.2 / 83.5", ""]
    assert rows["uniform"][1:] == ["", ""]
    # Nothing else on the page is touched.
    before, rest = with_reranking.split(f"### {caption}")
    assert page == before + "### Attention" + rest.split("### Attention", 1)[1]


def test_ranking_metrics_where_questions_are_judged(study: None) -> None:
    found = {}
    for number, system in enumerate(["bm25", "mixed", "mixed-reranked"]):
        values = {"questions": 9, "MRR@10": 0.5 + number / 8, "nDCG@10": 0.75, "MAP": 0.1}
        values |= {"P@10": 0.1, "R@10": 1 - number / 8}
        found[system] = {"tail": values, "old": values}
    write_json(paths.ranking_metrics(), found)
    of_supervised = {"tail": {"questions": 9, "MAP": 0.875}}  # evaluation.ks may lack 10
    write_json(paths.ranking_metrics("supervised/tail"), {"supervised": of_supervised})
    report.run(load_params(PROFILE))
    page = paths.REPORT.read_text()
    table = lines_of(page, "MRR@10 / nDCG@10")
    header = "| test set | BM25 | Mixed-DPR | supervised DPR | Mixed-DPR, re-ranked |"
    assert table[0] == header
    best = "**0.750 / 0.750**"
    assert table[2:] == [f"| tail | 0.500 / 0.750 | 0.625 / 0.750 |  | {best} |"]
    table = lines_of(page, "P@10 / R@10 / MAP")
    assert table[0] == header
    ours = [f"**0.100 / {recall} / 0.100**" for recall in ("1.000", "0.875", "0.750")]
    assert table[2:] == [f"| tail | {ours[0]} | {ours[1]} | 0.875 | {ours[2]} |"]


def test_one_table_holds_all_systems_of_a_plot(study: None) -> None:
    report.run(load_params(PROFILE))
    lines = paths.ACCURACY_PLOT.read_text().splitlines()
    assert lines[0] == "system,test_set,k,accuracy,low,high"
    a = value("bm25", "tail", 5)
    assert f"bm25,tail,5,{a:.4f},{a - 4:.4f},{a + 3.5:.4f}" in lines
    assert len(lines) == 1 + 5 * 4 * len({line.split(",")[1] for line in lines[1:]})
    entropy = paths.ENTROPY_PLOT.read_text().splitlines()
    assert entropy[0] == "system,entropy,low,high"
    assert [line.split(",")[0] for line in entropy[1:]] == ["dpr", "uncon", "mixed"]
    assert [float(x) for x in entropy[1].split(",")[1:]] == pytest.approx([4.09, 4.08, 4.11])


def test_the_same_results_give_the_same_bytes(study: None) -> None:
    outputs = []
    for _ in range(2):
        report.run(load_params(PROFILE))
        outputs.append((paths.REPORT.read_bytes(), paths.ACCURACY_PICTURE.read_bytes()))
    assert outputs[0] == outputs[1]


def test_the_picture_shows_every_system(study: None) -> None:
    report.run(load_params(PROFILE))
    pixels = matplotlib.image.imread(paths.ACCURACY_PICTURE)[..., :3]
    found = np.unique((pixels.reshape(-1, 3) * 255).round().astype(int), axis=0).tolist()
    for colour in ([153, 153, 153], [0, 0, 0], [0, 114, 178], [230, 159, 0], [213, 94, 0]):
        assert colour in found


def test_the_terminal_shows_whole_cells(study: None) -> None:
    report.run(load_params(PROFILE))
    out = StringIO()
    show(Console(file=out, width=60))
    text = out.getvalue()
    assert "…" not in text
    assert "published: WebQuestions   14.5 / 32.1   18.9 / 41.8" in text
    assert "[confidence interval]" in text
    assert "metrics/report.md" in text
    assert "plots/heatmap.html" not in text  # not there, so not offered


def test_missing_systems_and_sets_leave_gaps(study: None) -> None:
    metrics = read_json(paths.retrieval_metrics())
    write_json(paths.retrieval_metrics(), {s: v for s, v in metrics.items() if s != "bm25"})
    shutil.rmtree(paths.attention_metrics("dpr").parent)
    paths.retrieval_metrics("covid").unlink()
    paths.retrieval_plot("covid").unlink()
    write_json(paths.COMPARISON, {"mixed_vs_dpr": {"nq_like": {}}})
    report.run(load_params(PROFILE))
    page = paths.REPORT.read_text()
    table = [cells(line) for line in lines_of(page, "Accuracy, top-1 / top-5 (%)")]
    assert table[2][2] == ""
    assert table[3][2] == "22.7 / 44.6"
    assert "covid" not in page
    assert "Difference" not in page
    assert "entropy" not in page
    show(Console(file=StringIO()))


def test_results_of_a_set_that_is_no_longer_asked_are_left_aside(study: None) -> None:
    comparison = read_json(paths.COMPARISON)
    for pair in comparison.values():
        del pair["covid"], pair["nq_like_no_answer_overlap"]
    write_json(paths.COMPARISON, comparison)
    report.run(load_params(PROFILE))
    page = paths.REPORT.read_text()
    assert "covid" not in page
    rows = [cells(line)[0] for line in lines_of(page, "Accuracy, top-1 / top-5 (%)")]
    assert not any(row.endswith("no answer overlap") and "published" not in row for row in rows)
    assert rows[-1] == "published: NQ, no answer overlap"
    assert read_results().test_sets == [
        "nq_like", "nq_like_no_question_overlap", "webq_like", "trivia_like", "tail", "uniform",
    ]  # fmt: skip
    assert {row["test_set"] for row in read_intervals(["tail"])} == {"tail"}


def test_a_subset_that_is_the_whole_set_has_no_row(study: None) -> None:
    comparison = read_json(paths.COMPARISON)
    for pair in comparison.values():
        pair["nq_like_no_question_overlap"]["top1"]["ties"] = pair["nq_like"]["top1"]["ties"]
    write_json(paths.COMPARISON, comparison)
    found = read_results().test_sets
    assert "nq_like_no_question_overlap" not in found
    assert {"nq_like", "nq_like_no_answer_overlap"} <= set(found)


def test_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"comparison\.json: no results; run 'make repro'"):
        read_results()


def test_published_numbers_keep_what_the_papers_say_of_them() -> None:
    for table in (published.SIGIR, published.ACL_DRAFT):
        for row in table.accuracy.values():
            for k in range(2):
                assert max(row, key=lambda s: row[s][k]) == "mixed"
    nq = published.SIGIR.accuracy["NQ"]
    assert round(nq["mixed"][1] - nq["dpr"][1], 1) == 1.9
    # "up to 4-point improvement in top-1 retrieval accuracy" (AugDPR paper, sec. 4.1)
    rows = published.AUGDPR.accuracy.values()
    assert max(round(row["aug"][0] - row["dpr"][0], 1) for row in rows) == 4.0
    # "a slightly lower top-20 score but a 2-point gain in top-100 score over BM25" on BioASQ
    far = published.AUGDPR_ZERO_SHOT.accuracy["BioASQ"]
    assert far["aug"][0] < far["bm25"][0]
    assert round(far["aug"][1] - far["bm25"][1], 1) == 1.9
    assert published.counterpart("tail") is None
    assert published.counterpart("tail_no_answer_overlap") is None
    assert published.counterpart("squad_no_question_overlap") == "NQ, no question overlap"
