"""Mean, spread and tests over seeds: a page to read, and a table of all numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ecqg.evaluation.across_seeds import SeedComparison, compare_seeds, pooled_interval
from ecqg.evaluation.topk import hits
from ecqg.report import markdown, published
from ecqg.report.formats import best, deviation, fixed, probability
from ecqg.report.layout import RANKING_MEASURES, Row, Table
from ecqg.report.names import first_stages, ordered, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import subset_of
from ecqg.report.seed_claims import claims_table
from ecqg.report.seed_trees import Key, Trees, is_attention, required
from ecqg.seeds import numpy_rng
from ecqg.systems import RERANKED
from ecqg.tables import write_table

# Those whose order the papers claim: Mixed above UnCon above DPR, Aug above DPR.
CLAIMED_PAIRS = (
    *(("uncon", "dpr"), ("mixed", "dpr"), ("mixed", "uncon")),
    *(("aug", "dpr"), ("aug", "mixed")),
)
KS = (1, 5)
FIRST_FIVE = ("uncon", "mixed")  # whose paper looks at no more; AugDPR's does
MEASURES = ("entropy", "first_sentence", "later_sentences")
SAMPLES = 2000
CONFIDENCE = 0.95
# `against`: the system that is subtracted, in rows of differences. A row with a seed has its value
# alone; one without has the mean over seeds, its spread and, of differences, the tests.
COLUMNS = (
    *("system", "against", "collection", "test_set", "subset", "metric", "k", "seed", "value"),
    *("deviation", "low", "high", "p_t", "wins", "losses", "p_sign"),
)
Cells = list[object]


def summarise_seeds(trees: Trees, numbers: str) -> str:
    """Markdown that compares runs; `numbers` is the name of the table that stands beside it."""
    tables = [
        *(_accuracy(trees, k) for k in KS),
        _attention(trees),
        *(_claimed(trees, k) for k in KS),
        claims_table(trees),
    ]
    return markdown.fill(
        __file__, seeds=trees.seeds, numbers=numbers, percent=100 * CONFIDENCE, tables=tables
    )


def write_numbers(trees: Trees, file: Path) -> int:
    """Write every number of the runs, means and tests as CSV (COLUMNS); the number of rows.

    Accuracies are in percent, their differences in points, intervals of differences by a bootstrap
    that draws seeds and questions. Values have four digits, counts all. Left out are subsets that
    are the whole of their set in every seed, and rankings at the cut-offs that no report shows.
    """
    rows = [*_values(trees), *_means(trees)]
    for pair in _pairs(trees):
        rows += _differences(trees, *pair)
    write_table(file, COLUMNS, rows)
    return len(rows)


def _systems(trees: Trees) -> list[str]:
    """All that were evaluated."""
    return ordered(sorted({key[0] for key in trees.numbers if key[2] == ACCURACY}))


def _pairs(trees: Trees) -> Iterator[tuple[str, str]]:
    """Each dense system with those before it and with BM25, then what re-ranking does."""
    systems = _systems(trees)
    measured = {key[0] for key in trees.numbers if is_attention(key)}
    dense = [system for system in first_stages(systems) if system in measured]
    yield from ((a, b) for n, a in enumerate(dense) for b in dense[:n])
    yield from ((a, "bm25") for a in dense if "bm25" in systems)
    for system in systems:
        if system.endswith(RERANKED):
            yield system, system.removesuffix(RERANKED)


def _accuracy(trees: Trees, k: int) -> Table:
    systems = _systems(trees)
    rows = []
    for test_set in _test_sets(trees):
        found = [trees.numbers.get((s, test_set, ACCURACY, k)) for s in systems]
        means = [float(np.mean(values)) if values else None for values in found]
        rows.append(Row([test_set, *(_spread(v, 1) for v in found)], best=best(means)))
    return Table(["test set", *(shown(s) for s in systems)], rows, f"Top-{k} accuracy (%)")


def _attention(trees: Trees) -> Table:
    measured = {key[0] for key in trees.numbers if is_attention(key)}
    rows = []
    for system in ordered(sorted(measured)):
        found = [trees.numbers.get((system, "", measure, 0)) for measure in MEASURES]
        rows.append(Row([shown(system), *(_spread(v, 3) for v in found)]))
    return Table(["system", *(m.replace("_", " ") for m in MEASURES)], rows, "Attention")


def _claimed(trees: Trees, k: int) -> Table:
    """Differences of CLAIMED_PAIRS; beside those of the first k those in attention."""
    measures = [(name, ACCURACY, k) for name in _test_sets(trees)]
    measures += [("", measure, 0) for measure in MEASURES] if k == KS[0] else []
    rows = []
    for name, metric, cut in measures:
        cells = []
        for a, b in CLAIMED_PAIRS:
            found = _compared(trees, a, b, (name, metric, cut))
            cells.append(_tested(found, 3 if metric in MEASURES else 1) if found else "")
        if any(cells):
            rows.append(Row([name or metric.replace("_", " "), *cells]))
    also = " and attention" if k == KS[0] else ""
    header = [f"{shown(a)} less {shown(b)}" for a, b in CLAIMED_PAIRS]
    return Table(["measure", *header], rows, f"Differences: top-{k} accuracy (points){also}")


def _tested(found: SeedComparison, digits: int) -> str:
    """Such as '+1.2 ± 0.3, p 0.012'; of a single seed the difference alone."""
    p = probability(found.t_p)
    shown_p = f", p {p}" if p else ""
    return fixed(found.mean, digits, "+") + deviation(found.deviation, digits) + shown_p


def _compared(trees: Trees, a: str, b: str, of: tuple[str, str, int]) -> SeedComparison | None:
    """Two systems by one measure: a test set's name, metric and k; None where one has none."""
    first, second = (trees.numbers.get((system, *of)) for system in (a, b))
    return compare_seeds(first, second) if first and second else None


