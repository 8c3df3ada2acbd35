"""The local page: what it shows, what it refuses, and that nothing in it is taken for HTML."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ecqg.inspection import app as page
from fake_study import EVIL, make_study


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(
        page.make_app(make_study(tmp_path), ["dpr"]), base_url="http://127.0.0.1:8000"
    )


def test_two_rankings_with_answers_marked(client: TestClient) -> None:
    shown = client.get("/", params={"q": "Who?", "answer": "rome", "against": "bm25"}).text
    assert shown.count('class="ranking"') == 2
    assert shown.count("has the answer") == 2
    assert shown.index("Rome fell") < shown.index("A mill of")


def test_nothing_is_taken_for_html(client: TestClient) -> None:
    shown = client.get("/", params={"q": EVIL, "answer": EVIL}).text
    shown += client.get("/passage/p0", params={"start": 0, "end": 6}).text
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")


def test_a_passage_and_questions_about_a_part_of_it(client: TestClient) -> None:
    response = client.get("/passage/p0", params={"start": 2, "end": 6})
    assert response.status_code == 200
    assert "Questions about mill" in response.text
    assert "What is mill?" in response.text
    assert "/?q=What%20is%20mill%3F" in response.text


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/passage/p9", 404, "There is no passage p9."),
        ("/?system=colbert&q=x", 404, "There is no system colbert."),
        ("/passage/p0?system=bm25", 404, "There is no dense system bm25."),
        ("/passage/p0?start=0&end=x", 400, "start and end must be whole numbers."),
        ("/passage/p0?start=5&end=5", 400, "The text has"),
        ("/other", 404, "Not Found"),
    ],
)
def test_what_is_not_there_is_a_sentence(
    client: TestClient, path: str, status: int, said: str
) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert said in response.text


def test_requests_for_another_host_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"host": "localhost:8000"}).status_code == 200
