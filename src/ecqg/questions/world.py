"""Perfect questions: the embedded world asks about its own passages, in training wordings.

A control: the ceiling of what a generator can reach. Test wordings are never used; the facts asked
for may be those of test questions, as they may be where a trained generator asks.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ecqg.corpus.passages import Passage, Passages
from ecqg.errors import InputError
from ecqg.files import atomic, read_as, write_json
from ecqg.microcosm.families import own_files
from ecqg.microcosm.questions import Askable, Asker, askables
from ecqg.microcosm.realise import Article
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.world import World
from ecqg.params import Microcosm
from ecqg.progress import track
from ecqg.questions.format import Span, find_mentions
from ecqg.seeds import python_rng

if TYPE_CHECKING:
    from ecqg.questions.generation import Drawn, Prompt

SETTINGS, FAMILIES = "world.json", "families"
# Wordings tried of each fact. The first names an entity beside the subject, where there is such.
REGISTERS = ("train_about", "train", "train", "train")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the world follows from, and which sentences gold questions are about."""

    world_seed: int
    passages: int
    families: tuple[str, ...]
    sentence_bias: tuple[float, ...]


def write_world(folder: Path, settings: Microcosm) -> None:
    """Write the settings that make the world, with the repository's own families in it."""
    with atomic(folder) as aside:
        (aside / FAMILIES).mkdir(parents=True)
        for file in own_files(settings.families):
            shutil.copy2(file, aside / FAMILIES)
        kept = {field.name: getattr(settings, field.name) for field in fields(Settings)}
        write_json(aside / SETTINGS, kept)


def read_settings(folder: Path) -> Settings:
    """Read what `write_world` wrote. Raises InputError where the file is missing or another."""
    return read_as(folder / SETTINGS, Settings, "no world", "make it again with 'dvc repro'")


def ask_world(
    folder: Path, passages: Passages, prompts: Sequence[Prompt], samples: int, seed: int
) -> Iterator[Drawn]:
    """Yield the questions of each prompt with their answers, in the order of the prompts.

    Of passages they are drawn as the world draws gold training questions, `samples` a passage on
    average: first the sentence, by the gold bias, then a passage; each asks for another fact. Of an
    entity up to `samples` different ones are taken from `_about`; None stands for one that there is
    not. Raises InputError where a passage is not the world's, and where the passages do not state
    as many facts as are asked for.
    """
    found, own = read_settings(folder), folder / FAMILIES
    drawer = Drawer(World(found.world_seed, found.passages, found.families, own), seed)
    rows = sorted({prompt.row for prompt in prompts})
    for row in rows:
        if drawer.article(row).text != passages[row].text:
            raise InputError(
                f"passage {passages[row].id} is not the world's, which asks about its own",
                remedy="name a generator that is trained, or take the distractors out",
            )
    of_row: dict[int, list[tuple[str, str] | None]] = {row: [] for row in rows}
    if prompts[0].entity is None:
        count, bias = len(rows) * samples, found.sentence_bias
        for one in drawer.by_sentence("generated", count, bias, "train", set(), among=rows):
            of_row[one.ask.article.index].append((one.text, one.ask.answer))
    for prompt in track(prompts, "questions", unit="prompt"):
        passage, drawn = passages[prompt.row], of_row[prompt.row]
        if prompt.entity is not None:
            rng, article = python_rng(seed, prompt.id), drawer.article(prompt.row)
            about = _about(drawer.asker, article, passage, prompt.entity, rng)
            new = dict(one for one in about if one not in of_row[prompt.row])
            drawn = [*islice(new.items(), samples)]
            of_row[prompt.row] += drawn
            drawn += [None] * (samples - len(drawn))
        yield prompt, passage, drawn


def _about(
    asker: Asker, article: Article, passage: Passage, span: Span, rng: Random
) -> Iterator[tuple[str, str]]:
    """Questions about the entity at `span`, the better ones first.

    Those that name it, then those that it answers, then others on a fact of its sentence.
    """
    entity, sentence = passage.text[slice(*span)], passage.sentence_at(span[0])
    asks = list(askables(article))
    tiers: tuple[list[tuple[Askable, str]], ...] = ([], [], [])
    for register in REGISTERS:
        for ask in rng.sample(asks, len(asks)):
            text = asker.write(register, ask, rng)
            if text is None:
                continue
            if find_mentions(text, entity):
                tiers[0].append((ask, text))
            elif ask.start < span[1] and span[0] < ask.start + len(ask.answer):
                tiers[1].append((ask, text))
            elif ask.sentence == sentence:
                tiers[2].append((ask, text))
    for tier in tiers:
        yield from ((text, ask.answer) for ask, text in tier)
