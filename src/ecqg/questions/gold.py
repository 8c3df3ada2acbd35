"""Gold questions as training pairs of a generator (SIGIR sec. 3.3, AugDPR sec. 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ecqg.corpus.examples import Example, read_examples
from ecqg.corpus.passages import Passage, Passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl
from ecqg.params import GeneratorKind
from ecqg.questions.format import (
    find_answer,
    find_mentions,
    format_chain,
    format_source,
    format_target,
    shuffle_sentences,
)


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold question on its passage, and the entities on which it can be conditioned."""

    passage: Passage
    question: str
    answer: str
    entities: tuple[str, ...]


def read_gold(path: str | Path, passages: Passages, entities: str | Path) -> list[Gold]:
    """Join gold examples with their passages and their conditioning entities.

    The first answer that stands in the passage counts, as the passage spells it. Raises
    InputError as `read_examples` does, and where `entities` is about other questions.
    """
    examples = list(read_examples(path, passages))
    gold: list[Gold] = []
    for example, names in zip(examples, _read_entities(entities, examples), strict=True):
        passage = passages[example.positives[0]]
        spans = (find_answer(answer, passage.text) for answer in example.answers)
        spelled = (passage.text[slice(*span)] for span in spans if span)
        answer = next(spelled, example.answers[0])
        gold.append(Gold(passage, example.question, answer, names))
    return gold


def _read_entities(path: str | Path, examples: Sequence[Example]) -> list[tuple[str, ...]]:
    records = list(read_jsonl(path, {"question": str, "entities": list[str]}))
    if [r["question"] for r in records] != [e.question for e in examples]:
        remedy = "make it again with 'ecqg question-entities'"
        raise InputError("is not about these gold questions", file=path, remedy=remedy)
    return [tuple(record["entities"]) for record in records]


def can_train(item: Gold, kind: GeneratorKind) -> bool:
    """Whether a generator of that kind learns from the question.

    The conditioned one needs an entity, the answer-sentence one an answer that is in the passage.
    """
    if kind == "conditioned":
        return bool(item.entities)
    return kind == "unconditioned" or find_answer(item.answer, item.passage.text) is not None


def gold_texts(
    gold: Sequence[Gold], kind: GeneratorKind, *, marked: bool, shuffled: bool, rng: Random
) -> list[tuple[str, str]]:
    """(source, target) texts of the questions that `can_train`, in their order.

    Conditioned ones are about an entity of the question, drawn at random. One that the title does
    not name goes first: nearly all questions name their passage's title, and a generator that is
    mostly told the title learns to heed it no more, while the entities it will be told are those
    that few questions are about. `shuffled` sentences have one order for all questions of a passage
    and entity, which so have one source.
    """
    texts = []
    orders: dict[tuple[int, str | None], str] = {}
    for item in gold:
        if not can_train(item, kind):
            continue
        entity = rng.choice(beside_title(item)) if kind == "conditioned" else None
        passage = item.passage
        key = passage.row, entity
        if key not in orders:
            sentences = passage.sentences()
            orders[key] = (
                shuffle_sentences(passage.text, sentences, rng) if shuffled else passage.text
            )
        source = format_source(passage.title, orders[key], entity, marked=marked)
        texts.append((source, _target(item, kind)))
    return texts


def _target(item: Gold, kind: GeneratorKind) -> str:
    if kind != "answer_sentence":
        return format_target(item.question, item.answer)
    place = find_answer(item.answer, item.passage.text)
    assert place is not None  # can_train
    start, end = item.passage.sentences()[item.passage.sentence_at(place[0])]
    return format_chain(item.passage.text[start:end], item.answer, item.question)


def beside_title(item: Gold) -> Sequence[str]:
    """The entities that are no part of the title; all of them where there is no other."""
    title = item.passage.title
    return [e for e in item.entities if not find_mentions(title, e)] or item.entities
