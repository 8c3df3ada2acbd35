"""Random streams are stable, and independent of one another."""

from __future__ import annotations

from ecqg.seeds import derive, numpy_rng, python_rng


def test_streams_are_stable_across_processes_and_versions() -> None:
    import hashlib

    expected = int(hashlib.sha256(b"1/mix/0").hexdigest()[:16], 16) >> 1
    assert derive(1, "mix", 0) == expected


def test_streams_of_other_names_differ() -> None:
    assert derive(1, "mix") != derive(1, "select") != derive(2, "select")
    assert python_rng(1, "a").random() != python_rng(1, "b").random()
    assert numpy_rng(1, "a").random() == numpy_rng(1, "a").random()
