"""What encoders are pre-trained on: sizes, shares and which questions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.seeds import keys
from ecqg.synthesis.mix import compose, sizes


@pytest.mark.parametrize(
    ("available", "shares", "most", "expected"),
    [
        ((100, 100), (0.5, 0.5), 60, (30, 30)),
        ((50, 100), (1.0, 0.0), 60, (50,)),
        ((100, 20), (0.5, 0.5), 60, (21, 20)),  # 20.5 rounds to 20
        ((100, 20), (0.75, 0.25), 60, (45, 15)),
        ((100, 0), (1.0, 0.0), 60, (60,)),  # nothing is asked of the empty set
        ((100, 30), (0.0, 1.0), 60, (30,)),
        ((3, 9, 9), (0.5, 0.25, 0.25), None, (3, 2, 2)),
        ((9, 1, 9), (0.5, 0.25, 0.25), None, (3, 1, 2)),
        ((9, 9, 9, 9), (0.1, 0.3, 0.3, 0.3), 2, (0, 1, 0, 1)),  # 1.8, 1.2, 0.6
    ],
)
def test_sizes_by_hand(available, shares, most, expected) -> None:
    names = "abcd"[: len(shares)]
    got = sizes(
        dict(zip(names, available, strict=True)), dict(zip(names, shares, strict=True)), most
    )
    assert tuple(got.values()) == expected


def twin(shares: list[Fraction], total: int) -> list[int]:
    """Without rounding errors: how far a set and those after it reach, less how far those do."""
    ends = [round(total * sum(shares[i:], Fraction())) for i in range(len(shares) + 1)]
    return [ends[i] - ends[i + 1] for i in range(len(shares))]


@st.composite
def mixtures(draw: st.DrawFn) -> tuple[dict[str, int], dict[str, float]]:
    """Questions and shares of one to five sets, the shares in 64ths, which floats hold exactly."""
    cuts = sorted(draw(st.sets(st.integers(1, 63), max_size=4)))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 64], strict=True)]
    available = draw(st.lists(st.integers(1, 40), min_size=len(parts), max_size=len(parts)))
    names = "abcde"[: len(parts)]
    return dict(zip(names, available, strict=True)), {
        name: part / 64 for name, part in zip(names, parts, strict=True)
    }


@given(mixtures(), st.none() | st.integers(1, 60))
def test_sizes_are_the_largest_that_fit(mixture, most) -> None:
    available, shares = mixture
    found = sizes(available, shares, most)
    exact = [Fraction(share) for share in shares.values()]
    enough = sum(available.values()) if most is None else most  # no total is larger
    fitting = [
        total
        for total in range(1, enough + 1)
        if all(n <= m for n, m in zip(twin(exact, total), available.values(), strict=True))
    ]
    assert list(found.values()) == twin(exact, max(fitting))


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(0.01, 1)), min_size=1, max_size=5),
    st.none() | st.integers(1, 60),
)
def test_every_share_is_what_was_asked_for_within_one(drawn, most) -> None:
    names, whole = "abcde"[: len(drawn)], sum(weight for _, weight in drawn)
    available = {name: count for name, (count, _) in zip(names, drawn, strict=True)}
    shares = {name: weight / whole for name, (_, weight) in zip(names, drawn, strict=True)}
    found = sizes(available, shares, most)
    total = sum(found.values())
    assert total >= 1 and (most is None or total <= most)
    for name, count in found.items():
        assert 0 <= count <= available[name]
        assert abs(count - total * shares[name]) < 1 + 1e-9


def of(available):
    """Keys of as many questions of each set."""
    return {name: keys(map(str, range(count))) for name, count in available.items()}


@given(st.integers(1, 40), st.integers(0, 99), st.integers(0, 3))
def test_one_question_less_is_one_other_question(most, missing, seed) -> None:
    ids = [str(i) for i in range(100)]
    (all_of,) = compose({"a": keys(ids)}, {"a": 1.0}, most, seed).values()
    del ids[missing]
    (rest,) = compose({"a": keys(ids)}, {"a": 1.0}, most, seed).values()
    assert len({str(i) for i in all_of} - {ids[i] for i in rest}) == (missing in all_of)


def test_without_a_limit_a_single_set_is_taken_whole() -> None:
    assert compose(of({"a": 7, "b": 3}), {"a": 1.0}, None, 1) == {"a": list(range(7))}


@given(mixtures(), st.integers(1, 60), st.integers())
def test_questions_are_different_ones_of_their_set(mixture, most, seed) -> None:
    available, shares = mixture
    taken = compose(of(available), shares, most, seed)
    assert {name: len(numbers) for name, numbers in taken.items()} == sizes(available, shares, most)
    for name, numbers in taken.items():
        assert numbers == sorted(set(numbers))
        assert set(numbers) <= set(range(available[name]))
    assert taken == compose(of(available), shares, most, seed)


@given(st.integers(1, 63), st.integers(1, 80), st.integers(0, 3))
def test_a_smaller_share_is_part_of_a_larger_one(part, most, seed) -> None:
    available = of({"a": 100, "b": 100})
    larger = compose(available, {"a": 1.0}, most, seed)["a"]
    smaller = compose(available, {"b": 1 - part / 64, "a": part / 64}, most, seed)["a"]
    assert set(smaller) <= set(larger)


def test_another_seed_draws_others_and_a_size_extends_the_draw() -> None:
    available, shares = of({"a": 1000, "b": 1000}), {"a": 0.5, "b": 0.5}
    small, large = (compose(available, shares, most, 1) for most in (100, 200))
    assert small != compose(available, shares, 100, 2)
    assert all(set(small[name]) < set(large[name]) for name in shares)
    assert small["a"] != small["b"]  # each set has an order of its own


def test_a_set_without_questions_is_named() -> None:
    with pytest.raises(InputError, match=r"no question of b is left to pre-train on; lower filter"):
        sizes({"a": 5, "b": 0}, {"a": 0.5, "b": 0.5}, 4)
