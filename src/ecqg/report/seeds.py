"""Mean, spread and tests over seeds, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from ecqg import paths
from ecqg.evaluation.across_seeds import compare_seeds, pooled_interval
from ecqg.evaluation.topk import hits
from ecqg.report import markdown, published
from ecqg.report.formats import best, deviation, fixed, probability
from ecqg.report.layout import AUGMENTED_PAIRS, PAIRS, Row, Table
from ecqg.report.names import NAMES, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.results import subset_of
from ecqg.report.seed_claims import claims_table
from ecqg.report.seed_trees import Trees, in_words, is_attention, read_trees, required
from ecqg.seeds import numpy_rng
from ecqg.systems import FIRST_STAGES

CLAIM = ("mixed", "uncon", "dpr")  # the papers' order of accuracies in general, highest first
# Beside the pairs that every run's report compares.
MORE_PAIRS = (
    *(f"{paths.reranked(stage)}_vs_{stage}" for stage in FIRST_STAGES),
    f"{paths.reranked('mixed')}_vs_{paths.reranked('bm25')}",
)
KS = (1, 5)
MEASURES = ("entropy", "first_sentence", "later_sentences")
SAMPLES = 2000
CONFIDENCE = 0.95


def summarise_seeds(trees: Mapping[int, Path]) -> str:
    """Markdown that compares runs; `trees` maps a seed to its tree (ecqg.report.seed_trees).

    Raises InputError where the runs are not of the same study.
    """
    read = read_trees(trees)
    tables = [
        *(_accuracy(read, k) for k in KS),
        _attention(read),
        _order(read),
        claims_table(read),
        *(_differences(read, *pair.split("_vs_")) for pair in (*PAIRS, *MORE_PAIRS)),
        _others(read),
    ]
    return markdown.fill(
        __file__,
        seeds=read.seeds,
        percent=100 * CONFIDENCE,
        least=min(1, 2 / 2 ** len(read.seeds)),
        tables=tables,
    )


def _accuracy(trees: Trees, k: int) -> Table:
    evaluated = {key[0] for key in trees.numbers if key[2] == ACCURACY}
    systems = [s for s in NAMES if s in evaluated]
    rows = []
    for test_set in _test_sets(trees):
        found = [trees.numbers.get((s, test_set, ACCURACY, k)) for s in systems]
        means = [float(np.mean(values)) if values else None for values in found]
        rows.append(Row([test_set, *(_spread(v, 1) for v in found)], best=best(means)))
    return Table(["test set", *(NAMES[s] for s in systems)], rows, f"Top-{k} accuracy (%)")


def _attention(trees: Trees) -> Table:
    measured = {key[0] for key in trees.numbers if is_attention(key)}
    trained_for_one = sorted(s for s in measured if paths.supervised_set(s))
    rows = []
    for system in (*(s for s in NAMES if s in measured), *trained_for_one):
        found = [trees.numbers.get((system, "", measure, 0)) for measure in MEASURES]
        rows.append(Row([shown(system), *(_spread(v, 3) for v in found)]))
    return Table(["system", *(m.replace("_", " ") for m in MEASURES)], rows, "Attention")


def _order(trees: Trees) -> Table:
    """In the mean and in each seed: are the systems in the order that the papers have?"""
    rows = []
    for name, values in _measures(trees, _ks(trees)).items():
        measured = published_orders(name)
        for claimed in measured or unpublished_orders(name):
            if not all(system in values for system in claimed):
                continue
            by_system = np.array([values[system] for system in claimed])
            means = by_system.mean(1)
            held = int((np.diff(by_system, axis=0) < 0).all(0).sum())
            ours = [claimed[i] for i in np.argsort(-means, kind="stable")]
            falling = all(high > low for high, low in pairwise(means))
            theirs, found = (" > ".join(NAMES[s] for s in order) for order in (claimed, ours))
            cells = [theirs, ""] if measured else ["", theirs]
            same = "yes" if falling else "no"
            rows.append(Row([name, *cells, found, same, f"{held} of {len(trees.seeds)}"]))
    header = ["measure", "published", "not measured there, claimed in general"]
    header += ["ours, by the means", "the same", "seeds in which it holds"]
    return Table(header, rows, "Does the published order hold?")


def published_orders(measure: str) -> list[tuple[str, ...]]:
    """The orders of systems that the papers' figures have, highest first: one for each table.

    `measure` is such as 'nq_like top-1' or 'entropy'. Orders are of the systems that a paper is
    about: Mixed-DPR, UnCon-DPR and DPR in the one, AugDPR, DPR, BM25 and the supervised reference
    in the other.
    """
    papers = published.papers()
    if measure == "entropy":
        entropy = papers["attention"]["entropy"]
        return [tuple(sorted(entropy, key=lambda s: -entropy[s]))]
    if measure == "later_sentences":  # Mixed-DPR is above the others by so many percent
        below = papers["attention"]["later_sentences"]
        return [("mixed", *sorted(below, key=lambda s: below[s]))]
    test_set, _, k = measure.rpartition(" top-")
    orders = []
    for table in papers["accuracy"] if test_set else ():
        theirs = table["values"].get(published.imitated(test_set), {})
        if theirs and int(k) in table["ks"]:
            place = table["ks"].index(int(k))
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
        found = compare_seeds(values[a], values[b])
        cells = [name, " ".join(f"{d:+.{digits}f}" for d in found.differences)]
        cells.append(fixed(found.mean, digits, "+") + deviation(found.deviation, digits))
        cells += [_interval(trees, name, a, b), probability(found.t_p)]
        cells += [f"{found.wins} / {found.ties} / {found.losses}", probability(found.sign_p)]
        rows.append(Row(cells))
    header = ["measure", "by seed", "mean", "interval", "p (t)", "wins / ties / losses", "p (sign)"]
    return Table(header, rows, f"{NAMES[a]} less {NAMES[b]}")


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
    return sorted({k for _, _, metric, k in trees.numbers if metric == ACCURACY})


def _measures(trees: Trees, ks: Iterable[int]) -> dict[str, dict[str, list[float]]]:
    """Values by seed, by measure ('nq_like top-1', 'entropy') and system."""
    named = {f"{name} top-{k}": (name, ACCURACY, k) for name in _test_sets(trees) for k in ks}
    named |= {measure: ("", measure, 0) for measure in MEASURES}
    found = {}
    for words, of in named.items():
        values = {s: trees.numbers[s, *of] for s in NAMES if (s, *of) in trees.numbers}
        if values:
            found[words] = values
    return found


def _others(trees: Trees) -> Table:
    """Every metric that the tables above leave out: accuracies, attention, then all else."""
    shown = {(s, ACCURACY, k) for s in NAMES for k in KS}
    keys = [key for key in trees.numbers if key[2] not in MEASURES]
    keys = [key for key in keys if (key[0], *key[2:]) not in shown]
    rows = []
    for key in sorted(keys, key=lambda key: (key[2] != ACCURACY, not required(key))):
        values = trees.numbers[key]
        name = in_words(key).partition(" ")[2] if required(key) else in_words(key)
        by_seed = " ".join(f"{v:.4g}" for v in values)
        rows.append(Row([name, _spread(values, 3), by_seed]))
    return Table(["metric", "mean", "by seed"], rows, "All other metrics")


def _test_sets(trees: Trees) -> list[str]:
    """All but subsets that are the whole of their set in every seed."""
    found = {name for _, name, metric, _ in trees.numbers if metric == ACCURACY}
    return [name for name in sorted(found, key=_place) if not _is_whole(trees, name)]


def _place(test_set: str) -> tuple[int, str]:
    """Those that imitate a published one first, in its order, then by name; subsets follow."""
    known = list(published.papers()["imitated"])
    whole = (subset_of(test_set) or (test_set, ""))[0]
    return (known.index(whole) if whole in known else len(known), test_set)


def _is_whole(trees: Trees, name: str) -> bool:
    """Whether a subset has its set's accuracies, all of them: then it is that set."""
    subset = subset_of(name)
    return subset is not None and all(
        values == trees.numbers.get((key[0], subset[0], *key[2:]))
        for key, values in trees.numbers.items()
        if key[1:3] == (name, ACCURACY)
    )


def _spread(values: Sequence[float] | None, digits: int) -> str:
    if not values:
        return ""
    mean = f"{np.mean(values):.{digits}f}"
    return f"{mean} ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else mean
