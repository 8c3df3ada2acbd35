"""A reading set on disk: questions on contexts, which train the reader and calibrate it."""

from __future__ import annotations

from pathlib import Path

from ecqg.corpus.folder import Split
from ecqg.corpus.reading import write_reading
from ecqg.corpus.sampling import sample
from ecqg.corpus.unanswerable import with_unanswerable
from ecqg.params import ReadingSet
from ecqg.seeds import python_rng


def write_split(
    name: str, split: Split, settings: ReadingSet, seed: int, out: Path
) -> dict[str, int]:
    """Write the split `name` to `out`/NAME.json, with unanswerable examples; return counts."""
    rng = python_rng(seed, "corpus", "unanswerable", name)
    examples = with_unanswerable(split.reading, settings.min_unanswerable_share, rng)
    examples = sample(examples, settings.max_examples, seed, f"reading-{name}")
    write_reading(out / f"{name}.json", examples)
    answerable = sum(bool(example.answers) for example in examples)
    counts = {"answerable": answerable, "unanswerable": len(examples) - answerable}
    if split.unread is not None:
        counts["answer_not_found"] = split.unread
    return counts
