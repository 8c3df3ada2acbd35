"""A process that has imported PyTorch and transformers, and forks a copy of itself for a stage.

To import the two takes three seconds, most of the time of a stage that encodes or searches a few
thousand passages. `ecqg repro` starts such a process once. `ecqg STAGE`, which DVC starts, asks
it to run the stage with its own arguments, folder, environment and streams, and ends as the
stage does. Where there is no such process `ecqg STAGE` imports for itself; results are the same.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import NoReturn

from ecqg.libraries import versions
from ecqg.numerics import differ
from ecqg.pipeline.handover import STREAMS, Request, answer, take
from ecqg.signals import end_on_signals

IMPORTS = (
    "ecqg.cli",
    "ecqg.params",
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
LONGEST_ADDRESS = 100  # bytes; Linux allows 107
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
GPUS = ("nvidiactl", "kfd", "dxg")  # devices of NVIDIA, AMD, and either under Windows


@contextmanager
def preloaded(imports: Sequence[str] = IMPORTS) -> Iterator[str]:
    """Start the process; yields the address of its socket, or "" where there must be none.

    After these imports a process must not be forked on macOS, whose frameworks forbid it, nor
    with a GPU, of which CUDA might know already.
    """
    with tempfile.TemporaryDirectory(prefix="ecqg-") as folder:
        address = f"{folder}/socket"
        if sys.platform != "linux" or has_gpu() or len(os.fsencode(address)) > LONGEST_ADDRESS:
            yield ""
            return
        process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(address, imports)
        )
        process.start()
        try:
            yield address
        finally:
            process.terminate()
            process.join()


def has_gpu() -> bool:
    """Whether this machine may have one; no library is asked."""
    return any(Path("/dev", name).exists() for name in GPUS)


def _serve(address: str, imports: Sequence[str]) -> None:
    """Import, then fork a copy for each request, until the process that started this one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a copy ended
    parent = multiprocessing.parent_process()
    assert parent
    _die_with_parent(signal.SIGKILL)  # as imports take long
    for name in imports:
        importlib.import_module(name)
    versions()  # copies remember them
    gc.collect()
    gc.freeze()  # a copy's collector would write to each of these objects, and so copy them
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        _die_with_parent(0)
        while parent.sentinel not in wait([listener, parent.sentinel]):
            connection, _ = listener.accept()
            with connection:
                if not os.fork():
                    listener.close()
                    _attend(connection)
    shutil.rmtree(Path(address).parent, ignore_errors=True)  # who made it was killed


def _die_with_parent(number: int) -> None:
    """Have the kernel send a signal when the parent ends; 0 for none."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def _attend(connection: socket.socket) -> NoReturn:
    """Fork once more, into the stage, and tell the other side how it ended.

    If the other side ends first, because somebody killed it, so does the stage.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, streams = take(connection)
    stage = multiprocessing.get_context("fork").Process(target=_run, args=(request, streams))
    stage.start()
    for stream in streams:
        os.close(stream)
    if stage.sentinel not in wait([stage.sentinel, connection]):
        stage.terminate()
    stage.join()
    code = stage.exitcode or 0
    with contextlib.suppress(OSError):
        answer(connection, code if code >= 0 else 128 - code)
    os._exit(0)


def _run(request: Request, streams: Sequence[int]) -> None:
    """Become what `ecqg` would be, started by the other side."""
    for stream, own in zip(streams, STREAMS, strict=True):
        os.dup2(stream, own)
        os.close(stream)
    os.chdir(request.folder)
    if differ(os.environ, request.environment):  # what is loaded would compute otherwise
        command = [sys.executable, "-m", "ecqg", *request.arguments]
        os.execve(sys.executable, command, request.environment)
    os.environ.clear()
    os.environ.update(request.environment)
    end_on_signals(with_parent=True)
    sys.argv = ["ecqg", *request.arguments]
    from ecqg.cli import app

    try:
        app()
    finally:
        atexit._run_exitfuncs()  # a forked process otherwise leaves without them
