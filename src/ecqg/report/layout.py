"""The tables that the terminal and the page both show, as headers and rows of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ecqg import paths
from ecqg.report import published
from ecqg.report.results import RERANKED, SYSTEMS, Results, relative_change, shown, subset_of
from ecqg.systems import FIRST_STAGES

PAIRS = {
    "uncon_vs_dpr": "UnCon - DPR",
    "mixed_vs_dpr": "Mixed - DPR",
    "mixed_vs_uncon": "Mixed - UnCon",
    "aug_vs_dpr": "Aug - DPR",
    "aug_vs_uncon": "Aug - UnCon",
    "aug_vs_mixed": "Aug - Mixed",
    "supervised_vs_dpr": "supervised - DPR",
    "supervised_vs_mixed": "supervised - Mixed",
    "supervised_vs_aug": "supervised - Aug",
    "dpr_vs_bm25": "DPR - BM25",
    "uncon_vs_bm25": "UnCon - BM25",
    "mixed_vs_bm25": "Mixed - BM25",
    "aug_vs_bm25": "Aug - BM25",
    "dpr_vs_baseline": "DPR - public baseline",
    "uncon_vs_baseline": "UnCon - public baseline",
    "mixed_vs_baseline": "Mixed - public baseline",
    "aug_vs_baseline": "Aug - public baseline",
    "baseline_vs_bm25": "public baseline - BM25",
}
# Pairs of one table. What AugDPR's paper says is of more passages than the first five.
TRAINED_PAIRS = [pair for pair in PAIRS if not pair.endswith(("_bm25", "_baseline"))]
OTHER_PAIRS = [pair for pair in PAIRS if pair not in TRAINED_PAIRS]
AUGMENTED_PAIRS = [
    *(pair for pair in PAIRS if pair.startswith(("aug_", "supervised_"))),
    "dpr_vs_bm25",
]
RANKING_MEASURES = (("MRR@10", "nDCG@10"), ("P@10", "R@10", "MAP"))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    cells: list[str]
    published: bool = False  # the papers' numbers, not ours
    best: list[int] = field(default_factory=list)  # columns to set in bold


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption and notes."""

    caption: str
    header: list[str]
    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    words: bool = False  # columns hold words, not numbers


def accuracy_table(results: Results, ks: Sequence[int]) -> Table:
    """Accuracies of all systems, with what was published on a test set for these k beneath ours.

    A system that was neither evaluated nor published there has no column.
    """
    known = published.published_rows(tuple(ks))
    names = {t: results.study.counterpart(t) for t in results.test_sets}
    theirs = {t: known[name] for t, name in names.items() if name in known}
    shown = results.accuracy.keys() | {s for row in theirs.values() for s in row}
    systems = [s for s in SYSTEMS if s in shown]
    rows = []
    for test_set in results.test_sets:
        values = [results.accuracy.get(s, {}).get(test_set, {}) for s in systems]
        cells = [percents([v.get(f"top{k}") for k in ks]) for v in values]
        first = [v.get(f"top{ks[0]}", -1.0) for v in values]
        best = [i + 1 for i, value in enumerate(first) if value == max(first) >= 0]
        rows.append(Row([_indent(test_set), *cells], best=best))
        if test_set in theirs:
            published_values = (percents(theirs[test_set].get(s, ())) for s in systems)
            of = "" if subset_of(test_set) else f": {names[test_set]}"
            rows.append(Row([f"  published{of}", *published_values], True))
    what = " / ".join(f"top-{k}" for k in ks)
    header = ["test set", *(SYSTEMS[s] for s in systems)]
    notes = [f"Published: {published.sources(tuple(ks))}"] if theirs else []
    return Table(f"Accuracy, {what} (%)", header, rows, notes)


