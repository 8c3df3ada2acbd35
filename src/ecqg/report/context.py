"""The papers' numbers by themselves, for who reads the embedded study: its data are other ones."""

from __future__ import annotations

from ecqg.report import published
from ecqg.report import published_analyses as analyses
from ecqg.report.layout import Row, Table, percents
from ecqg.report.names import SYSTEMS

OTHER_DATA = (
    "What the papers report of Natural Questions and other human questions over "
    f"{published.PASSAGES}, with BERT-base and BART. The generated encyclopedia is other data at "
    "another scale: none of these numbers is comparable with one above, at most the directions."
)


def context_tables() -> list[Table]:
    """All published numbers that have a table of ours, as tables of their own."""
    return [
        *(_accuracy(ks) for ks in published.KS),
        _synthetic(),
        _attention(),
        _entities(),
        _by_sentence(),
        _test_sets(),
    ]


def _accuracy(ks: tuple[int, ...]) -> Table:
    theirs = published.published_rows(ks)
    systems = [s for s in SYSTEMS if any(s in row for row in theirs.values())]
    rows = [
        Row([name, *(percents(row.get(s, ())) for s in systems)], True)
        for name, row in theirs.items()
    ]
    what = " / ".join(f"top-{k}" for k in ks)
    header = ["test set", *(SYSTEMS[s] for s in systems)]
    return Table(f"Published accuracy, {what} (%)", header, rows, [published.sources(ks)])


def _synthetic() -> Table:
    rows = [
        Row([name, percents(figures)], True)
        for name, figures in published.BY_SYNTHETIC_PASSAGES.items()
    ]
    what = " / ".join(f"top-{k}" for k in published.SYNTHETIC_KS)
    caption = f"Published AugDPR by passages with synthetic questions, {what} (%)"
    return Table(caption, ["passages", "NQ dev"], rows, [published.SYNTHETIC_SOURCE])


def _attention() -> Table:
    later = published.LATER_SENTENCES
    rows = [
        Row([SYSTEMS[s], f"{entropy:.2f}", f"{later[s]:+.1f}" if s in later else ""], True)
        for s, entropy in published.ENTROPY.items()
    ]
    header = ["system", "entropy", "later sentences, Mixed-DPR over it (%)"]
    notes = [f"{published.ATTENTION_SOURCE}. {published.ATTENTION_NOTE}"]
    return Table("Published attention", header, rows, notes)


def _entities() -> Table:
    first, second = analyses.ENTITY_POSITIONS
    high, low = analyses.ENTITY_SCORES
    synthetic = " / ".join(str(score) for score in analyses.SYNTHETIC_SCORES)
    rows = [
        Row(["highest-attended entity in the first half (%)", f"{first:.0f}"], True),
        Row(["lowest-attended entity in the second half (%)", f"{second:.0f}"], True),
        Row(["score of questions about the highest-attended entity", str(high)], True),
        Row(["score of questions about the lowest-attended entity", str(low)], True),
        Row(["score of the gold question of one passage", str(analyses.GOLD_SCORE)], True),
        Row(["scores of three synthetic questions about it", synthetic], True),
    ]
    notes = ["DPR over 20,000 passages, SIGIR sec. 2; one passage, SIGIR tab. 1"]
    return Table("Published: entities by DPR's attention", ["", "DPR"], rows, notes)


def _by_sentence() -> Table:
    columns = {
        "question overlap": analyses.QUESTION_OVERLAP,
        "answer location": analyses.ANSWER_LOCATION,
        "overlap, found by DPR": analyses.OVERLAP_FOUND,
        "overlap, missed by DPR": analyses.OVERLAP_MISSED,
    }
    rows = [
        Row([str(i), *(f"{value:.1f}" for value in values)], True)
        for i, values in enumerate(zip(*columns.values(), strict=True), 1)
    ]
    notes = [
        "NQ train, and NQ dev by DPR's top 20, whose gold passages have "
        f"{analyses.SENTENCES_MEAN} sentences on average: thesis tabs. 4.2 and 4.3"
    ]
    caption = "Published: questions by sentence of the passage (%)"
    return Table(caption, ["sentence", *columns], rows, notes)


def _test_sets() -> Table:
    coverage = analyses.COVERAGE
    rows = [
        Row([name, f"{count:,}", f"{coverage[name]:.1f}" if name in coverage else ""], True)
        for name, count in published.QUESTIONS.items()
    ]
    notes = [
        "Coverage: the share of a question's words in its gold passage. Of the most frequent "
        f"{analyses.VOCABULARY_WORDS:,} words in {analyses.VOCABULARY_PASSAGES:,} passages each, "
        f"Wikipedia and PubMed share {analyses.VOCABULARY_OVERLAP:.1f} %: AugDPR paper, sec. 4.2"
    ]
    header = ["test set", "questions", "coverage (%)"]
    return Table("Published: test sets", header, rows, notes)
