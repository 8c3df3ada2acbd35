"""The tables by system that the page, and some that the terminal too, shows: rows of text."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from ecqg import paths
from ecqg.report import published
from ecqg.report.formats import Row, Table, best, difference, fixed, indented, percents, tops
from ecqg.report.names import first_stages, ordered, shown
from ecqg.report.results import Results, Study, relative_change, subset_of
from ecqg.systems import reranked
from ecqg.tables import read_values

MEASURES = ("entropy", "first_sentence", "later_sentences")  # of attention
RANKING_MEASURES = (("MRR@10", "nDCG@10"), ("P@10", "R@10", "MAP"))
DEFINITIONS = {  # of "variants" in paths.attention_means
    "text": "tokens of the text",
    "title_and_text": "title and text",
    "special_and_text": "text, [CLS] and [SEP]",
    "all_tokens": "all tokens",
}
TESTED = (
    "Starred: p < 0.05 by the exact McNemar test, not corrected for the number of tests. "
    "Intervals are by the bootstrap, so that one may leave 0 out without a star"
)
ATTENTION = (
    "The last layer's attention of [CLS], mean over heads, to the tokens that params.yaml says "
    "(attention_statistics; by default those of the text, not [CLS], [SEP] and title), made to "
    "sum to 1. Entropy in nats; sentences: mean weight of a token, 1 if attention were uniform"
)


Pair: TypeAlias = tuple[str, str]  # one system, and what it is compared with


def accuracy_table(results: Results, ks: Sequence[int], hidden: Container[str] = ()) -> Table:
    """Accuracies of all systems, with what was published on a test set for these k beneath ours.

    Those `hidden` have no column, nor has a system that was neither evaluated nor published there.
    """
    known, source = published.accuracy(ks)
    names = {t: results.study.counterpart(t) for t in results.test_sets}
    theirs = {t: known[name] for t, name in names.items() if name in known}
    beside = ordered(s for row in theirs.values() for s in row)
    both = dict.fromkeys([*first_stages(results.accuracy), *beside])
    systems = [system for system in both if system not in hidden]
    rows = []
    for test_set in results.test_sets:
        first = [_of(results, s, test_set).get(ks[0]) for s in systems]
        cells = [_accuracies(results, s, test_set, ks) for s in systems]
        rows.append(Row([indented(test_set), *cells], best=best(first)))
        if test_set in theirs:
            of = "" if subset_of(test_set) else f": {names[test_set]}"
            published_values = (percents(theirs[test_set].get(s, ())) for s in systems)
            rows.append(Row([f"  published{of}", *published_values], True))
    header = ["test set", *(shown(s) for s in systems)]
    notes = [f"Published: {source}"] if theirs else []
    return Table(header, rows, f"Accuracy, {tops(ks)} (%)", notes)


def published_table(ks: Sequence[int]) -> Table:
    """Accuracies that were published for these k."""
    theirs, source = published.accuracy(ks)
    systems = ordered(s for row in theirs.values() for s in row)
    rows = [
        Row([test_set, *(percents(row.get(s, ())) for s in systems)], True)
        for test_set, row in theirs.items()
    ]
    header = ["test set", *(shown(s) for s in systems)]
    return Table(header, rows, f"Published accuracy, {tops(ks)} (%)", [source])


def synthetic_table(results: Results, passages: int) -> Table:
    """Accuracy by the number of passages with synthetic questions (AugDPR tab. 7).

    A run has two points, DPR and AugDPR; the sweep synthetic-passages makes more.
    """
    ks = published.papers()["synthetic"]["ks"]
    rows = [
        Row([amount, cells])
        for test_set in results.test_sets[:1]
        for system, amount in (("dpr", "none"), ("aug", f"{passages:,}"))
        if (cells := _accuracies(results, system, test_set, ks))
    ]
    return Table(["passages", "accuracy"], rows)


def difference_table(results: Results, k: int, pairs: Iterable[Pair]) -> Table:
    """Differences in top-k accuracy with intervals and tests, of those pairs of systems."""
    pairs = [pair for pair in pairs if pair in results.comparison]
    rows = []
    for test_set in results.test_sets:
        cells = [_difference(results, pair, test_set, f"top{k}") for pair in pairs]
        if any(cells):
            rows.append(Row([indented(test_set), *cells]))
    caption = f"Difference in top-{k} accuracy, in points [confidence interval]"
    return Table(["test set", *map(_short, pairs)], rows, caption, [TESTED])


def training_table() -> Table:
    """What encoders were pre-trained on: examples by question set, and their passages."""
    rows = []
    for name, counts in read_values(paths.TRAINING_SETS).items():
        examples, passages = (f"{counts.pop(key):,}" for key in ("examples", "passages"))
        made_of = ", ".join(f"{key} {n:,}" for key, n in counts.items())
        rows.append(Row([shown(name), examples, made_of, passages]))
    return Table(["pre-trained", "examples", "of question sets", "about passages"], rows)


def augmented(study: Study) -> list[Pair]:
    """The pairs of which AugDPR's paper says something at larger k."""
    found = [pair for pair in study.pairs["trained"] if pair[0] == "aug"]
    return [*found, *study.pairs["references"], ("dpr", "bm25")]


