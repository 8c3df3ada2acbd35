from __future__ import annotations

from pathlib import Path

import pytest

from ecqg.corpus.lines import count_lines, numbered_lines, split_fields
from ecqg.errors import InputError


def test_only_line_feeds_end_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes("\ufeffone\u2028still one\r\ntwo\x0bstill two\n\nfour".encode())
    assert list(numbered_lines(path)) == [
        (1, "one\u2028still one"),
        (2, "two\x0bstill two"),
        (3, ""),
        (4, "four"),
    ]
    assert count_lines(path) == 3


def test_the_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"fine\n" * 5000 + b"caf\xe9\n" + b"fine\n")
    with pytest.raises(InputError, match=r"a\.tsv:5001: not UTF-8 .*; save the file as UTF-8"):
        list(numbered_lines(path))


@pytest.mark.parametrize("name", ["missing.tsv", ".", "a.tsv/b.tsv"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.tsv").write_text("x")
    with pytest.raises(InputError, match="no such file"):
        list(numbered_lines(tmp_path / name))


def test_a_stray_quote_stays_on_its_line() -> None:
    assert split_fields('1\t"a ""b"" c"\tt', strict=True) == ["1", 'a "b" c', "t"]
    assert isinstance(split_fields('1\t"a\tt', strict=True), str)
    assert isinstance(split_fields('1\t"a" b\tt', strict=True), str)
    assert split_fields('1\t6 " long\tt', strict=True) == ["1", '6 " long', "t"]
