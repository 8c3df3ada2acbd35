"""A digest that is remembered is the one that would be computed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from ecqg import digests
from ecqg.digests import content_digest, remembered


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(digests, "FOLDER", Path("kept"))


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ten seconds later than the files say."""
    later = SimpleNamespace(time_ns=lambda: time.time_ns() + 10**10)
    monkeypatch.setattr(digests, "time", later)


LONG = b'{"/%s": "1 2"}' % (b"a" * 300)  # no file system has such a name


class Counted:
    """The text of a file as its digest, and which files were read for it."""

    __name__ = "counted"

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, file: Path) -> str:
        self.read.append(file.name)
        return file.read_text()


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text)
    return path


def test_a_content_digest_is_that_of_the_bytes() -> None:
    assert content_digest(write("a", "abc")) == hashlib.blake2b(b"abc").hexdigest()


@pytest.mark.usefixtures("settled")
def test_files_that_stay_as_they_are_are_read_once() -> None:
    files, first = [write("a", "one"), write("b", "two")], Counted()
    assert remembered(first, files) == ["one", "two"]
    assert remembered(first, files) == ["one", "two"]
    assert first.read == ["a", "b"]
    assert remembered(content_digest, files) == [content_digest(file) for file in files]


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("change", ["time", "size", "file", "restored"])
def test_a_file_that_changed_is_read_again(change: str) -> None:
    file, digest = write("a", "one"), Counted()
    remembered(digest, [file])
    before = file.stat()
    if change == "file":
        write("b", "two")
        os.utime("b", ns=(before.st_atime_ns, before.st_mtime_ns))
        Path("b").replace(file)
    elif change == "size":
        write("a", "three")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif change == "time":
        write("a", "two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    else:
        time.sleep(0.02)  # more than the clock of the file system's tick
        write("a", "two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert remembered(digest, [file]) == [file.read_text()] != ["one"]
    assert digest.read == ["a", "a"]


def test_a_file_that_was_just_written_is_read_again() -> None:
    """It may be written once more at what its file system takes for the same time."""
    file, digest = Path("a"), Counted()
    for number in range(100, 300):
        write("a", f"{number}")
        assert remembered(digest, [file]) == [f"{number}"]
    assert remembered(digest, [file]) == ["299"]
    assert len(digest.read) == 201


@pytest.mark.usefixtures("settled")
def test_a_file_that_changes_while_it_is_read_is_read_again() -> None:
    file = write("a", "one")

    def digest(file: Path) -> str:
        text = file.read_text()
        write("a", f"{text}, one more")
        return text

    assert remembered(digest, [file]) == ["one"]
    assert remembered(digest, [file]) == ["one, one more"]


@pytest.mark.usefixtures("settled")
def test_small_files_are_not_remembered() -> None:
    files, digest = [write("a", "1"), write("b", "12")], Counted()
    for _ in range(2):
        assert remembered(digest, files, smallest=2) == ["1", "12"]
    assert digest.read == ["a", "b", "a"]


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    "content", [b"", b'{"a', b"\xff", b"[1]", b'{"FILE": 3}', b'{"FILE": ""}', LONG]
)
def test_what_cannot_be_read_is_made_anew(content: bytes) -> None:
    file, digest = write("a", "one"), Counted()
    remembered(digest, [file])
    (kept,) = digests.FOLDER.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(content.replace(b"FILE", bytes(file.absolute())))
    assert remembered(digest, [file]) == ["one"]
    assert digest.read == ["a", "a"]
    assert kept.read_bytes() == whole


@pytest.mark.usefixtures("settled")
def test_files_that_are_gone_are_forgotten() -> None:
    files, digest = [write("a", "one"), write("b", "two")], Counted()
    remembered(digest, files)
    files[0].unlink()
    remembered(digest, [write("c", "three")])
    (kept,) = digests.FOLDER.iterdir()
    assert [Path(name).name for name in json.loads(kept.read_text())] == ["b", "c"]
    with pytest.raises(FileNotFoundError):
        remembered(digest, files)


SIDE_BY_SIDE = """
import json, sys
from pathlib import Path
from ecqg import digests

digests.FOLDER, digests.SETTLED = Path("kept"), -(10**18)
both = [Path(f"{i}") for i in range(20)]
for i in range(100):
    own = Path(f"{sys.argv[1]}-{i}")
    own.write_text(f"{own}")
    files = [*both, own]
    expected = [digests.content_digest(file) for file in files]
    assert digests.remembered(digests.content_digest, files) == expected
    json.loads(Path("kept/content_digest.json").read_text())
"""


def test_processes_side_by_side_disturb_each_other_in_nothing() -> None:
    for number in range(20):
        write(f"{number}", f"{number}")
    command = [sys.executable, "-c", SIDE_BY_SIDE]
    running = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in "xy"]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 2
    (kept,) = digests.FOLDER.iterdir()
    known = {
        Path(name).name: entry.split()[1] for name, entry in json.loads(kept.read_text()).items()
    }
    assert {f"{number}" for number in range(20)} <= known.keys()
    assert known == {name: content_digest(Path(name)) for name in known}
