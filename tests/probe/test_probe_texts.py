"""Passages and questions from files, and the embedded ones."""

from __future__ import annotations

import json

import pytest

from ecqg.corpus.formats.rows import BadRows, bad_rows
from ecqg.errors import InputError
from ecqg.probe.texts import EMBEDDED, embedded, read

ROWS = [
    ("a", "The mill burned down. Ann Moor built it in 1852.", "Mill"),
    ("b", "The ship sails. Bob Vale steered it. Ann Moor saw it.", "Ship"),
    ("c", "A song by Clara Moss. The queen sang it.", "Song"),
]


@pytest.fixture
def files(tmp_path):
    lines = ["id\ttext\ttitle", *("\t".join(row) for row in ROWS)]
    (tmp_path / "passages.tsv").write_text("".join(f"{line}\n" for line in lines))
    asked = ['who steered\t["Bob Vale"]', 'who built\t["Ann Moor"]', 'who swam\t["Zed"]']
    (tmp_path / "q.qa.tsv").write_text("".join(f"{line}\n" for line in asked))
    return tmp_path


def of(files, questions=None, qrels=None, most=10):
    paths = (name and files / name for name in (questions, qrels))
    return read(files / "passages.tsv", *paths, BadRows(), most=most, seed=1)


def test_passages_have_sentences_and_rows(files):
    texts = of(files)
    assert [(p.row, p.id, p.text, p.title) for p in texts.passages] == [
        (i, *row) for i, row in enumerate(ROWS)
    ]
    assert texts.passages[1].sentence_starts == (0, 16, 37)
    assert (texts.total, texts.questions, texts.left_out) == (3, [], 0)


def test_without_qrels_an_answer_must_stand_in_one_passage_alone(files):
    texts = of(files, "q.qa.tsv")
    assert texts.questions == [("who steered", (1,), ROWS[1][1].index("Bob"))]
    assert texts.left_out == 2  # one answer in two passages, one in none


def test_qrels_say_which_passages_answer(files):
    (files / "q.qrels").write_text("1 0 c 1\n1 0 a 2\n1 0 b 0\n2 0 c 1\n")
    texts = of(files, "q.qa.tsv", "q.qrels")
    built = ("who built", (0, 2), ROWS[0][1].index("Ann"))  # where the answer stands comes first
    assert sorted(texts.questions) == [built, ("who swam", (2,), None)]
    assert texts.left_out == 1


def test_squads_json_says_where_answers_are(files):
    context = ROWS[1][1]
    start = context.index("Ann Moor")
    asked = [
        {
            "id": "1",
            "question": "who saw",
            "answers": [{"text": "Ann Moor", "answer_start": start}],
        },
        {"id": "2", "question": "who swam", "answers": [], "is_impossible": True},
    ]
    paragraphs = [{"context": context, "qas": asked}]
    file = files / "squad.json"
    file.write_text(json.dumps({"data": [{"title": "", "paragraphs": paragraphs}]}))
    assert of(files, "squad.json").questions == [("who saw", (1,), start)]


def test_a_sample_holds_what_answers(files):
    (files / "q.qrels").write_text("0 0 b 1\n1 0 a 1\n1 0 c 1\n2 0 c 1\n")
    kept = set()
    for most in (1, 2, 3):
        texts = of(files, "q.qa.tsv", "q.qrels", most)
        assert len(texts.passages) == most
        assert texts.total == 3
        assert texts.questions
        for text, rows, _ in texts.questions:
            wanted = {"who steered": ["b"], "who built": ["a", "c"], "who swam": ["c"]}[text]
            assert sorted(texts.passages[row].id for row in rows) == wanted
        kept.add(len(texts.questions))
    assert 3 in kept and min(kept) < 3


