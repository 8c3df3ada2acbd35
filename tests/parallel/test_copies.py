"""Copies of a driver's files: one a machine, the right one, gone when nobody has it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ecqg.errors import InputError
from ecqg.parallel.copies import Copies, pack, sees, state

# Takes the copies of states that stand in its input, a line each; says where; dies of its parent.
TAKER = """
import sys
from pathlib import Path
from ecqg.parallel.copies import Copies
copies = Copies()
for line in sys.stdin:
    state, _, packed = line.strip().partition(" ")
    print(copies.take(state, lambda: [Path(packed).read_bytes()]), flush=True)
copies.leave()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies are."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path / f"ecqg-copies-{os.getuid()}"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    made = tmp_path / "there/model"
    (made / "parts").mkdir(parents=True)
    (made / "text").write_text("hello")
    (made / "parts/linked").symlink_to("../text")
    return made


def whole(path: Path) -> list[bytes]:
    """What `pack` makes of it, in parts that end anywhere."""
    packed = b"".join(pack(path, lambda part: part))
    return [packed[i : i + 1000] for i in range(0, len(packed), 1000)]


def once(packed: list[bytes]) -> Callable[[], list[bytes]]:
    """Gives them, and fails the second time."""
    left = [packed]
    return left.pop


def taker() -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", TAKER], text=True, **pipes)


def told(process: subprocess.Popen[str], line: str) -> Path:
    assert process.stdin and process.stdout
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return Path(process.stdout.readline().strip())


def test_the_same_file_is_seen_and_no_other(model: Path, tmp_path: Path) -> None:
    known = state(model)
    assert sees(model, known) and not sees(tmp_path / "nothing", known)
    text = model / "text"
    assert state(text) != known and sees(text, state(text))
    was = text.stat()
    text.write_text("other")  # of the same size, at another time
    os.utime(text, ns=(was.st_atime_ns, was.st_mtime_ns + 1))
    assert not sees(model, known)
    os.utime(text, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert sees(model, known)
    text.rename(model / "text2")
    assert not sees(model, known)


@pytest.mark.parametrize("inside", [False, True])
def test_a_copy_has_what_links_lead_to_and_is_made_once(
    model: Path, folder: Path, inside: bool
) -> None:
    path = model / "parts/linked" if inside else model
    first, second, give = Copies(), Copies(), once(whole(path))
    copy = first.take(state(path), give)
    assert second.take(state(path), give) == copy and copy.name == path.name
    linked = copy if inside else copy / "parts/linked"
    assert linked.read_text() == "hello" and not linked.is_symlink()
    assert folder.stat().st_mode & 0o77 == 0
    first.leave()
    assert copy.exists()  # the second has it
    second.leave()
    second.leave()
    assert not [*folder.iterdir()]


def test_memory_holds_one_part_at_a_time(tmp_path: Path) -> None:
    path, sizes = tmp_path / "large", []
    path.write_bytes(os.urandom(500_000))
    pack(path, lambda part: sizes.append(len(part)), 100_000)
    assert len(sizes) == 6 and max(sizes) < 120_000
    copies = Copies()
    copy = copies.take(state(path), lambda: pack(path, lambda part: part, 100_000))
    assert copy.read_bytes() == path.read_bytes()
    copies.leave()


def test_processes_share_it_and_the_last_one_removes_it(
    model: Path, folder: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(b"".join(whole(model)))
    processes = [taker() for _ in range(3)]
    for process in processes:  # all at once
        assert process.stdin
        process.stdin.write(f"{state(model)} {packed}\n")
        process.stdin.flush()
    found = {process.stdout.readline() for process in processes if process.stdout}
    (copy,) = (Path(line.strip()) for line in found)
    for process in processes:
        assert (copy / "text").read_text() == "hello"
        process.communicate()
    assert not [*folder.iterdir()]


def test_what_a_killed_process_had_is_removed_by_the_next(
    model: Path, folder: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(b"".join(whole(model)))
    process = taker()
    copy = told(process, f"{state(model)} {packed}")
    other = Copies()
    assert other.take("another", once(whole(model))).exists() and copy.exists()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert copy.exists()
    (folder / f"{state(model)}.part").mkdir()  # as of one that was killed while it made it
    third = Copies()
    third.take("a third", once(whole(model)))
    assert sorted(p.name for p in folder.iterdir()) == [
        "a third", "a third.lock", "another", "another.lock"
    ]  # fmt: skip
    for one in (other, third):
        one.leave()
    assert not [*folder.iterdir()]


def test_a_copy_that_cannot_be_made_leaves_nothing_half(model: Path, folder: Path) -> None:
    packed = whole(model)
    with pytest.raises(tarfile.TarError):
        Copies().take(state(model), once(packed[:1]))
    assert [p.name for p in folder.iterdir()] == [f"{state(model)}.lock"]
    copies = Copies()
    assert (copies.take(state(model), once(packed)) / "text").read_text() == "hello"
    copies.leave()
    assert not [*folder.iterdir()]


def test_somebody_elses_folder_is_refused(model: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="not this user's own folder; set TMPDIR"):
        Copies().take(state(model), once([]))
