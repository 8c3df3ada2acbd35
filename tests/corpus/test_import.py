"""`ecqg import`: public files become a folder that the stages read."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ecqg import paths
from ecqg.cli import app
from ecqg.corpus.dpr_examples import (
    Context,
    DprExample,
    read_dpr_examples,
    write_dpr_examples,
)
from ecqg.corpus.examples import read_examples
from ecqg.corpus.folder import read_test_set
from ecqg.corpus.formats.importer import FORMATS, import_files
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.questions import read_questions
from ecqg.corpus.reading import Answer, ReadingExample, read_reading
from ecqg.errors import InputError
from ecqg.evaluation.test_sets import question_files
from ecqg.files import read_json
from ecqg.params import load_params
from ecqg.profiles import use
from ecqg.stages import collection, gold, reading, subsets
from ecqg.tables import read_values

ROOT = Path(__file__).parents[2]
TEXT = "The old bridge was finished in 1852."


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Public files of a small study."""
    folder = tmp_path / "public"
    folder.mkdir()
    rows = [{"question": f'question {i} "x"', "answer": [f"a {i}", "1852"]} for i in range(3)]
    (folder / "nq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = [["no_answer_overlap", "no_question_overlap"], ["answer_overlap"], ["total"]]
    (folder / "notes.jsonl").write_text(
        "".join(json.dumps({"id": i, "labels": found}) + "\n" for i, found in enumerate(labels))
    )
    write_passage_file(folder / "psgs.tsv", [Entry("1", TEXT, "Old Bridge")])
    (folder / "psgs.tsv.gz").write_bytes(gzip.compress((folder / "psgs.tsv").read_bytes()))
    positive = Context("1", "Old Bridge", TEXT)
    write_dpr_examples(folder / "biencoder.json", [DprExample("when", ("1852",), (positive,))])
    (folder / "biencoder.json.gz").write_bytes(
        gzip.compress((folder / "biencoder.json").read_bytes())
    )
    return folder


def test_a_folder_of_imported_files_is_read_and_its_annotations_used(
    files: Path, tmp_path: Path
) -> None:
    out = tmp_path / "nq"
    assert import_files("nq-open", [files / "nq.jsonl"], out) == (out / "test.qa.tsv", 3, 0)
    assert import_files("dpr-passages", [files / "psgs.tsv.gz"], out).records == 1
    for name in ("", "dev"):
        import_files("dpr-train", [files / "biencoder.json.gz"], out, name)
    assert read_test_set(out, "test.qa.tsv").annotations is None  # computed then
    import_files("overlap", [files / "notes.jsonl"], out)
    assert sorted(path.name for path in out.iterdir()) == [
        "dev.dpr.json",
        "passages.tsv",
        "test.overlap.jsonl",
        "test.qa.tsv",
        "train.dpr.json",
    ]
    assert list(read_passage_file(out / "passages.tsv")) == [Entry("1", TEXT, "Old Bridge")]
    assert next(read_dpr_examples(out / "train.dpr.json")).answers == ("1852",)
    test_set = read_test_set(out, "test.qa.tsv")
    assert [q.text for q in test_set.questions][2] == 'question 2 "x"'
    assert test_set.annotations == {
        "no_answer_overlap": ["0"],
        "no_question_overlap": ["0"],
    }


@pytest.mark.slow
def test_dprs_files_alone_make_the_papers_study(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    positive, other = Context("1", "Old Bridge", TEXT), Context("2", "Mill", "It burned.")
    examples = [
        DprExample("when", ("1852",), (positive,), (other,)),
        DprExample("who", ("Ada Holt",), (positive,)),  # its answer is not in its passage
    ]
    write_dpr_examples(files / "train.json", examples)
    for name in ("", "dev"):
        for folder in ("nq", "webq"):
            import_files("dpr-train", [files / "train.json"], data / folder, name)
    import_files("dpr-passages", [files / "psgs.tsv"], data / "nq")
    for name in ("", "webq", "trivia", "wikimovies"):
        import_files("nq-open", [files / "nq.jsonl"], data / "nq", name)
    import_files("overlap", [files / "notes.jsonl"], data / "nq", "webq")
    (data / "squad").mkdir()  # of which the reader's first phase reads examples
    monkeypatch.chdir(tmp_path)
    use("paper", data=data)
    params = load_params()

    for stage in (collection, gold, reading, subsets):
        stage.run(params, "main")
    assert sorted(question_files(paths.collection())) == ["nq", "trivia", "webq", "wikimovies"]
    parts = read_json(paths.subsets())
    assert parts["webq"]["no_question_overlap"] == ["0"]  # as annotated
    assert parts["trivia"]["no_answer_overlap"] == []  # all share 1852 with training
    # What the phase of the reader that names the main set learns from.
    assert params.reader.phases[-1].examples == "main"
    assert read_reading(paths.reading("train")) == [
        ReadingExample("0", "when", "Old Bridge", TEXT, (Answer("1852", TEXT.index("1852")),)),
        ReadingExample("0-negative", "when", "Mill", "It burned.", ()),
    ]
    counts = {"answerable": 1, "unanswerable": 1, "answer_not_found": 1}
    assert read_values(paths.reading_metrics()) == {"train": counts, "dev": counts}
    assert list(params.gold_sets) == ["main", "webq"]
    assert list(params.reading_sets) == ["main", "squad"]
    gold.run(params, "webq")
    found = read_examples(paths.gold("train", "webq"), Passages(paths.collection() / PASSAGES))
    assert [example.question for example in found] == ["when", "who"]


def test_several_files_join_in_their_order(files: Path, tmp_path: Path) -> None:
    found = import_files("nq-open", [files / "nq.jsonl"] * 2, tmp_path / "out", "dev")
    assert found == (tmp_path / "out" / "dev.qa.tsv", 6, 0)
    assert [q.answers[0] for q in read_questions(found.path)] == ["a 0", "a 1", "a 2"] * 2


def test_nothing_is_written_where_something_is_wrong(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (files / "bad.jsonl").write_text('{"question": "who", "answer": ["Ada"]}\n{}\n')
    (files / "empty.jsonl").write_text("")
    (files / "short.jsonl").write_text('{"id": 0, "labels": []}\n')
    for form, names, name, message in (
        ("nq-open", ["nq.jsonl", "bad.jsonl"], "", r"bad\.jsonl:2: the record: no 'question'"),
        ("nq-open", ["nq.jsonl", "none.jsonl"], "", r"none\.jsonl: no such file; check the path"),
        ("nq-open", ["empty.jsonl"], "", r"/empty\.jsonl: no nq-open records"),
        ("nq-open", ["nq.jsonl"], "../x", "the name '../x'"),
        ("overlap", ["notes.jsonl"], "", r"test\.qa\.tsv: no such file"),
        ("overlap", ["notes.jsonl", "notes.jsonl"], "", "2 files of annotations"),
    ):
        with pytest.raises(InputError, match=message):
            import_files(form, [files / file for file in names], out, name)
        assert not out.exists()
    with pytest.raises(InputError, match="only wikimovies has a list of entities"):
        import_files("nq-open", [files / "nq.jsonl"], out, entities=files / "nq.jsonl")
    import_files("nq-open", [files / "nq.jsonl"], out)
    with pytest.raises(InputError, match=r"short\.jsonl: 1 annotations for 3 questions"):
        import_files("overlap", [files / "short.jsonl"], out)
    before = (out / "test.qa.tsv").read_bytes()
    with pytest.raises(InputError, match=r"test\.qa\.tsv: is there already"):
        import_files("nq-open", [files / "nq.jsonl"], out)
    assert [path.name for path in out.iterdir()] == ["test.qa.tsv"]
    assert (out / "test.qa.tsv").read_bytes() == before


def test_the_command(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (files / "qa.txt").write_text("1 what?\tMe, Myself & Irene\n")
    (files / "entities.txt").write_text("Me, Myself & Irene\n")
    arguments = ["import", "wikimovies", str(files / "qa.txt"), "--output", str(out)]
    result = CliRunner().invoke(app, [*arguments, "--entities", str(files / "entities.txt")])
    assert (result.exit_code, result.stdout) == (0, f"{out / 'test.qa.tsv'}: 1 records\n")
    assert (out / "test.qa.tsv").read_text() == 'what?\t["Me, Myself & Irene"]\n'
    result = CliRunner().invoke(app, ["import", "nq", str(files / "qa.txt"), "--output", str(out)])
    assert result.exit_code == 1
    assert "no format nq; choose one of nq-open, dpr-qa" in result.output


@pytest.mark.parametrize("where", ["nq.jsonl", "nq.jsonl/x/y"])
def test_a_file_where_the_folder_should_be_is_one_line(files: Path, where: str) -> None:
    arguments = ["import", "nq-open", str(files / "nq.jsonl"), "--output", str(files / where)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    said = f"{files / where}: is no folder; name a folder"
    assert said in "".join(result.output.splitlines())


def bioasq(path: Path, *records: dict[str, object]) -> Path:
    questions = [{"type": "factoid", **record} for record in records]
    text = json.dumps({"questions": questions}, ensure_ascii=False)
    path.write_bytes(text.encode("latin-1"))
    return path


def test_bioasq_in_its_encoding_and_what_has_no_answer(tmp_path: Path) -> None:
    out = tmp_path / "out"
    file = bioasq(
        tmp_path / "b.json",
        {"id": "1", "body": "Who described Sjögren's syndrome?", "exact_answer": [["Sjögren"]]},
        {"id": "2", "body": "Which gene?", "exact_answer": []},
        {"id": "3", "body": "Which drug?"},
    )
    command = ["import", "bioasq", str(file), "--output", str(out)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        f"ecqg: {file}:1: not UTF-8 (invalid start byte), here or soon after; if it is in another "
        "encoding, name that, such as --encoding latin-1\n"
    )
    assert not out.exists()
    result = CliRunner().invoke(app, [*command, "--encoding", "ISO-8859-1"])
    told = f"{out / 'test.qa.tsv'}: 1 records (2 without an answer skipped)\n"
    assert (result.exit_code, result.stdout) == (0, told)
    text = (out / "test.qa.tsv").read_text(encoding="utf-8")
    assert text == 'Who described Sjögren\'s syndrome?\t["Sjögren"]\n'
    bioasq(file, {"id": "2", "body": "Which gene?"}, {"id": "3", "body": "Which drug?"})
    message = f"{re.escape(str(file))}: none of 2 questions has an answer; take a file with"
    with pytest.raises(InputError, match=message):
        import_files("bioasq", [file], out, "other")
    assert [path.name for path in out.iterdir()] == ["test.qa.tsv"]


def test_articles_of_bioasq_in_latin_1(tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "allMeSH_2020.json"
    record = '{"abstractText":"Café au lait. Müller cells.","pmid":"7","title":"Sjögren"}'
    file.write_bytes(('{"articles":[\n' + record + "\n]}").encode("latin-1"))
    with pytest.raises(InputError, match=r"2020\.json:\d: not UTF-8 .*--encoding latin-1"):
        import_files("bioasq-articles", [file], out)
    with pytest.raises(InputError, match=r"2020\.json:1: not UTF-16.*--encoding latin-1"):
        import_files("bioasq-articles", [file], out, encoding="utf-16")
    assert import_files("bioasq-articles", [file], out, encoding="latin-1").records == 1
    entries = list(read_passage_file(out / "passages.tsv"))
    assert entries == [Entry("7-1", "Café au lait. Müller cells.", "Sjögren")]


def test_other_formats_have_one_encoding(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for form, encoding, message in (
        ("nq-open", "latin-1", "an encoding for nq-open; only bioasq and bioasq-articles may have"),
        ("bioasq", "latin-x", "no encoding 'latin-x'; name one such as latin-1"),
        ("bioasq", "rot13", "no encoding 'rot13'"),  # Python's, but not of text
    ):
        with pytest.raises(InputError, match=message):
            import_files(form, [files / "nq.jsonl"], out, encoding=encoding)
        assert not out.exists()
    assert import_files("nq-open", [files / "nq.jsonl"], out, encoding="UTF8").records == 3


def test_every_format_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"| `{name}` |" not in text] == []
