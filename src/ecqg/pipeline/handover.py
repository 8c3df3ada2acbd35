"""What passes between `ecqg STAGE` and the process that runs the stage for it: see preloaded.py.

The request is the arguments, the folder and the environment, with the open files of standard
input, output and error; the answer is the exit status.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

ADDRESS = "ECQG_PRELOADED"  # environment variable: path of the socket
STREAMS = (0, 1, 2)
LENGTH = 8  # bytes of a number


@dataclass(frozen=True)
class Request:
    """A command to run: `ecqg` with `arguments`."""

    arguments: list[str]
    folder: str
    environment: dict[str, str]


def hand_over(address: str, arguments: list[str]) -> int | None:
    """Have `ecqg` run with `arguments` by the process at `address`; returns its exit status.

    None means that no process listens there, and that nothing was run.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(address)
        except OSError:
            return None
        # Ctrl-C reaches the process that runs the stage as well, and that one decides. It also
        # ends when this one does.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        request = Request(arguments, str(Path.cwd()), dict(os.environ))
        data = json.dumps(asdict(request)).encode()
        socket.send_fds(connection, [len(data).to_bytes(LENGTH)], STREAMS)
        connection.sendall(data)
        answer = connection.recv(LENGTH, socket.MSG_WAITALL)
    if len(answer) < LENGTH:
        print("ecqg: the process that ran this was killed", file=sys.stderr)
        return 1
    return int.from_bytes(answer)


def take(connection: socket.socket) -> tuple[Request, list[int]]:
    """Receive a request and the three open files that belong to it."""
    head, streams, _, _ = socket.recv_fds(connection, LENGTH, len(STREAMS))
    data = connection.recv(int.from_bytes(head), socket.MSG_WAITALL)
    return Request(**json.loads(data)), streams


def answer(connection: socket.socket, status: int) -> None:
    """Send the exit status, 0 to 255."""
    connection.sendall(status.to_bytes(LENGTH))
