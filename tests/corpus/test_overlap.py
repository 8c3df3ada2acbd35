from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.normal_form import normalize_answer
from ecqg.corpus.overlap import (
    TrainQuestion,
    compute_subsets,
    read_annotations,
)
from ecqg.corpus.questions import Question, read_test_facts, read_train_facts
from ecqg.corpus.words import content_words
from ecqg.errors import InputError

TRAIN = [
    TrainQuestion("who played pink in pink floyd the wall", ("Bob Geldof",)),
    TrainQuestion("who sang do they know it's christmas", ("Bob Geldof", "Band Aid")),
    TrainQuestion("capital of france", ("Paris",)),
]


def subsets(text: str, *answers: str) -> list[str]:
    computed = compute_subsets([Question("7", text, answers)], TRAIN)
    assert set(computed) == {"no_answer_overlap", "no_question_overlap"}
    return [name for name, ids in computed.items() if ids == ["7"]]


def test_the_example_of_lewis_et_al() -> None:
    # Their table of question overlap has this pair.
    assert subsets("who played pink in the movie the wall", "bob geldof") == []


def test_an_answer_alone_does_not_make_questions_overlap() -> None:
    assert subsets("which irish singer founded live aid", "the Bob Geldof!") == [
        "no_question_overlap"
    ]


def test_the_same_words_with_another_answer_do_not_overlap() -> None:
    assert subsets("capital of france", "Lyon") == ["no_answer_overlap", "no_question_overlap"]


def test_any_answer_counts_and_only_whole() -> None:
    assert subsets("largest city", "Lutetia", "PARIS") == ["no_question_overlap"]
    assert subsets("largest city", "Paris, France") == ["no_answer_overlap", "no_question_overlap"]


def test_plurals_count_as_the_same_word() -> None:
    assert subsets("capitals of the Frances", "Paris") == []


def test_questions_without_content_words_do_not_overlap() -> None:
    train = [TrainQuestion("who is this", ("Paris",))]
    computed = compute_subsets([Question("0", "who was that", ("Paris",))], train)
    assert computed == {"no_answer_overlap": [], "no_question_overlap": ["0"]}


def test_fact_keys_decide_where_both_have_one() -> None:
    train = [TrainQuestion("capital of france", ("Paris",), "france.capital")]
    questions = [
        Question("0", "which town is france ruled from", ("Paris",)),
        Question("1", "capital of france", ("Paris",)),
        Question("2", "capital of france", ("Paris",)),
    ]
    facts = {"0": "france.capital", "1": "france.largest_city"}
    assert compute_subsets(questions, train, facts)["no_question_overlap"] == ["1"]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sets(st.sampled_from("uvwxyz"))), max_size=6),
    st.lists(st.tuples(st.sampled_from("abc"), st.sets(st.sampled_from("uvwxyz"))), max_size=6),
)
def test_like_the_definition_written_out(
    train: list[tuple[str, set[str]]], test: list[tuple[str, set[str]]]
) -> None:
    asked = [TrainQuestion(" ".join(sorted(words)), (answer,)) for answer, words in train]
    questions = [
        Question(str(i), " ".join(sorted(words)), (answer,))
        for i, (answer, words) in enumerate(test)
    ]
    new_answer, new_question = [], []
    for i, (answer, words) in enumerate(test):
        if answer not in {a for a, _ in train}:
            new_answer.append(str(i))
        if not any(
            a == answer and words and 2 * len(w & words) >= len(w | words) for a, w in train
        ):
            new_question.append(str(i))
    if "a" in {a for a, _ in [*train, *test]}:
        return  # an article, which normalisation leaves nothing of
    assert compute_subsets(questions, asked) == {
        "no_answer_overlap": new_answer,
        "no_question_overlap": new_question,
    }


def test_normalisation_is_squads() -> None:
    for raw, normal in {
        "The  U.S. Open ": "us open",
        "An apple a day": "apple day",
        "theatre": "theatre",
        "Röntgen's": "röntgens",
        "a": "",
    }.items():
        assert normalize_answer(raw) == normal


def test_content_words() -> None:
    words = content_words("Who was the author of 'The Glass Keys', an 1852 novel's hero?")
    assert words == {"author", "glass", "keys", "1852", "novel", "hero"}


def test_published_annotations(tmp_path: Path) -> None:
    path = tmp_path / "nq-test.overlap.jsonl"
    records = [
        {"id": 0, "labels": ["total", "no_answer_overlap", "no_question_overlap"]},
        {"id": 1, "labels": ["total", "question_overlap", "answer_overlap"]},
        {"id": 2, "labels": ["total", "no_answer_overlap"]},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    assert read_annotations(path, 3) == {
        "no_answer_overlap": ["0", "2"],
        "no_question_overlap": ["0"],
    }
    with pytest.raises(InputError, match=r"nq-test\.overlap\.jsonl:3: .*; write"):
        read_annotations(path, 2)


def test_fact_files(tmp_path: Path) -> None:
    path = tmp_path / "train.facts.tsv"
    path.write_text("12\tfrance.capital\n7\tfrance.river\n")
    assert read_train_facts(path) == {"12": "france.capital", "7": "france.river"}
    assert read_test_facts(path, 2) == ["12\tfrance.capital", "7\tfrance.river"]
    with pytest.raises(InputError, match="2 fact keys for 3 questions; write one a line"):
        read_test_facts(path, 3)
    path.write_text("12\tfrance.capital\n\n")
    with pytest.raises(InputError, match=r"facts\.tsv:2: no fact key; write question id"):
        read_train_facts(path)
    with pytest.raises(InputError, match=r"facts\.tsv:2: no fact key"):
        read_test_facts(path, 2)
