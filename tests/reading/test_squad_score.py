"""Values worked out by hand from the definitions of SQuAD v2's evaluation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.normal_form import normalize_answer as normalize
from ecqg.reading.squad_score import exact, f1, same_answer


@pytest.mark.parametrize(
    ("answer", "normalized"),
    [
        ("The Cat.", "cat"),
        ("a  an the", ""),
        ("An $1,000 theatre", "1000 theatre"),
        ("O'Neill's", "oneills"),
        ("theta", "theta"),
        ("“Quote”", "“quote”"),  # only ASCII punctuation goes
        ("10-a", "10a"),  # punctuation goes first, so this "a" is no article
    ],
)
def test_normalize(answer: str, normalized: str) -> None:
    assert normalize(answer) == normalized


@pytest.mark.parametrize(
    ("gold", "predicted", "em", "overlap"),
    [
        (["the Nile"], "Nile", 1, 1),
        (["river Nile"], "the Nile", 0, 2 / 3),  # precision 1, recall 1/2
        (["x y z", "b c"], "a b c d", 0, 2 * (2 / 3) * 1 / (2 / 3 + 1)),  # of "b c d": 2/3, 1
        (["b b c"], "b c c", 0, 2 / 3),  # one b and one c in common
        (["Nile"], "", 0, 0),
        ([], "", 1, 1),
        ([], "Nile", 0, 0),
        (["the"], "", 1, 1),  # nothing is left of this gold answer
    ],
)
def test_exact_and_f1(gold: list[str], predicted: str, em: float, overlap: float) -> None:
    assert exact(gold, predicted) == em
    assert f1(gold, predicted) == pytest.approx(overlap)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Anna Moor", "the composer Anna Moor", True),
        ("Anna Moor.", "anna moor", True),
        ("Anna Moor", "Anna Moore", False),
        ("Anna Moor", "Moor Anna", False),
        ("the", "the", False),
        ("", "Anna", False),
    ],
)
def test_same_answer(one: str, other: str, same: bool) -> None:
    assert same_answer(one, other) is same
    assert same_answer(other, one) is same


@given(st.text(alphabet="ab the.,'-", max_size=20))
def test_normalizing_a_normalized_answer_changes_no_word(answer: str) -> None:
    once = normalize(answer)
    assert once == " ".join(once.split())
    assert exact([answer], once) or normalize(once) != once
