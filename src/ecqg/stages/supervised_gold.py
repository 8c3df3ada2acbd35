"""Gold questions of a test set's own training split (AugDPR tab. 4, "Supervised")."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.build import PASSAGES, gold_pairs
from ecqg.corpus.examples import write_examples
from ecqg.corpus.folder import DataFolder
from ecqg.corpus.gold import gold_examples
from ecqg.corpus.passages import Passages
from ecqg.files import atomic
from ecqg.items import Name
from ecqg.params import Params, find_supervised
from ecqg.resume import resumable


def run(params: Params, name: Name) -> None:
    """Write both splits of paths.supervised_gold(name) as DPR JSON without negatives.

    Goes on where it was killed.
    """
    chosen = find_supervised(params.supervised, name)
    folder = DataFolder(chosen.folder, {})
    store = paths.collection(chosen.collection) / PASSAGES
    passages = Passages(store)
    with (
        resumable(f"supervised-gold-{name}", [store]) as kept,
        atomic(paths.supervised_gold(name)) as out,
    ):
        for split, data in (("train", folder.train), ("dev", folder.dev)):
            pairs, dropped = gold_pairs(folder, data, passages, kept)
            write_examples(out / f"{split}.json", gold_examples(pairs, passages))
            print(f"{name} {split}: {len(pairs)} gold questions, dropped {dropped}")
