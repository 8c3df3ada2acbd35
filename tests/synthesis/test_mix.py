"""Sizes and fractions of the synthetic training sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.params import Mix
from ecqg.synthesis.mix import common_size, draw


@pytest.mark.parametrize(
    ("unconditioned", "conditioned", "size", "fraction", "total", "about"),
    [
        (100, 100, 60, 0.5, 60, 30),
        (50, 100, 60, 0.5, 50, 25),  # the unconditioned set cannot be larger
        (100, 20, 60, 0.5, 41, 20),  # 20.5 rounds to 20
        (100, 20, 60, 0.25, 60, 15),
        (100, 0, 60, 0.0, 60, 0),
        (100, 30, 60, 1.0, 30, 30),
    ],
)
def test_sizes_by_hand(unconditioned, conditioned, size, fraction, total, about) -> None:
    got = common_size(unconditioned, conditioned, Mix(size, fraction))
    assert (got.total, got.conditioned, got.unconditioned) == (total, about, total - about)


counts = st.integers(0, 60)


@given(counts, counts, st.integers(1, 60), st.floats(0, 1))
def test_the_common_size_is_the_largest(plain, about, size, fraction) -> None:
    possible = [n for n in range(1, min(size, plain) + 1) if round(n * fraction) <= about]
    if not possible or (fraction > 0 and about == 0):
        with pytest.raises(InputError, match="no synthetic training set"):
            common_size(plain, about, Mix(size, fraction))
    else:
        assert common_size(plain, about, Mix(size, fraction)).total == max(possible)


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 80), st.floats(0, 1), st.integers())
def test_sets_are_fair(plain: int, about: int, size: int, fraction: float, seed: int) -> None:
    unconditioned = [("u", i) for i in range(plain)]
    conditioned = [("c", i) for i in range(about)]
    uncon, mixed = draw(unconditioned, conditioned, Mix(size, fraction), seed)
    assert len(uncon) == len(mixed) == len(set(uncon)) == len(set(mixed)) <= size
    share = [x for x in mixed if x[0] == "c"]
    assert len(share) == round(len(mixed) * fraction)
    assert set(mixed) - set(share) <= set(uncon) <= set(unconditioned)
    assert (uncon, mixed) == draw(unconditioned, conditioned, Mix(size, fraction), seed)


def test_another_seed_draws_others_and_a_size_extends_the_draw() -> None:
    plain, about = list(range(1000)), list(range(1000, 2000))
    small = draw(plain, about, Mix(100, 0.5), 1)
    large = draw(plain, about, Mix(200, 0.5), 1)
    assert small != draw(plain, about, Mix(100, 0.5), 2)
    assert set(small[0]) < set(large[0])
    assert set(small[1]) < set(large[1])


def test_a_fraction_is_no_percentage() -> None:
    with pytest.raises(InputError, match="conditioned_fraction is 50"):
        common_size(10, 10, Mix(5, 50.0))
