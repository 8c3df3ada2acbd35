"""Mean, spread and tests over seeds, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from ecqg import paths
from ecqg.evaluation.across_seeds import compare_seeds, pooled_interval
from ecqg.evaluation.topk import hits
from ecqg.report import published
from ecqg.report.layout import AUGMENTED_PAIRS, PAIRS, Row, Table
from ecqg.report.markdown import render
from ecqg.report.results import RERANKED, SYSTEMS, shown, subset_of
from ecqg.report.seed_claims import claims_table, probability, unless_nan
from ecqg.report.seed_trees import Trees, read_trees
from ecqg.seeds import numpy_rng
from ecqg.systems import FIRST_STAGES

CLAIM = ("mixed", "uncon", "dpr")  # the papers' order of accuracies in general, highest first
# Beside the pairs that every run's report compares.
MORE_PAIRS = (
    *(f"{paths.reranked(stage)}_vs_{stage}" for stage in FIRST_STAGES),
    f"{paths.reranked('mixed')}_vs_{paths.reranked('bm25')}",
)
NAMES = SYSTEMS | RERANKED
KS = (1, 5)
MEASURES = ("entropy", "first_sentence", "later_sentences")
SAMPLES = 2000
CONFIDENCE = 0.95
EXPLAINED = (
    "Differences are given in points for accuracies. The interval ({percent:g} %, only for "
    "accuracies) is of the mean difference, by a bootstrap that draws seeds and questions; t-test "
    "and sign test are two-sided, over seeds (with {count} of them the sign test's p is at least "
    "{least:.3g}), and not corrected for the number of tests."
)


def summarise_seeds(trees: Mapping[int, Path]) -> str:
    """Markdown that compares runs; `trees` maps a seed to its tree (ecqg.report.seed_trees).

    Raises InputError where the runs are not of the same study.
    """
    read = read_trees(trees)
    count = len(read.seeds)
    explained = EXPLAINED.format(percent=100 * CONFIDENCE, count=count, least=min(1, 2 / 2**count))
    tables = [
        *(_accuracy(read, k) for k in KS),
        _attention(read),
        _order(read),
        claims_table(read, SYSTEMS),
        *(_differences(read, *pair.split("_vs_")) for pair in (*PAIRS, *MORE_PAIRS)),
        _others(read),
    ]
    title = f"# Over {count} seed{'s' * (count > 1)}: {', '.join(map(str, read.seeds))}"
    parts = [title, "Mean ± standard deviation over seeds.", explained]
    return "\n\n".join([*parts, *(render(table) for table in tables if table.rows)]) + "\n"


def _accuracy(trees: Trees, k: int) -> Table:
    rows = []
    systems = [s for s in NAMES if any(s == system for system, _, _ in trees.accuracy)]
    for test_set in _test_sets(trees):
        found = [trees.accuracy.get((s, test_set, f"top{k}")) for s in systems]
        means = [np.mean(values) if values else -1.0 for values in found]
        best = [i + 1 for i, mean in enumerate(means) if mean == max(means)]
        rows.append(Row([test_set, *(_spread(v, 1) if v else "" for v in found)], best=best))
    return Table(f"Top-{k} accuracy (%)", ["test set", *(NAMES[s] for s in systems)], rows)


def _attention(trees: Trees) -> Table:
    rows = []
    measured = {system for system, _ in trees.attention}
    trained_for_one = sorted(s for s in measured if paths.supervised_set(s))
    for system in (*(s for s in NAMES if s in measured), *trained_for_one):
        found = [trees.attention.get((system, measure)) for measure in MEASURES]
        rows.append(Row([shown(system), *(_spread(v, 3) if v else "" for v in found)]))
    return Table("Attention", ["system", *(m.replace("_", " ") for m in MEASURES)], rows)


def _order(trees: Trees) -> Table:
    """In the mean and in each seed: are the systems in the order that the papers have?"""
    rows = []
    for name, values in _measures(trees, _ks(trees)).items():
        for claimed in published_orders(name) or unpublished_orders(name):
            if not all(system in values for system in claimed):
                continue
            by_system = np.array([values[system] for system in claimed])
            means = by_system.mean(1)
            held = int((np.diff(by_system, axis=0) < 0).all(0).sum())
            ours = [claimed[i] for i in np.argsort(-means, kind="stable")]
            falling = all(high > low for high, low in pairwise(means))
            theirs, found = (" > ".join(NAMES[s] for s in order) for order in (claimed, ours))
            cells = [theirs, ""] if published_orders(name) else ["", theirs]
            same = "yes" if falling else "no"
            rows.append(Row([name, *cells, found, same, f"{held} of {len(trees.seeds)}"]))
    header = ["measure", "published", "not measured there, claimed in general"]
    header += ["ours, by the means", "the same", "seeds in which it holds"]
    return Table("Does the published order hold?", header, rows)


def published_orders(measure: str) -> list[tuple[str, ...]]:
    """The orders of systems that the papers' figures have, highest first: one for each table.

    `measure` is such as 'nq_like top-1' or 'entropy'. Orders are of the systems that a paper is
    about: Mixed-DPR, UnCon-DPR and DPR in the one, AugDPR, DPR, BM25 and the supervised reference
    in the other.
    """
    if measure == "entropy":
        return [tuple(sorted(published.ENTROPY, key=lambda s: -published.ENTROPY[s]))]
    if measure == "later_sentences":  # Mixed-DPR is above the others by so many percent
        below = published.LATER_SENTENCES
        return [("mixed", *sorted(below, key=lambda s: below[s]))]
    test_set, _, k = measure.rpartition(" top-")
    orders = []
    for table in published.TABLES if test_set else ():
        theirs = table.accuracy.get(published.imitated(test_set) or "", {})
        if theirs and int(k) in table.ks:
            place = table.ks.index(int(k))
            systems = CLAIM if "mixed" in theirs else theirs
            orders.append(tuple(sorted(systems, key=lambda s: -theirs[s][place])))
    return orders


def unpublished_orders(measure: str) -> list[tuple[str, ...]]:
    """The order that the papers claim in general, of top-1 and top-5 without published figures."""
    return [CLAIM] if measure.endswith(tuple(f" top-{k}" for k in KS)) else []


def _differences(trees: Trees, a: str, b: str) -> Table:
    rows = []
    ks = _ks(trees) if f"{a}_vs_{b}" in AUGMENTED_PAIRS else KS
    for name, values in _measures(trees, ks).items():
        if a not in values or b not in values:
            continue
        digits = 3 if name in MEASURES else 1
        result = compare_seeds(values[a], values[b])
        rows.append(
            Row(
                [
                    name,
                    " ".join(f"{d:+.{digits}f}" for d in result.differences),
                    f"{result.mean:+.{digits}f}" + unless_nan(" ± ", result.deviation, digits),
                    _interval(trees, name, a, b),
                    probability(result.t_p),
                    f"{result.wins} / {result.ties} / {result.losses}",
                    probability(result.sign_p),
                ]
            )
        )
    header = ["measure", "by seed", "mean", "interval", "p (t)", "wins / ties / losses", "p (sign)"]
    return Table(f"{NAMES[a]} less {NAMES[b]}", header, rows)


def _interval(trees: Trees, name: str, a: str, b: str) -> str:
    """The pooled bootstrap's interval of a measure such as 'nq_like top-1'; empty for others."""
    test_set, _, k = name.rpartition(" top-")
    if (a, test_set) not in trees.ranks or (b, test_set) not in trees.ranks:
        return ""
    ranks = [trees.ranks[system, test_set] for system in (a, b)]
    low, high = pooled_interval(
        *([hits(seed.ranks, int(k)) for seed in seeds] for seeds in ranks),
        same_questions=len({seed.questions for seeds in ranks for seed in seeds}) == 1,
        samples=SAMPLES,
        confidence=CONFIDENCE,
        rng=numpy_rng(0, "seeds", a, b, name),
    )
    return f"[{low:+.1f}, {high:+.1f}]"