def synthetic_data_table(results: Results, test_set: str, passages: int) -> Table:
    """Accuracy by the number of passages with synthetic questions (AugDPR tab. 7).

    A run has two points, DPR and AugDPR; `make aug-sizes` makes more.
    """
    ks = published.SYNTHETIC_KS
    rows = []
    for system, name in (("dpr", "none"), ("aug", f"{passages:,}")):
        values = results.accuracy.get(system, {}).get(test_set, {})
        if any(f"top{k}" in values for k in ks):
            rows.append(Row([name, percents([values.get(f"top{k}") for k in ks])]))
    what = " / ".join(f"top-{k}" for k in ks)
    notes = [f"On {test_set}. More passages at the same number of updates: `make aug-sizes`"]
    caption = f"AugDPR by passages with synthetic questions, {what} (%)"
    return Table(caption, ["passages", "accuracy"], rows, notes)


def difference_table(results: Results, k: int, pairs: Iterable[str] = PAIRS) -> Table:
    """Differences in top-k accuracy with intervals and tests, of those pairs of systems."""
    pairs = [pair for pair in pairs if pair in results.comparison]
    rows = []
    for test_set in results.test_sets:
        cells = []
        for pair in pairs:
            found = results.comparison[pair].get(test_set, {}).get(f"top{k}")
            cells.append(difference(found) if found else "")
        if any(cells):
            rows.append(Row([_indent(test_set), *cells]))
    return Table(
        f"Difference in top-{k} accuracy, in points [confidence interval]",
        ["test set", *(PAIRS[pair] for pair in pairs)],
        rows,
        [
            "Starred: p < 0.05 by the exact McNemar test, not corrected for the number of tests. "
            "Intervals are by the bootstrap, so that one may leave 0 out without a star"
        ],
    )


def reranking_table(results: Results, ks: Sequence[int]) -> Table:
    """First stages before and after re-ranking, with the difference in the first of `ks`."""
    stages = [stage for stage in FIRST_STAGES if paths.reranked(stage) in results.accuracy]
    rows = []
    for test_set in results.test_sets if stages else []:
        cells = []
        for stage in stages:
            for system in (stage, paths.reranked(stage)):
                values = results.accuracy.get(system, {}).get(test_set, {})
                cells.append(percents([values.get(f"top{k}") for k in ks]))
            pair = results.comparison.get(f"{paths.reranked(stage)}_vs_{stage}", {})
            found = pair.get(test_set, {}).get(f"top{ks[0]}")
            cells.append(difference(found) if found else "")
        rows.append(Row([_indent(test_set), *cells]))
    header = ["test set"]
    for stage in stages:
        header += [SYSTEMS[stage], "re-ranked", f"top-{ks[0]}, difference"]
    what = " / ".join(f"top-{k}" for k in ks)
    return Table(
        f"Re-ranking by the cross-encoder, {what} (%)",
        header,
        rows,
        [
            "Differences in points, with intervals and stars as for the systems' differences. How "
            "the re-ranker's settings were chosen, and what it would be without marked shared "
            "words: docs/results.md"
        ],
    )


def ranking_table(results: Results, measures: Sequence[str]) -> Table:
    """Some of RANKING_MEASURES of all systems, re-ranked ones too, where questions are judged."""
    names = {s: name for s, name in (SYSTEMS | RERANKED).items() if s in results.ranking}
    rows = []
    for test_set in results.test_sets:
        found = [results.ranking[s].get(test_set, {}) for s in names]
        cells = [" / ".join(f"{v[m]:.3f}" for m in measures if m in v) for v in found]
        first = [v.get(measures[0], -1.0) for v in found]
        if any(cells):
            best = [i + 1 for i, value in enumerate(first) if value == max(first) >= 0]
            rows.append(Row([_indent(test_set), *cells], best=best))
    return Table(
        " / ".join(measures),
        ["test set", *names.values()],
        rows,
        [f"Over the questions whose answering passages are known; all measures: {paths.RANKING}"],
    )


