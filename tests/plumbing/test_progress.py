"""What a bar says of work that an earlier run did in part."""

from __future__ import annotations

from ecqg.progress import track


def test_a_bar_starts_where_the_work_was_left(capsys) -> None:
    notes = iter(["loss 2", "loss 1"])
    items = track("ab", "train", total=5, done=3, unit="step", note=lambda: next(notes))
    assert list(items) == ["a", "b"]
    said = capsys.readouterr().err
    assert said.lstrip().startswith("train:  60%")
    assert "5/5" in said.splitlines()[-1]
