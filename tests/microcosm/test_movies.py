import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import read_questions
from ecqg.errors import InputError
from ecqg.microcosm.movies import draw, film_articles, relations, stated, write_movies
from ecqg.microcosm.realise import Article
from ecqg.params import SideCollection

FILES = ("passages.tsv", "test.qa.tsv", "test.qrels")


@pytest.fixture(scope="module")
def articles() -> list[Article]:
    return list(film_articles(1, 500))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("movies") / "movies"
    write_movies(folder, SideCollection(500, 200), world_seed=1, seed=1)
    return folder


def passages(folder: Path) -> list[dict[str, str]]:
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def tokens(text: str) -> str:
    return " " + " ".join(re.findall(r"\w+", text.lower())) + " "


def test_all_passages_are_about_films(folder: Path, articles: list[Article]) -> None:
    rows = passages(folder)
    assert [row["id"] for row in rows] == [str(i + 1) for i in range(500)]
    assert [row["text"] for row in rows] == [article.text for article in articles]
    assert {article.family for article in articles} == {"film"}
    assert len({row["text"] for row in rows}) == 500


def test_questions_have_all_their_answers_in_passages(folder: Path) -> None:
    questions = read_questions(folder / "test.qa.tsv")
    assert len({question.text for question in questions}) == len(questions) == 200
    texts = [tokens(row["text"]) for row in passages(folder)]
    for question in questions:
        assert question.text.endswith("?")
        for answer in question.answers:
            assert any(tokens(answer) in text for text in texts), (question, answer)
            assert tokens(answer) not in tokens(question.text)


def test_answers_are_those_of_the_film_asked_about(folder: Path, articles: list[Article]) -> None:
    """Where the question names a film, one of its passages holds each answer that is no genre."""
    by_title: dict[str, str] = {}
    for article in articles:
        by_title[article.title] = by_title.get(article.title, "") + tokens(article.text)
    checked = 0
    for question in read_questions(folder / "test.qa.tsv"):
        title = next((t for t in by_title if t in question.text), None)
        if title is not None:
            checked += 1
            assert all(tokens(answer) in by_title[title] for answer in question.answers)
    assert checked > 100


def test_every_judged_passage_answers_the_question(folder: Path, articles: list[Article]) -> None:
    """The films asked about or for, and no passage on another film that tells an answer."""
    judged = read_qrels(folder / "test.qrels")
    questions = read_questions(folder / "test.qa.tsv")
    assert list(judged) == [question.id for question in questions]
    titles = {article.title for article in articles}
    several = 0
    for question in questions:
        named = {title for title in titles if tokens(title) in tokens(question.text)}
        found = {articles[int(passage) - 1].title for passage in judged[question.id]}
        assert found <= named if named else found == set(question.answers), question
        for passage in judged[question.id]:
            article = articles[int(passage) - 1]
            told = tokens(f"{article.title} {article.text}")
            assert any(tokens(answer) in told for answer in question.answers), question
        several += len(judged[question.id]) > 1
    assert several > 5


def test_several_answers_are_all_films_of_a_director(articles: list[Article]) -> None:
    makers: dict[str, set[str]] = {}
    for article in articles:
        for statement in article.statements:
            if statement.fact.name == "maker" and "maker" in statement.spans:
                makers.setdefault(statement.values["maker"].text, set()).add(article.title)
    rows = {row.question: row.answers for row in draw(articles, 400, seed=3)}
    asked = {
        name: answers
        for question, answers in rows.items()
        for template in relations()["directed_by"].of_value
        for name in makers
        if question == template.replace("{x}", name) + "?"
    }
    assert asked
    assert all(set(answers) == makers[name] for name, answers in asked.items())
    assert any(len(answers) > 1 for answers in asked.values())
    share = sum(len(answers) > 1 for answers in rows.values()) / len(rows)
    assert 0.1 < share < 0.5


def test_every_relation_is_stated_and_asked(articles: list[Article]) -> None:
    told = Counter(name for name, _ in {(name, film) for name, film, *_ in stated(articles)})
    assert all(told[name] > 50 for name in relations())
    asked = [row.question for row in draw(articles, 300, seed=1)]
    for name, relation in relations().items():
        patterns = [
            re.escape(template).replace(re.escape("{x}"), "(.+)") + r"\?"
            for template in (*relation.of_film, *relation.of_value)
        ]
        assert any(re.fullmatch(p, question) for p in patterns for question in asked), name


@pytest.mark.slow
def test_the_same_seeds_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for seed, same in ((1, True), (2, False)):
        write_movies(tmp_path / str(seed), SideCollection(500, 200), world_seed=1, seed=seed)
        files = [tmp_path / str(seed) / name for name in FILES]
        equal = [file.read_bytes() == (folder / file.name).read_bytes() for file in files]
        assert equal == [True, same, same]


def test_too_many_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^params\.yaml: .*raise microcosm\.movies\.passages"):
        write_movies(tmp_path / "movies", SideCollection(6, 500), world_seed=1, seed=1)
    assert list(tmp_path.iterdir()) == []
