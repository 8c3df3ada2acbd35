"""Coverage of question words in the passages that answer (AugDPR sec. 4)."""

from __future__ import annotations

from ecqg import paths
from ecqg.analysis.coverage import answering_rows, judged_rows, mean_coverage
from ecqg.consistency import TERM_MATCHING
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.qrels import SUFFIX, read_qrels
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.evaluation.runs import read_run, run_file
from ecqg.evaluation.test_sets import read_test_sets
from ecqg.items import Collection
from ecqg.params import Params
from ecqg.tables import write_values


def run(params: Params, collection: Collection = paths.MAIN) -> None:
    """Write paths.coverage_metrics: the collection's test sets and, of main, the gold questions."""
    folder = paths.collection(collection)
    passages = Passages(folder / PASSAGES)
    row_of = passages.rows_by_id()
    matcher = AnswerMatcher(passages)
    metrics: dict[str, dict[str, float | None]] = {}
    for split in ("train", "dev") if collection == paths.MAIN else ():
        examples = read_examples(paths.gold(split), passages)
        pairs = ((e.question, [passages[e.positives[0]]]) for e in examples)
        metrics[f"gold_{split}"] = mean_coverage(pairs)
    for test_set in read_test_sets(folder, paths.subsets(collection)):
        questions, qrels = test_set.questions, paths.qrels(collection) / f"{test_set.name}{SUFFIX}"
        if qrels.is_file():
            rows = judged_rows(questions, read_qrels(qrels), row_of)
        else:
            file = run_file(paths.runs(TERM_MATCHING, collection), test_set.name)
            rows = answering_rows(questions, read_run(file, row_of, least=0), matcher, row_of)
        pairs = (
            (question.text, [passages[row] for row in of])
            for question, of in zip(questions, rows, strict=True)
        )
        metrics[test_set.name] = {
            **mean_coverage(pairs),
            "judged": int(qrels.is_file()),
            "without_passage": rows.count([]),
        }
    write_values(paths.coverage_metrics(collection), metrics)
