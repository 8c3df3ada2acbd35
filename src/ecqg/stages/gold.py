"""Find the passages that answer a gold set's questions, train and dev."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.gold import build_gold
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import atomic
from ecqg.items import Gold
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_values


def run(params: Params, name: Gold) -> None:
    """Write paths.gold(split, name), counts, and where in its passage a question points.

    Goes on where it was killed.
    """
    settings = params.gold_sets[name]
    store = paths.collection(settings.collection) / PASSAGES
    with (
        resumable(__name__, f"gold-{name}", [store]) as resume_dir,
        atomic(paths.gold("train", name).parent) as out,
    ):
        counts = build_gold(settings, Passages(store), params.seed, out, resume_dir)
    write_values(paths.gold_metrics(name), counts)
