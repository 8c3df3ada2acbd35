"""Ctrl-C and SIGTERM end a process soon, the second one at once; a process may end with its parent.

A library that computes lets Python see a signal only when it returns, which may take minutes. So a
thread watches: Python's own end, by KeyboardInterrupt, is given a short time to tidy up in, then
the process goes as it is. That may be at any time: whatever is written is whole or not there.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from contextlib import suppress
from multiprocessing import parent_process

GRACE = 1.0  # seconds from the first signal to the end
SAME = 0.1  # seconds: Ctrl-C reaches a stage from the terminal and, a little later, from ecqg repro
LOOK = 1.0  # seconds between two looks at the parent

# Environment variable of a stage's command: the stage's name, in a group followed by its item.
DVC_STAGE = "DVC_STAGE"

_grace = GRACE


def allow(seconds: float) -> None:
    """Let `end_on_signals` wait so long, in a process that waits for others in their GRACE."""
    global _grace
    _grace = seconds


def end_on_signals() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt, and end this process and all below it.

    That is GRACE seconds after the first signal, or at once after a second one, with status 128
    and the signal's number. Where DVC has started this process, its parent's end is as a SIGTERM:
    otherwise it would go on beside DVC's next run. To be called by the main thread.
    """
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    parent = os.getppid() if DVC_STAGE in os.environ else 0
    # The sockets last as long as the thread.
    threading.Thread(target=_watch, args=(reading, writing, parent), daemon=True).start()


def end_with_parent() -> None:
    """End this process, which multiprocessing started, and all below it when its parent ends.

    A killed process cannot stop its children, which would wait for work forever.
    """
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        _end(signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _interrupt(*_: object) -> None:
    """Once: a second KeyboardInterrupt would disturb what the first one tidies up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # the thread that watches is told all the same
    raise KeyboardInterrupt


def _watch(reading: socket.socket, _: socket.socket, parent: int) -> None:
    while not _readable(reading, LOOK):
        if parent and os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)
            parent = 0
    number = reading.recv(1)[0]
    time.sleep(SAME)
    with suppress(BlockingIOError):
        reading.recv(4096, socket.MSG_DONTWAIT)
    _readable(reading, _grace - SAME)
    _end(number)


def _readable(reading: socket.socket, seconds: float) -> bool:
    return bool(select.select([reading], [], [], seconds)[0])


def _end(number: int) -> None:
    import psutil

    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            process.kill()
    os._exit(128 + number)
