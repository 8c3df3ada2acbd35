"""Perfect questions, judged by the world's wordings; and questions put on a wrong passage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.microcosm import testsets
from ecqg.microcosm.grammar import Choice, Slot, Template, parse
from ecqg.microcosm.questions import askables, widen
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.testsets import Drawer
from ecqg.microcosm.validity import Judge, words
from ecqg.microcosm.world import World
from ecqg.params import Microcosm, Params, QuestionSet, load_params
from ecqg.profiles import FOLDER
from ecqg.questions import world as asking
from ecqg.questions.format import find_mentions
from ecqg.stages import generate
from ecqg.stages import world as world_stage
from ecqg.tables import read_values

pytestmark = pytest.mark.slow

FAMILIES = ("person", "company", "settlement", "novel", "battle")
BIAS = (40.0, 25.0, 15.0, 10.0, 6.0, 4.0)
SIZE, ASKED = 1500, 400  # passages, and those that are asked about


@pytest.fixture(scope="module")
def world() -> World:
    made = World(3, SIZE, FAMILIES)
    vars(made)["is_alone"] = cache(made.is_alone)  # asked for again and again
    return made


@pytest.fixture(scope="module")
def articles(world: World) -> list[Article]:
    return [write_article(world, index) for index in range(SIZE)]


@pytest.fixture(scope="module")
def judge(world: World) -> Judge:
    """It keeps the wordings of the passages that it has seen."""
    return Judge(world)


@pytest.fixture
def known(world: World, articles: list[Article], monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are drawn anew, but of the world and the passages that are there already."""

    def same(*settings: Any) -> World:
        assert settings[:3] == (3, SIZE, FAMILIES)
        return world

    monkeypatch.setattr(asking, "World", same)
    monkeypatch.setattr(testsets, "write_article", lambda world, index: articles[index])


