"""dvc.lock, written for several stages at a time.

DVC reads and writes the whole file anew for each stage that ends. With 112 stages that takes 0.8 s,
longer than many of them work. Here it is written once a minute, and at the end. A run that is
killed before loses no stage whose outputs are cached: DVC keeps what it made in its run cache as
well, and takes it from there instead of running it.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ecqg.files import atomic
from ecqg.pipeline.forks import DVC

PERIOD = 60.0  # seconds between two times


def write(stages: Collection[Any]) -> None:
    """Let DVC write what it is to say of each dvc.stage.PipelineStage that has run.

    Unlike DVC's own, the file is whole at all times. It is beside the one that defines the stages.
    """
    from dvc.dvcfile import Lockfile

    for path in {Path(stage.path).with_suffix(".lock") for stage in stages}:
        of_file = [s for s in stages if Path(s.path).with_suffix(".lock") == path]
        repo = of_file[0].repo
        with DVC, repo.lock, atomic(path) as aside:
            if path.exists():
                shutil.copy(path, aside)
            Lockfile(repo, str(aside)).dump_stages(of_file)
