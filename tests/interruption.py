"""Training that is stopped on its way must go on to the bytes of training that was not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from ecqg import pace, resume
from ecqg.training import checkpoint

Files = dict[Path, bytes]


class Stopped(BaseException):
    """As a signal is, nothing that the code under test would catch."""


def steps_of_each_start(run: Callable[[], None], stops: Sequence[int], every: int) -> list[int]:
    """Run in the working folder to the end, then again with stops; compare what is written.

    Start i of the second time is stopped in its `stops[i]`-th optimiser step, and a checkpoint is
    due after every `every` steps. Returns the steps of the first time, then those that each start
    of the second began.
    """
    begun: list[int] = []
    written: list[int] = []
    step, write = torch.optim.AdamW.step, checkpoint.Checkpoint._write

    def counted(self, *args, **kwargs):
        begun[-1] += 1
        if len(begun) - 2 in range(len(stops)) and begun[-1] == stops[len(begun) - 2]:
            raise Stopped
        return step(self, *args, **kwargs)

    def noted(self, path, state, done):
        written.append(done)
        write(self, path, state, done)

    def start() -> None:
        begun.append(0)
        run()

    before = _files()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.optim.AdamW, "step", counted)
        patch.setattr(checkpoint.Checkpoint, "_write", noted)
        patch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: 0.0))
        start()
        assert not written  # no checkpoint was due
        expected = _files()
        for path in expected.keys() - before.keys():
            path.unlink()
        clock = SimpleNamespace(monotonic=lambda: sum(begun) * pace.SECONDS / every)
        patch.setattr(pace, "time", clock)
        for _ in stops:
            with pytest.raises(Stopped):
                start()
            assert _files() == before
        start()
    assert _files() == expected
    assert expected != before
    assert not list(resume.FOLDER.iterdir())
    return begun


def _files() -> Files:
    paths = (path for path in Path().rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path: path.read_bytes() for path in paths}
