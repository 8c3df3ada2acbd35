"""The tables of the papers' smaller analyses, ours and theirs; analyses.j2 has their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ecqg import paths
from ecqg.corpus.questions import read_questions
from ecqg.evaluation.test_sets import question_files
from ecqg.report import published
from ecqg.report.formats import Row, Table, bounded, fixed, indented, interval, probability
from ecqg.report.measured import (
    ATTRIBUTIONS,
    LOCATION,
    OVERLAP,
    PUBLISHED_COLLECTION,
    by_sentence,
    has_published_vocabulary,
    of_analysed,
    read_coverage,
    read_file,
    read_position,
    read_vocabulary,
)
from ecqg.report.names import shown
from ecqg.report.results import Results, Study

PLACES = ("highest_first_half", "lowest_second_half", "all_first_half")


def position_table(results: Results) -> Table:
    """Where the entities lie that each system attends to most and least."""
    rows = []
    for system, values in results.attention.items():
        if all(place in values for place in PLACES):
            known = results.intervals.get(system, {})
            cells = (bounded(values[place], known.get(place), 1) for place in PLACES)
            rows.append(Row([shown(system), *cells]))
    if rows and results.study.on_published_data:
        theirs = published.papers()["entities"]
        rows.append(Row(["published: DPR", *(fixed(theirs[p], 0) for p in PLACES[:2]), ""], True))
    header = ["system", "highest in the first half", "lowest in the second half", "any entity"]
    return Table(header, rows)


def score_table(study: Study) -> Table:
    """Scores of questions about either entity."""
    rows, explained = [], of_analysed(study, paths.EXPLANATION)
    for system, found in explained.items():
        if found["extremes"]["passages"]:  # a small corpus may have no two questions on one
            rows.append(_scores(f"{shown(system)}, by its own attention", found["extremes"]))
        if found.get("same_questions", {}).get("passages"):
            first = shown(next(iter(explained)))
            about = f"{shown(system)}, the entities by {first}'s attention"
            rows.append(_scores(about, found["same_questions"]))
    if rows and study.on_published_data:
        theirs = published.papers()["entities"]
        high, low = theirs["highest_score"], theirs["lowest_score"]
        cells = ["published: DPR", str(high), str(low), fixed(high - low, 1, "+"), "", "", ""]
        rows.append(Row(cells, True))
    header = ["system", "highest", "lowest", "difference", "p", "top-1: highest", "lowest"]
    return Table(header, rows)


def _scores(about: str, found: Mapping[str, Any]) -> Row:
    high, low, gap = found["highest"], found["lowest"], found["difference"]
    cells = [f"{about} ({found['passages']} passages)", fixed(high["score"], 2)]
    cells += [fixed(low["score"], 2), interval(gap["score"], gap["low"], gap["high"], 2)]
    return Row([*cells, probability(gap["p"]), fixed(high["top1"], 1), fixed(low["top1"], 1)])


def attribution_table(study: Study) -> Table:
    """How attributions of entities go with the rank of questions about them."""
    explained = of_analysed(study, paths.EXPLANATION)
    found = [values.get("explains_rank", {}) for values in explained.values()]
    of_words = {words: [of.get(key, {}) for of in found] for key, words in ATTRIBUTIONS.items()}
    of_words |= {
        f"attention less {words}": [one.get("attention_less", {}) for one in of]
        for words, of in of_words.items()
    }
    rows = [Row([words, *map(_correlation, of)]) for words, of in of_words.items() if any(of)]
    return Table(["attribution", *(shown(system) for system in explained)], rows)


def _correlation(values: Mapping[str, Any]) -> str:
    if not values:
        return ""
    star = "*" if values.get("p", 1) < 0.05 else ""
    bounds = interval(values["mean"], values["low"], values["high"], 3)
    return f"{bounds}{star} ({values['passages']})"


def size_table(results: Results) -> Table:
    """Questions of each test set and subset, beside those that were published of it."""
    beside, known = bool(results.study.published), published.papers()["questions"]
    rows = []
    for test_set in results.test_sets:
        name = results.study.counterpart(test_set)
        theirs = [f"{name}: {known[name]:,}" if name in known else ""] if beside else []
        rows.append(Row([indented(test_set), f"{results.questions[test_set]:,}", *theirs]))
    return Table(["test set", "questions", *["published"] * beside], rows)


def sample_table(results: Results) -> Table:
    """The first question of each test set with its answers, where the collections are at hand."""
    files = {
        name: file
        for collection in results.study.collections
        for name, file in question_files(paths.collection(collection)).items()
    }
    first = {name: read_questions(files[name])[0] for name in results.test_sets if name in files}
    rows = [Row([name, asked.text, "; ".join(asked.answers)]) for name, asked in first.items()]
    return Table(["test set", "question", "answers"], rows)


def sentence_table(study: Study) -> Table:
    """Table 4.2 of the thesis."""
    measures = {OVERLAP: "question_overlap", LOCATION: "answer_location"}
    columns = {words: [row[key] for row in read_position()] for words, key in measures.items()}
    depth = len(columns[OVERLAP])
    if study.on_published_data:
        theirs = published.papers()["question_bias"]
        columns |= {f"published {words}": theirs[key] for words, key in measures.items()}
    return Table(["sentence", *columns], _by_number([*columns.values()], depth))


def split_table(study: Study) -> Table:
    """Table 4.3, with the difference that the thesis leaves to the reader."""
    header = ["sentence"]
    columns: list[list[Any]] = []
    for system, values in of_analysed(study, paths.OVERLAP).items():
        header += [f"{shown(system)} found", "missed", "difference"]
        rows = by_sentence(values)
        columns += [[row[key] for row in rows] for key in ("found", "missed")]
        known = ([row[key] for key in ("difference", "low", "high")] for row in rows)
        columns.append(["" if of[0] is None else interval(*of) for of in known])
    depth = min(map(len, columns), default=0)
    if study.on_published_data:
        theirs = published.papers()["question_bias"]
        header += ["published found", "published missed"]
        columns += [theirs["found"], theirs["missed"]]
    return Table(header, _by_number(columns, depth))


def _by_number(columns: Sequence[Sequence[Any]], depth: int) -> list[Row]:
    """Rows that are numbered, of columns that may end before."""
    rows = list(zip_longest(*columns))[:depth]
    return [
        Row([str(i), *(c if isinstance(c, str) else fixed(c, 1) for c in row)])
        for i, row in enumerate(rows, 1)
    ]


def coverage_table(results: Results) -> Table:
    """Ours, with what was published of the same test set."""
    found = read_coverage(results)
    beside = any(values["published"] is not None for values in found.values())
    keys = ["words", "content_words", *["published"] * beside]
    rows = [
        Row([name, str(v["questions"]), v["whose"], *(fixed(v[key], 1) for key in keys)])
        for name, v in found.items()
    ]
    header = ["questions", "number", "gold passage", "all words", "without stop words"]
    return Table([*header, *["published"] * beside], rows)


def vocabulary_table(results: Results) -> Table:
    """Ours by collection, and what was published where both are the papers' own."""
    rows = []
    for name, values in read_vocabulary(results).items():
        shorter = " · ".join(
            f"{int(words):,}: {overlap:.1f}"
            for words, overlap in values["by_words"].items()
            if int(words) != values["words"]
        )
        passages = f"{values['main_passages']:,} and {values['passages']:,}"
        cells = [passages, f"{values['words']:,}", fixed(values["overlap"], 1), shorter]
        rows.append(Row([f"main and {name}", *cells]))
    if has_published_vocabulary(results.study):
        theirs = published.papers()["vocabulary"]
        cells = [f"{theirs['passages']:,} each", f"{theirs['words']:,}"]
        cells += [fixed(theirs["overlap"], 1), ""]
        rows.append(Row([f"published: {PUBLISHED_COLLECTION}", *cells], True))
    return Table(["collections", "passages", "words", "overlap", "of shorter lists"], rows)


def example_table(study: Study) -> Table:
    """Mean scores of the example questions, by kind and system."""
    metrics = read_file(paths.EXAMPLE_METRICS)
    means = {system: metrics[system] for system in study.dense if system in metrics}
    theirs = published.papers()["example"] if study.on_published_data else {}
    rows = []
    for kind in dict.fromkeys(kind for of in means.values() for kind in of):
        cells = [fixed(of.get(kind), 1) for of in means.values()]
        cells += [str(theirs[kind]) if kind == "gold" else ""] if theirs else []
        rows.append(Row([kind, *cells]))
    header = ["questions", *(shown(system) for system in means)]
    if theirs:
        header.append("published")
        synthetic = " / ".join(map(str, theirs["synthetic"]))
        label = "published: three synthetic questions"
        rows.append(Row([label, *[""] * len(means), synthetic], True))
    return Table(header, rows)
