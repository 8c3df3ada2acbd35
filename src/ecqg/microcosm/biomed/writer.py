"""The far-domain collection as a folder: abstracts in passages, and factoid questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from ecqg.corpus.cutting import pack_sentences
from ecqg.corpus.words import words
from ecqg.microcosm.biomed.findings import Finding, Study, methods, studies
from ecqg.microcosm.biomed.vocabulary import Field, Name
from ecqg.microcosm.grammar import Pen, capitalise, fill, parse, slots
from ecqg.microcosm.side import Row, draw_rows, write_side
from ecqg.params import SideCollection
from ecqg.seeds import derive, python_rng

PER_TOPIC = 3  # studies of each topic
FINDINGS = (5, 6, 7)  # of an abstract, each as often
FILLERS = (2, 3, 4, 5)  # sentences on methods
WORDINGS = 2  # of a question that are drawn, of which the nearest to the passage is taken
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
    """A title, sentences, what they state, and the text's passages.

    `places` are the passages that the sentences begin in.
    """

    title: str
    sentences: tuple[str, ...]
    stated: tuple[Stated, ...]
    passages: tuple[str, ...]
    places: tuple[int, ...]


def write_biomed(folder: Path, settings: SideCollection, world_seed: int, seed: int) -> None:
    """Write passages.tsv, test.qa.tsv and test.qrels.

    The abstracts follow from `world_seed`, the questions drawn about them from `seed`. Raises
    InputError where the abstracts do not give that many questions, or names run out.
    """
    told = fitting(world_seed, settings.passages)
    texts = ((abstract.title, passage) for abstract in told for passage in abstract.passages)
    write_side(folder, texts, draw(told, settings.questions, seed))


def fitting(world_seed: int, count: int) -> list[Abstract]:
    """The abstracts that `count` passages hold whole."""
    whole: list[Abstract] = []
    for abstract in abstracts(field_for(world_seed, count)):
        if len(abstract.passages) <= count:
            whole.append(abstract)
            count -= len(abstract.passages)
    return whole


def field_for(world_seed: int, count: int) -> Field:
    """The field of which `count` passages tell. Raises InputError where its names run out."""
    # A topic has three abstracts, an abstract one or two passages, 4.8 to a topic on average.
    return Field(derive(world_seed, "biomed"), topics=2 + count // 4)


def draw(told: Sequence[Abstract], count: int, seed: int) -> list[Row]:
    """`count` factoid questions, each about another slot of a finding, all abstracts alike.

    BioASQ's questions share many words with their gold passages (AugDPR sec. 4): of WORDINGS drawn
    among those that fit, a question has the one with the most of its words in its passage.
    """
    rng = python_rng(seed, "microcosm", "biomed")
    firsts = list(accumulate((len(abstract.passages) for abstract in told), initial=0))
    used, questions = set[tuple[int, str, str]](), set[str]()

    def one() -> Row | None:
        number = rng.randrange(len(told))
        abstract = told[number]
        stated = rng.choice(abstract.stated)
        slot = rng.choice(list(stated.finding.asks))
        templates = usable(stated, slot)
        key = (number, stated.finding.name, slot)
        if not templates or key in used:
            return None
        part = abstract.places[stated.sentence]
        held = frozenset(words(f"{abstract.title} {abstract.passages[part]}"))

        def coverage(question: str) -> float:
            asked = frozenset(words(question))
            return len(asked & held) / len(asked)

        drawn = rng.sample(templates, min(WORDINGS, len(templates)))
        question = max([fill(template, stated.word, rng) for template in drawn], key=coverage)
        row = Row(question, stated.values[slot].answers, (firsts[number] + part,))
        if row.tells or question in questions:
            return None
        used.add(key)
        questions.add(question)
        return row

    return draw_rows(count, one, "biomed", "abstracts")


def usable(stated: Stated, slot: str) -> list[str]:
    """The questions for a slot that the sentence answers, by what is known without it.

    A question may name the topic's gene, drug, disease and trial, which the abstract is about,
    and of the finding what the sentence tells.
    """
    if slot not in stated.told:
        return []
    known = (set(stated.values) - set(stated.finding.draws)) | stated.told
    return [ask for ask in stated.finding.asks[slot] if slots(ask) <= known - {slot}]


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
    """The abstract of one study of a topic.

    A disease is named in full with its abbreviation at first, by either later.
    """
    rng = python_rng(field.seed, "biomed", "abstract", topic, study.name)
    names = field.topic(topic)
    sentences: list[str] = []
    stated: list[Stated] = []
    introduced = False

    def spell(slot: str, name: Name) -> str:
        nonlocal introduced
        if slot != "disease":
            return name.text
        if introduced:
            return rng.choice(name.answers)
        introduced = True
        return f"{name.text} ({name.synonyms[0]})"

    def say(template: str, values: Mapping[str, Name] = names, lead: str = "") -> frozenset[str]:
        """Write a sentence, after a connecting phrase if any. Returns the slots that it tells."""
        pen = Pen()
        pen.render(parse(template), lambda slot: spell(slot, values[slot]), rng)
        text = pen.text
        if lead:
            named = pen.spans and pen.spans[0][1] == 0
            plain = text[:1].lower() + text[1:] if text[1:2].islower() and not named else text
            text = f"{fill(lead, str, rng)} {plain}"
        # "miR-5127" and "p.Arg214Trp" keep their small letters.
        sentences.append((capitalise(text) if text.split()[0].islower() else text) + ".")
        return frozenset(slot for slot, _, _ in pen.spans)

    first, *rest = study.findings
    count = min(rng.choice(FINDINGS), len(study.findings))
    plan: list[Finding | str] = [*rng.sample(rest, count - 1)]
    for filler in rng.sample(methods()[0], rng.choice(FILLERS)):
        plan.insert(rng.randint(0, len(plan)), filler)
    say(rng.choice(study.openings))
    for item in (first, *plan):
        if isinstance(item, str):
            say(item)
            continue
        values = dict(names)
        for slot, draw_name in item.draws.items():
            while (value := draw_name(field, rng)) in names.values():
                pass  # none of the topic's own
            values[slot] = value
        lead = rng.choice(methods()[1]) if rng.random() < LEAD else ""
        told = say(rng.choice(item.says), values, lead)
        stated.append(Stated(item, values, told, len(sentences) - 1))
    say(rng.choice(study.closings))
    title = capitalise(fill(rng.choice(study.titles), lambda slot: names[slot].text, rng))
    starts = list(accumulate((len(sentence) + 1 for sentence in sentences[:-1]), initial=0))
    text = " ".join(sentences)
    spans = pack_sentences(text, starts)
    return Abstract(
        title,
        tuple(sentences),
        tuple(stated),
        tuple(text[start:end] for start, end in spans),
        tuple(sum(begin <= start for begin, _ in spans) - 1 for start in starts),
    )
