"""From findings to prose: abstracts, cut into passages between sentences."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from ecqg.corpus.cutting import WHOLE, pack_sentences
from ecqg.microcosm.biomed.field import Field
from ecqg.microcosm.biomed.findings import Draw, Finding, Study, methods, studies
from ecqg.microcosm.biomed.vocabulary import Name
from ecqg.microcosm.grammar import Pen, capitalise, fill, parse
from ecqg.seeds import python_rng

PER_TOPIC = 3  # studies of each topic
FINDINGS = (5, 6, 7)  # of an abstract, each as often
FILLERS = (2, 3, 4, 5)  # sentences on methods
LEAD = 0.2  # chance of a sentence that begins with a connecting phrase


@dataclass(frozen=True, slots=True)
class Stated:
    """A finding as an abstract states it.

    `values` are the topic's names and the finding's own, `told` the slots that the sentence gives.
    """

    finding: Finding
    values: Mapping[str, Name]
    told: frozenset[str]
    sentence: int

    def word(self, slot: str) -> str:
        """The usual name of a slot's value."""
        return self.values[slot].text


@dataclass(frozen=True, slots=True)
class Abstract:
    """A title, sentences, and what they state."""

    title: str
    sentences: tuple[str, ...]
    stated: tuple[Stated, ...]

    def passages(self) -> list[str]:
        """The text in passages of at most WHOLE words."""
        text = " ".join(self.sentences)
        return [text[start:end] for start, end in pack_sentences(text, self._starts(), WHOLE)]

    def passage_of(self, sentence: int) -> int:
        """Which of the passages a sentence begins in."""
        starts = self._starts()
        spans = pack_sentences(" ".join(self.sentences), starts, WHOLE)
        return sum(start <= starts[sentence] for start, _ in spans) - 1

    def _starts(self) -> list[int]:
        return list(accumulate((len(sentence) + 1 for sentence in self.sentences[:-1]), initial=0))


def abstracts(field: Field) -> Iterator[Abstract]:
    """Every abstract of a field, those of one topic apart from each other."""
    chosen = [
        (topic, study)
        for topic in range(field.topics)
        for study in python_rng(field.seed, "biomed", "studies", topic).sample(studies(), PER_TOPIC)
    ]
    python_rng(field.seed, "biomed", "order").shuffle(chosen)
    for topic, study in chosen:
        yield write_abstract(field, topic, study)


def write_abstract(field: Field, topic: int, study: Study) -> Abstract:
    """The abstract of one study of a topic."""
    rng = python_rng(field.seed, "biomed", "abstract", topic, study.name)
    names = field.topic(topic)
    writer = Writer(names, rng)
    first, *rest = study.findings
    count = min(rng.choice(FINDINGS), len(study.findings))
    plan: list[Finding | str] = [*rng.sample(rest, count - 1)]
    for filler in rng.sample(methods().methods, rng.choice(FILLERS)):
        plan.insert(rng.randint(0, len(plan)), filler)
    stated: list[Stated] = []
    sentences = [writer.sentence(rng.choice(study.openings))]
    for item in (first, *plan):
        if isinstance(item, str):
            sentences.append(writer.sentence(item))
            continue
        values = {slot: _drawn(draw, field, names, rng) for slot, draw in item.draws.items()}
        lead = rng.choice(methods().leads) if rng.random() < LEAD else ""
        sentences.append(writer.sentence(rng.choice(item.says), values, lead))
        stated.append(Stated(item, {**names, **values}, writer.told, len(sentences) - 1))
    sentences.append(writer.sentence(rng.choice(study.closings)))
    title = capitalise(fill(rng.choice(study.titles), lambda slot: names[slot].text, rng))
    return Abstract(title, tuple(sentences), tuple(stated))


class Writer:
    """Writes the sentences of one abstract, in order.

    A disease is named in full with its abbreviation at first, by either later.
    """

    def __init__(self, names: Mapping[str, Name], rng: random.Random) -> None:
        self._names, self._rng = names, rng
        self._introduced = False
        self.told = frozenset[str]()  # slots of the last sentence

    def sentence(
        self, template: str, values: Mapping[str, Name] | None = None, lead: str = ""
    ) -> str:
        """A template as a sentence, after a connecting phrase; `values` go before topic names."""
        found = {**self._names, **(values or {})}
        pen = Pen()
        pen.render(parse(template), lambda slot: self._spell(slot, found[slot]), self._rng)
        self.told = frozenset(slot for slot, _, _ in pen.spans)
        text = pen.text()
        if lead:
            named = pen.spans and pen.spans[0][1] == 0
            plain = text[:1].lower() + text[1:] if text[1:2].islower() and not named else text
            text = f"{fill(lead, str, self._rng)} {plain}"
        # "miR-5127" and "p.Arg214Trp" keep their small letters.
        return (capitalise(text) if text.split()[0].islower() else text) + "."

    def _spell(self, slot: str, name: Name) -> str:
        if slot != "disease":
            return name.text
        if not self._introduced:
            self._introduced = True
            return f"{name.text} ({name.synonyms[0]})"
        return self._rng.choice(name.answers)


def _drawn(draw: Draw, field: Field, names: Mapping[str, Name], rng: random.Random) -> Name:
    """A value that is none of the topic's own names."""
    while (value := draw(field, rng)) in names.values():
        pass
    return value
