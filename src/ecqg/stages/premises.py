"""Whether the papers' premises hold here: a table of figures, from other stages' outs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from ecqg import paths, seeds
from ecqg.analysis import premises
from ecqg.analysis.premises import Figure
from ecqg.consistency import TERM_MATCHING
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.evaluation.bootstrap import Hits
from ecqg.evaluation.topk import hits, read_per_query
from ecqg.files import read_jsonl
from ecqg.microcosm.validity import Judge, Verdict
from ecqg.microcosm.world import World
from ecqg.params import Params
from ecqg.synthesis import filter as filters
from ecqg.synthesis.records import GENERATED
from ecqg.tables import read_values, write_table


def run(params: Params) -> None:
    """Write paths.PREMISES; runs no model."""
    figures = (*_amounts(params), *_attention(params), *_questions(params), *_retrieval(params))
    write_table(paths.PREMISES, premises.HEADER, premises.rows(figures))


def _amounts(params: Params) -> Iterator[Figure]:
    """Of gold questions among passages, and of synthetic ones beside them."""
    passages = Passages(paths.collection() / PASSAGES)
    gold = [example.positives for example in read_examples(paths.gold("train"), passages)]
    covered = len({row for positives in gold for row in positives})
    yield Figure("gold coverage", premises.percent(covered, len(passages)))
    made = read_values(paths.TRAINING_SETS)
    for name in params.pretrained:
        ratio = made[name]["examples"] / len(gold) if gold else None
        yield Figure("synthetic to gold", ratio, name)


def _attention(params: Params) -> Iterator[Figure]:
    """Of the system that selects entities; all but entropy of passages with several entities."""
    found = read_values(paths.attention_means(params.select.system))
    yield Figure("attention entropy", found["normalised_entropy"])
    for about, name in (("all", "entity"), ("highest", "highest"), ("lowest", "lowest")):
        yield Figure("attention to entities", found.get(f"{name}_density"), about)
    yield Figure("entropy among entities", found.get("entity_entropy"))
    yield Figure("variation among entities", found.get("entity_variation"))
    halves = found if found["ranked_passages"] else {}
    yield Figure("highest in first half", halves.get("highest_first_half"))
    yield Figure("lowest in second half", halves.get("lowest_second_half"))


def _questions(params: Params) -> Iterator[Figure]:
    """Of the generated questions of each set, all and after each filter, and of their reader.

    Not of a set that has a share of its questions on wrong passages on purpose: a control.
    """
    passages, judge = Passages(paths.collection() / PASSAGES), None
    # Of passages of one's own no world knows what is true.
    own = Path(params.collections[paths.MAIN].folder) != paths.RAW / "microcosm"
    size = params.microcosm.passages
    if params.source == "microcosm" and not own:
        judge = Judge(World(params.microcosm.world_seed, size, params.microcosm.families))
    for name, of in params.question_sets.items():
        if of.wrong_passage:
            continue
        candidates = list(filters.read_candidates(name, passages))
        kept = filters.apply(candidates, of.filters, params.filter)
        steps = {s: left for s, left in kept.items() if s in (premises.GENERATED, *of.filters)}
        for step, left in steps.items():
            agreeing = premises.percent(sum(c.agrees for c in left), len(left))
            yield Figure("reader agrees", agreeing, premises.called(name, step))
        ids = {step: [c.id for c in left] for step, left in steps.items()}
        shares: Mapping[str, premises.Shares] = dict.fromkeys(ids, (None, None))
        if judge:
            shares = _judged(judge, size, name, ids, params.seed)
        yield from premises.of_questions(name, shares, of.entities is not None)
        made = read_values(paths.generation_metrics(name))
        yield Figure("malformed", made["malformed"], name)
        if of.entities is not None:
            yield Figure("entity named", made.get("entity_in_question"), name)
    yield Figure("reader, exact match", read_values(paths.READER_METRICS)["exact"])


def _judged(
    judge: Judge, size: int, name: str, steps: Mapping[str, Sequence[str]], seed: int
) -> dict[str, premises.Shares]:
    """Shares of a question set by step, `steps` being the ids of what is left.

    Only of questions about the first `size` passages: those behind them are distractors'.
    """
    read = read_jsonl(paths.generated(name), GENERATED)
    records = {record["id"]: record for record in read if record["row"] < size}

    @cache
    def verdict(id: str) -> Verdict:
        record = records[id]
        return judge.verdict(record["row"], record["question"], record["answer"])

    order = seeds.python_rng(seed, "premises", name).sample([*records], len(records))
    sample = premises.sampled(steps, order)
    return {step: premises.shares(map(verdict, ids)) for step, ids in sample.items()}


def _retrieval(params: Params) -> Iterator[Figure]:
    """Of the selecting system beside BM25, and of what the main test sets can tell apart.

    How often two systems differ, which says how little can be told apart, is seen on the selecting
    system and the one that the second entry of `pretrained` starts.
    """
    system, test_sets = params.select.system, list(params.collections[paths.MAIN].test_sets)
    for test_set, k in product(test_sets[:1], (1, 5)):
        gain = premises.difference(_hits(system, test_set, k), _hits(TERM_MATCHING, test_set, k))
        yield Figure(f"gain over BM25, top-{k}", gain, system)
    second = list(params.pretrained)[1:2]
    dense = params.systems.dense.items()
    other = next((s for s, of in dense if of.gold == paths.MAIN and of.start in second), None)
    for test_set in test_sets:
        ours = _hits(system, test_set, 1)
        yield Figure("test questions", len(ours), test_set)
        theirs = _hits(other, test_set, 1) if other else ours  # no difference tells nothing
        resolved = premises.smallest_difference(ours, theirs)
        yield Figure("resolved difference, top-1", resolved, test_set)


def _hits(system: str, test_set: str, k: int) -> Hits:
    return hits(read_per_query(paths.per_query(system) / f"{test_set}.csv").ranks, k)
