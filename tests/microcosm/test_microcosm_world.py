from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.microcosm.layout import values_of
from ecqg.microcosm.names import Link, Permutation
from ecqg.microcosm.world import World


@given(st.integers(1, 500), st.integers(0, 2**40))
def test_a_permutation_hits_everything_once_and_can_be_undone(n: int, seed: int) -> None:
    permutation = Permutation(n, seed, "test")
    images = [permutation(x) for x in range(n)]
    assert sorted(images) == list(range(n))
    assert [permutation.inverse(y) for y in images] == list(range(n))


@given(st.integers(1, 300), st.integers(1, 40), st.integers(0, 2**40))
def test_a_link_reads_the_same_both_ways(sources: int, targets: int, seed: int) -> None:
    link = Link(sources, targets, seed, "test")
    expected: dict[int, set[int]] = {target: set() for target in range(targets)}
    for source in range(sources):
        expected[link.target(source)].add(source)
    for target in range(targets):
        found = link.inverse(target)
        assert len(found) == len(set(found))
        assert set(found) == expected[target]


@pytest.mark.parametrize("passages", [200, 777, 3500])
def test_every_passage_has_its_place(passages: int) -> None:
    world = World(3, passages)
    seen = Counter()
    for index in range(passages):
        family, ordinal, part = world.locate(index)
        assert world.index(family, ordinal, part) == index
        assert part < world.parts(family, ordinal)
        seen[family] += part == 0
    assert seen == {family: world.count(family) for family in world.families}


def test_names_are_unique_in_a_large_world() -> None:
    world = World(1, 100_000)
    titles = Counter(
        world.title(family, ordinal)
        for family in world.things
        for ordinal in range(world.count(family))
    )
    assert len(titles) > 40_000
    assert max(titles.values()) == 1
    people = world.count("person") + world.minors
    assert len({world.person_name(person)[2] for person in range(people)}) == people


def test_surnames_are_shared_alike_in_a_small_and_a_large_world() -> None:
    for passages in (1000, 20_000):
        world = World(1, passages)
        people = world.count("person") + world.minors
        surnames = Counter(world.person_name(person)[1] for person in range(people))
        assert 5 < people / len(surnames) < 60


def test_namesakes_are_found_without_searching() -> None:
    world = World(2, 1500)
    people = range(world.count("person"))
    by_surname: dict[str, set[int]] = {}
    for person in people:
        by_surname.setdefault(world.person_name(person)[1], set()).add(person)
    for person in people:
        assert set(world.namesakes(person)) == by_surname[world.person_name(person)[1]]


def test_no_two_articles_of_a_family_name_the_same_person_in_the_same_fact() -> None:
    world = World(5, 2500)
    checked = 0
    for family in world.families.values():
        for fact in family.facts:
            for slot in (slot for slot, draw in fact.draws.items() if draw.kind == "person"):
                stated = [
                    values_of(world, family, ordinal, fact)
                    for ordinal in range(world.count(family.name))
                ]
                people = [values[slot].text for values in stated if values is not None]
                assert len(people) == len(set(people)), (family.name, fact.name, slot)
                checked += len(people)
    assert checked > 5000


def test_a_spouse_is_of_the_other_sex_and_nobody_marries_themself() -> None:
    world = World(1, 2000)
    family = world.families["person"]
    fact = next(fact for fact in family.facts if fact.name == "marriage")
    for ordinal in range(world.count("person")):
        values = values_of(world, family, ordinal, fact)
        if values is not None:
            found = values["spouse"]
            first = found.text.split()[0]
            from ecqg.microcosm.names import FEMALE

            assert (first in FEMALE) != world.is_woman(ordinal)
            assert found.text != world.title("person", ordinal)


def test_relations_agree_from_both_sides() -> None:
    """A novelist's article names a book that names the novelist."""
    world = World(4, 3000)
    people = world.families["person"]
    wrote = next(fact for fact in people.facts if fact.name == "novel")
    checked = 0
    for ordinal in range(world.count("person")):
        values = values_of(world, people, ordinal, wrote)
        if values is None:
            continue
        assert world.trade(ordinal) == "novelist"
        title = values["work"].text.strip('"')
        book = next(o for o in range(world.count("novel")) if world.title("novel", o) == title)
        assert world.attributes("novel", book)["maker"].text == world.title("person", ordinal)
        checked += 1
    assert checked > 10
    assert world.things["novel"].frame == '"{}"'


def test_a_world_that_is_too_small_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"^params\.yaml: a world of .* microcosm\.passages"):
        World(1, 50)


def test_only_the_chosen_types_of_article_are_told() -> None:
    world = World(1, 400, ("person", "novel"))
    assert {world.locate(index)[0] for index in range(400)} == {"person", "novel"}
    assert world.count("building") > 0  # named all the same
    with pytest.raises(InputError, match="no article type bulding"):
        World(1, 400, ("person", "bulding"))
    with pytest.raises(InputError, match="lacks person"):
        World(1, 400, ("novel",))
