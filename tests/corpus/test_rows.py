"""Rows by id equal a dictionary's, whatever the column's chunks and the hashes are."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.corpus import passages as module
from ecqg.corpus.passages import RowsById

CHUNKS = st.lists(st.text(max_size=3), unique=True, max_size=30).flatmap(
    lambda names: st.integers(1, 7).map(
        lambda size: [names[i : i + size] for i in range(0, len(names), size)]
    )
)


@settings(deadline=None)
@given(CHUNKS, st.lists(st.text(max_size=3), max_size=9))
def test_equal_to_a_dictionary(chunks: list[list[str]], others: list[str]) -> None:
    names = [name for chunk in chunks for name in chunk]
    expected = {name: row for row, name in enumerate(names)}
    found = RowsById(pa.chunked_array(chunks, pa.string()))
    assert dict(found) == expected
    assert len(found) == len(expected)
    for name in others:
        assert found.get(name) == expected.get(name)
        assert (name in found) == (name in expected)


def test_ids_of_equal_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "hash", len, raising=False)
    names = ["a", "bb", "c", "dd", "e", "ffff"]
    found = RowsById(pa.chunked_array([names[:4], names[4:]]))
    assert [found[name] for name in names] == [0, 1, 2, 3, 4, 5]
    assert not {"x", "yy", "zzz", "gggg"} & set(found)
    with pytest.raises(KeyError, match="yy"):
        found["yy"]
