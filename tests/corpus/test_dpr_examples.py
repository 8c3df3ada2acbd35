from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus import records
from ecqg.corpus.dpr_examples import (
    Context,
    DprExample,
    read_dpr_examples,
    write_dpr_examples,
)
from ecqg.corpus.records import read_array
from ecqg.errors import InputError

EXAMPLES = [
    DprExample(
        'who said "no"?',
        ("Rosa Parks", "Parks"),
        (Context("7", "Parks, Rosa", "Rosa Parks\nsaid “no”."),),
        (Context("8", "", "Nobody."), Context("9", "Yes", "All.")),
    ),
    DprExample("when", ("1852",), (Context("x:1", "t", "In 1852."),)),
]
# A record as in DPR's biencoder-nq-train.json, whose layout has four spaces of indent.
DPR_RECORD = {
    "dataset": "nq_train_psgs_w100",
    "question": "big little lies season 2 how many episodes",
    "answers": ["seven"],
    "positive_ctxs": [
        {
            "title": "Big Little Lies (TV series)",
            "text": "series garnered several accolades. The second season has seven episodes.",
            "score": 1000,
            "title_score": 1,
            "passage_id": "18768923",
        }
    ],
    "negative_ctxs": [],
    "hard_negative_ctxs": [{"title": None, "text": "Little People", "psg_id": 5}],
}


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "train.json"
    assert write_dpr_examples(path, iter(EXAMPLES)) == 2
    assert list(read_dpr_examples(path)) == EXAMPLES
    assert len(json.loads(path.read_text())) == 2
    assert len(path.read_text().splitlines()) == 4  # one example a line
    assert write_dpr_examples(path, []) == 0
    assert list(read_dpr_examples(path)) == []


@pytest.mark.parametrize("indent", [None, 4])
def test_reads_dprs_own_layout(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "dpr.json"
    path.write_text(json.dumps([DPR_RECORD] * 3, indent=indent))
    (example, *others) = read_dpr_examples(path)
    assert len(others) == 2
    assert example.positives[0].passage_id == "18768923"
    assert example.hard_negatives == (Context("5", "", "Little People"),)


values = st.recursive(
    st.none() | st.booleans() | st.text(),
    lambda v: st.lists(v) | st.dictionaries(st.text(), v),
    max_leaves=8,
)


@pytest.mark.slow
@given(
    st.lists(st.dictionaries(st.text(max_size=3), values, max_size=3), max_size=6),
    st.sampled_from([None, 0, 2]),
    st.integers(12, 60),
)
def test_any_array_reads_as_json_does(
    tmp_path_factory: pytest.TempPathFactory, array: list[Any], indent: int | None, block: int
) -> None:
    path = tmp_path_factory.mktemp("a") / "a.json"
    text = "\n" + json.dumps(array, indent=indent, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "BLOCK", block)
        assert [value for _, value in read_array(path)] == json.loads(text)


def test_lines_are_counted_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "BLOCK", 5)
    path = tmp_path / "a.json"
    path.write_text('[\n{"a":\n1},\n\n{"b": 2}, {"c": 3}\n]')
    assert [line for line, _ in read_array(path)] == [2, 5, 5]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", ":1: the JSON array is cut short"),
        ("{}", ":1: '{' where [ belongs"),
        ("[\n{}\n{}]", ":3: '{' where , or ] belongs"),
        ('[\n{"a": 1},\n', ":3: the JSON array is cut short"),
        ('[\n{"a": 1},\n{"b":\n', ":3: the JSON array is cut short"),
        ('[\n{"a": 1},\n{"b":\n oops},' + " {}," * 100, ":4: not JSON"),
    ],
)
def test_each_complaint_about_an_array_names_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, complaint: str
) -> None:
    monkeypatch.setattr(records, "BLOCK", 16)
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        list(read_array(path))
    assert str(caught.value).startswith(f"{path}{complaint}")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[1]", ":1: example: expected object, got int"),
        ('[\n{"question": "q", "answers": ["a"]}]', ":2: example: no 'positive_ctxs'; it needs"),
        (
            '[{"question": "q", "answers": "a", "positive_ctxs": []}]',
            ":1: example: expected array, got str at answers; it needs",
        ),
    ],
)
def test_each_complaint_about_an_example_names_file_and_line(
    tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        list(read_dpr_examples(path))
    assert str(caught.value).startswith(f"{path}{complaint}")


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'[{"a": "caf\xe9"}]')
    with pytest.raises(InputError, match=r"a\.json:1: not UTF-8"):
        list(read_array(path))
