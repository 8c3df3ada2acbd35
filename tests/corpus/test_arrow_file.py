"""Arrow files carry their digest: any changed byte is told, and other programs read them."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

from ecqg.corpus import arrow_file
from ecqg.corpus.arrow_file import read_arrow
from ecqg.corpus.passages import SCHEMA, Passage, Passages, write_passages
from ecqg.errors import InputError


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "passages.arrow"
    write_passages(path, [Passage(i, f"p{i}", "t", "some text. more.", (0, 11)) for i in range(9)])
    return path


def test_any_changed_byte_is_told(store: Path) -> None:
    data = store.read_bytes()
    rng = random.Random(1)
    for place in rng.sample(range(len(data)), 200):
        store.write_bytes(
            data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]
        )
        with pytest.raises(InputError, match="cannot be read as Arrow"):
            Passages(store)
    for changed in (data[:-1], data + b"x", b"", data[: len(data) // 2], b"ARROW1\0\0"):
        store.write_bytes(changed)
        with pytest.raises(InputError, match="cannot be read as Arrow"):
            Passages(store)
    store.write_bytes(data)
    assert len(Passages(store)) == 9


def test_any_program_reads_it(store: Path) -> None:
    table = pa.ipc.open_file(str(store)).read_all()
    assert table.schema == SCHEMA
    assert table["id"].to_pylist() == [f"p{i}" for i in range(9)]


def test_a_file_without_a_digest_is_refused(tmp_path: Path) -> None:
    with pa.ipc.new_file(str(tmp_path / "a.arrow"), SCHEMA):
        pass
    with pytest.raises(InputError, match=r"it carries no digest\); make it with 'ecqg corpus'"):
        read_arrow(tmp_path / "a.arrow", SCHEMA, "ecqg corpus")


def test_a_large_file_is_hashed_once(
    store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from ecqg import digests

    monkeypatch.setattr(digests, "FOLDER", tmp_path / "digests")
    monkeypatch.setattr(digests, "SETTLED", -(10**18))
    monkeypatch.setattr(arrow_file, "LARGE", 0)
    Passages(store)
    monkeypatch.setattr(arrow_file, "_digest", None)
    Passages(store)  # would fail if it were hashed again
