"""The far-domain collection as a folder: abstracts in passages, and factoid questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from ecqg.errors import InputError
from ecqg.microcosm.biomed.abstracts import Abstract, Stated, abstracts
from ecqg.microcosm.biomed.field import Field
from ecqg.microcosm.grammar import fill, slots
from ecqg.microcosm.side import Row, Text, write_side
from ecqg.params import SideCollection
from ecqg.seeds import derive, python_rng

PATIENCE = 100  # draws per question before the abstracts count as too few


def write_biomed(folder: Path, settings: SideCollection, world_seed: int, seed: int) -> None:
    """Write passages.tsv, test.qa.tsv and test.qrels.

    The abstracts follow from `world_seed`, the questions drawn about them from `seed`. Raises
    InputError where the abstracts do not give that many questions, or names run out.
    """
    texts, told = passages(world_seed, settings.passages)
    write_side(folder, texts, draw(told, settings.questions, seed))


def passages(world_seed: int, count: int) -> tuple[list[Text], list[Abstract]]:
    """`count` passages, and the abstracts that they hold whole."""
    texts: list[Text] = []
    whole: list[Abstract] = []
    for abstract in abstracts(field_for(world_seed, count)):
        parts = abstract.passages()
        if len(texts) + len(parts) <= count:
            texts += [Text(abstract.title, part) for part in parts]
            whole.append(abstract)
    return texts, whole


def field_for(world_seed: int, count: int) -> Field:
    """The field of which `count` passages tell. Raises InputError where its names run out."""
    # A topic has three abstracts, an abstract one or two passages, 4.8 to a topic on average.
    return Field(derive(world_seed, "biomed"), topics=2 + count // 4)


def draw(told: Sequence[Abstract], count: int, seed: int) -> list[Row]:
    """`count` factoid questions, each about another slot of a finding, all abstracts alike."""
    rng = python_rng(seed, "microcosm", "biomed")
    firsts = list(accumulate((len(abstract.passages()) for abstract in told), initial=0))
    rows: dict[str, Row] = {}
    asked = set[tuple[int, str, str]]()
    for _ in range(PATIENCE * count):
        if len(rows) == count:
            return list(rows.values())
        number = rng.randrange(len(told))
        stated = rng.choice(told[number].stated)
        slot = rng.choice(list(stated.finding.asks))
        templates = usable(stated, slot)
        if not templates or (number, stated.finding.name, slot) in asked:
            continue
        question = fill(rng.choice(templates), stated.word, rng)
        answers = stated.values[slot].answers
        if any(answer.lower() in question.lower() for answer in answers) or question in rows:
            continue
        asked.add((number, stated.finding.name, slot))
        place = firsts[number] + told[number].passage_of(stated.sentence)
        rows[question] = Row(question, answers, (place,))
    raise InputError(
        f"{len(rows)} of {count} questions about abstracts",
        remedy="raise microcosm.biomed.passages, or ask fewer questions",
    )


def usable(stated: Stated, slot: str) -> list[str]:
    """The questions for a slot that the sentence answers, by what is known without it.

    A question may name the topic's gene, drug, disease and trial, which the abstract is about,
    and of the finding what the sentence tells.
    """
    if slot not in stated.told:
        return []
    known = (set(stated.values) - set(stated.finding.draws)) | stated.told
    return [ask for ask in stated.finding.asks[slot] if slots(ask) <= known - {slot}]
