"""Mean, spread and tests over seeds: a page to read, and a table of all numbers.

seeds.yaml has what the papers and the analyses say of attention, entities and overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from ecqg.checking import read_yaml
from ecqg.errors import InputError
from ecqg.evaluation.bootstrap import compare_seeds, pooled_interval
from ecqg.evaluation.topk import hits
from ecqg.files import write_json
from ecqg.report import markdown, published
from ecqg.report.claims import Claim, Judged, claims_table, judge
from ecqg.report.formats import Row, Table, best, fixed, probability, spread
from ecqg.report.layout import MEASURES, RANKING_MEASURES
from ecqg.report.names import first_stages, ordered, shown
from ecqg.report.numbers import ACCURACY
from ecqg.report.premises import premises_over_runs
from ecqg.report.results import subset_of
from ecqg.report.revisions import differing
from ecqg.report.seed_trees import Key, Trees, is_attention, required
from ecqg.seeds import numpy_rng
from ecqg.systems import RERANKED
from ecqg.tables import write_table

KS = (1, 5)
FIRST_FIVE = ("uncon", "mixed")  # whose paper looks at no more; AugDPR's does
PUBLISHED_FOR = "dpr"  # the system that the papers' numbers in seeds.yaml are of
REST = "100 - "
SAMPLES = 2000
CONFIDENCE = 0.95
# `against`: the system that is subtracted, in rows of differences. A row with a seed has its value
# alone; one without has the mean over seeds, its spread and, of differences, the tests.
COLUMNS = (
    *("system", "against", "collection", "test_set", "subset", "metric", "k", "seed", "value"),
    *("deviation", "low", "high", "p_t", "wins", "losses", "p_sign"),
)
Measure = tuple[str, str, int]  # a test set's name, metric and k


def judge_seeds(trees: Trees, claims: Iterable[Claim]) -> list[Judged]:
    """Claims by what the runs say of them, with intervals over seeds and questions."""
    return judge(
        claims,
        trees.numbers,
        lambda claim: _interval(trees, claim.system, claim.baseline, claim.key("")[1:]),
    )


def summarise_seeds(trees: Trees, numbers: str, judged: Iterable[Judged]) -> str:
    """Markdown that compares runs; `numbers` is the name of the table that stands beside it."""
    tables = [
        *([premises_over_runs(trees.premises)] if trees.premises else []),
        claims_table(judged),
        *(_accuracy(trees, k) for k in KS),
        _attention(trees),
        _said(trees),
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
    write_table(file, COLUMNS, ([row.get(name) for name in COLUMNS] for row in rows))
    return len(rows)


def write_parameters(trees: Mapping[int, Any], file: Path) -> None:
    """Write what `ecqg verify` compares: seeds, and the parameters that they have in common.

    `trees` are the contents of params.yaml by seed. Raises InputError where they differ in more
    than the seed.
    """
    first, *rest = trees
    for seed in rest:
        if other := other_parameters(trees[first], trees[seed]):
            raise InputError(
                f"seeds {first} and {seed} differ in {', '.join(other)}, too",
                remedy="run the same study for all seeds",
            )
    shared = {name: value for name, value in trees[first].items() if name != "seed"}
    write_json(file, {"seeds": [*trees], "parameters": shared})


def other_parameters(one: Any, other: Any) -> list[str]:
    """The parameters, but for the seed, in which two contents of params.yaml differ."""
    return sorted(name for name, *_ in differing(one, other) if name != "seed")


def _accuracy(trees: Trees, k: int) -> Table:
    systems = _systems(trees)
    rows = []
    for test_set in _test_sets(trees):
        found = [trees.numbers.get((s, test_set, ACCURACY, k)) for s in systems]
        means = [float(np.mean(values)) if values else None for values in found]
        rows.append(Row([test_set, *(_spread(v, 1) for v in found)], best=best(means)))
    return Table(["test set", *map(shown, systems)], rows, f"Top-{k} accuracy (%)")


def _attention(trees: Trees) -> Table:
    rows = []
    for system in ordered(sorted(_measured(trees))):
        found = (trees.numbers.get((system, "", measure, 0)) for measure in MEASURES)
        rows.append(Row([shown(system), *(_spread(v, 3) for v in found)]))
    return Table(["system", *(m.replace("_", " ") for m in MEASURES)], rows, "Attention")


def _said(trees: Trees) -> Table:
    """One row for each claim of seeds.yaml and system that every seed has figures of."""
    rows = []
    for claim in read_yaml(Path(__file__).with_suffix(".yaml")):
        for system in dict.fromkeys(key[0] for key in trees.numbers if key[0]):
            high, low = (_figures(trees, system, claim[place]) for place in ("high", "low"))
            if high is None or low is None:
                continue
            found, digits, count = compare_seeds(high, low), claim.get("digits", 1), len(high)
            theirs = claim.get("published", "") if system == PUBLISHED_FOR else ""
            means = " / ".join(fixed(sum(values) / count, digits) for values in (high, low))
            gap = spread(found.mean, found.deviation, digits, "+")
            cells = [f"{shown(system)}: {claim['text']}", theirs, means, gap]
            rows.append(Row([*cells, probability(found.t_p), f"{found.wins} of {count}"]))
    header = ["claim", "published", "here", "difference", "p (t)", "seeds in which it holds"]
    return Table(header, rows, "What is said of attention, entities and overlap")


def _figures(trees: Trees, system: str, place: str) -> list[float] | None:
    """What seeds.yaml calls `place`, by seed."""
    if place.startswith(REST):
        values = _figures(trees, system, place.removeprefix(REST))
        return values and [100 - value for value in values]
    of_file = " " in place
    key = ("", "", place.format(system=system), 0) if of_file else (system, "", place, 0)
    return trees.numbers.get(key)


def _values(trees: Trees) -> Iterator[dict[str, Any]]:
    """The number of each seed."""
    tidy = trees.tidy
    at_cut = tidy["metric"].str.fullmatch(r"(P|R|MRR|nDCG)(@\d+)?")
    shown_ones = tidy["metric"].isin([*chain(*RANKING_MEASURES)])
    for row in tidy[~tidy["name"].isin(_whole(trees)) & (~at_cut | shown_ones)].to_dict("records"):
        value = row["value"]
        digits = f"{value:.0f}" if value % 1 == 0 else f"{value:.4g}"
        named = {name: row[name] for name in COLUMNS if name in row}
        yield {**named, "value": digits, "low": None, "high": None}


def _means(trees: Trees) -> Iterator[dict[str, Any]]:
    """Mean and spread of accuracies and of measures of attention."""
    whole = _whole(trees)
    for key, values in trees.numbers.items():
        if required(key) and key[1] not in whole:
            mean, _, deviation = _spread(values, 3).partition(" ± ")
            yield {**_place(trees, key), "value": mean, "deviation": deviation}


def _differences(trees: Trees, a: str, b: str) -> Iterator[dict[str, Any]]:
    """Mean, spread and tests of what is compared of two systems."""
    every = sorted({k for _, _, metric, k in trees.numbers if metric == ACCURACY})
    ks = KS if a in FIRST_FIVE else every
    measures = [(name, ACCURACY, k) for name in _test_sets(trees) for k in ks]
    for of in (*measures, *(("", measure, 0) for measure in MEASURES)):
        first, second = (trees.numbers.get((system, *of)) for system in (a, b))
        if not first or not second:
            continue
        found = compare_seeds(first, second)
        digits = 1 if of[1] == ACCURACY else 3
        mean, _, deviation = spread(found.mean, found.deviation, digits, "+").partition(" ± ")
        bounds = [f"{bound:+.1f}" for bound in _interval(trees, a, b, of) or ()]
        yield {
            **_place(trees, (a, *of)),
            "against": b,
            "value": mean,
            "deviation": deviation,
            **dict(zip(("low", "high"), bounds, strict=False)),
            "p_t": "" if isnan(found.t_p) else f"{found.t_p:.3f}",
            "wins": found.wins,
            "losses": found.losses,
            "p_sign": f"{found.sign_p:.3f}",
        }


def _interval(trees: Trees, a: str, b: str, of: Measure) -> tuple[float, float] | None:
    """The pooled bootstrap's interval of an accuracy's difference; None for all else."""
    test_set, _, k = of
    if (a, test_set) not in trees.ranks or (b, test_set) not in trees.ranks:
        return None
    ranks = [trees.ranks[system, test_set] for system in (a, b)]
    return pooled_interval(
        *([hits(seed.ranks, k) for seed in seeds] for seeds in ranks),
        same_questions=len({seed.questions for seeds in ranks for seed in seeds}) == 1,
        samples=SAMPLES,
        confidence=CONFIDENCE,
        rng=numpy_rng(0, "seeds", a, b, f"{test_set} top-{k}"),
    )


def _place(trees: Trees, key: Key) -> dict[str, Any]:
    """The columns that say what a number is of."""
    collection, test_set, subset = trees.places[key[1]]
    where = {"collection": collection, "test_set": test_set, "subset": subset}
    return {"system": key[0], **where, "metric": key[2], "k": key[3]}


def _systems(trees: Trees) -> list[str]:
    """All that were evaluated."""
    return ordered(sorted({key[0] for key in trees.numbers if key[2] == ACCURACY}))


def _measured(trees: Trees) -> set[str]:
    """Systems whose attention was measured."""
    return {key[0] for key in trees.numbers if is_attention(key)}


def _pairs(trees: Trees) -> Iterator[tuple[str, str]]:
    """Each dense system with those before it and with BM25, then what re-ranking does."""
    systems, measured = _systems(trees), _measured(trees)
    dense = [system for system in first_stages(systems) if system in measured]
    yield from ((a, b) for n, a in enumerate(dense) for b in dense[:n])
    yield from ((a, "bm25") for a in dense if "bm25" in systems)
    yield from ((s, s.removesuffix(RERANKED)) for s in systems if s.endswith(RERANKED))


def _test_sets(trees: Trees) -> list[str]:
    """All but subsets that are the whole of their set in every seed.

    Those that imitate a published one first, in its order, then by name; subsets follow.
    """
    known = list(published.papers()["imitated"])

    def rank(name: str) -> tuple[int, str]:
        whole = (subset_of(name) or (name, ""))[0]
        return (known.index(whole) if whole in known else len(known), name)

    found = {name for _, name, metric, _ in trees.numbers if metric == ACCURACY}
    return sorted(found - _whole(trees), key=rank)


def _whole(trees: Trees) -> set[str]:
    """Subsets that have their set's accuracies, all of them: each is that set."""
    accuracies = {key: values for key, values in trees.numbers.items() if key[2] == ACCURACY}
    parts = {key[1]: subset[0] for key in accuracies if (subset := subset_of(key[1]))}
    differing = {
        key[1]
        for key, values in accuracies.items()
        if key[1] in parts and values != accuracies.get((key[0], parts[key[1]], *key[2:]))
    }
    return parts.keys() - differing


def _spread(values: Sequence[float] | None, digits: int) -> str:
    if not values:
        return ""
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else nan
    return spread(float(np.mean(values)), deviation, digits)
