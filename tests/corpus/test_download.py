from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from ecqg.corpus.squad import download
from ecqg.errors import InputError

BODY = bytes(range(256)) * 1000
CHECKSUM = hashlib.sha256(BODY).hexdigest()


class Server(BaseHTTPRequestHandler):
    """Serves BODY; under /broken it stops half-way unless asked for the rest."""

    ranges: ClassVar[list[str | None]] = []  # what was asked for

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.ranges.append(wanted)
        if self.path.endswith("/missing.json"):
            self.send_error(404)
            return
        start = int(wanted[len("bytes=") : -1]) if wanted and "/deaf/" not in self.path else 0
        if start >= len(BODY):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(BODY) - start))
        self.end_headers()
        stop = len(BODY) // 2 if "/broken/" in self.path and not start else len(BODY)
        self.wfile.write(BODY[start:stop])

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Server.ranges = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_verified_file_is_fetched_once(server: str, tmp_path: Path) -> None:
    path = download(f"{server}/file.json", CHECKSUM, tmp_path / "kept")
    assert path.read_bytes() == BODY
    assert download(f"{server}/file.json", CHECKSUM, tmp_path / "kept") == path
    assert Server.ranges == [None]
    assert list(path.parent.iterdir()) == [path]


def test_a_kept_file_that_was_damaged_is_fetched_anew(server: str, tmp_path: Path) -> None:
    path = download(f"{server}/file.json", CHECKSUM, tmp_path)
    path.write_bytes(b"damaged")
    assert download(f"{server}/file.json", CHECKSUM, tmp_path).read_bytes() == BODY


def test_a_broken_transfer_is_resumed(server: str, tmp_path: Path) -> None:
    half = len(BODY) // 2
    with pytest.raises(InputError, match=rf"broken off after {half} of {len(BODY)} bytes"):
        download(f"{server}/broken/file.json", CHECKSUM, tmp_path)
    assert download(f"{server}/broken/file.json", CHECKSUM, tmp_path).read_bytes() == BODY
    assert Server.ranges == [None, f"bytes={half}-"]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_server_that_cannot_resume_sends_all(server: str, tmp_path: Path) -> None:
    name = f"{CHECKSUM[:16]}-file.json.part"
    (tmp_path / name).write_bytes(BODY[:100])
    assert download(f"{server}/deaf/file.json", CHECKSUM, tmp_path).read_bytes() == BODY


def test_a_transfer_that_was_complete_is_only_verified(server: str, tmp_path: Path) -> None:
    (tmp_path / f"{CHECKSUM[:16]}-file.json.part").write_bytes(BODY)
    assert download(f"{server}/file.json", CHECKSUM, tmp_path).read_bytes() == BODY


def test_a_wrong_checksum_leaves_nothing(server: str, tmp_path: Path) -> None:
    wrong = "0" * 64
    with pytest.raises(InputError, match=rf"file\.json has the sha256 {CHECKSUM} where 0{{64}}"):
        download(f"{server}/file.json", wrong, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_files_and_hosts_that_are_not_there_are_named(server: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/file.json"
    for url, reason in {
        f"{server}/missing.json": "Not Found",
        closed: "refused",
        (tmp_path / "no.json").as_uri(): "No such file",
        "no-scheme/file.json": "unknown url type",
    }.items():
        with pytest.raises(InputError, match=reason) as caught:
            download(url, CHECKSUM, tmp_path / "kept")
        assert url in str(caught.value)
        assert "; check the connection" in str(caught.value)
        assert list((tmp_path / "kept").iterdir()) == []


def test_local_files_will_do(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_bytes(BODY)
    url = (tmp_path / "file.json").as_uri()
    assert download(url, CHECKSUM, tmp_path / "kept").read_bytes() == BODY
