"""Whole files or none."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from ecqg.errors import InputError
from ecqg.files import (
    atomic,
    atomic_stamped,
    find_stamped,
    read_json,
    read_jsonl,
    sha256,
    write_json,
    write_jsonl,
)


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic(path) as aside:
        aside.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_what_killed_processes_left_of_an_output_goes_with_its_next_writing(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = tmp_path / f".a.[x].txt.{gone.pid}.part"
    left.mkdir()
    (left / "half").write_text("")
    others = [f".a.[x].txt.{os.getppid()}.part", ".a.[x].txt.y.part", f".b.txt.{gone.pid}.part"]
    for name in others:
        (tmp_path / name).write_text("")
    write_json(tmp_path / "a.[x].txt", {})
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["a.[x].txt", *others])


def test_a_folder_replaces_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.mkdir()
    (path / "stale").write_text("")
    with atomic(path) as aside:
        aside.mkdir()
        (aside / "fresh").write_text("")
    assert [p.name for p in path.iterdir()] == ["fresh"]
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_json_lines_round_trip_and_report_the_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [{"q": "wer?", "n": 1}, {"q": "größe\u2028", "n": 2}]
    write_jsonl(path, records)
    assert list(read_jsonl(path)) == records
    path.write_text('{"a": 1}\n[1]\n')
    with pytest.raises(InputError, match=r"a\.jsonl:2: not a JSON object"):
        list(read_jsonl(path))


def test_json_errors_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"a": [1, 2]})
    assert read_json(path) == {"a": [1, 2]}
    path.write_text('{\n"a": ,\n}')
    with pytest.raises(InputError, match=r"a\.json:2: not JSON"):
        read_json(path)


def test_sha256_is_the_published_test_vector(tmp_path: Path) -> None:
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(path) == expected


def test_an_error_is_one_line() -> None:
    error = InputError("two\nlines", file="f.tsv", line=7, remedy="write\none")
    assert str(error) == "f.tsv:7: two lines; write one"


def test_a_stamp_tells_damage_and_a_new_file_takes_the_place_of_the_earlier(tmp_path: Path) -> None:
    path = tmp_path / "state.bin"
    assert find_stamped(path, "delete it") is None
    for content in ("a", "b", "b"):
        with atomic_stamped(path) as aside:
            aside.write_text(content)
        (file,) = tmp_path.iterdir()
        assert file == tmp_path / f"state-{hashlib.sha256(content.encode()).hexdigest()[:16]}.bin"
        assert find_stamped(path, "delete it") == file
    with pytest.raises(KeyboardInterrupt), atomic_stamped(path) as aside:
        aside.write_text("c")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == [file]
    path.write_text("of a process that was killed before it put the stamp")
    assert find_stamped(path, "delete it") == file
    file.write_text("c")
    with pytest.raises(InputError, match=f"^{file}: is not what was written.*; delete it$"):
        find_stamped(path, "delete it")
