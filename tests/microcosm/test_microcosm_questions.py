import random
from collections import defaultdict

import pytest

from ecqg.microcosm.families import catalogue
from ecqg.microcosm.families.articles import REGISTERS, Fact, Family
from ecqg.microcosm.grammar import slots
from ecqg.microcosm.questions import Asker, agree, askables, widen
from ecqg.microcosm.realise import write_article
from ecqg.microcosm.world import World

FAMILIES = list(catalogue(())[1].values())
FACTS = [
    pytest.param(family, fact, id=f"{family.name}.{fact.name}")
    for family in FAMILIES
    for fact in (family.definition, *family.facts)
]


@pytest.mark.parametrize(("family", "fact"), FACTS)
def test_the_data_of_a_fact_are_complete(family: Family, fact: Fact) -> None:
    assert len(fact.says) >= 4
    stated = set().union(*(slots(says) for says in fact.says))
    assert set(fact.draws) <= stated, "a slot that is never told"
    assert all(says.count("{S") <= 1 for says in fact.says)
    trained = [wording for ask in fact.asks.values() for wording in ask["train"]]
    assert len(trained) >= 3
    for slot, ask in fact.asks.items():
        assert slot in fact.draws
        assert list(ask) == list(REGISTERS) and all(ask.values())
        for wording in (wording for wordings in ask.values() for wording in wordings):
            used = slots(wording)
            assert slot not in used, f"gives the answer away: {wording}"
            assert used <= {*fact.draws, "S", "S's", "D", "noun"}, wording
            # Whom no other article names in the same fact identifies the article.
            unique = {s for s in used & set(fact.draws) if fact.draws[s].kind == "person"}
            assert used & {"S", "S's", "D"} or unique, f"asks about anything: {wording}"
        assert all("D" in slots(wording) for wording in ask["clue"])


def test_held_out_wordings_are_in_no_training_register() -> None:
    train, held = set(), set()
    for family in FAMILIES:
        for fact in (family.definition, *family.facts):
            for ask in fact.asks.values():
                train |= set(ask["train"])
                held |= set(ask["held"])
    assert len(held) > 300
    assert not train & held
    assert not {widen(w) for w in train} & {widen(w) for w in held}


def test_there_are_ten_kinds_of_fact_or_more_of_each_type() -> None:
    for family in FAMILIES:
        assert len(family.facts) >= 10, family.name


def test_synonyms_leave_slots_alone_and_articles_agree() -> None:
    assert (
        widen("who wrote a {film} about {S}")
        == "who [wrote a|authored a|penned a] {film} about {S}"
    )
    assert agree("who is a artist and a university man of a one") == (
        "who is an artist and a university man of a one"
    )


@pytest.mark.slow
def test_a_question_belongs_to_one_fact() -> None:
    world = World(1, 1500, ("person", "company", "settlement", "novel", "battle"))
    asker, rng = Asker(world), random.Random(1)
    asked: dict[str, set[str]] = defaultdict(set)
    for index in range(world.passages):
        for ask in askables(write_article(world, index)):
            for register in REGISTERS:
                question = asker.write(register, ask, rng)
                if question is not None:
                    assert ask.answer.lower() not in question.lower()
                    asked[question].add(ask.key)
    assert len(asked) > 50_000
    assert [question for question, facts in asked.items() if len(facts) > 1] == []


@pytest.mark.slow
def test_registers_look_as_they_should() -> None:
    world = World(1, 600)
    asker, rng = Asker(world), random.Random(1)
    lengths: dict[str, list[int]] = defaultdict(list)
    for index in range(world.passages):
        for ask in askables(write_article(world, index)):
            for register in REGISTERS:
                question = asker.write(register, ask, rng)
                if question is None:
                    continue
                lengths[register].append(len(question.split()))
                if register == "clue":
                    assert question[0].isupper() or question[0] == '"'
                    assert question[-1] in "?."
                else:
                    assert question == question.lower()
                    assert "?" not in question
    means = {name: sum(counts) / len(counts) for name, counts in lengths.items()}
    assert means["keyword"] < means["train"] < means["clue"]
    assert means["keyword"] < 6
    assert means["clue"] > 14
