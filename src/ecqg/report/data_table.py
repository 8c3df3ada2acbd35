"""The test sets: a question of each (AugDPR tab. 1), and their sizes (tab. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.test_sets import label, question_files
from ecqg.report import published
from ecqg.report.layout import Row, Table
from ecqg.report.results import Results, subset_of

PLAIN = str.maketrans({"|": "\\|", "*": "\\*", "_": "\\_", "<": "&lt;"})  # no Markdown


def sizes_table(results: Results) -> Table:
    """Questions of each test set and subset, beside those of its published counterpart."""
    rows, left = [], dict(published.QUESTIONS)
    for test_set in results.test_sets:
        subset = subset_of(test_set)
        theirs = published.counterpart(test_set) or ""
        count = left.pop(theirs, None)
        name = f"  {subset[1]}" if subset else test_set
        said = f"{theirs}: {count:,}" if count else ""
        rows.append(Row([name, f"{results.questions[test_set]:,}", said]))
    rows += [Row([f"published: {name}", "", f"{count:,}"], True) for name, count in left.items()]
    notes = [
        f"Published collections: {published.PASSAGES}. Ours: `metrics/corpus.json`, and the table "
        "of vocabularies"
    ]
    return Table("Questions of the test sets", ["test set", "questions", "published"], rows, notes)


def samples_table(results: Results) -> Table:
    """The first question of each test set with its answers, where the collections are at hand."""
    folders = sorted(paths.collection().parent.glob("*"))
    files = {
        label(name, folder.name): file
        for folder in folders
        for name, file in question_files(folder).items()
    }
    rows = []
    for test_set in results.test_sets:
        if test_set in files:
            question = read_questions(files[test_set])[0]
            answers = "; ".join(question.answers)
            rows.append(Row([test_set, question.text.translate(PLAIN), answers.translate(PLAIN)]))
    notes = ["The first of each file. Published: AugDPR tab. 1 has such samples of its five sets"]
    header = ["test set", "question", "answers"]
    return Table("A question of each test set", header, rows, notes, words=True)
