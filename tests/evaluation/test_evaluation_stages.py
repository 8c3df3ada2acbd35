"""evaluate and compare on a small study whose outcomes are known, and that torch stays away."""

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import pytest

from ecqg import paths, shards
from ecqg.corpus.judgements import write_qrels
from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.errors import InputError
from ecqg.evaluation.runs import Ranking, write_run
from ecqg.files import read_json, write_json, write_text
from ecqg.params import Params, Supervised, load_params
from ecqg.stages import compare, evaluate

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


def test_evaluate_writes_accuracies_intervals_and_ranks(params: Params) -> None:
    evaluate.run(params)
    found = read_json(paths.retrieval_metrics())
    assert list(found) == SYSTEMS
    assert found["dpr"] == {
        "toy": {"top1": 0.0, "top5": 100.0},
        "toy_no_answer_overlap": {"top1": 0.0, "top5": 100.0},  # the empty subset is left out
    }
    assert found["mixed"]["toy"] == pytest.approx({"top1": 200 / 3, "top5": 200 / 3})
    assert found["mixed"]["toy_no_answer_overlap"] == {"top1": 50.0, "top5": 50.0}
    assert found["uncon"]["toy"] == {"top1": 50.0, "top5": 50.0}  # no result is a failure

    with paths.retrieval_plot().open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["system"] == "mixed"]
    assert [(r["test_set"], r["k"]) for r in rows][:2] == [("toy", "1"), ("toy", "5")]
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
    judged = {"toy": {"0": {"p0": 1}, "1": {"p1": 1}}, "other": {"0": {"p0": 1}}}
    for name, judgements in judged.items():
        write_qrels(paths.judgements("far") / f"{name}.qrels", judgements)
    evaluate.run(params, "far", "toy")
    found = read_json(Path("metrics/retrieval/supervised/toy.json"))
    assert found == {"supervised": {"toy": {"top1": 100.0, "top5": 100.0}}}
    ranked = read_json(Path("metrics/ranking/supervised/toy.json"))
    assert ranked == {"supervised": {"toy": ANY}}
    assert ranked["supervised"]["toy"]["questions"] == 2
    assert ranked["supervised"]["toy"]["MRR@10"] == 1
    assert Path("plots/retrieval/supervised/toy.csv").read_text().count("supervised,toy,") == 2


def test_a_supervised_system_is_compared_on_its_own_test_set(params: Params) -> None:
    runs = paths.runs("supervised-toy", "far")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "supervised-toy")
    evaluate.run(params, "far", "toy")
    for collection in ("main", "far"):
        evaluate.run(params, collection)
    write_attention()
    supervised = {"toy": Supervised("data/raw/toy", "far", None)}
    compare.run(replace(params, supervised=supervised, systems=("dpr", "uncon", "mixed")))
    compared = read_json(paths.COMPARISON)
    pairs = [pair for pair in compared if pair.startswith("supervised")]
    assert pairs == ["supervised_vs_dpr", "supervised_vs_mixed"]
    assert list(compared["supervised_vs_dpr"]) == ["far/toy"]
    top1 = compared["supervised_vs_mixed"]["far/toy"]["top1"]  # mixed answers i % 3 != 0
    assert (top1["wins"], top1["ties"], top1["losses"]) == (10, 20, 0)
    top5 = compared["supervised_vs_dpr"]["far/toy"]["top5"]  # dpr has all at rank 3
    assert (top5["wins"], top5["ties"], top5["losses"]) == (0, 30, 0)


def test_which_first_stages_are_reranked_is_a_parameter(params: Params) -> None:
    runs = paths.runs("uncon-reranked")
    runs.mkdir(parents=True)
    write_run(runs / "toy.trec", (ranking(i, 1) for i in range(30)), "uncon-reranked")
    params = replace(params, zero_shot={}, rerank=replace(params.rerank, first_stages=("uncon",)))
    evaluate.run(params)
    found = read_json(paths.retrieval_metrics())
    assert list(found) == [*SYSTEMS[:6], "uncon-reranked"]
    assert found["uncon-reranked"]["toy"] == {"top1": 100.0, "top5": 100.0}
    write_attention()
    compare.run(params)
    compared = read_json(paths.COMPARISON)
    assert [pair for pair in compared if "reranked" in pair] == ["uncon-reranked_vs_uncon"]
    assert compared["uncon-reranked_vs_uncon"]["toy"]["top1"]["difference"] == 50


