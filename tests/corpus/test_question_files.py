from __future__ import annotations

import ast
import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecqg.corpus.questions import Question, read_questions, write_questions
from ecqg.errors import InputError


def test_reads_json_and_python_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.qa.tsv"
    path.write_text(
        'who got the first nobel prize in physics\t["Wilhelm Conrad Röntgen"]\r\n'
        'how deep is 6" of snow\t[\'6"\', "it\'s deep"]\n'
        '"who said ""no"""\t"[""Rosa Parks"", """"]"\n',
        encoding="utf-8",
        newline="",
    )
    assert read_questions(path) == [
        Question("0", "who got the first nobel prize in physics", ("Wilhelm Conrad Röntgen",)),
        Question("1", 'how deep is 6" of snow', ('6"', "it's deep")),
        Question("2", 'who said "no"', ("Rosa Parks",)),  # the empty answer is in every passage
    ]


line = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"))
words = line.map(str.strip).filter(bool)
answer = st.text(st.characters(exclude_categories=["Cs"])).filter(str.strip)


@given(st.lists(st.tuples(words, st.lists(answer, min_size=1)), min_size=1, max_size=4))
def test_round_trip_here_and_in_dprs_reader(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str]]]
) -> None:
    path = tmp_path_factory.mktemp("q") / "a.qa.tsv"
    questions = [Question(str(i), text, tuple(answers)) for i, (text, answers) in enumerate(rows)]
    write_questions(path, questions)
    assert read_questions(path) == questions
    with path.open(encoding="utf-8", newline="") as file:
        dpr = [(row[0], ast.literal_eval(row[1])) for row in csv.reader(file, delimiter="\t")]
    assert dpr == rows


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", ": no questions"),
        ("who\n", ":1: 1 tab-separated fields where 2 belong"),
        ('who\t["a"]\twhat\n', ":1: 3 tab-separated fields"),
        ('who\t["a"]\n"where\t["b"]\nwhen\t["c"]\n', ":2: 1 tab-separated fields"),
        ('who\r when\t["a"]\n', ":1: malformed"),
        (' \t["a"]\n', ":1: an empty question"),
        ("who\tsomebody\n", ":1: answers that are no list of strings"),
        ("who\t[1852]\n", ":1: answers that are no list of strings"),
        ("who\t['a'] + exit()\n", ":1: answers that are no list of strings"),
        ("who\t" + "[" * 3000 + "\n", ":1: answers that are no list of strings"),
    ],
)
def test_each_complaint_names_file_and_line(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "a.qa.tsv"
    path.write_text(content, encoding="utf-8", newline="")
    with pytest.raises(InputError) as caught:
        read_questions(path)
    assert str(caught.value).startswith(f"{path}{complaint}")
    assert "; " in str(caught.value)
