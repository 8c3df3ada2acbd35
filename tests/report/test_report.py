"""The page, the terminal table and the picture of a made-up study."""

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from dvc.repo import Repo
from html_tables import rows_of, tables
from made_up import (
    LOSSES,
    STUDY,
    accuracy_rows,
    add_rows,
    comparison_rows,
    keep_rows,
    params_of,
    value,
    write_dense,
    write_losses,
    write_study,
)
from rich.console import Console

from ecqg import closure, paths
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.report import published, stale
from ecqg.report.results import Study, read_results
from ecqg.report.terminal import show
from ecqg.stages import report
from ecqg.tables import read_table, write_table, write_values

pytestmark = pytest.mark.slow


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_study()


def test_the_page_shows_a_question_of_each_test_set(study: None) -> None:
    for collection, name, text, answers in (
        (paths.MAIN, "nq_like", "who built a|b_c <mill>?", ("Ada *Holt*", "Holt")),
        (paths.MAIN, "gone", "who?", ("nobody",)),
        ("covid", "covid", "what is it?", ("a virus",)),
    ):
        folder = paths.collection(collection) / "questions"
        asked = [Question("0", text, answers), Question("1", "and then?", ("no",))]
        write_questions(folder / f"{name}.qa.tsv", asked)
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    assert rows_of(page, "A question of each test set") == [
        ["test set", "question", "answers"],
        ["nq_like", "who built a|b_c <mill>?", "Ada *Holt*; Holt"],
        ["covid", "what is it?", "a virus"],
    ]
    assert "<mill>" not in page


