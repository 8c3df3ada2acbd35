"""evaluate, judge, headline and compare on a small study whose outcomes are known."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ecqg import numerics, paths, shards
from ecqg.analysis.overlap import Overlap, write_overlaps
from ecqg.attention.per_passage import HEADER
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.corpus.qrels import write_qrels
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.evaluation import headers, matching
from ecqg.evaluation.ranking import judged_metrics, means, ranking_metrics
from ecqg.evaluation.runs import Ranking, parts, read_run, write_run
from ecqg.evaluation.topk import read_relevant
from ecqg.files import read_json, write_json, write_text
from ecqg.params import Collection, Dense, Params, Systems, load_params
from ecqg.stages import compare, evaluate, headline, judge
from ecqg.systems import evaluated
from ecqg.tables import read_table, read_values

pytestmark = pytest.mark.slow

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
SYSTEMS = ["tfidf", "bm25", "dpr", "uncon", "mixed", "aug", "bm25_reranked", "mixed_reranked"]
TEST_SETS = {"main": "toy", "far": "far_toy"}  # of the collections
OWN = Dense("init", "main")
REFERENCE = Dense("init", "other")  # trained on other gold questions


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """30 questions; passage i answers question i and each system finds it at a rank of its own."""
    monkeypatch.chdir(tmp_path)
    for collection in TEST_SETS:
        folder = paths.collection(collection)
        store = [Passage(i, f"p{i}", "", f"It happened in {1800 + i}.", (0,)) for i in range(30)]
        write_passages(folder / PASSAGES, store)
        questions = [Question(str(i), f"When was it, {i}?", (str(1800 + i),)) for i in range(30)]
        write_questions(folder / "questions" / f"{TEST_SETS[collection]}.qa.tsv", questions)
        subsets: dict[str, Any] = {}
        if collection == "main":
            subsets = {"no_answer_overlap": ["0", "1", "2", "3"], "no_question_overlap": []}
        write_json(paths.subsets(collection), {TEST_SETS[collection]: subsets})
    for system in SYSTEMS:
        write_runs(system)
    settings = load_params(PROFILE)
    return replace(
        settings,
        collections={
            name: Collection("data/raw", {test_set: "toy.qa.tsv"})
            for name, test_set in TEST_SETS.items()
        },
        systems=systems("dpr", "uncon", "mixed", "aug"),
        retrieval=replace(settings.retrieval, depth=8),
        evaluation=replace(settings.evaluation, ks=(1, 5), bootstrap_samples=500),
    )


def systems(*dense: str, reranked: tuple[str, ...] = ("bm25", "mixed")) -> Systems:
    return Systems(("tfidf", "bm25"), dict.fromkeys(dense, OWN), reranked)


def write_runs(system: str) -> None:
    for collection in TEST_SETS:
        rankings = [ranking(i, rank(system, i)) for i in range(30)]
        runs = paths.runs(system, collection)
        runs.mkdir(parents=True)
        found = (r for r in rankings if r.passage_ids)
        write_run(runs / f"{TEST_SETS[collection]}.trec", found, system)


def evaluate_all(params: Params) -> None:
    for system in evaluated(params.systems):
        for collection in params.collections:
            evaluate.run(params, system, collection)


def main_alone(params: Params) -> Params:
    return replace(params, collections={"main": params.collections["main"]})


def rank(system: str, i: int) -> int:
    """Where the answer of question i stands: dpr always 3, mixed 1 in two of three, else 7."""
    return {"dpr": 3, "mixed": 1 if i % 3 else 7, "uncon": 1 if i % 2 else 0,
            "mixed_reranked": 1, "other": 1}.get(system, 8)  # fmt: skip


def ranking(i: int, rank: int) -> Ranking:
    """Eight passages with the answer at `rank`; none at all where that is 0."""
    others = [f"p{j}" for j in range(30) if j != i][:7]
    names = [*others[: rank - 1], f"p{i}", *others[rank - 1 :]] if rank else []
    return Ranking(str(i), tuple(names), tuple(float(-n) for n in range(len(names))))


def name_of(row: dict[str, str]) -> str:
    assert row["collection"] == ("far" if row["test_set"] == "far_toy" else "main")
    return f"{row['test_set']}_{row['subset']}" if row["subset"] else row["test_set"]


def judged(params: Params) -> list[dict[str, str]]:
    """Rows of the accuracies, with stand-ins for what else is judged."""
    write_attention()
    for system in params.analysis.systems:
        write_overlaps(paths.overlap_per_question(system), [Overlap(True, 2, [0.5, 0.25])])
    judge.run(params)
    return list(read_table(paths.ACCURACY, headers.ACCURACY))


def accuracies(params: Params) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in judged(params):
        of_set = found.setdefault(row["system"], {}).setdefault(name_of(row), {})
        of_set[f"top{row['k']}"] = float(row["accuracy"])
    return found


def compared() -> dict[str, dict[str, Any]]:
    """{"A_vs_B": {TESTSET: {"top1": outcome}}}, attention as a test set."""
    found: dict[str, dict[str, Any]] = {}
    for row in read_table(paths.COMPARISONS, headers.COMPARISONS):
        name = name_of(row) if row["collection"] else "attention"
        outcome = {key: float(row[key]) for key in headers.OUTCOME if row[key]}
        pair = found.setdefault(f"{row['a']}_vs_{row['b']}", {})
        pair.setdefault(name, {})[row["measure"]] = outcome
    return found


def test_ranks_accuracies_and_intervals(params: Params) -> None:
    params = main_alone(params)
    evaluate_all(params)
    rows = judged(params)
    found = accuracies(params)
    assert list(found) == SYSTEMS
    assert found["dpr"] == {
        "toy": {"top1": 0.0, "top5": 100.0},
        "toy_no_answer_overlap": {"top1": 0.0, "top5": 100.0},  # the empty subset is left out
    }
    assert found["mixed"]["toy"] == pytest.approx({"top1": 200 / 3, "top5": 200 / 3}, abs=1e-4)
    assert found["mixed"]["toy_no_answer_overlap"] == {"top1": 50.0, "top5": 50.0}
    assert found["uncon"]["toy"] == {"top1": 50.0, "top5": 50.0}  # no result is a failure

    rows = [row for row in rows if row["system"] == "mixed"]
    assert [(r["test_set"], r["subset"], r["k"], r["questions"]) for r in rows] == [
        ("toy", "", "1", "30"), ("toy", "", "5", "30"),
        ("toy", "no_answer_overlap", "1", "4"), ("toy", "no_answer_overlap", "5", "4"),
    ]  # fmt: skip
    # 30 questions, two thirds right: one standard error is 8.6 points
    assert float(rows[0]["low"]) == pytest.approx(66.7 - 1.96 * 8.6, abs=4)
    assert float(rows[0]["high"]) == pytest.approx(66.7 + 1.96 * 8.6, abs=4)

    kept = paths.per_query("mixed")
    lines = (kept / "toy.csv").read_text().splitlines()
    assert lines[:3] == ["id,question,rank", '0,"When was it, 0?",7', '1,"When was it, 1?",1']
    assert len((kept / "toy_no_answer_overlap.csv").read_text().splitlines()) == 5


def test_a_reference_is_judged_and_compared_with_the_others(params: Params) -> None:
    """On every test set, as the first of each pair; it is not in the headline."""
    write_runs("other")
    dense = {"other": REFERENCE, "dpr": OWN, "mixed": OWN}
    params = replace(params, systems=Systems(("bm25",), dense, ()))
    evaluate_all(params)
    everything = {"toy": {"top1": 100.0, "top5": 100.0}}
    found = accuracies(params)
    assert list(found) == ["bm25", "other", "dpr", "mixed"]
    assert found["other"].items() >= (everything | {"far_toy": everything["toy"]}).items()
    compare.run(params)
    pairs = compared()
    assert list(pairs) == [
        "mixed_vs_dpr", "other_vs_dpr", "other_vs_mixed", "other_vs_bm25", "dpr_vs_bm25",
        "mixed_vs_bm25",
    ]  # fmt: skip
    top1 = pairs["other_vs_mixed"]["far_toy"]["top1"]  # mixed answers i % 3 != 0
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 20, 0)
    top5 = pairs["other_vs_dpr"]["toy"]["top5"]  # dpr has all at rank 3
    assert (top5["wins"], top5["ties"], top5["losses"]) == (0, 30, 0)
    assert pairs["other_vs_dpr"]["attention"]["entropy"]["difference"] == pytest.approx(0.4)
    assert "attention" not in pairs["other_vs_bm25"]
    headline.run(params)
    assert {file.stem for file in paths.METRICS.iterdir()} == {"numerics", "bm25", "dpr", "mixed"}


def test_a_system_is_evaluated_by_itself(params: Params) -> None:
    evaluate.run(params, "dpr", "far")
    assert [file.name for file in paths.PER_QUERY.rglob("*.csv")] == ["far_toy.csv"]
    assert (paths.per_query("dpr", "far") / "far_toy.csv").is_file()
    evaluate.run(params, "mixed_reranked")
    assert sorted(p.name for p in paths.per_query("mixed_reranked").iterdir()) == [
        "toy.csv", "toy_no_answer_overlap.csv",
    ]  # fmt: skip
    with pytest.raises(InputError, match="runs/main/absent: no such file or folder; run"):
        evaluate.run(params, "absent")
    assert not paths.per_query("absent").exists()


def test_which_systems_are_reranked_is_a_parameter(params: Params) -> None:
    runs = paths.runs("uncon_reranked")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "uncon_reranked")
    dense = ("dpr", "uncon", "mixed", "aug")
    params = replace(main_alone(params), systems=systems(*dense, reranked=("uncon",)))
    evaluate_all(params)
    found = accuracies(params)
    assert list(found) == [*SYSTEMS[:6], "uncon_reranked"]
    assert found["uncon_reranked"]["toy"] == {"top1": 100.0, "top5": 100.0}
    compare.run(params)
    pairs = compared()
    assert [pair for pair in pairs if "reranked" in pair] == ["uncon_reranked_vs_uncon"]
    assert pairs["uncon_reranked_vs_uncon"]["toy"]["top1"]["difference"] == 50


def test_the_recall_of_an_approximate_index_is_a_metric_beside_the_accuracies(
    params: Params,
) -> None:
    write_json(paths.runs("dpr") / paths.INDEX_RECALL, {"toy": {"recall@1": 87.5}})
    params = main_alone(params)
    evaluate_all(params)
    assert accuracies(params)["dpr"].keys() == {"toy", "toy_no_answer_overlap"}
    assert list(read_table(paths.RANKING, headers.RANKING)) == [
        {"system": "dpr", "collection": "main", "test_set": "toy", "subset": "", "questions": "",
         "measure": "index recall@1", "value": "87.5"}
    ]  # fmt: skip
    file = paths.per_query("dpr") / paths.INDEX_RECALL
    for wrong in ([], {"toy": 87.5}, {"toy": {"recall@1": "x"}}, {"toy": {"recall@1": 101}}):
        write_json(file, wrong)
        with pytest.raises(InputError, match=f"{file}: not the recall of an index .*; make it"):
            judge.run(params)


def test_no_run_is_evaluated_twice(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three test sets, the last with a subset and judgements."""
    for name in ("a", "b"):
        for file in (paths.collection() / "questions" / "X.qa.tsv", paths.runs("dpr") / "X.trec"):
            there = file.with_name(file.name.replace("X", "toy"))
            shutil.copy(there, file.with_name(file.name.replace("X", name)))
    write_qrels(paths.qrels() / "toy.qrels", {"3": {"p3": 1}})
    evaluate.run(params, "dpr")
    files = [*paths.per_query("dpr").rglob("*.csv")]
    assert len(files) == 5
    whole = {file: file.read_bytes() for file in files}
    shutil.rmtree(paths.per_query("dpr"))
    first_hits, calls = matching.first_hits, []

    def until_stopped(*arguments):
        calls.append(len(calls))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return first_hits(*arguments)

    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(matching, "first_hits", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        evaluate.run(params, "dpr")
    assert not paths.per_query("dpr").exists()
    evaluate.run(params, "dpr")
    assert len(calls) == 3 + 1
    assert {file: file.read_bytes() for file in paths.per_query("dpr").rglob("*.csv")} == whole


def test_parts_of_a_run_by_other_processes(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a judged test set whose questions are passages, too."""
    write_qrels(paths.qrels() / "toy.qrels", {"3": {"p3": 1, "p5": 1}, "4": {"p5": 2}})
    ids = paths.collection() / "questions" / "toy.ids.txt"
    ids.write_text("".join(f"p{i}\n" for i in range(30)))
    whole, known = dict[Path, bytes](), paths.per_query("mixed")
    for _ in range(2):
        evaluate.run(params, "mixed")
        files = {file: file.read_bytes() for file in known.rglob("*.csv")}
        assert len(files) == 3 and files == (whole := whole or files)
        # Once more, by parts.
        monkeypatch.setattr(evaluate, "parts", partial(parts, size=500))
        monkeypatch.setattr(evaluate, "FIRST", 0)
        monkeypatch.setenv("ECQG_THREADS", "2")
        shutil.rmtree(known)
    assert len(list(evaluate.parts(paths.runs("mixed") / "toy.trec"))) > 5


def test_a_question_of_two_parts_is_named(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    run = paths.runs("mixed") / "toy.trec"
    lines = run.read_text().splitlines(keepends=True)
    run.write_text("".join([*lines[8:], *lines[8:16]]))
    monkeypatch.setattr(evaluate, "parts", partial(parts, size=500))
    with pytest.raises(InputError, match=f"{run}:{len(lines) - 7}: question 1 for the second"):
        evaluate.run(params, "mixed")


def test_judging_repeats_itself(params: Params) -> None:
    outputs = []
    for _ in range(2):
        evaluate_all(params)
        judged(params)
        tables = (paths.ACCURACY, paths.RANKING, paths.ATTENTION, paths.OVERLAP)
        outputs.append([table.read_bytes() for table in tables])
    assert outputs[0] == outputs[1]


def test_what_is_judged_beside_accuracy(params: Params) -> None:
    params = main_alone(params)
    evaluate_all(params)
    judged(params)
    rows = list(read_table(paths.ATTENTION, headers.ATTENTION))
    assert {row["system"] for row in rows} == {"dpr", "uncon", "mixed", "aug"}
    found = {row["measure"]: row for row in rows if row["system"] == "uncon"}
    assert list(found) == [
        "entropy", "first_sentence", "later_sentences", "highest_first_half",
        "lowest_second_half",
    ]  # fmt: skip
    entropy = {key: float(found["entropy"][key]) for key in ("mean", "low", "high")}
    assert entropy["mean"] == pytest.approx(4.1)
    assert entropy["low"] < 4.1 < entropy["high"]
    assert found["highest_first_half"]["mean"] == "100.000000"
    assert read_values(paths.OVERLAP)["dpr"]["sentence_1"]["found"] == 50


def test_cut_offs_and_intervals_need_no_new_measuring(params: Params) -> None:
    """With other cut-offs and samples `judge` writes what a study begun with them has."""
    evaluate_all(params)
    judged(params)
    settings = replace(params.evaluation, ks=(2, 8), bootstrap_samples=50, confidence=0.5)
    later = accuracies(replace(params, evaluation=settings))
    assert later["dpr"]["toy"] == {"top2": 0, "top8": 100}
    before = {file: file.read_bytes() for file in paths.PER_QUERY.rglob("*.csv")}
    evaluate_all(replace(params, evaluation=settings))
    assert {file: file.read_bytes() for file in paths.PER_QUERY.rglob("*.csv")} == before


def test_metrics_of_rankings_follow_from_the_ranks_kept(params: Params) -> None:
    """As of the whole runs, with several grades and passages that were not found."""
    known = {str(i): {f"p{i}": 2, f"p{(i + 1) % 30}": 1, "p29": 0} for i in range(0, 30, 2)}
    write_qrels(paths.qrels() / "toy.qrels", known)
    evaluate_all(main_alone(params))
    for system in SYSTEMS:
        kept = paths.per_query(system) / "relevant" / "toy.csv"
        whole = ranking_metrics(known, read_run(paths.runs(system) / "toy.trec"), (1, 5))
        (found,) = judged_metrics(kept, known, {"toy": tuple(map(str, range(30)))}, (1, 5))
        assert found == ("toy", 15, pytest.approx(means(whole, list(known))))
    assert all(ranking.passage_ids[-1] in known[ranking.question_id] for ranking in
               read_relevant(kept))  # fmt: skip


def test_the_headline_has_the_same_keys_for_all(params: Params) -> None:
    evaluate_all(params)
    write_attention()
    headline.run(params)
    found = {file.stem: read_json(file) for file in paths.METRICS.iterdir()}
    assert found.pop("numerics") == {"portable": int(numerics.mode() == "portable")}
    assert set(found) == {"tfidf", "bm25", "dpr", "uncon", "mixed", "aug"}
    accuracy = {"top1": 66.67, "top5": 66.67}
    assert json.dumps(found["mixed"]) == json.dumps(
        {"toy": accuracy, "far_toy": accuracy, "entropy": 4.2, "first_sentence": 1.5,
         "later_sentences": 0.9}
    )  # fmt: skip
    assert list(found["bm25"]) == ["toy", "far_toy"]
    headline.run(replace(params, systems=systems("dpr")))
    assert {file.stem for file in paths.METRICS.iterdir()} == {"numerics", "tfidf", "bm25", "dpr"}


def write_attention() -> None:
    """Of each dual encoder 0.1 nats more than the one before."""
    for number, system in enumerate(["dpr", "uncon", "mixed", "aug", "other"]):
        values = [4 + number * (0.1 + 0.01 * (-1) ** i) for i in range(20)]
        rows = [f"p{i},{i},90,{value},1.5,0.9,1,0" for i, value in enumerate(values)]
        text = "\n".join([",".join(HEADER), *rows]) + "\n"
        write_text(paths.attention_per_passage(system), text)


def test_compare_pairs_questions(params: Params) -> None:
    evaluate_all(params)
    write_attention()
    compare.run(params)
    found = compared()
    assert list(found) == [
        "uncon_vs_dpr", "mixed_vs_dpr", "mixed_vs_uncon", "aug_vs_dpr", "aug_vs_uncon",
        "aug_vs_mixed", "dpr_vs_bm25", "uncon_vs_bm25", "mixed_vs_bm25", "aug_vs_bm25",
        "bm25_reranked_vs_bm25", "mixed_reranked_vs_mixed",
    ]  # fmt: skip
    assert list(found["mixed_vs_dpr"]) == [
        "toy",
        "toy_no_answer_overlap",
        "far_toy",
        "attention",
    ]
    entropy = found["mixed_vs_dpr"]["attention"]["entropy"]
    assert entropy["difference"] == pytest.approx(0.2)
    assert "attention" not in found["mixed_vs_bm25"]
    top5 = found["mixed_vs_dpr"]["toy"]["top5"]
    assert (top5["wins"], top5["ties"], top5["losses"]) == (0, 20, 10)
    assert top5["difference"] == pytest.approx(-100 / 3, rel=1e-5)
    assert top5["p"] == pytest.approx(2 / 2**10, rel=1e-5)
    assert top5["low"] < top5["difference"] < top5["high"] < 0
    top1 = found["mixed_reranked_vs_mixed"]["toy"]["top1"]
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 20, 0)
    # mixed answers i % 3 != 0 (20 of 30), uncon odd i (15), both 10
    top1 = found["mixed_vs_uncon"]["far_toy"]["top1"]
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 15, 5)


def test_systems_are_those_of_the_parameters_in_their_order(params: Params) -> None:
    write_runs("other")
    params = replace(
        params,
        systems=replace(systems("mixed", "other", "dpr"), lexical=("bm25", "tfidf")),
        analysis=replace(params.analysis, systems=("dpr", "mixed")),
    )
    evaluate_all(params)
    assert list(accuracies(params)) == [
        "bm25", "tfidf", "mixed", "other", "dpr", "bm25_reranked", "mixed_reranked",
    ]  # fmt: skip
    compare.run(params)
    found = compared()
    assert list(found) == [
        "other_vs_mixed", "dpr_vs_mixed", "dpr_vs_other", "mixed_vs_tfidf", "other_vs_tfidf",
        "dpr_vs_tfidf", "bm25_reranked_vs_bm25", "mixed_reranked_vs_mixed",
    ]  # fmt: skip
    assert found["dpr_vs_other"]["far_toy"]["top1"]["losses"] == 30
    assert found["dpr_vs_other"]["attention"]["entropy"]["difference"] == pytest.approx(-0.4)
    assert "attention" not in found["other_vs_tfidf"]


def test_compare_refuses_other_questions(params: Params) -> None:
    evaluate_all(params)
    path = paths.per_query("dpr") / "toy.csv"
    path.write_text(path.read_text().replace("\n5,", "\n55,"))
    with pytest.raises(InputError, match=r"toy\.csv: other questions than dpr's"):
        compare.run(params)


def test_evaluation_needs_no_torch() -> None:
    code = (
        "import sys, ecqg.stages.compare, ecqg.stages.evaluate, ecqg.stages.headline;"
        "import ecqg.stages.judge, ecqg.stages.report;"
        "print({'torch', 'transformers', 'scipy', 'pandas'} & set(sys.modules))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "set()"
