"""Commands of stages as forks of a process that has imported PyTorch and transformers.

To import the two takes three seconds, most of the time of a stage that encodes or searches a few
thousand passages. multiprocessing's fork server imports them once, and forks itself where DVC would
start `ecqg STAGE` with a shell. Results are the same.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection, forkserver
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from ecqg.closure import FIRST
from ecqg.pipeline.devices import Devices
from ecqg.processes import (
    PROCESSES,
    SPREAD,
    THREADS,
    TOGETHER,
    VISIBLE,
    gpus,
    processors,
    wanted_processes,
)
from ecqg.signals import end_with_parent

if TYPE_CHECKING:
    from io import TextIOWrapper

# The server does not look where `ecqg repro` finds this package: a fork imports ours.
LIBRARIES = (
    "pandas",
    "pyarrow",
    "scipy.sparse",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.bart.modeling_bart",  # and so torch
    "transformers.models.bert.modeling_bert",
    "typer._adapters",  # and so pydantic, which it imports with the first argument
)
# A step of training frees hundreds of megabytes that the next one asks for again. By default they
# go back to the kernel, which clears every page of them anew; here glibc keeps them (sizes are in
# bytes), and PyTorch takes them in pages of 2 MiB.
MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "THP_MEM_ALLOC_ENABLE": "1",
}
ENVIRONMENT = {"ECQG_BARS": "log", **MEMORY}
PLAIN = re.compile(r"ecqg( [\w@./=-]+)+", re.ASCII)  # a command that no shell needs to read
# All wait for these stages, which need little of LIBRARIES: they run while the server imports them.
EARLY = (FIRST, "acquire")
GPUS = ("nvidiactl", "kfd", "dxg")  # devices of NVIDIA, AMD, and either under Windows

DVC = Lock()  # its code is not for threads: who runs any of it holds this


def has_gpu() -> bool:
    """Whether this machine may have one; no library is asked."""
    return any(Path("/dev", name).exists() for name in GPUS)


def log_file(stage: str) -> Path:
    """Where all goes that a stage's command prints."""
    return Path(".cache/ecqg/logs", f"{stage}.log")


def peak_file(stage: str) -> Path:
    """Where a stage's command leaves the most memory that it held, in KiB."""
    return Path(".cache/ecqg/logs", f"{stage}.peak")


@contextmanager
def forked_commands(jobs: int) -> Iterator[Devices]:
    """Have DVC, in this process, run commands by forks, `jobs` at a time.

    DVC's code is to run in threads that hold the lock DVC, which is free while a command runs.
    Where the environment does not say otherwise, a command has its share of the processors. It
    finds this `ecqg` although the virtual environment may not be active. A GPU is one command's at
    a time; one of TOGETHER or SPREAD has as many as ECQG_PROCESSES says, and a process for each;
    without it one of TOGETHER has all that are free. Yields the GPUs; once they are closed no
    command begins.
    """
    from dvc.stage import run

    before, by_shell = dict(os.environ), run._run
    # Not after these imports on macOS, whose frameworks forbid forks, nor if CUDA may know a GPU.
    libraries = LIBRARIES if sys.platform == "linux" and not has_gpu() else ()
    forkserver.set_forkserver_preload(list(libraries))
    share, path = str(max(1, processors() // jobs)), before.get("PATH", os.defpath)
    os.environ.update({**ENVIRONMENT, "OMP_NUM_THREADS": share, THREADS: share, **before})
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    devices = Devices(gpus(), jobs)
    run._run = partial(_run, devices)
    try:
        yield devices
    finally:
        run._run = by_shell
        os.environ.clear()
        os.environ.update(before)
        # The server would end by itself, but takes seconds to forget what it has imported.
        server: Any = forkserver._forkserver
        if server._forkserver_pid:
            os.kill(server._forkserver_pid, signal.SIGKILL)
            server._stop()


def _run(devices: Devices, executable: str | None, command: str, **how: Any) -> None:
    """What DVC calls in place of its own function, with arguments of subprocess.Popen.

    Raises dvc.stage.exceptions.StageCmdFailedError.
    """
    from dvc.stage import run
    from dvc.stage.exceptions import StageCmdFailedError

    shell = None if PLAIN.fullmatch(command) else run._make_cmd(executable, command)
    first = how["env"]["DVC_STAGE"] in EARLY
    if first:
        forkserver.ensure_running()
    context: Any = multiprocessing.get_context("spawn" if first else "forkserver")
    DVC.release()
    try:
        with devices.take(_wanted(how["env"])) as own:
            if own:
                how["env"][VISIBLE] = ",".join(own)
                how["env"][PROCESSES] = str(len(own))
            process = context.Process(target=_become, args=(command, shell, how))
            with DVC:
                process.start()
            connection.wait([process.sentinel])
    finally:
        DVC.acquire()
    process.join()
    if process.exitcode:
        raise StageCmdFailedError(command, process.exitcode)


def _wanted(environment: Mapping[str, str]) -> int | None:
    """GPUs that a stage wants; None for all that are free."""
    name = environment["DVC_STAGE"].partition("@")[0]
    if name in TOGETHER and PROCESSES not in environment:
        return None
    return wanted_processes() if name in (*TOGETHER, *SPREAD) else 1


def _become(command: str, shell: Any, how: dict[str, Any]) -> None:
    """Be what DVC would have started: `shell` if any, else `command`, which is one of ours."""
    gc.freeze()  # a collection would write to each of the server's objects, and so copy it
    with log_file(how["env"]["DVC_STAGE"]).open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    # Both streams in their order, and nothing lost of a command that is killed.
    cast("TextIOWrapper", sys.stdout).reconfigure(line_buffering=True)
    end_with_parent()
    if shell:
        status = subprocess.call(shell, **how)
        parent = multiprocessing.parent_process()
        if parent and not parent.is_alive():
            signal.pause()  # until all that is left below has been ended, too
        sys.exit(status if status >= 0 else 128 - status)
    os.chdir(how["cwd"])
    os.environ.clear()
    os.environ.update(how["env"])
    sys.argv = command.split(" ")
    # It starts itself anew where libraries that are loaded already are to compute otherwise.
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    from ecqg.__main__ import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()  # a forked process otherwise leaves without them
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak_file(how["env"]["DVC_STAGE"]).write_text(str(most), encoding="ascii")
