"""Overlap of a zero-shot collection's vocabulary with that of the main one (AugDPR sec. 4.2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.analysis.vocabulary import most_frequent, overlap_by_size
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.files import write_json
from ecqg.params import Params
from ecqg.progress import track


def run(params: Params, collection: str) -> None:
    """Write paths.vocabulary_metrics of a collection against paths.MAIN."""
    frequent: list[list[str]] = []
    sampled: list[int] = []
    for name in (paths.MAIN, collection):
        passages = Passages(paths.collection(name) / "passages.arrow")
        size = params.analysis.vocabulary_passages
        rows = sample_rows(len(passages), size, params.seed, "vocabulary", name)
        texts = (passages[row].text for row in track(rows, f"words of {name}", unit="passage"))
        frequent.append(most_frequent(texts, params.analysis.vocabulary_words))
        sampled.append(len(rows))
    overlaps = overlap_by_size(*frequent)
    if not overlaps:
        raise InputError(
            "no words but stop words",
            file=paths.collection(collection) / "passages.arrow",
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
    write_json(paths.vocabulary_metrics(collection), {collection: metrics})
