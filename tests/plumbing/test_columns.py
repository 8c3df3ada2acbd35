"""Columns on disk hold the blocks that were written whole, and nothing of the one that was not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg import columns
from ecqg.columns import Columns, map_npy
from ecqg.errors import InputError

DTYPES = {"a": np.int32, "b": np.dtype([("x", np.uint32), ("y", np.uint32)])}
BLOCKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5)


def block(a: int, b: int, value: int) -> dict[str, np.ndarray]:
    pairs = np.zeros(b, DTYPES["b"])
    pairs["x"], pairs["y"] = value, np.arange(b)
    return {"a": np.full(a, value, np.int32), "b": pairs}


@pytest.mark.slow
@given(BLOCKS, st.integers(0, 4), st.binary(max_size=9))
def test_whole_blocks_are_found_again(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[tuple[int, int]], stop: int, torn: bytes
) -> None:
    folder = tmp_path_factory.mktemp("columns") / "new"
    blocks = [block(a, b, value) for value, (a, b) in enumerate(sizes)]
    first = Columns(folder, DTYPES)
    for one in blocks[:stop]:
        first.append(**one)
    for name in DTYPES:
        with (folder / name).open("ab") as file:
            file.write(torn)
    second = Columns(folder, DTYPES)
    assert second.lengths == first.lengths
    for one in blocks[stop:]:
        second.append(**one)
    for name, dtype in DTYPES.items():
        expected = np.concatenate([np.empty(0, dtype), *(one[name] for one in blocks)])
        assert second.read(name).dtype == dtype
        assert second.read(name).tobytes() == expected.tobytes()
        assert second.lengths[name] == len(expected)


def test_a_block_counts_when_all_its_columns_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Columns(tmp_path, DTYPES)
    table.append(**block(2, 1, 1))

    def fail(path: Path, value: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(columns, "write_json", fail)
        with pytest.raises(KeyboardInterrupt):
            table.append(**block(3, 3, 2))
    again = Columns(tmp_path, DTYPES)
    assert again.lengths == {"a": 2, "b": 1}
    assert again.read("a").tolist() == [1, 1]


def test_another_dtype_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="int64 for a, which is int32"):
        Columns(tmp_path, DTYPES).append(a=np.zeros(1, np.int64))


@pytest.mark.parametrize("name", ["a", "b", "counts.json"])
def test_damage_is_named(tmp_path: Path, name: str) -> None:
    Columns(tmp_path, DTYPES).append(**block(3, 2, 1))
    data = (tmp_path / name).read_bytes()
    counts = [b"", b"{}", b"[]", b'{"a": [true, 0], "b": [0, 0]}', b'{"a": [-1, 0], "b": [0, 0]}']
    for changed in (data[:-2], bytes([data[0] ^ 1]) + data[1:], *counts):
        (tmp_path / name).write_bytes(changed)
        with pytest.raises(InputError):
            Columns(tmp_path, DTYPES)
    (tmp_path / name).unlink()
    if name != "counts.json":  # without which nothing counts
        with pytest.raises(InputError, match=f"{name}: is damaged; delete the folder"):
            Columns(tmp_path, DTYPES)


def test_an_array_is_as_long_as_its_header_says(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    vectors = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.save(path, vectors)
    assert map_npy(path, [np.float32], 2, remedy="x").tolist() == vectors.tolist()
    data = path.read_bytes()
    for changed in (data[:-1], data + b"\0", data.replace(b"(3, 4)", b"(9, 4)"), data[:60], b""):
        path.write_bytes(changed)
        with pytest.raises(InputError, match=r"bytes where an array of shape|no \.npy file"):
            map_npy(path, [np.float32], 2, remedy="x")
    for array in (
        vectors[0],
        vectors.astype(np.float64),
        np.array([{}]),
        np.asfortranarray(vectors),
    ):
        np.save(path, array, allow_pickle=True)
        with pytest.raises(InputError, match=r"an array of|no \.npy file"):
            map_npy(path, [np.float32], 2, remedy="x")
    with pytest.raises(InputError, match=r"cannot be read \(No such file"):
        map_npy(tmp_path / "none.npy", [np.float32], 2, remedy="x")
