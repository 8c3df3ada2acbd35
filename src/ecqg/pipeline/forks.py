"""Stages as forks of a worker that has imported PyTorch and transformers.

To import the two takes three seconds, most of the time of a stage that encodes or searches a few
thousand passages. multiprocessing's fork server imports them once for all workers; a worker forks
itself where DVC would start `ecqg STAGE` with a shell. Results are the same.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from ecqg.numerics import is_as_asked

# The server does not look where `ecqg repro` finds this package: a worker imports ours.
LIBRARIES = (
    "pyarrow",
    "safetensors.torch",
    "scipy.sparse",
    "torch",
    "transformers.generation.utils",
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.bart.modeling_bart",
    "transformers.models.bert.modeling_bert",
)
OURS = ("ecqg.cli", "ecqg.params")
PLAIN = re.compile(r"ecqg( [\w@./=-]+)+", re.ASCII)  # a command that no shell needs to read
GPUS = ("nvidiactl", "kfd", "dxg")  # devices of NVIDIA, AMD, and either under Windows


def has_gpu() -> bool:
    """Whether this machine may have one; no library is asked."""
    return any(Path("/dev", name).exists() for name in GPUS)


def may_fork() -> bool:
    """Not after these imports on macOS, whose frameworks forbid it, nor if CUDA may know a GPU."""
    return sys.platform == "linux" and not has_gpu()


@contextmanager
def worker_context() -> Iterator[BaseContext]:
    """How workers are started; to be left when they have ended."""
    if not may_fork():
        yield multiprocessing.get_context("spawn")
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(LIBRARIES))
    try:
        yield context
    finally:
        # It would end by itself, but takes seconds to forget what it has imported.
        server: Any = forkserver._forkserver
        if server._forkserver_pid:
            os.kill(server._forkserver_pid, signal.SIGKILL)
            server._stop()


def fork_stages() -> None:
    """Have DVC, in this process, run our commands by forks."""
    from dvc.stage import run

    from ecqg.libraries import versions

    for name in OURS:
        importlib.import_module(name)
    versions()  # forks remember them
    gc.collect()
    gc.freeze()  # a fork's collector would write to each of these objects, and so copy them
    by_shell = run._run

    def start(executable: str | None, command: str, **how: Any) -> None:
        # What is loaded here computes as this process's environment says.
        if PLAIN.fullmatch(command) and is_as_asked():
            _fork(command, how["cwd"], how["env"])
        else:
            by_shell(executable, command, **how)

    run._run = start


def _fork(command: str, folder: str, environment: dict[str, str]) -> None:
    from dvc.stage.exceptions import StageCmdFailedError

    arguments = (command, folder, environment)
    stage = multiprocessing.get_context("fork").Process(target=_become, args=arguments)
    stage.start()
    stage.join()
    if stage.exitcode:
        raise StageCmdFailedError(command, stage.exitcode)


def _become(command: str, folder: str, environment: dict[str, str]) -> None:
    """Become what a shell would have started."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command.split(" ")
    from ecqg.__main__ import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()  # a forked process otherwise leaves without them