def _ks(trees: Trees) -> list[int]:
    """Every k that accuracy was measured at."""
    measures = {measure for _, _, measure in trees.accuracy if measure.startswith("top")}
    return sorted(int(measure.removeprefix("top")) for measure in measures)


def _measures(trees: Trees, ks: Iterable[int]) -> dict[str, dict[str, list[float]]]:
    """Values by seed, by measure ('nq_like top-1', 'entropy') and system."""
    found: dict[str, dict[str, list[float]]] = {}
    for test_set in _test_sets(trees):
        for k in ks:
            for system in NAMES:
                if values := trees.accuracy.get((system, test_set, f"top{k}")):
                    found.setdefault(f"{test_set} top-{k}", {})[system] = values
    for measure in MEASURES:
        for system in NAMES:
            if values := trees.attention.get((system, measure)):
                found.setdefault(measure, {})[system] = values
    return found


def _others(trees: Trees) -> Table:
    """Every metric that the tables above leave out."""
    found = {
        f"{s} {t} {k}": v
        for (s, t, k), v in trees.accuracy.items()
        if s not in NAMES or k not in ("top1", "top5")
    }
    found |= {f"{s} {m}": v for (s, m), v in trees.attention.items() if m not in MEASURES}
    found |= trees.others
    rows = [
        Row([name, _spread(values, 3), " ".join(f"{v:.4g}" for v in values)])
        for name, values in found.items()
    ]
    return Table("All other metrics", ["metric", "mean", "by seed"], rows)


def _test_sets(trees: Trees) -> list[str]:
    """All but subsets that are the whole of their set in every seed."""
    found = {test_set for _, test_set, _ in trees.accuracy}
    return [name for name in sorted(found, key=_place) if not _is_whole(trees, name)]


def _place(test_set: str) -> tuple[int, str]:
    """Those that imitate a published one first, in its order, then by name; subsets follow."""
    known, whole = list(published.IMITATED), (subset_of(test_set) or (test_set, ""))[0]
    return (known.index(whole) if whole in known else len(known), test_set)


def _is_whole(trees: Trees, name: str) -> bool:
    """Whether a subset has its set's accuracies, all of them: then it is that set."""
    subset = subset_of(name)
    return subset is not None and all(
        values == trees.accuracy.get((system, subset[0], k))
        for (system, test_set, k), values in trees.accuracy.items()
        if test_set == name
    )


def _spread(values: Sequence[float], digits: int) -> str:
    mean = f"{np.mean(values):.{digits}f}"
    return f"{mean} ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else mean
