"""DVC's run cache, from which stages are restored, also for those that leave files for Git.

DVC saves a run there where all outputs are in its cache, or are metrics or plots. Most of our
stages have a small table for Git beside their data, so that none of those that train would be
saved, though DVC restores what is.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def save_every_run() -> None:
    """Have DVC, in this process, save each run of a stage that it commits."""
    from dvc.stage import Stage

    run = Stage.run

    def run_and_save(stage: Any, *arguments: Any, **options: Any) -> None:
        run(stage, *arguments, **options)
        # Others are saved by then; one without a command has no run.
        if stage.cmd and _left_out(stage) and not (options.get("dry") or options.get("no_commit")):
            stage.repo.stage_cache.save(stage)

    Stage.run = run_and_save


def _left_out(stage: Any) -> bool:
    """Whether DVC saves no run of it."""
    return any(not (out.use_cache or out.is_metric or out.is_plot) for out in stage.outs)
