"""Graded judgements of a BEIR folder: measured as BEIR's own evaluation measures them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
import pytrec_eval

from ecqg import paths
from ecqg.corpus.collection import build_collection
from ecqg.corpus.formats.own_folder import import_own
from ecqg.corpus.qrels import read_qrels
from ecqg.evaluation.ranking import judged_metrics
from ecqg.evaluation.runs import Ranking, write_run
from ecqg.evaluation.topk import read_per_query
from ecqg.files import write_json
from ecqg.params import Collection, load_params
from ecqg.profiles import use
from ecqg.stages import evaluate

QUESTIONS, PASSAGES, DEEP = 40, 60, 30


def test_ndcg_at_10_is_that_of_beir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    use("microcosm")
    rng = Random(7)
    beir = Path("beir")
    (beir / "qrels").mkdir(parents=True)
    # The ids of questions are among those of passages: BEIR passes over a question itself.
    ids = [f"id{i}" for i in range(PASSAGES)]
    corpus = [{"_id": i, "title": "", "text": f"text {i} one two"} for i in ids]
    queries = [{"_id": i, "text": f"question {i}"} for i in ids[:QUESTIONS]]
    for name, records in (("corpus", corpus), ("queries", queries)):
        lines = (json.dumps(record) + "\n" for record in records)
        (beir / f"{name}.jsonl").write_text("".join(lines))
    judged: dict[str, dict[str, int]] = {}
    for query in ids[:QUESTIONS]:
        others = [i for i in ids if i != query]
        judged[query] = {i: rng.randint(0, 3) for i in rng.sample(others, 8)} | {others[0]: 1}
    rows = (f"{q}\t{i}\t{r}\n" for q, of in judged.items() for i, r in of.items())
    (beir / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows))
    found = {q: {i: rng.random() for i in rng.sample(ids, DEEP)} for q in ids[:QUESTIONS]}

    import_own("beir", [beir], Path("folder"))
    for folder in (paths.collection(), paths.qrels()):
        folder.mkdir(parents=True)
    settings = Collection("folder", {"test": "test.qa.tsv"})
    build_collection(settings, {}, 1, paths.collection(), paths.qrels())
    write_json(paths.subsets(), {})
    kept = (paths.collection() / "questions" / "test.ids.txt").read_text().split()
    assert kept == ids[:QUESTIONS]
    ranked = (
        (str(line), sorted(found[query].items(), key=lambda item: -item[1]))
        for line, query in enumerate(kept)
    )
    rankings = (Ranking(line, *map(tuple, zip(*of, strict=True))) for line, of in ranked)
    write_run(paths.runs("bm25") / "test.trec", rankings, "bm25")
    evaluate.run(load_params(), "bm25")

    # What beir.retrieval.evaluation.EvaluateRetrieval.evaluate does.
    for query, of in found.items():
        of.pop(query, None)
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(found)
    expected = sum(of["ndcg_cut_10"] for of in theirs.values()) / len(theirs)
    relevant = paths.per_query("bm25") / "relevant" / "test.csv"
    names = {"test": [str(line) for line in range(QUESTIONS)]}
    qrels = read_qrels(paths.qrels() / "test.qrels")
    ((_, count, values),) = judged_metrics(relevant, qrels, names, (1, 5))
    assert count == QUESTIONS
    assert values["nDCG@10"] == pytest.approx(expected, abs=1e-6)
    assert 0 < values["nDCG@10"] < 1

    # Without answers a question's rank is that of the first passage that is judged relevant.
    ranks = read_per_query(paths.per_query("bm25") / "test.csv").ranks
    for query, rank in zip(kept, ranks, strict=True):
        best = sorted(found[query], key=lambda i: -found[query][i])
        places = [n for n, i in enumerate(best, 1) if judged[query].get(i, 0) > 0]
        assert rank == min(places, default=0)
