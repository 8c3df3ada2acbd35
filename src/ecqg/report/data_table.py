"""The test sets: a question of each (AugDPR tab. 1), and their sizes (tab. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.test_sets import label, question_files
from ecqg.report import published
from ecqg.report.layout import Row, Table
from ecqg.report.results import Results, subset_of


def sizes_table(results: Results) -> Table:
    """Questions of each test set and subset, beside those that were published of it."""
    rows = []
    for test_set in results.test_sets:
        subset = subset_of(test_set)
        theirs = results.study.counterpart(test_set) or ""
        count = published.QUESTIONS.get(theirs)
        name = f"  {subset[1]}" if subset else test_set
        said = f"{theirs}: {count:,}" if count else ""
        rows.append(Row([name, f"{results.questions[test_set]:,}", said]))
    notes = [f"Passages: `{paths.CORPUS_METRICS}`, and the table of vocabularies"]
    header = ["test set", "questions"]
    if results.study.published:
        header.append("published")
        notes.append(f"Published collections: {published.PASSAGES}")
    rows = [Row(row.cells[: len(header)]) for row in rows]
    return Table("Questions of the test sets", header, rows, notes)


def samples_table(results: Results) -> Table:
    """The first question of each test set with its answers, where the collections are at hand."""
    files = {
        label(name, collection): file
        for collection in (paths.MAIN, *results.study.zero_shot)
        for name, file in question_files(paths.collection(collection)).items()
    }
    rows = []
    for test_set in results.test_sets:
        if test_set in files:
            question = read_questions(files[test_set])[0]
            answers = "; ".join(question.answers)
            rows.append(Row([test_set, question.text, answers]))
    notes = ["The first of each file, as AugDPR tab. 1 has them"]
    header = ["test set", "question", "answers"]
    return Table("A question of each test set", header, rows, notes, words=True)
