"""Keeps DVC from deleting what no stage of ours makes, and from forgetting what one made.

DVC puts names of params.yaml into the paths of outputs and deletes these before a stage's command
begins. `ecqg check` refuses bad names, but --single-item, --downstream and --ignore-errors run a
stage without it, and `dvc exp run` and `dvc checkout` delete before all. A line in site-packages,
which `python -m ecqg.pipeline.guard` writes there, has each start of DVC in that environment call
`watch`, those of its queue's workers too; other programs only compare words.
"""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

from ecqg.checking import NAMED
from ecqg.errors import InputError
from ecqg.pipeline.run_cache import save_every_run

FOLDERS = ("data", "metrics", "plots", "results")  # of the outs of dvc.yaml
FILE = "ecqg_guard.pth"  # its name sorts behind that of the file that makes ecqg importable
# The command that Python was started with: .../bin/dvc, -m dvc, or .../dvc/__main__.py.
LINE = (
    'import sys; any(a.removesuffix("/__main__.py").endswith("dvc") for a in sys.orig_argv) '
    'and __import__("ecqg.pipeline.guard").pipeline.guard.watch()\n'
)


def installed() -> bool:
    """Whether this environment has the line."""
    file = Path(sysconfig.get_path("purelib"), FILE)
    return file.is_file() and file.read_text(encoding="utf-8") == LINE


@cache
def watch() -> None:
    """Have DVC, in this process, refuse `ecqg STAGE` with an out outside of FOLDERS.

    It does as it reads the stage: not only what runs a stage deletes its outs, `dvc checkout` and
    the start of `dvc exp run` do, too. And each run is saved (ecqg.pipeline.run_cache), so that a
    killed experiment, whose folder DVC deletes, loses none.
    """
    from dvc.exceptions import DvcException
    from dvc.stage.loader import StageLoader

    load = StageLoader.load_stage

    def load_stage(*arguments: Any, **options: Any) -> Any:
        stage = load(*arguments, **options)
        outs = stage.outs if str(stage.cmd).startswith("ecqg ") else ()
        for place in (Path(out.def_path) for out in outs):
            if ".." in place.parts or not any(map(place.is_relative_to, FOLDERS)):
                what = f"the stage {stage.addressing} has the output {place}"
                remedy = f"an entry's name must be {NAMED}"
                raise DvcException(str(InputError(what, file="params.yaml", remedy=remedy)))
        return stage

    StageLoader.load_stage = staticmethod(load_stage)
    save_every_run()


if __name__ == "__main__":
    Path(sysconfig.get_path("purelib"), FILE).write_text(LINE, encoding="utf-8")