def attention_table(results: Results) -> Table:
    """Where the [CLS] attention goes and, on the papers' data, what they say."""
    beside = results.study.on_published_data
    rows = []
    for system, values in results.attention.items():
        cells = [
            _number(values.get(m), 3) for m in ("entropy", "first_sentence", "later_sentences")
        ]
        theirs = [_number(published.ENTROPY.get(system), 2)] if beside else []
        rows.append(Row([shown(system), *cells, *theirs]))
    notes = [
        "The last layer's attention of [CLS], mean over heads, to the tokens that "
        "`attention_report` in params.yaml says (by default those of the text, without [CLS], "
        "[SEP] and title), made to sum to 1. Entropy in nats; sentences: mean weight of a token, "
        "1 if attention were uniform"
    ]
    if beside:
        notes.append(published.ATTENTION_NOTE)
    for base, theirs_percent in published.LATER_SENTENCES.items():
        change = relative_change(results, "later_sentences", "mixed", base)
        if change is not None:
            said = f" (published {theirs_percent:+.1f} %)" if beside else ""
            notes.append(
                "Attention on later sentences, "
                f"Mixed-DPR over {SYSTEMS[base]}: "
                f"{change:+.1f} %{said}"
            )
    header = ["system", "entropy", "first sentence", "later sentences"]
    header += ["published entropy"] if beside else []
    return Table("Attention of [CLS] over passage tokens", header, rows, notes)


DEFINITIONS = {  # keys of "variants" in paths.attention_means
    "text": "tokens of the text",
    "title_and_text": "title and text",
    "special_and_text": "text, [CLS] and [SEP]",
    "all_tokens": "all tokens",
}


def definition_table(results: Results) -> Table:
    """Entropy and later sentences under every choice of which tokens the distribution covers."""
    found = {s: v["variants"] for s, v in results.attention.items() if "variants" in v}
    rows = []
    for name, words in DEFINITIONS.items():
        for measure in ("entropy", "later_sentences"):
            cells = [_number(v.get(name, {}).get(measure), 3) for v in found.values()]
            if any(cells):
                rows.append(Row([words, measure.replace("_", " "), *cells]))
    notes = ["The papers do not say which tokens count; params.yaml chooses (attention_report)"]
    header = ["distribution over", "measure", *map(shown, found)]
    return Table("Attention by its definition", header, rows, notes)


def attention_difference_table(results: Results, pairs: Iterable[str] = PAIRS) -> Table:
    """Differences in attention over the same passages, of those pairs of systems."""
    found = {pair: results.comparison.get(pair, {}).get("attention", {}) for pair in pairs}
    pairs = [pair for pair in found if found[pair]]
    measures = list(dict.fromkeys(m for pair in pairs for m in found[pair]))
    rows = [
        Row(
            [
                m.replace("_", " "),
                *(difference(found[p][m], 3) if m in found[p] else "" for p in pairs),
            ]
        )
        for m in measures
    ]
    return Table(
        "Difference in attention [confidence interval]",
        ["measure", *(PAIRS[pair] for pair in pairs)],
        rows,
        ["Starred: p < 0.05 by the paired t-test over passages, for these trained models"],
    )


def _indent(test_set: str) -> str:
    subset = subset_of(test_set)
    return f"  {subset[1]}" if subset else test_set


def percents(values: Sequence[float | None]) -> str:
    """Such as '44.3 / 67.1'; empty where there is no value, '-' for one among others."""
    if not any(value is not None for value in values):
        return ""
    return " / ".join("-" if value is None else f"{value:.1f}" for value in values)


def difference(found: dict[str, float], digits: int = 1) -> str:
    """Such as '+1.2 [-0.5, +3.0]*'; without a star its place is kept, so that columns align."""
    star = "*" if found["p"] < 0.05 else " "
    value, low, high = (f"{found[key]:+.{digits}f}" for key in ("difference", "low", "high"))
    return f"{value} [{low}, {high}]{star}"


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
