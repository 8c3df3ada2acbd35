"""evaluate, judge, headline and compare on a small study whose outcomes are known."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ecqg import paths, shards
from ecqg.analysis.overlap import Overlap, write_overlaps
from ecqg.attention.per_passage import HEADER
from ecqg.corpus.judgements import write_qrels
from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.evaluation import judgement
from ecqg.evaluation.judged import judged_metrics
from ecqg.evaluation.per_query import read_relevant
from ecqg.evaluation.ranking import means, ranking_metrics
from ecqg.evaluation.runs import Ranking, read_run, write_run
from ecqg.evaluation.test_sets import label
from ecqg.files import read_json, write_json, write_text
from ecqg.params import Params, Supervised, load_params
from ecqg.stages import compare, evaluate, headline, judge
from ecqg.tables import read_table, read_values

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
SYSTEMS = ["tfidf", "bm25", "dpr", "uncon", "mixed", "aug", "bm25-reranked", "mixed-reranked"]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """30 questions; passage i answers question i and each system finds it at a rank of its own."""
    monkeypatch.chdir(tmp_path)
    for collection in ("main", "far"):
        folder = paths.collection(collection)
        store = [Passage(i, f"p{i}", "", f"It happened in {1800 + i}.", (0,)) for i in range(30)]
        write_passages(folder / "passages.arrow", store)
        questions = [Question(str(i), f"When was it, {i}?", (str(1800 + i),)) for i in range(30)]
        write_questions(folder / "questions" / "toy.qa.tsv", questions)
        for system in SYSTEMS:
            rankings = [ranking(i, rank(system, i)) for i in range(30)]
            runs = paths.runs(system, collection)
            runs.mkdir(parents=True)
            write_run(runs / "toy.trec", (r for r in rankings if r.passage_ids), system)
    subsets = {"toy": {"no_answer_overlap": ["0", "1", "2", "3"], "no_question_overlap": []}}
    write_json(paths.collection() / "subsets.json", subsets)
    settings = load_params(PROFILE)
    return replace(
        settings,
        zero_shot={"far": "data/raw/far"},
        supervised={},
        corpus=replace(settings.corpus, test_sets={"toy": "toy.qa.tsv"}),
        retrieval=replace(settings.retrieval, depth=8),
        evaluation=replace(settings.evaluation, ks=(1, 5), bootstrap_samples=500),
    )


def rank(system: str, i: int) -> int:
    """Where the answer of question i stands: dpr always 3, mixed 1 in two of three, else 0."""
    return {"dpr": 3, "mixed": 1 if i % 3 else 7, "uncon": 1 if i % 2 else 0,
            "mixed-reranked": 1}.get(system, 8)  # fmt: skip


def ranking(i: int, rank: int) -> Ranking:
    """Eight passages with the answer at `rank`; none at all where that is 0."""
    others = [f"p{j}" for j in range(30) if j != i][:7]
    names = [*others[: rank - 1], f"p{i}", *others[rank - 1 :]] if rank else []
    return Ranking(str(i), tuple(names), tuple(float(-n) for n in range(len(names))))


def name_of(row: dict[str, str]) -> str:
    name = f"{row['test_set']}_{row['subset']}" if row["subset"] else row["test_set"]
    return label(name, row["collection"])


def judged(params: Params) -> list[dict[str, str]]:
    """Rows of the accuracies, with stand-ins for what else is judged."""
    write_attention()
    for system in params.analysis.systems:
        write_overlaps(paths.overlap_per_question(system), [Overlap(True, 2, [0.5, 0.25])])
    judge.run(params)
    return list(read_table(paths.ACCURACY, judgement.ACCURACY))


def accuracies(params: Params) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in judged(params):
        of_set = found.setdefault(row["system"], {}).setdefault(name_of(row), {})
        of_set[f"top{row['k']}"] = float(row["accuracy"])
    return found


def compared() -> dict[str, dict[str, Any]]:
    """{"A_vs_B": {TESTSET: {"top1": outcome}}}, attention as a test set."""
    found: dict[str, dict[str, Any]] = {}
    for row in read_table(paths.COMPARISONS, judgement.COMPARISONS):
        name = name_of(row) if row["collection"] else "attention"
        outcome = {key: float(row[key]) for key in judgement.OUTCOME if row[key]}
        pair = found.setdefault(f"{row['a']}_vs_{row['b']}", {})
        pair.setdefault(name, {})[row["measure"]] = outcome
    return found


def test_ranks_accuracies_and_intervals(params: Params) -> None:
    params = replace(params, zero_shot={})
    evaluate.run(params)
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

    kept = paths.per_query() / "mixed"
    lines = (kept / "toy.csv").read_text().splitlines()
    assert lines[:3] == ["id,question,rank", '0,"When was it, 0?",7', '1,"When was it, 1?",1']
    assert len((kept / "toy_no_answer_overlap.csv").read_text().splitlines()) == 5


def test_a_supervised_system_is_tried_on_its_own_test_set_alone(params: Params) -> None:
    runs = paths.runs("supervised-toy", "far")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "supervised-toy")
    other = [Question("0", "When?", ("1800",))]
    write_questions(paths.collection("far") / "questions" / "other.qa.tsv", other)
    known = {"toy": {"0": {"p0": 1}, "1": {"p1": 1}}, "other": {"0": {"p0": 1}}}
    for name, judgements in known.items():
        write_qrels(paths.judgements("far") / f"{name}.qrels", judgements)
    evaluate.run(params, "supervised-toy", "far")
    supervised = {"toy": Supervised("data/raw/toy", "far", None)}
    found = accuracies(replace(params, zero_shot={}, supervised=supervised))
    assert found["supervised"] == {"far/toy": {"top1": 100.0, "top5": 100.0}}
    ranked = [
        row for row in read_table(paths.RANKING, judgement.RANKING) if row["system"] == "supervised"
    ]
    assert {(r["collection"], r["test_set"], r["questions"]) for r in ranked} == {
        ("far", "toy", "2")
    }
    assert {r["measure"]: float(r["value"]) for r in ranked}["MRR@10"] == 1


def test_a_supervised_system_is_compared_on_its_own_test_set(params: Params) -> None:
    runs = paths.runs("supervised-toy", "far")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "supervised-toy")
    evaluate.run(params, "supervised-toy", "far")
    for collection in ("main", "far"):
        evaluate.run(params, collection=collection)
    write_attention()
    supervised = {"toy": Supervised("data/raw/toy", "far", None)}
    compare.run(replace(params, supervised=supervised, systems=("dpr", "uncon", "mixed")))
    found = compared()
    pairs = [pair for pair in found if pair.startswith("supervised")]
    assert pairs == ["supervised_vs_dpr", "supervised_vs_mixed"]
    assert list(found["supervised_vs_dpr"]) == ["far/toy"]
    top1 = found["supervised_vs_mixed"]["far/toy"]["top1"]  # mixed answers i % 3 != 0
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 20, 0)
    top5 = found["supervised_vs_dpr"]["far/toy"]["top5"]  # dpr has all at rank 3
    assert (top5["wins"], top5["ties"], top5["losses"]) == (0, 30, 0)


def test_which_first_stages_are_reranked_is_a_parameter(params: Params) -> None:
    runs = paths.runs("uncon-reranked")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "uncon-reranked")
    params = replace(params, zero_shot={}, rerank=replace(params.rerank, first_stages=("uncon",)))
    evaluate.run(params)
    found = accuracies(params)
    assert list(found) == [*SYSTEMS[:6], "uncon-reranked"]
    assert found["uncon-reranked"]["toy"] == {"top1": 100.0, "top5": 100.0}
    compare.run(params)
    pairs = compared()
    assert [pair for pair in pairs if "reranked" in pair] == ["uncon-reranked_vs_uncon"]
    assert pairs["uncon-reranked_vs_uncon"]["toy"]["top1"]["difference"] == 50


def test_the_recall_of_an_approximate_index_is_a_metric_beside_the_accuracies(
    params: Params,
) -> None:
    write_json(paths.runs("dpr") / paths.INDEX_RECALL, {"toy": {"recall@1": 87.5}})
    params = replace(params, zero_shot={})
    evaluate.run(params)
    assert accuracies(params)["dpr"].keys() == {"toy", "toy_no_answer_overlap"}
    assert list(read_table(paths.RANKING, judgement.RANKING)) == [
        {"system": "dpr", "collection": "main", "test_set": "toy", "subset": "", "questions": "",
         "measure": "index recall@1", "value": "87.5"}
    ]  # fmt: skip


def test_no_run_is_evaluated_twice(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate.run(params)
    write_qrels(paths.judgements() / "toy.qrels", {"3": {"p3": 1}})
    evaluate.run(params)
    files = [*paths.per_query().rglob("*.csv")]
    assert len(files) == 3 * len(SYSTEMS)
    whole = {file: file.read_bytes() for file in files}
    for file in files:
        file.unlink()
    first_hits, calls = evaluate.first_hits, []

    def until_stopped(*arguments):
        calls.append(len(calls))
        if len(calls) == 4:
            raise KeyboardInterrupt
        return first_hits(*arguments)

    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(evaluate, "first_hits", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        evaluate.run(params)
    assert not [*paths.per_query().rglob("*.csv")]
    evaluate.run(params)
    assert len(calls) == len(SYSTEMS) + 1
    assert {file: file.read_bytes() for file in files} == whole


def test_judging_repeats_itself(params: Params) -> None:
    outputs = []
    for _ in range(2):
        for collection in ("main", "far"):
            evaluate.run(params, collection=collection)
        judged(params)
        tables = (paths.ACCURACY, paths.RANKING, paths.ATTENTION, paths.OVERLAP)
        outputs.append([table.read_bytes() for table in tables])
    assert outputs[0] == outputs[1]


def test_what_is_judged_beside_accuracy(params: Params) -> None:
    params = replace(params, zero_shot={})
    evaluate.run(params)
    judged(params)
    rows = list(read_table(paths.ATTENTION, judgement.ATTENTION))
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
    evaluate.run(params)
    evaluate.run(params, "far")
    judged(params)
    settings = replace(params.evaluation, ks=(2, 8), bootstrap_samples=50, confidence=0.5)
    later = accuracies(replace(params, evaluation=settings))
    assert later["dpr"]["toy"] == {"top2": 0, "top8": 100}
    before = {file: file.read_bytes() for file in paths.per_query().rglob("*.csv")}
    evaluate.run(replace(params, evaluation=settings))
    assert {file: file.read_bytes() for file in paths.per_query().rglob("*.csv")} == before


def test_metrics_of_rankings_follow_from_the_ranks_kept(params: Params) -> None:
    """As of the whole runs, with several grades and passages that were not found."""
    known = {str(i): {f"p{i}": 2, f"p{(i + 1) % 30}": 1, "p29": 0} for i in range(0, 30, 2)}
    write_qrels(paths.judgements() / "toy.qrels", known)
    evaluate.run(replace(params, zero_shot={}))
    for system in SYSTEMS:
        kept = paths.per_query() / system / "relevant" / "toy.csv"
        whole = ranking_metrics(known, read_run(paths.runs(system) / "toy.trec"), (1, 5))
        (found,) = judged_metrics(kept, known, {"toy": tuple(map(str, range(30)))}, (1, 5))
        assert found == ("toy", 15, pytest.approx(means(whole, list(known))))
    assert all(ranking.passage_ids[-1] in known[ranking.question_id] for ranking in
               read_relevant(kept))  # fmt: skip


def test_the_headline_has_the_same_keys_for_all(params: Params) -> None:
    for collection in ("main", "far"):
        evaluate.run(params, collection=collection)
    write_attention()
    headline.run(params)
    found = {file.stem: read_json(file) for file in paths.METRICS.iterdir()}
    assert set(found) == {"tfidf", "bm25", "dpr", "uncon", "mixed", "aug"}
    accuracy = {"top1": 66.67, "top5": 66.67}
    assert json.dumps(found["mixed"]) == json.dumps(
        {"toy": accuracy, "far/toy": accuracy, "entropy": 4.2, "first_sentence": 1.5,
         "later_sentences": 0.9}
    )  # fmt: skip
    assert list(found["bm25"]) == ["toy", "far/toy"]
    headline.run(replace(params, systems=("dpr",)))
    assert {file.stem for file in paths.METRICS.iterdir()} == {"tfidf", "bm25", "dpr"}


def write_attention() -> None:
    """Of each dual encoder 0.1 nats more than the one before."""
    for number, system in enumerate(["dpr", "uncon", "mixed", "aug", "baseline", "supervised-toy"]):
        values = [4 + number * (0.1 + 0.01 * (-1) ** i) for i in range(20)]
        rows = [f"p{i},{i},90,{value},1.5,0.9,1,0" for i, value in enumerate(values)]
        text = "\n".join([",".join(HEADER), *rows]) + "\n"
        write_text(paths.attention_per_passage(system), text)


def test_compare_pairs_questions(params: Params) -> None:
    for collection in ("main", "far"):
        evaluate.run(params, collection=collection)
    write_attention()
    compare.run(params)
    found = compared()
    assert list(found) == [
        "uncon_vs_dpr", "mixed_vs_dpr", "mixed_vs_uncon", "aug_vs_dpr", "aug_vs_uncon",
        "aug_vs_mixed", "dpr_vs_bm25", "uncon_vs_bm25", "mixed_vs_bm25", "aug_vs_bm25",
        "bm25-reranked_vs_bm25", "mixed-reranked_vs_mixed",
    ]  # fmt: skip
    assert list(found["mixed_vs_dpr"]) == [
        "toy",
        "toy_no_answer_overlap",
        "far/toy",
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
    top1 = found["mixed-reranked_vs_mixed"]["toy"]["top1"]
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 20, 0)
    # mixed answers i % 3 != 0 (20 of 30), uncon odd i (15), both 10
    top1 = found["mixed_vs_uncon"]["far/toy"]["top1"]
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 15, 5)


def test_a_system_less_and_a_public_baseline(params: Params) -> None:
    params = replace(params, systems=("mixed", "baseline", "dpr"))
    for collection in ("main", "far"):
        runs = paths.runs("baseline", collection)
        runs.mkdir(parents=True)
        write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "baseline")
        evaluate.run(params, collection=collection)
    expected = ["tfidf", "bm25", "mixed", "baseline", "dpr", "bm25-reranked", "mixed-reranked"]
    params = replace(params, analysis=replace(params.analysis, systems=("dpr", "mixed")))
    assert list(accuracies(params)) == expected
    write_attention()
    compare.run(params)
    found = compared()
    assert list(found) == [
        "mixed_vs_dpr", "dpr_vs_bm25", "mixed_vs_bm25", "dpr_vs_baseline", "mixed_vs_baseline",
        "baseline_vs_bm25", "bm25-reranked_vs_bm25", "mixed-reranked_vs_mixed",
    ]  # fmt: skip
    assert found["dpr_vs_baseline"]["far/toy"]["top1"]["losses"] == 30
    assert found["dpr_vs_baseline"]["attention"]["entropy"]["difference"] == pytest.approx(-0.4)
    assert "attention" not in found["baseline_vs_bm25"]


def test_compare_refuses_other_questions(params: Params) -> None:
    for collection in ("main", "far"):
        evaluate.run(params, collection=collection)
    path = paths.per_query() / "dpr" / "toy.csv"
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
