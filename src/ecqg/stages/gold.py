"""Find the passages that answer a gold set's questions, train and dev."""

from __future__ import annotations

from dataclasses import asdict

from ecqg import paths
from ecqg.corpus.gold_set import build_gold
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import atomic
from ecqg.items import Gold
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_values


def run(params: Params, name: Gold) -> None:
    """Write paths.gold(split, name), counts, and where in a passage questions point; resumes."""
    settings = params.gold_sets[name]
    store = paths.collection(settings.collection) / PASSAGES
    with (
        resumable(__name__, f"gold-{name}", [store]) as resume_dir,
        atomic(paths.gold("train", name).parent) as out,
    ):
        out.mkdir()
        counts, shares = build_gold(settings, Passages(store), params.seed, out, resume_dir)
    position = {f"sentence_{of.pop('sentence')}": of for of in map(asdict, shares)}
    write_values(paths.gold_metrics(name), counts | {"position": position})
