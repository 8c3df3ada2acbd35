"""What the reader's threshold leaves of generated questions, and how much of that the world allows.

    python bench/validity.py [--set conditioned] [--show 20]

Of a finished run of the embedded study: of questions on whose answer the reader agrees, by its
confidence, how many there are, and the percent that are valid and right (ecqg.microcosm.validity);
beside it the same of those whose answer stands in a sentence that names the entity.
`--show` prints questions that the filters keep and the world does not.
"""

from __future__ import annotations

import argparse

from ecqg import paths, seeds
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import read_jsonl
from ecqg.microcosm.validity import Judge
from ecqg.microcosm.world import World
from ecqg.params import load_params
from ecqg.synthesis.filter import apply, read_candidates
from ecqg.synthesis.records import GENERATED

THRESHOLDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def main() -> None:
    """Print a row a threshold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--set", default="conditioned", help="one of params.yaml's question_sets")
    parser.add_argument("--sample", type=int, default=2500, help="questions that are judged")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    params, name = load_params(), options.set
    world, own = params.microcosm, params.question_sets[name]
    judge = Judge(World(world.world_seed, world.passages, world.families))
    candidates = list(read_candidates(name, Passages(paths.collection() / PASSAGES)))
    records = {r["id"]: r for r in read_jsonl(paths.generated(name), GENERATED)}
    rng = seeds.python_rng(params.seed, "validity", name)
    sample = rng.sample(candidates, min(options.sample, len(candidates)))
    verdicts = {}
    for record in (records[candidate.id] for candidate in sample):
        verdicts[record["id"]] = judge.verdict(record["row"], record["question"], record["answer"])
    print("| confidence from | left | valid / right (%) | beside | valid / right (%) |")
    print("|---|---|---|---|---|")
    for least in THRESHOLDS:
        cells = []
        for near in (False, True):
            left = [c for c in candidates if c.agrees and c.confidence >= least]
            left = [c for c in left if c.beside is not False or not near]
            judged = [verdicts[c.id] for c in left if c.id in verdicts]
            shares = (100 * sum(of) / max(1, len(judged)) for of in zip(*judged, strict=True))
            cells += [f"{len(left):,}", " / ".join(f"{share:.1f}" for share in shares)]
        print(f"| {least} | {' | '.join(cells)} |")
    kept = {c.id for c in apply(candidates, own.filters, params.filter)["hard"]}
    wrong = [i for i, found in verdicts.items() if i in kept and not found.valid]
    for record in map(records.__getitem__, wrong[: options.show]):
        print(f"{record['question']} => {record['answer']} ({record['passage_id']})")


if __name__ == "__main__":
    main()