@pytest.fixture
def params(articles: list[Article], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    return write_selected(articles)


@pytest.fixture(scope="module")
def clean(articles: list[Article], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is written of each question set where nothing else is said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("clean"))
        params = write_selected(articles)
        return {name: written(params, name) for name in ("free", "about")}


def write_selected(articles: list[Article]) -> Params:
    """The world's collection, of whose passages ASKED are selected, with an entity each."""
    write_passages(
        paths.collection() / PASSAGES,
        [Passage(a.index, a.id, a.title, a.text, a.starts) for a in articles],
    )
    rng = Random(1)
    rows = sorted(rng.sample(range(SIZE), ASKED))
    write_jsonl(paths.selected("free"), ({"row": row} for row in rows))
    write_jsonl(paths.selected("about"), (entity(articles[row], rng) for row in rows))
    default = load_params(FOLDER / "microcosm.yaml")
    settings = replace(
        default.microcosm, world_seed=3, passages=SIZE, families=FAMILIES, sentence_bias=BIAS
    )
    sets = {
        name: QuestionSet("world", about, ASKED, 2, (), 0.0)
        for name, about in (("free", None), ("about", "lowest"))
    }
    return replace(default, microcosm=settings, question_sets=sets)


def entity(article: Article, rng: Random) -> dict[str, Any]:
    """Any value that the article states, in a sentence that it answers questions about."""
    places = [
        span
        for statement in article.statements
        for slot, span in statement.spans.items()
        if slot in statement.values and statement.fact.asks
    ]
    start, end = rng.choice(places)
    return {"row": article.index, "entity": article.text[start:end], "start": start, "end": end}


def written(params: Params, name: str, **changes: Any) -> list[dict[str, Any]]:
    changed = replace(params.question_sets[name], **changes)
    params = replace(params, question_sets={name: changed})
    world_stage.run(params)
    generate.run(params, name)
    return list(read_jsonl(paths.generated(name)))


def share_right(judge: Judge, records: Sequence[dict[str, Any]]) -> float:
    verdicts = [judge.verdict(r["row"], r["question"], r["answer"]) for r in records]
    return sum(verdict.right for verdict in verdicts) / len(verdicts)


@pytest.mark.parametrize("name", ["free", "about"])
def test_perfect_questions_are_right(
    params: Params, judge: Judge, clean: dict[str, Any], name: str
) -> None:
    records = written(params, name)
    assert len(records) >= 0.95 * 2 * ASKED
    assert share_right(judge, records) >= 0.97
    assert {r["row"] for r in records} <= {r["row"] for r in read_jsonl(paths.selected(name))}
    assert len({r["id"] for r in records}) == len(records)
    assert [r["row"] for r in records] == sorted(r["row"] for r in records)
    assert all(r["passage_id"] == str(r["row"] + 1) for r in records)
    assert read_values(paths.generation_metrics(name))["questions"] == len(records)
    assert clean[name] == records  # the same again


@pytest.mark.parametrize(("name", "share"), [*product(["free", "about"], [0.2, 0.5]), ("free", 1)])
def test_noise_is_the_share_of_questions_on_a_wrong_passage(
    params: Params, known: None, judge: Judge, clean: dict[str, Any], name: str, share: float
) -> None:
    noisy = written(params, name, wrong_passage=share)
    # Nothing but the passage changes.
    for one, other in zip(clean[name], noisy, strict=True):
        assert {**other, "row": one["row"], "passage_id": one["passage_id"]} == one
        assert other["passage_id"] == str(other["row"] + 1)
    moved = [(a["row"], b["row"]) for a, b in zip(clean[name], noisy, strict=True) if a != b]
    assert len(moved) / len(noisy) == pytest.approx(share, abs=0.05)
    assert len({row for _, row in moved}) > 0.6 * len(moved)  # any passage, not a few
    assert share_right(judge, noisy) == pytest.approx(1 - share, abs=0.06)


def test_sentences_are_asked_about_as_gold_questions_do(
    clean: dict[str, Any], articles: list[Article]
) -> None:
    """The answer's first sentence by brute force: some answers stand in more than one."""
    counts = Counter[int]()
    for record in clean["free"]:
        article = articles[record["row"]]
        (place, *_) = (
            ask.sentence
            for ask in askables(article)
            if words(ask.answer) == words(record["answer"])
        )
        counts[place] += 1
    total = counts.total()
    for place, weight in enumerate(BIAS):
        assert counts[place] / total == pytest.approx(weight / sum(BIAS), abs=0.05)


def test_the_entity_is_asked_about_or_its_sentence(
    params: Params, known: None, articles: list[Article]
) -> None:
    named = answered = near = 0
    for record in written(params, "about", questions=1):
        article = articles[record["row"]]
        if find_mentions(record["question"], record["entity"]):
            named += 1
        elif find_mentions(record["answer"], record["entity"]):
            answered += 1
        else:
            near += 1
            place = sum(start <= record["start"] for start in article.starts) - 1
            answers = {words(ask.answer) for ask in askables(article) if ask.sentence == place}
            assert words(record["answer"]) in answers
    assert named > answered > 0
    assert near < 0.1 * (named + answered)


def pattern(template: Template) -> str:
    """What a wording can become: any text in a slot, "a" or "an" for either."""
    texts = []
    for part in template:
        if isinstance(part, Slot):
            texts.append(".+")
        elif isinstance(part, Choice):
            texts.append(f"(?:{'|'.join(map(pattern, part))})")
        else:
            texts.append(re.sub(r"\ban?\b", "an?", re.escape(part.lower())))
    return "".join(texts)


@cache
def compiled(wording: str) -> re.Pattern[str]:
    return re.compile(pattern(parse(widen(wording))))


@pytest.mark.parametrize("name", ["free", "about"])
def test_only_training_wordings_are_used(
    world: World, articles: list[Article], clean: dict[str, Any], name: str
) -> None:
    def is_worded(question: str, row: int, register: str) -> bool:
        wordings = (
            wording
            for ask in askables(articles[row])
            for wording in ask.statement.fact.asks[ask.slot][register]
        )
        return any(compiled(wording).fullmatch(question) for wording in wordings)

    records = clean[name]
    assert all(is_worded(r["question"], r["row"], "train") for r in records)
    held = Drawer(world, 1).by_sentence("held", 300, None, "held", set())
    assert sum(is_worded(one.text, one.ask.article.index, "train") for one in held) < 30


def test_passages_of_others_and_too_many_questions_are_one_line(
    params: Params, articles: list[Article]
) -> None:
    message = r"^params\.yaml: no 8000 questions for generated in 400 passages"
    with pytest.raises(InputError, match=message):
        written(params, "free", questions=20)
    others = [Passage(a.index, a.id, a.title, "Nobody knows.", (0,)) for a in articles]
    write_passages(paths.collection() / PASSAGES, others)
    for name in ("free", "about"):
        with pytest.raises(InputError, match=r"passage \d+ is not the world's, which asks about"):
            written(params, name)


def test_a_family_of_the_repository_goes_with_the_world(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the folder is written, the file in families/ is not read again."""
    from ecqg.microcosm import families

    own = Path("families/lighthouse.yaml")
    own.parent.mkdir()
    own.write_bytes((FOLDER.parents[2] / own).read_bytes())
    told = (*FAMILIES, "lighthouse")
    settings: Microcosm = replace(params.microcosm, families=told)
    larger = World(3, SIZE, told)
    passages = [write_article(larger, index) for index in range(SIZE)]
    write_passages(
        paths.collection() / PASSAGES,
        [Passage(a.index, a.id, a.title, a.text, a.starts) for a in passages],
    )
    params = replace(params, microcosm=settings)
    world_stage.run(params)
    monkeypatch.setattr(families, "OWN", Path("nowhere"))
    generate.run(params, "free")
    records = list(read_jsonl(paths.generated("free")))
    assert {passages[r["row"]].family for r in records} >= {"lighthouse"}


def test_a_world_that_data_do_not_come_from_has_nothing_to_say(params: Params) -> None:
    world_stage.run(replace(params, source="squad"))
    assert not [*paths.generator(paths.WORLD).iterdir()]
    assert len(Passages(paths.collection() / PASSAGES)) == SIZE