def test_what_is_wrong_is_one_line(files):
    with pytest.raises(InputError, match=r"none of 3 questions leads to a passage"):
        (files / "none.qa.tsv").write_text('a\t["x"]\nb\t["y"]\nc\t["z"]\n')
        of(files, "none.qa.tsv")
    (files / "q.qrels").write_text("0 0 b 1\n0 0 z 1\n1 0 y 1\n")
    with pytest.raises(InputError, match=r"q.qrels:2: no passage has the id 'z' \(2 rows "):
        of(files, "q.qa.tsv", "q.qrels")
    (files / "q.qrels").write_text("7 0 b 1\n")
    with pytest.raises(InputError, match=r"q.qrels:1: there is no question '7'"):
        of(files, "q.qa.tsv", "q.qrels")
    (files / "passages.tsv").write_text("id\ttitle\ttext\na\tMill\tIt burned.\n")
    with pytest.raises(
        InputError, match=r"passages.tsv:1: the columns are id, title, text, in another order"
    ):
        of(files)
    with pytest.raises(InputError, match=r"no such file; check the path$"):
        read(files / "nothing.tsv", None, None, BadRows(), most=10, seed=1)


def test_titles_in_the_place_of_texts_are_seen(files):
    swapped = "".join(f"{i}\t{title}\t{text}\n" for i, text, title in ROWS)
    (files / "passages.tsv").write_text(f"id\ttext\ttitle\n{swapped}")
    wrong = r"passages.tsv: 3 of 3 titles are longer than their texts; .* id, text, title, in this"
    with pytest.raises(InputError, match=wrong):
        of(files)


def test_bad_lines_of_a_passage_file_and_of_judgements_are_left_out(files):
    more = [
        b"two words\ttext\ttitle",
        b"a\tthe id of another\ttitle",
        b"d\t\xe9t\xe9\ttitle",
        b"e\tof\0of\ttitle",
        b'f\t"never closed\ttitle',
        b"g\ttwo fields",
        b"",
        b"h\t \ttitle",
        b'i\t"a\rb"\ttitle',
    ]
    sound = (files / "passages.tsv").read_bytes()
    end = "z\tsound\t\r\ny\tcut sho"
    (files / "passages.tsv").write_bytes(b"\n".join([sound.strip(), *more, end.encode()]))
    (files / "q.qrels").write_text("1 0 a 1\n1 0 a 1\n1 0 f 1\n9 0 a 1\n1 a 1\n")
    paths = [files / name for name in ("passages.tsv", "q.qa.tsv", "q.qrels")]
    with pytest.raises(
        InputError, match=r"passages.tsv:5: the id .*\(10 rows are bad\).*--skip-bad"
    ):
        read(*paths, BadRows(), most=10, seed=1)
    with bad_rows(files / "bad.jsonl") as bad:
        texts = read(*paths, bad, most=10, seed=1)
    assert [p.id for p in texts.passages] == ["a", "b", "c", "z"]
    assert texts.questions == [("who built", (0,), ROWS[0][1].index("Ann"))]
    told = [json.loads(line) for line in (files / "bad.jsonl").read_text().splitlines()]
    places = [(row["file"].rsplit("/")[-1], row["line"]) for row in told]
    assert places[:10] == [("passages.tsv", i) for i in (*range(5, 14), 15)]
    assert places[10:] == [("q.qrels", i) for i in (2, 3, 4, 5)]


def test_the_embedded_questions_point_at_their_answers():
    texts = embedded(200, 1)
    assert (texts.source, texts.total, len(texts.questions)) == (EMBEDDED, 200, 100)
    late = 0
    for _, (row,), start in texts.questions:
        passage = texts.passages[row]
        assert passage.row == row
        word = passage.text[start:].split()[0]
        assert word[0].isalnum()
        assert start == 0 or not passage.text[start - 1].isalnum()
        late += passage.sentence_at(start) >= 3
    assert 30 < late < 70  # of six sentences, all asked about alike
    assert embedded(200, 1) == texts != embedded(200, 2)
    with pytest.raises(InputError, match="give --limit 200 or more"):
        embedded(100, 1)


