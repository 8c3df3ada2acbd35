"""Find the entities of gold questions on which the conditioned generator is trained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.spacy_model import load_spacy
from ecqg.files import write_jsonl
from ecqg.params import Params
from ecqg.progress import track
from ecqg.questions.names import COMPONENTS, Names, conditioning_entities
from ecqg.resume import resumable
from ecqg.shards import stream_blocks


def run(params: Params) -> None:
    """Write paths.question_entities for train and dev, a line per gold question."""
    splits = ("train", "dev")
    files = [*(paths.gold(split) for split in splits), paths.collection() / PASSAGES]
    passages = Passages(paths.collection() / PASSAGES)
    nlp = load_spacy(params.entities.model, enable=COMPONENTS)
    with resumable(__name__, "question-entities", files, params.entities.model) as folder:
        for split in splits:
            _write(split, passages, nlp, folder / split)


def _write(split: str, passages: Passages, nlp: Any, resume_dir: Path) -> None:
    """Of one split, with the spaCy pipeline `nlp`; resumes from `resume_dir`."""
    examples = read_examples(paths.gold(split), passages)
    pairs = [(example.question, passages[example.positives[0]].text) for example in examples]
    names = Names(text for _, text in pairs)

    def entities(rest: Iterator[tuple[str, str]]) -> Iterator[list[str]]:
        return conditioning_entities(list(rest), nlp, names)

    # In spaCy's own batches, so that a second start finds nothing else by rounding.
    found = stream_blocks(resume_dir, pairs, nlp.batch_size, entities)
    tracked = track(found, f"{split} questions", total=len(pairs), unit="question")
    records = (
        {"question": question, "entities": named}
        for (question, _), named in zip(pairs, tracked, strict=True)
    )
    write_jsonl(paths.question_entities(split), records)
