"""What a bar says of work that an earlier run did in part."""

from __future__ import annotations

import time

import pytest

from ecqg.progress import track


def test_a_bar_starts_where_the_work_was_left(capsys) -> None:
    notes = iter(["loss 2", "loss 1"])
    items = track("ab", "train", total=5, done=3, unit="step", note=lambda: next(notes))
    assert list(items) == ["a", "b"]
    said = capsys.readouterr().err
    assert said.startswith("train:  60%|") and "\r" not in said and "█" not in said
    assert "5/5" in said.splitlines()[-1]


def test_an_item_may_be_many_units(capsys) -> None:
    assert list(track(["abc", "de"], "encode", total=5, unit="passage", size=len)) == ["abc", "de"]
    assert "5/5" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
def test_a_bar_moves_also_where_work_was_fast_at_first(capsys, monkeypatch) -> None:
    """As it is where an earlier run did it: what is slow now must not wait for as many items."""
    monkeypatch.setenv("ECQG_BARS", "log")
    for item in track(range(100_003), "go on", total=100_003):
        if item >= 100_000:
            time.sleep(1.1)
    said = capsys.readouterr().err.splitlines()
    assert [f"10000{n}/100003" in "".join(said) for n in (1, 2, 3)] == [True] * 3
