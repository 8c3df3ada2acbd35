"""Compare the vocabulary of a collection with that of the main one (AugDPR sec. 4.2)."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.analysis.vocabulary import Counts, most_frequent, overlap_by_size
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.words import words
from ecqg.errors import InputError
from ecqg.files import read_json, write_json
from ecqg.items import Collection
from ecqg.pace import Pace
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.tables import write_values


def run(params: Params, collection: Collection) -> None:
    """Write paths.vocabulary_metrics of a collection against paths.MAIN.

    Goes on where it was killed.
    """
    stores = [(name, paths.collection(name) / PASSAGES) for name in (paths.MAIN, collection)]
    size = params.analysis.vocabulary_passages
    frequent: list[list[str]] = []
    sampled: list[int] = []
    with resumable(
        __name__, f"vocabulary@{collection}", [store for _, store in stores], size, params.seed
    ) as resume_dir:
        for name, store in stores:
            passages = Passages(store)
            rows = sample_rows(len(passages), size, params.seed, "vocabulary", name)
            counts = _count(passages, rows, f"words of {name}", resume_dir / f"{name}.json")
            frequent.append(most_frequent(counts, params.analysis.vocabulary_words))
            sampled.append(len(rows))
    overlaps = overlap_by_size(*frequent)
    if not overlaps:
        raise InputError(
            "no words but stop words",
            file=paths.collection(collection) / PASSAGES,
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


def _count(passages: Passages, rows: list[int], what: str, file: Path) -> Counts:
    """How often each word occurs in the texts of `rows`; written to `file` now and then."""
    begin, counts = 0, Counts()
    if file.is_file():
        record = read_json(file)
        begin, counts = record["passages"], Counts(record["counts"])
    pace = Pace()
    rest = track(rows[begin:], what, total=len(rows), done=begin, unit="passage")
    for done, row in enumerate(rest, begin + 1):
        counts.update(words(passages[row].text))
        if pace.due():
            with pace.writing():
                write_json(file, {"passages": done, "counts": counts})
    return counts