def reranking_table(results: Results, ks: Sequence[int]) -> Table:
    """First stages before and after re-ranking, with the difference in the first of `ks`."""
    stages = [stage for stage in results.study.reranked if reranked(stage) in results.accuracy]
    header, rows = ["test set"], [[indented(test_set)] for test_set in results.test_sets]
    for stage in stages:
        after = reranked(stage)
        header += [shown(stage), "re-ranked", f"top-{ks[0]}, difference"]
        for row, test_set in zip(rows, results.test_sets, strict=True):
            row += [_accuracies(results, s, test_set, ks) for s in (stage, after)]
            row.append(_difference(results, (after, stage), test_set, f"top{ks[0]}"))
    return Table(header, [Row(row) for row in rows if stages])


def ranking_table(results: Results, measures: Sequence[str]) -> Table:
    """Some of RANKING_MEASURES of all systems, re-ranked ones too, where questions are judged."""
    systems = list(results.ranking)
    rows = []
    for test_set in results.test_sets:
        found = [results.ranking[s].get(test_set, {}) for s in systems]
        cells = [" / ".join(f"{v[m]:.3f}" for m in measures if m in v) for v in found]
        if any(cells):
            first = [v.get(measures[0]) for v in found]
            rows.append(Row([indented(test_set), *cells], best=best(first)))
    return Table(["test set", *(shown(s) for s in systems)], rows, " / ".join(measures))


def attention_table(results: Results, hidden: Container[str] = ()) -> Table:
    """Where the [CLS] attention goes and, on the papers' data, what they say; not of `hidden`."""
    theirs = published.papers()["attention"]
    beside = results.study.on_published_data
    rows = []
    for system, values in results.attention.items():
        if system not in hidden:
            cells = [fixed(values.get(measure), 3) for measure in MEASURES]
            cells += [fixed(theirs["entropy"].get(system), 2)] if beside else []
            rows.append(Row([shown(system), *cells]))
    notes = [ATTENTION, *([theirs["note"]] if beside else [])]
    for base, percent in theirs["later_sentences"].items():
        change = relative_change(results, "later_sentences", "mixed", base)
        if change is not None:
            said = f" (published {percent:+.1f} %)" if beside else ""
            over = f"Attention on later sentences, Mixed-DPR over {shown(base)}"
            notes.append(f"{over}: {change:+.1f} %{said}")
    header = ["system", *(measure.replace("_", " ") for measure in MEASURES)]
    header += ["published entropy"] if beside else []
    return Table(header, rows, "Attention of [CLS] over passage tokens", notes)


def definition_table(results: Results) -> Table:
    """Entropy and later sentences under every choice of which tokens the distribution covers."""
    measured = results.attention.items()
    found = {s: v for s, v in measured if any(name.startswith("variants/") for name in v)}
    rows = []
    for (name, words), measure in product(DEFINITIONS.items(), ("entropy", "later_sentences")):
        cells = [fixed(v.get(f"variants/{name}/{measure}"), 3) for v in found.values()]
        if any(cells):
            rows.append(Row([words, measure.replace("_", " "), *cells]))
    return Table(["distribution over", "measure", *map(shown, found)], rows)


def measure_table(results: Results) -> Table:
    """Every measure of attention, one a row."""
    found = results.attention.values()
    measures = dict.fromkeys(m for values in found for m in values if "/" not in m)
    rows = [Row([m, *(f"{v[m]:.4g}" if m in v else "" for v in found)]) for m in measures]
    return Table(["measure", *results.attention], rows)


def attention_difference_table(results: Results, pairs: Iterable[Pair]) -> Table:
    """Differences in attention over the same passages, of those pairs of systems."""
    found = {pair: results.comparison.get(pair, {}).get("attention", {}) for pair in pairs}
    pairs = [pair for pair in found if found[pair]]
    rows = []
    for measure in dict.fromkeys(m for pair in pairs for m in found[pair]):
        cells = [_difference(results, pair, "attention", measure, 3) for pair in pairs]
        rows.append(Row([measure.replace("_", " "), *cells]))
    note = "Starred: p < 0.05 by the paired t-test over passages, for these trained models"
    header = ["measure", *map(_short, pairs)]
    return Table(header, rows, "Difference in attention [confidence interval]", [note])


def _difference(results: Results, pair: Pair, of: str, measure: str, digits: int = 1) -> str:
    """Of a test set, or attention; empty where the pair was not compared."""
    found = results.comparison.get(pair, {}).get(of, {}).get(measure)
    return difference(found, digits) if found else ""


def _of(results: Results, system: str, test_set: str) -> Mapping[int, float]:
    return results.accuracy.get(system, {}).get(test_set, {})


def _accuracies(results: Results, system: str, test_set: str, ks: Iterable[int]) -> str:
    return percents(_of(results, system, test_set).get(k) for k in ks)


def _short(pair: Pair) -> str:
    """Two systems in the header of a table, such as 'Mixed - DPR'."""
    names = map(shown, pair)
    return " - ".join(name.removesuffix("DPR").rstrip("- ") or name for name in names)
