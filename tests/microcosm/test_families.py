"""A family of one's own is told of; a mistake in it is one line with file, line and reason."""

import random
import re
from pathlib import Path

import pytest

from ecqg.errors import InputError
from ecqg.microcosm import families
from ecqg.microcosm.__main__ import main
from ecqg.microcosm.families import catalogue, files
from ecqg.microcosm.layout import values_of
from ecqg.microcosm.questions import Asker, askables
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.world import World

EXAMPLE = Path(__file__).parents[2] / "families/lighthouse.yaml"
TOLD = ("person", "settlement", "lighthouse")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example in a folder of its own, where it may be changed."""
    monkeypatch.setattr(families, "OWN", tmp_path)
    file = tmp_path / "lighthouse.yaml"
    file.write_bytes(EXAMPLE.read_bytes())
    return file


def articles(world: World, family: str) -> list[Article]:
    indices = range(world.passages)
    return [write_article(world, i) for i in indices if world.locate(i)[0] == family]


def test_a_family_of_ones_own_is_told_of_and_asked_about(own: Path) -> None:
    world = World(1, 1200, TOLD)
    asker, rng = Asker(world), random.Random(1)
    told = articles(world, "lighthouse")
    assert len(told) > 40
    assert len({article.title for article in told}) == len(told)
    asked = set()
    for article in told:
        assert article.text.startswith(article.title)
        assert 60 <= article.text.count(" ") + 1 <= 110
        for ask in askables(article):
            asked |= {
                (ask.statement.fact.name, ask.slot) for _ in [0] if asker.write("train", ask, rng)
            }
    assert {("built", "builder"), ("keeper", "pet"), ("height", "steps"), ("poem", "poet")} <= asked
    assert files(TOLD)[-1] == own


def test_relations_of_a_family_of_ones_own_agree_from_both_sides(own: Path) -> None:
    world = World(1, 1200, TOLD)
    for ordinal in range(world.count("lighthouse")):
        family, builder = world.follow("builder", "lighthouse", ordinal)
        assert (family, world.trade(builder)) == ("person", "engineer")
        assert ordinal in world.linked("lighthouse", "builder", builder)
        known = world.attributes("lighthouse", ordinal)
        born = int(world.attributes("person", builder)["born"].text)
        assert 25 <= int(known["since"].text) - born <= 50
        assert known["builder"].text == world.title("person", builder)
        fact = world.families["lighthouse"].definition
        assert values_of(world, world.families["lighthouse"], ordinal, fact) is not None


def test_other_families_are_not_touched_by_files_that_nobody_names(own: Path) -> None:
    world = World(1, 400)
    assert "lighthouse" not in world.things
    assert list(world.families) == ["person", "company", "settlement", "novel", "film", "battle"]


# What is replaced by what, what stands on the line that the message names, and the message.
MISTAKES = [
    ("type: FAC", "type: HOUSE", "type:", "no type HOUSE; choose from PERSON"),
    ("in_a_cycle: 2", "in_a_cycle: two", "in_a_cycle", "'two' is no whole number from 1"),
    ("in_a_cycle: 2", "in_cycle: 2", "in_cycle", "unknown key in_cycle; known are in_a_cycle,"),
    ("links:", "relations:", "relations", "unknown key relations; known are in_a_cycle"),
    ("builder: engineer", "builder: enginer", "links:", "no family or trade enginer; choose from"),
    ("{surname: [Light, Beacon]}", "town", "title:", "'town' is no mapping"),
    ("{surname: [Light, Beacon]}", "{own_town: Light}", "title:", "a title that is no 'surname'"),
    ("{surname: [Light, Beacon]}", "{surname: []}", "title:", "nothing to choose from"),
    ("in_a_cycle: 2", "in_a_cycle: 0", "in_a_cycle", "'0' is no whole number from 1 to 100"),
    (
        "{link: port}",
        "{link: harbour}",
        "{link: harbour",
        "no link harbour; choose from builder, port",
    ),
    ("builder.born, after", "builder.birth, after", "birth", "there is no year builder.birth"),
    ("after: [25, 50]", "after: [50, 25]", "[50, 25]", "50 is above 25"),
    ("  noun: [", "  nouns: [", "  nouns", "no noun; add what things of the family are called"),
    ("noun: [lighthouse, harbour light]", "noun: trade", "noun: trade", "no way to draw trade"),
    ("alone_in: port", "alone_in: sea", "alone_in: sea", "no group sea; choose from builder"),
    ("the {noun} of {place}", "the {noun} of {town}", "{town}", "there is no slot {town}; here"),
    ("[spring|autumn]", "[spring|autumn", "[spring", "brackets that do not close"),
    ("zone: late", "zone: end", "zone: end", "no zone end; choose from early, any, late"),
    ("{person: any, ali", "{person: cook, ali", "cook", "no trade cook; choose from any"),
    ("{person: any, ali", "{persn: any, ali", "persn", "keeper is drawn by nothing known"),
    ("alive: from}", "alive: pet}", "alive: pet", "there is no year pet"),
    ("alive: from}", "sex: other}", "sex: other", "no sex other; choose from woman, man"),
    ("pet: [parrot,", "Pet: [parrot,", "Pet:", "Pet is no name of a slot"),
    ("with a {pet}", "with a {dog}", "{dog}", "there is no slot {dog}; here may stand"),
    (
        "who kept {S}",
        "was {keeper} in {S}",
        "was {keeper} in",
        "a question for {keeper} that names",
    ),
    ("{keeper} bring to {D}?", "{keeper} bring?", "bring?", "a clue without {D}"),
    ('keyword: "{S} keeper"', "", "train: |\n          who was the keeper", "no keyword; add"),
    ('keyword: "{S} keeper"', "keyword: {S} keeper", "keyword: {S} keeper", "not YAML"),
    ("steps:\n        train", "stair:\n        train", "train: how many", "there is no slot stair"),
    ("verbs: has {steps}", "verbs: has {noun}", "verbs: has {noun}", "there is no slot {noun}"),
    ("verbs: has {steps} steps", "verbs: &x has\nmore: *x", "more:", "an alias; write out"),
    ("shared: [history,", "shared: [tales,", "shared:", "no shared fact tales; choose from"),
    ("[history, poem, documentary, jubilee, lawsuit,", "[", "keeper:", "4 facts that hold of"),
    ("passages: [1]", "passages: [2, 1]", "keeper:", "8 facts that hold of everything"),
    ("{S} is a {noun} by", "This is a {noun} by", "This is", "a definition without {S}"),
    ("since: attribute", "since: {number: [1, 3]}", "since: {number", "since is no attribute"),
    ("  height:", "  keeper:", "  keeper:\n    zone: early", "keeper stands twice; keep one"),
    ("  height:", "  poem:", "in_a_cycle", "two facts poem; name one otherwise"),
]


@pytest.mark.parametrize(("old", "new", "at", "message"), MISTAKES)
def test_a_mistake_is_told_with_file_line_and_reason(
    own: Path, old: str, new: str, at: str, message: str
) -> None:
    before = own.read_text(encoding="utf-8")
    assert old in before
    text = before.replace(old, new, 1)
    own.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        catalogue(TOLD)
    line = text[: text.index(at)].count("\n") + 1
    assert str(caught.value).startswith(f"{own}:{line}: {message}"), caught.value


def test_shared_facts_need_what_they_name(own: Path) -> None:
    text = own.read_text(encoding="utf-8").replace("since", "finished")
    own.write_text(text, encoding="utf-8")
    place = text[: text.index("shared:")].count("\n") + 1
    with pytest.raises(InputError, match=rf":{place}: history does not fit here \(.*others\.yaml:"):
        catalogue(TOLD)


def test_families_that_are_not_there_are_refused(own: Path) -> None:
    for name in ("dragon", "university", "../lighthouse"):
        with pytest.raises(InputError, match=f"no article type {re.escape(name)}; choose from"):
            catalogue(("person", name))
    own.write_text("")
    with pytest.raises(InputError, match="an empty file"):
        catalogue(TOLD)
    own.write_text("[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        catalogue(TOLD)


def test_samples_are_printed_and_a_mistake_is_one_line(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for family in ("novel", "lighthouse"):
        arguments = ["microcosm", "--family", family, "--passages", "2", "--world", "600"]
        monkeypatch.setattr("sys.argv", arguments)
        main()
        assert len(re.findall(rf"^\d+  .*\({family}\)$", capsys.readouterr().out, re.M)) == 2
    own.write_text(own.read_text(encoding="utf-8").replace("zone: late", "zone: end"))
    with pytest.raises(SystemExit, match=rf"^{re.escape(str(own))}:61: no zone end; choose from"):
        main()
