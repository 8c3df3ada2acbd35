"""Training examples of retrievers: questions, and rows of passages that answer them or do not.

One JSON object a line: {"id", "question", "answers", "positives", "negatives"}. Other people's
files are in DPR's JSON, with the texts of passages (ecqg.corpus.dpr_examples).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ecqg.corpus.passages import PASSAGES, Passages, write_passages
from ecqg.errors import InputError
from ecqg.files import checked, read_jsonl, write_jsonl


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the passages that answer it and hard negatives that do not, by row."""

    id: str
    question: str
    answers: tuple[str, ...]
    positives: tuple[int, ...]
    negatives: tuple[int, ...] = ()


def write_examples(path: str | Path, examples: Iterable[Example]) -> None:
    """Write examples as a stream."""
    write_jsonl(path, map(asdict, examples))


def read_examples(path: str | Path, passages: Passages) -> Iterator[Example]:
    """Read the examples of a collection as a stream.

    Raises InputError naming file and line for an example that is malformed, that has no positive
    passage, or whose passages are none of the collection's.
    """
    remedy = "make it again with 'dvc repro'"
    for line, record in enumerate(read_jsonl(path), 1):
        example = checked(record, Example, "example", file=path, line=line, remedy=remedy)
        rows = (*example.positives, *example.negatives)
        if not (example.positives and all(0 <= row < len(passages) for row in rows)):
            what = "passages that are no rows of the collection"
            raise InputError(what, file=path, line=line, remedy=remedy)
        yield example


def write_compact(folder: Path, files: Mapping[str, Path], passages: Passages) -> None:
    """Write examples of a collection to a folder that needs it no more.

    `files` gives a file of examples by name: NAME.jsonl has them, with rows of passages.arrow,
    which has the passages that they name, in the collection's order.
    """
    used: set[int] = set()
    for file in files.values():
        for example in read_examples(file, passages):
            used.update(example.positives, example.negatives)
    place = {row: new for new, row in enumerate(sorted(used))}
    write_passages(folder / PASSAGES, (passages[row] for row in place))

    def moved(rows: Iterable[int]) -> tuple[int, ...]:
        return tuple(place[row] for row in rows)

    for name, file in files.items():
        examples = (
            Example(e.id, e.question, e.answers, moved(e.positives), moved(e.negatives))
            for e in read_examples(file, passages)
        )
        write_examples(folder / f"{name}.jsonl", examples)