def lines(file, *rows):
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_rows_say_which_passages_answer(tmp_path):
    lines(tmp_path / "p.jsonl", *({"id": i, "text": t, "title": h} for i, t, h in ROWS))
    lines(
        tmp_path / "q.jsonl",
        {"question": "who built", "answers": ["Ann Moor"], "relevant": ["c", "a"]},
        {"question": "who steered", "answers": ["Bob Vale"]},
        {"question": "who sang", "relevant": ["c"]},
    )
    paths = (tmp_path / "p.jsonl", tmp_path / "q.jsonl", None)
    texts = read(*paths, BadRows(), most=10, seed=1)
    assert sorted(texts.questions) == [
        ("who built", (0, 2), ROWS[0][1].index("Ann")),
        ("who sang", (2,), None),
        ("who steered", (1,), ROWS[1][1].index("Bob")),
    ]


def test_a_folder_of_beir_brings_its_questions(tmp_path):
    lines(tmp_path / "corpus.jsonl", *({"_id": i, "text": t, "title": h} for i, t, h in ROWS))
    lines(tmp_path / "queries.jsonl", {"_id": "7", "text": "mills"}, {"_id": "8", "text": "ships"})
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\n8\tb\t1\n")
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n7\ta\t2\n7\tb\t0\n")
    texts = read(tmp_path, None, None, BadRows(), most=10, seed=1)
    assert texts.questions == [("mills", (0,), None)]
    assert [p.id for p in texts.passages] == ["a", "b", "c"]


def test_files_of_beir_may_be_named_one_by_one(tmp_path):
    lines(tmp_path / "corpus.jsonl", *({"_id": i, "text": t, "title": h} for i, t, h in ROWS))
    asked = [
        {"_id": "7", "text": "mills"},
        {"_id": "8", "text": "ships"},
        {"_id": "9", "text": "x"},
    ]
    lines(tmp_path / "queries.jsonl", *asked)
    paths = [tmp_path / name for name in ("corpus.jsonl", "queries.jsonl", "test.tsv")]
    paths[2].write_text("query-id\tcorpus-id\tscore\n7\ta\t2\n7\tb\t0\n9\tb\t0\n")
    texts = read(*paths, BadRows(), most=10, seed=1)
    assert (texts.questions, texts.left_out) == ([("mills", (0,), None)], 0)
    paths[2].write_text("7 0 a 2\n8 0 d 1\n")
    with pytest.raises(InputError, match=r"test.tsv:2: no passage has the id 'd' \(1 row is bad\)"):
        read(*paths, BadRows(), most=10, seed=1)
    (tmp_path / "squad.json").write_text('{"data": []}')
    with pytest.raises(InputError, match="leave out --qrels"):
        read(paths[0], tmp_path / "squad.json", paths[2], BadRows(), most=10, seed=1)


def test_a_bad_row_is_one_line_or_left_out(tmp_path):
    rows = [{"id": i, "text": t, "title": h} for i, t, h in ROWS]
    lines(tmp_path / "p.jsonl", rows[0], rows[0], *rows[1:])
    with pytest.raises(InputError, match=r"p.jsonl:2: the id 'a' for the second time"):
        read(tmp_path / "p.jsonl", None, None, BadRows(), most=10, seed=1)
    with bad_rows(tmp_path / "bad.jsonl") as bad:
        texts = read(tmp_path / "p.jsonl", None, None, bad, most=10, seed=1)
    assert [p.id for p in texts.passages] == ["a", "b", "c"]
    assert "second time" in (tmp_path / "bad.jsonl").read_text()


def test_ids_beside_a_qa_file_are_those_of_the_judgements(files):
    (files / "q.ids.txt").write_text("x\ny\nz\n")
    (files / "q.qrels").write_text("y 0 a 1\n")
    texts = of(files, "q.qa.tsv", "q.qrels")
    assert [(q.text, q.rows) for q in texts.questions] == [("who built", (0,))]