def test_nothing_published_stands_beside_other_data(study: None) -> None:
    report.run(params_of())
    page, context = paths.REPORT_HTML.read_text().split("<section id=published")
    page = page.replace('<a href="#published">Published</a>', "")
    shown = re.sub("<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    # The premises, which were not measured, would have a column of the papers'.
    assert "ublished" not in shown and "ublished" not in paths.REPORT.read_text()
    assert "44.3 / 67.1" in context and "3.97" in context and "26.2" in context
    assert len(re.findall("<tr class=published>", context)) > 20
    report.run(params_of(source="folder"))
    assert "<section id=published" not in paths.REPORT_HTML.read_text()
    for plot in (paths.QUESTION_OVERLAP_PLOT, paths.COVERAGE_PLOT, paths.VOCABULARY_PLOT):
        assert "published" not in plot.read_text()


def test_the_page_has_no_backticks_and_says_where_times_are(study: None) -> None:
    report.run(params_of())
    page = re.sub("<script.*?</script>", "", paths.REPORT_HTML.read_text(), flags=re.DOTALL)
    assert "`" not in page
    assert "<code>plots/run.html</code>" in page.partition("<h2 id=h-run>")[2]


def test_the_papers_own_test_sets_have_their_numbers_beside_ours(study: None) -> None:
    theirs = {"nq_like": "NQ", "webq_like": "WebQuestions", "gone": "BioASQ"}  # as if they were
    report.run(params_of(dataclasses.replace(STUDY, published=theirs), "folder"))
    page = paths.REPORT_HTML.read_text()
    table = rows_of(page, "Accuracy, top-1 / top-5 (%)")
    assert table[0] == ["test set", "TF-IDF", "BM25", "DPR", "UnCon-DPR", "Mixed-DPR"]
    assert [row[0] for row in table[1:]] == [
        "nq_like", "published: NQ",
        "no answer overlap", "published",
        "no question overlap", "published",
        "webq_like", "published: WebQuestions",
        "trivia_like", "tail", "uniform", "covid",
    ]  # fmt: skip
    ours = f"{value('dpr', 'nq_like', 1):.1f} / {value('dpr', 'nq_like', 5):.1f}"
    assert (table[1][3], table[2][3]) == (ours, "44.3 / 67.1")
    assert table[4][5] == "33.8 / 55.7"  # Mixed-DPR without answer overlap, SIGIR tab. 3
    assert table[8][2] == "18.9 / 41.8"  # BM25 on WebQuestions
    deep = rows_of(page, "Accuracy, top-20 / top-100 (%)")
    header = ["test set", "TF-IDF", "BM25", "DPR", "UnCon-DPR", "Mixed-DPR", "AugDPR"]
    assert deep[0] == [*header, "supervised DPR"]
    assert deep[1][:2] == ["nq_like", "60.8 / 65.6"]
    web = next(i for i, row in enumerate(deep) if row[0].endswith("published: WebQuestions"))
    assert deep[web][2:] == ["55.0 / 71.1", "63.0 / 78.3", "", "", "71.1 / 80.8", "73.2 / 81.4"]
    sizes = rows_of(page, "Questions of the test sets")[1:]
    assert sizes[0] == ["nq_like", "94", "NQ: 3,610"]
    assert sizes[1] == ["no answer overlap", "64", "NQ, no answer overlap: 1,313"]
    assert sizes[-1] == ["covid", "94", ""]
    attention = rows_of(page, "Attention of [CLS] over passage tokens")
    assert attention[1] == ["DPR", "4.090", "1.500", "0.900", "3.97"]
    assert "Mixed-DPR over DPR: +10.0 % (published +1.8 %)" in page
    assert "on other data" not in page


def test_the_page_shows_all_tables(study: None) -> None:
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    sizes = rows_of(page, "Questions of the test sets")
    assert sizes[0] == ["test set", "questions"]
    assert sizes[1:3] == [["nq_like", "94"], ["no answer overlap", "64"]]
    assert "A question of each test set" not in page  # the collections are not at hand
    table = rows_of(page, "Accuracy, top-1 / top-5 (%)")
    assert [row[0] for row in table[1:]] == [
        "nq_like", "no answer overlap", "no question overlap",
        "webq_like", "trivia_like", "tail", "uniform", "covid",
    ]  # fmt: skip
    amounts = rows_of(
        page, "AugDPR by passages with synthetic questions, top-10 / top-20 / top-100 (%)"
    )
    assert amounts[1:] == [["none", "- / 70.8 / 75.6"]]
    top1, top5 = (rows_of(page, f"Difference in top-{k} accuracy, in points [confidence interval]")
                  for k in (1, 5))  # fmt: skip
    assert top1[1][:2] == ["nq_like", "+1.2 [-0.5, +3.0]"]
    assert top5[-1][:2] == ["covid", "+1.2 [+0.2, +3.0]*"]
    differences = rows_of(page, "Difference in attention [confidence interval]")
    assert differences[1][:2] == ["entropy", "+1.250 [+0.250, +3.000]*"]
    definitions = rows_of(page, "Attention by its definition")
    assert definitions[1] == ["all tokens", "entropy", "3.500", "3.500", "3.500"]
    assert definitions[2][1:] == ["later sentences", "0.900", "0.950", "0.990"]
    assert "Mixed-DPR over DPR: +10.0 %." in page
    assert "(../plots/accuracy.png)" in paths.REPORT.read_text()
    assert (paths.REPORT.parent / "../plots/accuracy.png").is_file()


def test_reranking_stands_beside_its_first_stage(study: None) -> None:
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    assert "Re-ranking" not in page
    reranked = dataclasses.replace(STUDY, reranked=("bm25",))
    values = {1: 61.25, 5: 83.5, 20: 90.0, 100: 95.0}
    rows = [
        row
        for name in ("nq_like", "webq_like", "trivia_like", "tail", "uniform")
        for row in accuracy_rows("bm25_reranked", paths.MAIN, name, values)
    ]
    rows += accuracy_rows("bm25_reranked", "covid", "covid", values)
    add_rows(paths.ACCURACY, rows)
    compared = comparison_rows("bm25_reranked", "bm25", paths.MAIN, "nq_like")
    add_rows(paths.COMPARISONS, compared)
    report.run(params_of())
    assert paths.REPORT_HTML.read_text() == page  # params.yaml does not name it
    report.run(params_of(reranked))
    with_reranking = paths.REPORT_HTML.read_text()
    caption = "Re-ranking by the cross-encoder, top-1 / top-5 (%)"
    table = rows_of(with_reranking, caption)
    assert table[0] == ["test set", "BM25", "re-ranked", "top-1, difference"]
    found = {row[0]: row[1:] for row in table[1:]}
    first = f"{value('bm25', 'nq_like', 1):.1f} / {value('bm25', 'nq_like', 5):.1f}"
    assert found["nq_like"] == [first, "61.2 / 83.5", "+1.2 [-0.5, +3.0]"]
    assert found["tail"][1:] == ["61.2 / 83.5", ""]
    # No other table is touched, but that of parameters.
    apart = caption, "Parameters of params.yaml"
    others = [t for t in tables(with_reranking) if t[0] not in apart]
    assert others == [t for t in tables(page) if t[0] not in apart]
    report.run(params_of(reranked, "folder"))  # docs/results.md is about the embedded study
    own = paths.REPORT_HTML.read_text()
    assert rows_of(own, caption) == table
    assert "docs/results.md" in with_reranking and "docs/results.md" not in own


def test_ranking_metrics_where_questions_are_judged(study: None) -> None:
    rows = []
    for number, system in enumerate(["bm25", "mixed", "mixed_reranked"]):
        values = {"MRR@10": 0.5 + number / 8, "nDCG@10": 0.75, "MAP": 0.1}
        values |= {"P@10": 0.1, "R@10": 1 - number / 8}
        for name in ("tail", "old"):
            where = [system, paths.MAIN, name, "", 9]
            rows += [[*where, measure, found] for measure, found in values.items()]
    # evaluation.ks may lack 10
    rows.append(["dpr_tail", paths.MAIN, "tail", "", 9, "MAP", 0.875])
    add_rows(paths.RANKING, rows)
    write_dense("dpr_tail")
    study = dataclasses.replace(STUDY, dense=(*STUDY.dense, "dpr_tail"), reranked=("mixed",))
    report.run(params_of(study))
    page = paths.REPORT_HTML.read_text()
    table = rows_of(page, "MRR@10 / nDCG@10")
    header = ["test set", "BM25", "Mixed-DPR", "dpr_tail", "Mixed-DPR, re-ranked"]
    assert table[0] == header
    assert table[1:] == [["tail", "0.500 / 0.750", "0.625 / 0.750", "", "0.750 / 0.750"]]
    assert page.count("<strong>0.750 / 0.750</strong>") == 1
    table = rows_of(page, "P@10 / R@10 / MAP")
    assert table[0] == header
    ours = [f"0.100 / {recall} / 0.100" for recall in ("1.000", "0.875", "0.750")]
    assert table[1:] == [["tail", ours[0], ours[1], "0.875", ours[2]]]
    assert all(f"<strong>{cell}</strong>" in page for cell in ours)


def test_one_table_holds_all_systems_of_a_plot(study: None) -> None:
    report.run(params_of())
    lines = paths.ACCURACY_PLOT.read_text().splitlines()
    assert lines[0] == "system,name,place,colour,test_set,k,accuracy,low,high"
    a = value("bm25", "tail", 5)
    assert f"bm25,BM25,2,#000000,tail,5,{a:.4f},{a - 4:.4f},{a + 3.5:.4f}" in lines
    assert len(lines) == 1 + 5 * 4 * len({line.split(",")[4] for line in lines[1:]})
    looks = ["dpr,DPR,3,#0072B2", "uncon,UnCon-DPR,4,#E69F00", "mixed,Mixed-DPR,5,#D55E00"]
    entropy = paths.ENTROPY_PLOT.read_text().splitlines()
    assert entropy[0] == "system,name,place,colour,entropy,low,high"
    assert [",".join(line.split(",")[:4]) for line in entropy[1:]] == looks
    assert [float(x) for x in entropy[1].split(",")[4:]] == pytest.approx([4.09, 4.08, 4.11])
    assert paths.BY_SENTENCE_PLOT.read_text().splitlines() == [
        "system,name,place,colour,sentence,density,share,passages",
        f"{looks[0]},1,1.5,60.0,2000",
        f"{looks[0]},2,0.9,40.0,1900",
        f"{looks[1]},1,1.5,60.0,2000",
        f"{looks[1]},2,0.95,40.0,1900",
        f"{looks[2]},1,1.5,60.0,2000",
        f"{looks[2]},2,0.99,40.0,1900",
    ]


def test_plots_of_many_stages_have_one_table(study: None) -> None:
    position = {"question_overlap": 40.0, "answer_location": 30.0, "answer_start": 28.5}
    write_values(paths.gold_metrics(), {"position": {"sentence_1": position}})
    for number, name in enumerate(LOSSES):
        write_losses(name, *(4 + number / 8, 3.5)[: number % 3])
    report.run(params_of())
    assert paths.QUESTION_POSITION_PLOT.read_text().splitlines() == [
        "sentence,question_overlap,answer_location,answer_start",
        "1,40.0,30.0,28.5",
    ]
    # The first question set is about passages, not about entities.
    assert paths.ENTITY_POSITION_PLOT.read_text().splitlines() == [
        "which,position,share",
        "lowest,0.95,50.0",
    ]
    assert paths.ANSWER_POSITION_PLOT.read_text().splitlines() == [
        "question_set,step,sentence,questions,percent",
        "unconditioned,generated,1,8,100.0",
        "conditioned,generated,1,4,100.0",
    ]
    assert paths.LOSS_PLOT.read_text().splitlines() == [
        "training,run,step,loss",
        *(
            f"{name},train,{step},{loss}"
            for number, name in enumerate(LOSSES)
            for step, loss in [(20, 4 + number / 8), (40, 3.5)][: number % 3]
        ),
    ]


def test_the_page_says_what_encoders_are_pre_trained_on(study: None) -> None:
    report.run(params_of())
    lines = rows_of(paths.REPORT_HTML.read_text(), "What encoders are pre-trained on")
    assert lines[1:] == [
        ["UnCon-DPR", "2,000", "unconditioned 2,000", "1,500"],
        ["Mixed-DPR", "2,000", "unconditioned 1,000, conditioned 1,000", "1,234"],
    ]


def test_a_study_has_its_main_collection_first() -> None:
    params = params_of(dataclasses.replace(STUDY, references=("uncon",)))
    others_first = dict(reversed(params.collections.items()))
    found = report.study(dataclasses.replace(params, collections=others_first))
    assert list(found.collections) == [paths.MAIN, "covid"]
    assert found == dataclasses.replace(STUDY, references=["uncon"])


def test_the_same_results_give_the_same_bytes(study: None) -> None:
    outputs = []
    for _ in range(2):
        report.run(params_of())
        pages = paths.REPORT, paths.REPORT_HTML, paths.ACCURACY_PICTURE
        outputs.append([path.read_bytes() for path in pages])
    assert outputs[0] == outputs[1]


def test_the_picture_shows_every_system(study: None) -> None:
    report.run(params_of())
    pixels = matplotlib.image.imread(paths.ACCURACY_PICTURE)[..., :3]
    found = np.unique((pixels.reshape(-1, 3) * 255).round().astype(int), axis=0).tolist()
    for colour in ([110, 110, 110], [0, 0, 0], [0, 114, 178], [230, 159, 0], [213, 94, 0]):
        assert colour in found


def test_the_terminal_shows_whole_cells(study: None) -> None:
    report.run(params_of())
    out = StringIO()
    show(STUDY, Console(file=out, width=60))
    text = out.getvalue()
    assert "…" not in text
    ours = " / ".join(f"{value('tfidf', 'webq_like', k):.1f}" for k in (1, 5))
    assert re.search(rf"webq_like +{ours} ", text)
    assert "[confidence interval]" in text
    assert "results/report.md" in text
    assert "plots/heatmap.html" not in text  # not there, so not offered


def test_what_params_name_and_nobody_measured_is_said(study: None) -> None:
    keep_rows(paths.ACCURACY, lambda row: row["system"] != "bm25")
    shutil.rmtree(paths.attention_means("dpr").parent)
    keep_rows(paths.ACCURACY, lambda row: row["collection"] != "covid")
    keep_rows(paths.COMPARISONS, lambda row: False)
    report.run(params_of())
    page = paths.REPORT_HTML.read_text()
    table = rows_of(page, "Accuracy, top-1 / top-5 (%)")
    assert table[0] == ["test set", "TF-IDF", "DPR", "UnCon-DPR", "Mixed-DPR"]
    assert not [caption for caption, _ in tables(page) if "Difference" in caption]
    text = shown()
    first = re.findall("<p class=stale.*?</p>", page)[0]
    for line in (first, paths.REPORT.read_text().split("\n\n")[1], text):
        assert "Not measured yet: TF-IDF on covid; BM25 on nq_like, webq_like, " in line
        assert "attention of DPR" in line
    named = [rows for caption, rows in tables(page) if caption != "Parameters of params.yaml"]
    assert "covid" not in str(named)


def shown(study: Study = STUDY) -> str:
    """What the terminal shows."""
    out = StringIO()
    show(study, Console(file=out, width=200))
    return out.getvalue()


def test_what_params_do_not_name_is_left_aside(study: None) -> None:
    fewer = dataclasses.replace(
        STUDY, dense=("uncon", "mixed"), collections={paths.MAIN: ("tail", "nq_like")}, ks=(1, 5)
    )
    report.run(params_of(fewer))
    page = paths.REPORT.read_text()
    below = page[page.index("###") :]
    for text in (below, shown(fewer), paths.ACCURACY_PLOT.read_text()):
        for name in ("covid", "webq_like", "trivia_like", "| DPR", " DPR ", "dpr,"):
            assert name not in text, name
    assert "Mixed - UnCon" in page and "Mixed - DPR" not in page
    html = paths.REPORT_HTML.read_text()
    rows = [row[0] for row in rows_of(html, "Accuracy, top-1 / top-5 (%)")][1:]
    overlaps = ["no answer overlap", "no question overlap"]
    assert rows == ["tail", "nq_like", *overlaps]  # in the order of params.yaml
    ours = html.split("<section id=published")[0]
    assert not [name for name, _ in tables(ours) if re.match(r"(Acc|Diff).*\btop-20", name)]


def test_a_set_of_ones_own_shows_nothing_of_the_embedded_study(study: None) -> None:
    own = dataclasses.replace(STUDY, collections={paths.MAIN: ("mine",)}, embedded=False)
    results = read_results(own)
    assert not results.test_sets and not results.accuracy and not results.ranking
    assert results.missing[0] == "TF-IDF on mine"
    report.run(params_of(own, "folder"))
    for text in (paths.REPORT.read_text(), shown(own)):
        assert "_like" not in text and "ublished" not in text
    assert paths.ACCURACY_PLOT.read_text() == (
        "system,name,place,colour,test_set,k,accuracy,low,high\n"
    )


def make_repository() -> None:
    for command in ("git", f"{Path(sys.executable).parent}/dvc"):
        subprocess.run([command, "init", "-q"], check=True)


def test_stale_rows_are_said_to_be(study: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository in which the parameters, then an input, change after the rows were made."""
    monkeypatch.delenv("DVC_STAGE", raising=False)
    make_repository()
    Path("params.yaml").write_text("filter:\n  hard_cut: 0.5\n")
    Path("in.txt").write_text("1")
    Path("dvc.yaml").write_text(
        "stages:\n"
        "  headline:\n    cmd: cp in.txt out.txt\n    deps: [in.txt]\n    outs: [out.txt]\n"
        "  report:\n    cmd: cp out.txt page.txt\n    deps: [out.txt]\n"
        "    params: [filter.hard_cut]\n    outs: [page.txt]\n"
    )
    assert "These rows are stale" in shown()  # never made
    with Repo() as repo:
        repo.reproduce()
    assert stale.complaints(read_results(STUDY)) == []
    Path("params.yaml").write_text("filter:\n  hard_cut: 0.75\n")
    expected = "These rows are stale: filter.hard_cut changed since; 'dvc repro' renews them"
    assert stale.complaints(read_results(STUDY)) == [expected]
    assert expected in shown()
    report.run(params_of())
    assert f"**{expected}.**" in paths.REPORT.read_text()
    monkeypatch.setenv("DVC_STAGE", "report")  # which DVC runs when all before it is done
    report.run(params_of())
    assert "stale" not in paths.REPORT.read_text()
    Path("in.txt").write_text("2")
    (line,) = stale.complaints(read_results(STUDY))
    assert "filter.hard_cut, in.txt changed" in line


def test_words_make_no_row_stale(study: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first stage reads code and params.yaml whole; what it writes of them is compared."""
    make_repository()
    write = "from ecqg.closure import write_listings; write_listings()"
    deps = [file.as_posix() for file in (paths.CODE / "report.txt", paths.CODE / "headline.txt")]
    stages = {
        "check": {
            "cmd": f"{sys.executable} -c '{write}'",
            "deps": ["params.yaml"],
            "outs": [paths.CODE.as_posix()],
        },
        "headline": {"cmd": "touch one", "deps": deps[:1], "outs": ["one"]},
        "report": {"cmd": "touch two", "deps": deps[1:], "params": ["seed"], "outs": ["two"]},
    }
    Path("dvc.yaml").write_text(json.dumps({"stages": stages}))
    Path("params.yaml").write_text("seed: 1\n")
    with Repo() as repo:
        repo.reproduce()
    Path("params.yaml").write_text("# A comment.\nprofile: another\nseed: 1\n")
    assert stale.complaints(read_results(STUDY)) == []
    with monkeypatch.context() as changed:
        changed.setattr(closure, "version", lambda name: "99.1.2")
        (line,) = stale.complaints(read_results(STUDY))
        assert "stale: params.yaml changed" in line
    Path("params.yaml").write_text("seed: 2\n")
    (line,) = stale.complaints(read_results(STUDY))
    assert "stale: seed changed since" in line


def test_outside_of_a_repository_staleness_is_unknown(study: None) -> None:
    (line,) = stale.complaints(read_results(STUDY))
    assert line.startswith("Whether these rows are up to date cannot be told: ")


def test_a_subset_that_is_the_whole_set_has_no_row(study: None) -> None:
    def resized(row: dict[str, str]) -> list[str]:
        whole = row["subset"] == "no_question_overlap"
        return list((row | {"questions": "94"} if whole else row).values())

    header = headers.ACCURACY
    rows = [resized(row) for row in read_table(paths.ACCURACY, header)]
    write_table(paths.ACCURACY, header, rows)
    found = read_results(STUDY).test_sets
    assert "nq_like_no_question_overlap" not in found
    assert {"nq_like", "nq_like_no_answer_overlap"} <= set(found)


def test_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"accuracy\.csv: no results; run 'make repro'"):
        read_results(STUDY)


def test_published_numbers_keep_what_the_papers_say_of_them() -> None:
    sigir, draft, aug, zero_shot = (t["values"] for t in published.papers()["accuracy"])
    for row in (*sigir.values(), *draft.values()):
        for k in range(2):
            assert max(row, key=lambda s: row[s][k]) == "mixed"
    nq = sigir["NQ"]
    assert round(nq["mixed"][1] - nq["dpr"][1], 1) == 1.9
    # "up to 4-point improvement in top-1 retrieval accuracy" (AugDPR paper, sec. 4.1)
    assert max(round(row["aug"][0] - row["dpr"][0], 1) for row in aug.values()) == 4.0
    # "a slightly lower top-20 score but a 2-point gain in top-100 score over BM25" on BioASQ
    far = zero_shot["BioASQ"]
    assert far["aug"][0] < far["bm25"][0]
    assert round(far["aug"][1] - far["bm25"][1], 1) == 1.9
