from __future__ import annotations

import pytest

from ecqg.corpus.spacy_model import load_spacy
from ecqg.questions.names import COMPONENTS, Names, conditioning_entities, shared_names

TEXT = (
    "The Battle of Polmouth was fought in 1702 near Polmouth. It was won by J. Moss, "
    "Earl of Wick. The company of Anna Verge-Moss carried 1,200 wounded to Norden Castle. "
    "Moss's Songs of Salt tells of it."
)
OTHER = "The battle and the songs were of salt, and the earl had a company in the castle."
NAMES = Names([TEXT, OTHER])


def test_names_are_told_by_capitals() -> None:
    found = [TEXT[slice(*span)] for span in NAMES.spans(TEXT)]
    assert found == [
        "Polmouth", "1702", "Polmouth", "J. Moss", "Wick", "Anna Verge-Moss", "1,200", "Norden",
        "Moss",
    ]  # fmt: skip
    assert "polmouth" in NAMES
    assert "it" not in NAMES  # first words of sentences do not count
    assert "castle" not in NAMES  # once with a capital, once without


@pytest.mark.parametrize(
    ("question", "chunk", "entities"),
    [
        ("who won the battle of polmouth", "the battle", ["Battle of Polmouth"]),
        ("where did anna verge-moss go", "anna verge-moss", ["Anna Verge-Moss"]),
        ("who took the wounded to norden castle", "norden", ["Norden Castle"]),
        ("what did the company do", "the company", []),  # no name, whatever its capital
        ("what is moss's songs of salt about", "moss's songs", ["Moss's Songs of Salt"]),
        ("how many wounded did anna moss carry", "anna moss", ["Anna", "Moss"]),
        ("was polmouth 1702 near", "polmouth", ["Polmouth"]),
        ("who is the earl of wick", "norden", []),
    ],
)
def test_chunks_grow_as_far_as_the_passage_agrees(
    question: str, chunk: str, entities: list[str]
) -> None:
    start = question.find(chunk)
    chunks = [] if start < 0 else [(start, start + len(chunk))]
    assert shared_names(question, chunks, TEXT, NAMES) == entities


def test_questions_without_a_useful_chunk_are_searched_as_a_whole() -> None:
    nlp = load_spacy("en_core_web_sm", enable=COMPONENTS)
    pairs = [
        ("who won the battle of polmouth", TEXT),
        ("when was polmouth", TEXT),
        ("who is it", TEXT),
        ("Where did Anna Verge-Moss take 1,200 wounded?", TEXT),
    ]
    assert list(conditioning_entities(pairs, nlp, NAMES)) == [
        ["Battle of Polmouth"],
        ["Polmouth"],
        [],
        ["Anna Verge-Moss"],
    ]
