"""A full disk is one line that names the folder, and the work goes on when there is room."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tiny import TINY, edit

import ecqg
from ecqg import pace
from ecqg.columns import Columns
from ecqg.corpus.passages import Passage, write_passages
from ecqg.encoder.vector_file import VectorFile
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.postings import Postings
from ecqg.profiles import whole
from ecqg.search import building
from ecqg.space import allocate, explain_full_disk, room, zeros


class Disk:
    """A disk of some MiB in a folder; where none can be mounted, files are refused their place."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
        try:
            self.mounted = not subprocess.run(command, capture_output=True, check=False).returncode
        except FileNotFoundError:
            self.mounted = False
        if not self.mounted:
            self._refuse(monkeypatch)

    def _refuse(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place, self.size = os.posix_fallocate, 2 * 2**20

        def fallocate(descriptor: int, begin: int, size: int) -> None:
            if size > self.size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            place(descriptor, begin, size)

        monkeypatch.setattr(os, "posix_fallocate", fallocate)

    def grow(self, megabytes: int) -> None:
        if self.mounted:
            option = f"remount,size={megabytes}m"
            subprocess.run(["mount", "-o", option, str(self.folder)], check=True)
        self.size = megabytes * 2**20


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(tmp_path / "disk", monkeypatch)
    yield made
    if made.mounted:
        subprocess.run(["umount", "--lazy", str(made.folder)], check=True)


def test_vectors_have_their_place_before_they_are_written(disk: Disk) -> None:
    folder = disk.folder / "scratch"
    for _ in range(2):
        with pytest.raises(InputError, match=r"scratch: the disk is full \(4\.1 MB are needed, "):
            VectorFile(folder, 8000, 128, "fp32")
        assert not any(file.stat().st_size for file in folder.glob("*.npy"))
    disk.grow(10)
    file = VectorFile(folder, 8000, 128, "fp32")
    file.write(np.arange(8000), np.ones((8000, 128), np.float32))
    file.save()
    assert np.load(folder / "vectors.npy").all()


def test_maps_have_their_place(disk: Disk) -> None:
    with (
        (disk.folder / "map").open("w+b") as file,
        pytest.raises(InputError, match=f"^{disk.folder}: the disk is full .8.0 MB are needed, "),
    ):
        zeros(file, np.int64, (1000, 1000), disk.folder)
    disk.grow(10)
    with (disk.folder / "map").open("w+b") as file:
        found = zeros(file, np.int64, (1000, 1000), disk.folder)
    assert found.shape == (1000, 1000) and not found.any()
    found[:] = 1
    assert found.all()
    disk.grow(10)
    with pytest.raises(InputError, match="the disk is full"):
        Postings(disk.folder / "postings", ["a"], lambda _: np.zeros(1, np.int64), 2**22)


def test_what_has_its_place_is_not_sparse(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+b") as file:
        allocate(file, 2**20, tmp_path)
    found = (tmp_path / "file").stat()
    assert found.st_size == 2**20
    assert found.st_blocks * 512 >= 2**20


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        RuntimeError("I/O error: No space left on device (os error 28)"),  # safetensors
        RuntimeError("database or disk is full"),  # SQLite
    ],
)
def test_every_library_s_full_disk_is_known(error: Exception, tmp_path: Path) -> None:
    full = explain_full_disk(error, tmp_path)
    assert full and "the disk is full (" in str(full)
    wrapped = RuntimeError("stage failed")
    wrapped.__cause__ = error
    assert explain_full_disk(wrapped)
    assert explain_full_disk(ValueError("other")) is None


def test_a_file_that_was_being_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as caught, atomic(tmp_path / "out" / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert str(explain_full_disk(caught.value)).startswith(f"{tmp_path / 'out'}: the disk is full")


def ecqg_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ecqg", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(ecqg.__file__).parents[1])},
        text=True,
        capture_output=True,
        check=False,
    )


def test_columns_go_on_after_a_full_disk(disk: Disk) -> None:
    if not disk.mounted:
        pytest.skip("no disk can be mounted")
    columns = Columns(disk.folder / "columns", {"a": np.int64})
    block = np.arange(50_000)
    columns.append(a=block)
    filler = disk.folder / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(4096))
    with pytest.raises(OSError, match="No space left"):
        Columns(disk.folder / "columns", {"a": np.int64}).append(a=block)
    filler.unlink()
    again = Columns(disk.folder / "columns", {"a": np.int64})
    assert again.lengths["a"] == len(block)
    again.append(a=block)
    assert np.array_equal(again.read("a"), np.concatenate([block, block]))


@pytest.mark.slow
def test_a_stage_on_a_full_disk_is_one_line_and_goes_on(disk: Disk, tmp_path: Path) -> None:
    if not disk.mounted:
        pytest.skip("no disk can be mounted")
    for folder in (disk.folder, tmp_path):
        (folder / "params.yaml").write_text(whole("microcosm-night"), encoding="utf-8")
        edit(folder / "params.yaml", TINY | {"microcosm.passages": 1500})
    result = ecqg_in(disk.folder, "acquire")
    assert result.returncode == 1
    last = result.stderr.replace("\r", "\n").splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert last.startswith("ecqg: ") and ": the disk is full (" in last
    disk.grow(60)
    assert ecqg_in(disk.folder, "acquire").returncode == 0
    assert ecqg_in(tmp_path, "acquire").returncode == 0
    for path in filter(Path.is_file, (tmp_path / "data").rglob("*")):
        there = disk.folder / path.relative_to(tmp_path)
        assert there.read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_lucene_on_a_full_disk_is_one_line_and_goes_on(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not disk.mounted:
        pytest.skip("no disk can be mounted")
    monkeypatch.chdir(disk.folder)
    store, words = tmp_path / "passages.arrow", [f"word{n}" for n in range(40_000)]
    texts = [" ".join(words[begin::400]) for begin in range(400)]
    write_passages(store, (Passage(n, str(n), "", text, (0,)) for n, text in enumerate(texts)))
    with (disk.folder / "other").open("wb") as other:
        other.write(bytes(room(disk.folder) - 200_000))
    with pytest.raises(InputError, match=r"Lucene indexed 0 of 400 passages, .* the disk is full"):
        lucene_index(store)
    disk.grow(20)
    ((rows, _),) = BM25(lucene_index(store), k1=0.9, b=0.4).search(["word7 word407"], 2)
    assert rows.tolist() == [7]


def test_an_index_on_a_full_disk_is_one_line_and_goes_on(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not disk.mounted:
        pytest.skip("no disk can be mounted")
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    folder = disk.folder / "resume"
    vectors = np.random.default_rng(1).standard_normal((10 * building.BLOCK, 8), np.float32)
    with pytest.raises(OSError, match="No space left") as caught:
        building.build(vectors, "IVF2,Flat", 1, folder)
    full = explain_full_disk(caught.value)
    assert str(full).startswith(f"{folder}: the disk is full (")
    (kept,) = folder.iterdir()  # what had been written before, whole
    disk.grow(20)
    assert building.build(vectors, "IVF2,Flat", 1, folder).ntotal == len(vectors)
    assert not kept.exists()
