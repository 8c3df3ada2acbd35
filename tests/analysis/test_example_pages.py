"""The page of examples: which passages, which questions, and that all of it is shown."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from ecqg.analysis.examples import (
    GOLD_SHOWN,
    PassageExample,
    Shown,
    choose_rows,
    escape,
    examples_markdown,
    gold_questions,
    mean_scores,
    synthetic_questions,
)
from ecqg.analysis.examples_html import examples_html
from ecqg.attention.aggregate import Mention, rank_entities
from ecqg.corpus.examples import Example
from ecqg.corpus.passages import Passage

SYSTEMS = {"dpr": "DPR", "mixed": "Mixed-DPR"}
TEXT = "Ada <Holt> met Bo|Al. Bo|Al's mill, by Cy, is old."


def gold(row: int, question: str) -> Example:
    return Example("0", question, ("yes", "no"), (row, 9))


@pytest.fixture
def example() -> PassageExample:
    spans = [("Ada <Holt>", 0, 0.2, 4), ("Bo|Al", 15, 0.1, 1), ("Bo|Al", 22, 0.05, 1)]
    mentions = [Mention(t, "PERSON", at, at + len(t), total, n) for t, at, total, n in spans]
    cy = TEXT.index("Cy")
    mentions.append(Mention("Cy", "PERSON", cy, cy + 2, float("nan"), 0))  # beyond the limit
    questions = [
        Shown("gold", "who met bo|al?", "Ada", scores={"dpr": 2.0, "mixed": 4.0}),
        Shown(
            "conditioned", "what does bo|al's * own", "mill", "Bo|Al", "old <mill>", 0.875,
            "filtered out", {"dpr": 1.0, "mixed": -3.0},
        ),
    ]  # fmt: skip
    passage = Passage(3, "p3", "A & B", TEXT, (0, 22))
    return PassageExample(passage, mentions, rank_entities(mentions, "mean"), questions)


def test_passages_with_both_kinds_of_questions_are_eligible() -> None:
    surviving, asked = set(range(0, 40, 2)), set(range(20, 40))
    assert choose_rows(surviving, asked, 99, 1) == list(range(20, 40, 2))
    chosen = choose_rows(surviving, asked, 4, 1)
    assert len(chosen) == 4
    assert chosen == sorted(chosen) == choose_rows(surviving, asked, 4, 1)
    assert {tuple(choose_rows(surviving, asked, 4, seed)) for seed in range(5)} != {tuple(chosen)}
    assert choose_rows(surviving, {1}, 4, 1) == []


def test_questions_of_the_chosen_passages() -> None:
    examples = [gold(1, f"q{i}") for i in range(5)]
    found = gold_questions([*examples, gold(2, "other")], {1, 9})
    assert list(found) == [1]  # the first passage that answers is the one asked about
    assert [q.question for q in found[1]] == ["q0", "q1", "q2"][:GOLD_SHOWN]
    assert found[1][0] == Shown("gold", "q0", "yes")
    made = [
        {
            "id": f"{i}",
            "row": i % 2,
            "entity": None,
            "question": f"s{i}",
            "answer": "a",
        }
        for i in range(4)
    ]
    read = [{"id": f"{i}", "answer": f"r{i}", "confidence": i / 4} for i in range(4)]
    records = list(zip(made, read, strict=True))
    (row, (one, three)), *rest = synthetic_questions("c", records, {"3"}, {1}).items()
    assert (row, rest) == (1, [])
    assert one == Shown("c", "s1", "a", "", "r1", 0.25, "filtered out")
    assert (three.question, three.status) == ("s3", "kept")


def test_attention_is_relative_to_the_passages_entities(example: PassageExample) -> None:
    # 0.35 over 6 pieces; Bo|Al has 0.15 over 2, Ada <Holt> 0.2 over 4.
    mean = 0.35 / 6
    assert example.entity_densities() == [
        ("Ada <Holt>", pytest.approx(0.05 / mean)),
        ("Bo|Al", pytest.approx(0.075 / mean)),
    ]


def test_words_of_the_passage_are_marked(example: PassageExample) -> None:
    marked = [dict(question.marked(example.passage)) for question in example.questions]
    assert marked[0] == {"who": False, "met": True, "bo|al?": True}
    assert marked[1] == {"what": False, "does": False, "bo|al's": True, "*": False, "own": False}


def test_means_by_system_and_kind(example: PassageExample) -> None:
    found = mean_scores([example, example])
    assert found == {"dpr": {"gold": 2, "conditioned": 1}, "mixed": {"gold": 4, "conditioned": -3}}
    assert mean_scores([]) == {}


def test_markdown_shows_everything_and_escapes_it(example: PassageExample) -> None:
    page = examples_markdown([example], SYSTEMS)
    assert r"> Ada \<Holt\> met **Bo\|Al**. **Bo\|Al**'s mill, by Cy, is old." in page
    assert r"Entities, least attended first: Ada \<Holt\> 0.86 · Bo\|Al 1.29" in page
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {row.replace(r"\|", "").count("|") for row in rows} == {10}
    assert rows[2] == r"| gold |  | who _met_ _bo\|al?_ | Ada |  |  |  | 2.0 | 4.0 |"
    assert (
        r"| conditioned | Bo\|Al | what does _bo\|al's_ \* own | mill | old \<mill\> | 0.88 | "
        in page
    )
    assert "| filtered out | 1.0 | -3.0 |" in page
    assert escape("a\n  b ") == "a b "


class Text(HTMLParser):
    """The texts of elements by tag and class, and whether all tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, str]] = []
        self.spans: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if tag == "span":
            self.spans.append((dict(attributes).get("class") or "", ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.seen.append((self.open[-1] if self.open else "", data))
        if self.open and self.open[-1] == "span":
            self.spans[-1] = (self.spans[-1][0], data)


def test_the_page_is_whole_and_escaped(example: PassageExample) -> None:
    page = Text()
    page.feed(examples_html([example], SYSTEMS))
    assert page.open == []
    passage = "".join(data for tag, data in page.seen if tag in ("p", "span"))
    assert TEXT in passage
    spans = [span for span in page.spans if span[1] in TEXT]
    assert spans == [
        ("entity", "Ada <Holt>"),
        ("entity chosen", "Bo|Al"),
        ("entity chosen", "Bo|Al"),
        ("unseen", "Cy"),
    ]
    assert [data for tag, data in page.seen if tag == "i"][-2:] == ["bo|al?", "bo|al's"]
    cells = [data for tag, data in page.seen if tag == "td"]
    assert {"old <mill>", "0.88", "-3.0", "filtered out"} <= set(cells)
    assert ("h2", "A & B") in page.seen
    assert "http" not in examples_html([example], SYSTEMS)  # needs no other file


def test_pages_without_examples() -> None:
    assert "0 passages" in examples_html([], SYSTEMS)
    assert "0 passages" in examples_markdown([], SYSTEMS)
