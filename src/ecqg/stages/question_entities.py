"""Find the entities of gold questions on which the conditioned generator is trained."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.spacy_model import load_spacy
from ecqg.files import write_jsonl
from ecqg.params import Params
from ecqg.progress import track
from ecqg.questions.entities import COMPONENTS, conditioning_entities
from ecqg.questions.names import Names


def run(params: Params) -> None:
    """Write paths.question_entities for train and dev, a line per gold question."""
    nlp = load_spacy(params.entities.model, enable=COMPONENTS)
    for split in ("train", "dev"):
        examples = list(read_examples(paths.gold(split)))
        pairs = [(example.question, example.positives[0].text) for example in examples]
        found = conditioning_entities(pairs, nlp, Names(text for _, text in pairs))
        tracked = track(found, f"{split} questions", total=len(examples), unit="question")
        write_jsonl(
            paths.question_entities(split),
            (
                {"question": example.question, "entities": entities}
                for example, entities in zip(examples, tracked, strict=True)
            ),
        )
