"""Mine BM25 hard negatives for a gold set, train and dev."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import write_compact
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import atomic
from ecqg.items import Gold
from ecqg.lexical.negatives import mine
from ecqg.params import Params


def run(params: Params, name: Gold) -> None:
    """Write paths.gold_negatives(split, name), with the passages that these examples name.

    So training depends on no collection. Resumes where it was killed.
    """
    store = paths.collection(params.gold_sets[name].collection) / PASSAGES
    with atomic(paths.gold_negatives("train", name).parent) as out:
        mined = {split: out / f"mined-{split}.jsonl" for split in ("train", "dev")}
        for split, file in mined.items():
            source = paths.gold(split, name)
            mine(f"gold-{name}-{split}", source, file, store, params.bm25, params.negatives)
        write_compact(out, mined, Passages(store))
        for file in mined.values():
            file.unlink()