def test_the_recall_of_an_approximate_index_is_a_metric_beside_the_accuracies(
    params: Params,
) -> None:
    write_json(paths.runs("dpr") / paths.INDEX_RECALL, {"toy": {"recall@1": 87.5}})
    evaluate.run(params)
    found = read_json(paths.retrieval_metrics())
    assert found.keys() == {*SYSTEMS, "dpr index"}
    assert found["dpr index"] == {"toy": {"recall@1": 87.5}}
    assert found["dpr"].keys() == {"toy", "toy_no_answer_overlap"}


def test_no_run_is_evaluated_twice(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate.run(params)
    files = [paths.retrieval_metrics(), paths.retrieval_plot(), *paths.per_query().rglob("*.csv")]
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
    assert not paths.retrieval_metrics().exists()
    evaluate.run(params)
    assert len(calls) == len(SYSTEMS) + 1
    assert {file: file.read_bytes() for file in files} == whole


def test_evaluate_repeats_itself(params: Params) -> None:
    outputs = []
    for _ in range(2):
        evaluate.run(params, "far")
        outputs.append(paths.retrieval_plot("far").read_bytes())
    assert outputs[0] == outputs[1]
    assert paths.retrieval_metrics("far") == Path("metrics/retrieval/far.json")


def test_more_passages_asked_for_than_retrieved(params: Params) -> None:
    deeper = replace(params, evaluation=replace(params.evaluation, ks=(1, 20)))
    with pytest.raises(InputError, match=r"top 20 of 8 passages; raise retrieval\.depth"):
        evaluate.run(deeper)
    assert not paths.retrieval_metrics().exists()


def write_attention() -> None:
    """Of each dual encoder 0.1 nats more than the one before."""
    for number, system in enumerate(["dpr", "uncon", "mixed", "aug", "baseline"]):
        rows = [f"p{i},{i},90,{4 + number * (0.1 + 0.01 * (-1) ** i)},1.5,{0.9}" for i in range(20)]
        header = "id,row,tokens,entropy,first_sentence,later_sentences"
        write_text(paths.attention_per_passage(system), "\n".join([header, *rows]) + "\n")


def test_compare_pairs_questions(params: Params) -> None:
    for collection in ("main", "far"):
        evaluate.run(params, collection)
    write_attention()
    compare.run(params)
    found = read_json(paths.COMPARISON)
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
    assert top5["difference"] == pytest.approx(-100 / 3)
    assert top5["p"] == pytest.approx(2 / 2**10)
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
        evaluate.run(params, collection)
    expected = ["tfidf", "bm25", "mixed", "baseline", "dpr", "bm25-reranked", "mixed-reranked"]
    assert list(read_json(paths.retrieval_metrics())) == expected
    write_attention()
    compare.run(params)
    found = read_json(paths.COMPARISON)
    assert list(found) == [
        "mixed_vs_dpr", "dpr_vs_bm25", "mixed_vs_bm25", "dpr_vs_baseline", "mixed_vs_baseline",
        "baseline_vs_bm25", "bm25-reranked_vs_bm25", "mixed-reranked_vs_mixed",
    ]  # fmt: skip
    assert found["dpr_vs_baseline"]["far/toy"]["top1"]["losses"] == 30
    assert found["dpr_vs_baseline"]["attention"]["entropy"]["difference"] == pytest.approx(-0.4)
    assert "attention" not in found["baseline_vs_bm25"]


def test_compare_refuses_other_questions(params: Params) -> None:
    for collection in ("main", "far"):
        evaluate.run(params, collection)
    path = paths.per_query() / "dpr" / "toy.csv"
    path.write_text(path.read_text().replace("\n5,", "\n55,"))
    with pytest.raises(InputError, match=r"toy\.csv: other questions than dpr's"):
        compare.run(params)


def test_evaluation_needs_no_torch() -> None:
    code = (
        "import sys, ecqg.stages.compare, ecqg.stages.evaluate, ecqg.stages.report;"
        "print({'torch', 'transformers', 'scipy', 'pandas'} & set(sys.modules))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "set()"
