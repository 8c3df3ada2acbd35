"""Compare the vocabulary of a collection with that of the main one (AugDPR sec. 4)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from ecqg import paths
from ecqg.analysis.vocabulary import most_frequent, overlap_by_size
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.words import words
from ecqg.errors import InputError
from ecqg.items import Collection
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.shards import map_blocks
from ecqg.tables import write_values


def run(params: Params, collection: Collection) -> None:
    """Write paths.vocabulary_metrics of a collection against paths.MAIN; resumes."""
    stores = [(name, paths.collection(name) / PASSAGES) for name in (paths.MAIN, collection)]
    inputs = [store for _, store in stores]
    size, work = params.analysis.vocabulary_passages, f"vocabulary@{collection}"
    frequent: list[list[str]] = []
    sampled: list[int] = []
    with resumable(__name__, work, inputs, size, params.seed) as resume_dir:
        for name, store in stores:
            passages = Passages(store)
            rows = sample_rows(len(passages), size, params.seed, "vocabulary", name)
            of_texts = map_blocks(resume_dir / name, (passages[row].text for row in rows), words)
            bar = track(of_texts, f"words of {name}", total=len(rows), unit="passage")
            counts = Counter(chain.from_iterable(bar))
            frequent.append(most_frequent(counts, params.analysis.vocabulary_words))
            sampled.append(len(rows))
    overlaps = overlap_by_size(*frequent)
    if not overlaps:
        raise InputError(
            "no words but stop words",
            file=inputs[1],
            remedy="give the collection passages with text",
        )
    longest = max(overlaps)
    metrics = {
        "overlap": overlaps[longest],
        "words": longest,
        "passages": sampled[1],
        "main_passages": sampled[0],
        "by_words": {str(size): overlap for size, overlap in overlaps.items()},
    }
    write_values(paths.vocabulary_metrics(collection), metrics)
