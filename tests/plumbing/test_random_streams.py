"""Random streams are stable, and independent of one another."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ecqg.seeds import derive, keys, numpy_rng, order, python_rng


def test_streams_are_stable_across_processes_and_versions() -> None:
    import hashlib

    expected = int(hashlib.sha256(b"1/mix/0").hexdigest()[:16], 16) >> 1
    assert derive(1, "mix", 0) == expected


def test_streams_of_other_names_differ() -> None:
    assert derive(1, "mix") != derive(1, "select") != derive(2, "select")
    assert python_rng(1, "a").random() != python_rng(1, "b").random()
    assert numpy_rng(1, "a").random() == numpy_rng(1, "a").random()


@given(st.sets(st.text(max_size=3), min_size=1), st.sets(st.text(max_size=3), min_size=1))
def test_things_keep_their_order_whatever_is_beside_them(some: set[str], others: set[str]) -> None:
    def ordered(names: set[str]) -> list[str]:
        listed = sorted(names)
        return [listed[i] for i in order(keys(listed), 1, "mix")]

    first, second = ordered(some), ordered(others)
    assert sorted(first) == sorted(some)
    assert [n for n in first if n in others] == [n for n in second if n in some]


def test_orders_of_streams_are_independent_and_fair() -> None:
    """Each thing is as likely in each place; equal keys stay as they come."""
    names = keys(map(str, range(4)))
    places = np.array([order(names, 1, "epoch", epoch) for epoch in range(6000)])
    # Three standard deviations of a binomial share of 6,000 draws are 1.7 percent.
    for place in places.T:
        assert np.abs(np.bincount(place) / 6000 - 1 / 4).max() < 0.018
    pairs = np.unique(places[:, 0] * 4 + places[:, 1], return_counts=True)[1]
    assert len(pairs) == 12 and np.abs(pairs / 6000 - 1 / 12).max() < 0.011
    assert order(keys(["a"] * 5), 1, "mix").tolist() == [0, 1, 2, 3, 4]


def test_the_finaliser_is_splitmix64s() -> None:
    """What java.util.SplittableRandom(0) gives first, of its first state."""

    def first(state: int) -> int:
        of = (1 << 64) - 1
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & of
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB & of
        return state ^ (state >> 31)

    assert first(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF
    found = keys(map(str, range(100)))
    twin = sorted(range(100), key=lambda i: first(int(found[i]) ^ derive(7, "mix")))
    assert order(found, 7, "mix").tolist() == twin