def _values(trees: Trees) -> Iterator[Cells]:
    """The number of each seed."""
    columns = ["system", "collection", "test_set", "subset", "metric", "k", "seed", "value"]
    shown_ones = {measure for measures in RANKING_MEASURES for measure in measures}
    tidy = trees.tidy
    at_cut = tidy["metric"].str.fullmatch(r"(P|R|MRR|nDCG)(@\d+)?")
    kept = tidy[~tidy["name"].isin(_whole(trees)) & (~at_cut | tidy["metric"].isin(shown_ones))]
    for system, *where, value in kept[columns].itertuples(index=False):
        digits = f"{value:.0f}" if value % 1 == 0 else f"{value:.4g}"
        yield _row([system, "", *where, digits])


def _means(trees: Trees) -> Iterator[Cells]:
    """Mean and spread of accuracies and of measures of attention."""
    whole = _whole(trees)
    for key, values in trees.numbers.items():
        if required(key) and key[1] not in whole:
            yield _row([*_place(trees, key), "", *_spread(values, 3).split(" ± ")])


def _differences(trees: Trees, a: str, b: str) -> Iterator[Cells]:
    """Mean, spread and tests of what is compared of two systems."""
    ks = KS if a in FIRST_FIVE else _ks(trees)
    measures = [(name, ACCURACY, k) for name in _test_sets(trees) for k in ks]
    for of in (*measures, *(("", measure, 0) for measure in MEASURES)):
        found = _compared(trees, a, b, of)
        if found is None:
            continue
        digits = 3 if of[1] in MEASURES else 1
        spread = deviation(found.deviation, digits).removeprefix(" ± ")
        interval = _interval(trees, a, b, of)
        system, _, *where = _place(trees, (a, *of))
        cells = [system, b, *where, "", fixed(found.mean, digits, "+"), spread, *interval]
        cells += ["" if np.isnan(found.t_p) else f"{found.t_p:.3f}"]
        yield _row([*cells, found.wins, found.losses, f"{found.sign_p:.3f}"])


def _place(trees: Trees, key: Key) -> Cells:
    """The first columns of a number's row, up to k."""
    system, name, metric, k = key
    return [system, "", *trees.places[name], metric, k]


def _row(cells: Cells) -> Cells:
    return [*cells, *[""] * (len(COLUMNS) - len(cells))]


def _interval(trees: Trees, a: str, b: str, of: tuple[str, str, int]) -> tuple[str, str]:
    """The pooled bootstrap's interval of an accuracy's difference; empty for all else."""
    test_set, _, k = of
    if (a, test_set) not in trees.ranks or (b, test_set) not in trees.ranks:
        return "", ""
    ranks = [trees.ranks[system, test_set] for system in (a, b)]
    low, high = pooled_interval(
        *([hits(seed.ranks, k) for seed in seeds] for seeds in ranks),
        same_questions=len({seed.questions for seeds in ranks for seed in seeds}) == 1,
        samples=SAMPLES,
        confidence=CONFIDENCE,
        rng=numpy_rng(0, "seeds", a, b, f"{test_set} top-{k}"),
    )
    return f"{low:+.1f}", f"{high:+.1f}"


def _ks(trees: Trees) -> list[int]:
    """Every k that accuracy was measured at."""
    return sorted({k for _, _, metric, k in trees.numbers if metric == ACCURACY})


def _test_sets(trees: Trees) -> list[str]:
    """All but subsets that are the whole of their set in every seed."""
    found = {name for _, name, metric, _ in trees.numbers if metric == ACCURACY}
    return sorted(found - _whole(trees), key=_rank)


def _rank(test_set: str) -> tuple[int, str]:
    """Those that imitate a published one first, in its order, then by name; subsets follow."""
    known = list(published.papers()["imitated"])
    whole = (subset_of(test_set) or (test_set, ""))[0]
    return (known.index(whole) if whole in known else len(known), test_set)


def _whole(trees: Trees) -> set[str]:
    """Subsets that have their set's accuracies, all of them: each is that set."""
    accuracies = {key: values for key, values in trees.numbers.items() if key[2] == ACCURACY}
    parts = {key[1]: subset for key in accuracies if (subset := subset_of(key[1]))}
    differing = {
        key[1]
        for key, values in accuracies.items()
        if key[1] in parts and values != accuracies.get((key[0], parts[key[1]][0], *key[2:]))
    }
    return parts.keys() - differing


def _spread(values: Sequence[float] | None, digits: int) -> str:
    if not values:
        return ""
    mean = f"{np.mean(values):.{digits}f}"
    return f"{mean} ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else mean
