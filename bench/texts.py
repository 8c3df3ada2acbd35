"""What the benches read: a data folder (docs/data.md), or else a small generated one."""

from __future__ import annotations

import argparse
import dataclasses
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ecqg import profiles
from ecqg.corpus.examples import Example
from ecqg.corpus.folder import reading_candidates
from ecqg.corpus.gold import gold_examples, pair_up
from ecqg.corpus.passage_file import read_passage_file
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.questions import Question, read_questions
from ecqg.corpus.reading import read_reading
from ecqg.microcosm import write_microcosm
from ecqg.params import load_params


@dataclass(frozen=True)
class Texts:
    """A data folder, and the passage store made of it (without sentence boundaries)."""

    name: str
    folder: Path
    store: Path

    def passages(self) -> Passages:
        """All passages."""
        return Passages(self.store)

    def questions(self) -> list[Question]:
        """Those of all test sets."""
        files = sorted(self.folder.glob("*.qa.tsv"))
        return [question for file in files for question in read_questions(file)]

    def examples(self) -> list[Example]:
        """The training questions that lead to a passage, each with it as its positive."""
        passages = self.passages()
        examples = read_reading(self.folder / "squad-train.json")
        pairs, _ = pair_up(reading_candidates(examples), passages)
        return gold_examples(pairs)


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """--data, by default what ECQG_DATA names."""
    named = os.environ.get("ECQG_DATA")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(named) if named else None,
        help="folder with passages.tsv, *.qa.tsv and squad-train.json, by default what ECQG_DATA "
        "names; without one, a generated encyclopedia of 5,000 passages",
    )


@contextmanager
def open_texts(data: Path | None, generated: int = 5_000) -> Iterator[Texts]:
    """The texts of `data`, or `generated` passages where it is None, in scratch that goes away."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = data
        if folder is None:
            folder = Path(scratch) / "microcosm"
            params = load_params(profiles.FOLDER / "microcosm.yaml")
            settings = dataclasses.replace(params.microcosm, passages=generated)
            write_microcosm(folder, settings, params.seed)
        store = Path(scratch) / "passages.arrow"
        entries = enumerate(read_passage_file(folder / "passages.tsv"))
        write_passages(store, (Passage(row, e.id, e.title, e.text, (0,)) for row, e in entries))
        yield Texts(folder.name if data else "microcosm", folder, store)
