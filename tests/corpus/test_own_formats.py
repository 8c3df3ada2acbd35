"""Rows of one's own and BEIR folders become data folders; bad rows end it or are written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ecqg.cli import app
from ecqg.corpus.dpr_examples import read_dpr_examples
from ecqg.corpus.folder import read_test_set
from ecqg.corpus.formats.own_folder import import_own
from ecqg.corpus.passage_file import Entry, read_passage_file
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import read_ids
from ecqg.errors import InputError

PASSAGES = [
    {"_id": "d1", "title": "Mill", "text": "The mill\nwas built in 1852."},
    {"_id": "d 2".replace(" ", "-"), "title": "", "text": 'She sang "The Ship".'},
    {"_id": "d3", "title": "Only a title", "text": ""},
]
QUERIES = [{"_id": f"q{i}", "text": f"question {i}"} for i in range(30)]
HEADER = "query-id\tcorpus-id\tscore\n"


def jsonl(path: Path, records: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    jsonl(folder / "corpus.jsonl", PASSAGES)
    jsonl(folder / "queries.jsonl", QUERIES)
    (folder / "qrels").mkdir()
    test = "q0\td1\t2\nq0\td3\t1\nq1\td-2\t1\nq2\td1\t0\n"
    (folder / "qrels" / "test.tsv").write_text(HEADER + test)
    train = "".join(f"q{i}\td1\t1\nq{i}\td-2\t2\n" for i in range(3, 30))
    (folder / "qrels" / "train.tsv").write_text(HEADER + train)
    return folder


def test_a_folder_of_beir_keeps_its_ids_and_grades(beir: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    records, bad = import_own("beir", [beir], out)
    assert bad == 0
    assert list(read_passage_file(out / "passages.tsv")) == [
        Entry("d1", "The mill was built in 1852.", "Mill"),
        Entry("d-2", 'She sang "The Ship".', ""),
        Entry("d3", "Only a title", ""),
    ]
    test_set = read_test_set(out, "test.qa.tsv")
    assert [(q.text, q.answers) for q in test_set.questions] == [
        ("question 0", ()),
        ("question 1", ()),
    ]
    assert test_set.ids == ["q0", "q1"]  # q2 has nothing relevant
    assert read_qrels(out / "test.qrels") == {"q0": {"d1": 2, "d3": 1}, "q1": {"d-2": 1}}
    gold = {s: list(read_dpr_examples(out / f"{s}.dpr.json")) for s in ("train", "dev")}
    assert len(gold["train"]) + len(gold["dev"]) == 27
    assert 0 < len(gold["dev"]) < 10  # a tenth, by the ids
    positives = {e.positives for of in gold.values() for e in of}
    assert [[p.passage_id for p in of] for of in positives] == [["d-2"]]  # the best judged
    assert records == {
        "passages.tsv": 3,
        "test.qa.tsv": 2,
        "train.dpr.json": len(gold["train"]),
        "dev.dpr.json": len(gold["dev"]),
    }


def test_the_same_rows_as_json_lines_and_as_csv(tmp_path: Path) -> None:
    asked = [
        {"id": "a", "question": "when was it built?", "answers": ["1852", "in 1852"]},
        {"id": "b", "question": "which ship,\nagain?", "answers": [], "relevant": ["d-2"]},
    ]
    with (tmp_path / "passages.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, ["title", "text", "_id"])  # in any order
        writer.writeheader()
        writer.writerows(PASSAGES)
    with (tmp_path / "questions.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, ["question", "id", "answers", "relevant"])
        writer.writeheader()
        writer.writerows(
            {k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()}
            for row in asked
        )
    jsonl(tmp_path / "passages.jsonl", PASSAGES)
    jsonl(tmp_path / "questions.jsonl", asked)
    for end in ("csv", "jsonl"):
        import_own("passages", [tmp_path / f"passages.{end}"], tmp_path / end)
        import_own("questions", [tmp_path / f"questions.{end}"], tmp_path / end, "mine")
    names = ["mine.ids.txt", "mine.qa.tsv", "mine.qrels", "passages.tsv"]
    for folder in (tmp_path / "csv", tmp_path / "jsonl"):
        assert sorted(f.name for f in folder.iterdir()) == names
    for name in names:
        assert (tmp_path / "csv" / name).read_bytes() == (tmp_path / "jsonl" / name).read_bytes()
    questions = read_test_set(tmp_path / "csv", "mine.qa.tsv").questions
    assert [q.answers for q in questions] == [("1852", "in 1852"), ()]
    assert questions[1].text == "which ship, again?"
    assert read_ids(tmp_path / "csv" / "mine.ids.txt", 2) == ["a", "b"]


GOOD = b'{"_id": "a", "text": "one"}\n'


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'{"text": "two"}', "an id that is missing, empty or no single word (1 row is bad); each"),
        (b'{"_id": "a", "text": "two"}', "the id 'a' for the second time (1 row is bad); each row"),
        (b'{"_id": "b c", "text": "two"}', "an id that is missing, empty or no single word"),
        (b'{"_id": "b", "text": "\\u0000"}', "a NUL character (1 row is bad); take it out"),
        (b'{"_id": "b", "text": "x\x00"}', "a NUL character (1 row is bad); take it out"),
        (b'{"_id": "b", "text": "caf\xe9"}', "not UTF-8 (1 row is bad); save the file as UTF-8"),
        (b'{"_id": "b", "text": " "}', "neither a text nor a title (1 row is bad); write {"),
        (b'{"_id": "b", "text": "two"', "not a JSON object ("),
        (b'["b", "two"]', "not a JSON object (expected `object`".replace("`", "")),
    ],
)
def test_a_bad_row_is_one_line_and_is_skipped_to_a_file(
    tmp_path: Path, bad: bytes, message: str
) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(GOOD + bad + b'\n{"_id": "z", "text": "three"}\n')
    with pytest.raises(InputError) as caught:
        import_own("passages", [file], tmp_path / "out")
    assert str(caught.value).startswith(f"{file}:2: {message}")
    assert str(caught.value).endswith("--skip-bad FILE writes them there and leaves them out")
    assert not (tmp_path / "out").exists()
    skipped = tmp_path / "bad.jsonl"
    assert import_own("passages", [file], tmp_path / "out", skip_bad=skipped) == (
        {"passages.tsv": 2},
        1,
    )
    assert [e.id for e in read_passage_file(tmp_path / "out" / "passages.tsv")] == ["a", "z"]
    (row,) = map(json.loads, skipped.read_text().splitlines())
    assert (row["file"], row["line"]) == (str(file), 2)
    assert row["row"] == bad.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('id,text\na,one\nb,"two\nlines",x\n', ":3: 3 fields where 2 belong (id, text) (1 row"),
        ('id,text\na,"one"x\nb,two\n', ":2: malformed (',' expected after '\"') (1 row is bad)"),
        (
            'id,text\na,one\nb,"two\nc,three\nd,four\n',
            ":3: malformed (unexpected end of data): a quote that opens here took lines 3 to 5, "
            "the rest of the file, into one row (1 row is bad); close it, or double a double quote",
        ),
        (
            'id,text\na,"one\nb,"two"\nc,three\n',
            ":2: malformed (',' expected after '\"'): a quote that opens here took lines 2 to 3",
        ),
        ("id,text,text\n", ":1: no header; the first line names the columns"),
        ("name,words\na,one\nb,two\n", ":2: neither a text nor a title (2 rows are bad); write"),
        ("", ": empty; the first line names the columns"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "passages.csv"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        import_own("passages", [file], tmp_path / "out")
    assert str(caught.value).startswith(f"{file}{message}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["passages.csv", "passages.jsonl"])
def test_utf_16_is_called_so(tmp_path: Path, name: str, codec: str) -> None:
    file = tmp_path / name
    file.write_bytes("\ufeffid,text\na,one\n".encode(codec))
    with pytest.raises(InputError) as caught:
        import_own("passages", [file], tmp_path / "out")
    assert str(caught.value) == f"{file}:1: UTF-16; save the file as UTF-8"


def test_a_query_of_beir_needs_an_id(beir: Path, tmp_path: Path) -> None:
    with (beir / "queries.jsonl").open("a") as out:
        out.write('{"text": "who?"}\n')
    with pytest.raises(InputError) as caught:
        import_own("beir", [beir], tmp_path / "out")
    said = f"{beir / 'queries.jsonl'}:31: an id that is missing, empty or no single word (1 row is"
    assert str(caught.value).startswith(said)
    skipped = tmp_path / "bad.jsonl"
    assert import_own("beir", [beir], tmp_path / "out", skip_bad=skipped)[1] == 1
    assert json.loads(skipped.read_text())["row"] == '{"text": "who?"}'


def test_judgements_of_what_is_not_there(beir: Path, tmp_path: Path) -> None:
    with (beir / "qrels" / "test.tsv").open("a") as out:
        out.write("q1\tnone\t1\nnobody\td1\t1\nq1\td-2\tx\nq1\td-2\t1\n")
    with pytest.raises(InputError) as caught:
        import_own("beir", [beir], tmp_path / "out")
    place = beir / "qrels" / "test.tsv"
    said = f"{place}:6: no passage has the id 'none' (4 rows are bad); take ids of corpus.jsonl; "
    assert str(caught.value).startswith(said)
    skipped = tmp_path / "bad.jsonl"
    assert import_own("beir", [beir], tmp_path / "out", skip_bad=skipped)[1] == 4
    wrong = [json.loads(line)["wrong"].split(";")[0] for line in skipped.read_text().splitlines()]
    assert sorted(wrong) == [
        "no passage has the id 'none'",
        "no query has the id 'nobody'",
        "not a judgement",
        "passage 'd-2' is judged twice for 'q1'",
    ]
    with pytest.raises(InputError, match=r"bad\.jsonl: is there already; name a new file"):
        import_own("beir", [beir], tmp_path / "other", skip_bad=skipped)


def test_questions_that_cannot_be_judged_or_trained_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    import_own("passages", [jsonl(tmp_path / "corpus.jsonl", PASSAGES)], out)
    for name, row, message in (
        ("test", {"question": "who?"}, "neither answers nor a relevant passage (1 row is bad)"),
        ("test", {"question": "who?", "relevant": ["d9"]}, "no passage has the id 'd9'"),
        ("test", {"question": "who?", "answers": [3]}, "answers that are no list of strings"),
        ("test", {"answers": ["x"]}, "no question"),
        ("train", {"question": "who?", "answers": ["x"]}, "a training question without a relevant"),
    ):
        file = jsonl(tmp_path / "questions.jsonl", [row])
        with pytest.raises(InputError) as caught:
            import_own("questions", [file], out, name)
        assert str(caught.value).startswith(f"{file}:1: {message}")
    assert [f.name for f in out.iterdir()] == ["passages.tsv"]


def test_the_command(beir: Path, tmp_path: Path) -> None:
    out, skipped = tmp_path / "out", tmp_path / "bad.jsonl"
    with (beir / "corpus.jsonl").open("a") as more:
        more.write("{}\n")
    command = ["import", "beir", str(beir), "--output", str(out)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert f"ecqg: {beir / 'corpus.jsonl'}:4: neither a text nor a title" in result.output
    result = CliRunner().invoke(app, [*command, "--skip-bad", str(skipped)])
    assert result.exit_code == 0
    assert f"{out / 'passages.tsv'}: 3 records\n" in result.output
    assert f"{skipped}: 1 bad row, left out\n" in result.output
    result = CliRunner().invoke(app, command)
    assert "passages.tsv: is there already" in result.output
    other = ["import", "nq-open", str(beir), "--output", str(out), "--skip-bad", str(skipped)]
    assert "--skip-bad for nq-open; only beir, passages" in CliRunner().invoke(app, other).output
