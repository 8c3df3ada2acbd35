from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from ecqg import paths, resume, shards
from ecqg.corpus import sentences
from ecqg.corpus.collection import read_annotations
from ecqg.corpus.examples import Example, read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import read_questions
from ecqg.corpus.reading import read_reading
from ecqg.errors import InputError
from ecqg.files import read_json
from ecqg.items import ITEMS
from ecqg.params import Collection, GoldSet, Params, ReadingSet, load_params
from ecqg.stages import acquire, collection, distractors, gold, reading, subsets
from ecqg.tables import read_values

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
STUDY: tuple[Any, ...] = (collection, gold, reading, subsets)
TEXTS = {
    "1": "The old bridge over the Arn was finished in 1852. It was built by Ada Holt.",
    "2": "Ada Holt was an engineer from Wend. She died in 1901.",
    "3": 'The paper "Wend Today" was founded by Bo Lind. It closed in 1999.',
}
QUESTIONS = [  # passage, question, answer
    ("1", "when was the old bridge finished", "1852"),
    ("1", "who built the bridge over the arn", "Ada Holt"),
    ("2", "where did ada holt come from", "Wend"),
    ("2", "when did ada holt die", "1901"),
    ("3", "who founded wend today", "Bo Lind"),
    ("3", "when did the paper close", "1999"),
]


def squad_json(rows: list[tuple[str, str, str]], unanswerable: int = 0) -> str:
    paragraphs = []
    for number, (passage, question, answer) in enumerate(rows):
        text = TEXTS[passage]
        qa: dict[str, Any] = {"id": str(number), "question": question, "is_impossible": False}
        qa["answers"] = [{"text": answer, "answer_start": text.index(answer)}]
        qas = [qa]
        if number < unanswerable:
            qas.append(
                {"id": f"u{number}", "question": "why?", "is_impossible": True, "answers": []}
            )
        paragraphs.append({"context": text, "qas": qas})
    return json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": paragraphs}]})


def passage_tsv(texts: dict[str, str]) -> str:
    quoted = {name: text.replace('"', '""') for name, text in texts.items()}
    return "id\ttext\ttitle\n" + "".join(f'{n}\t"{t}"\tT\n' for n, t in quoted.items())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder; the working directory is an empty one beside it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "passages.tsv").write_text(passage_tsv(TEXTS))
    (folder / "squad-train.json").write_text(squad_json(QUESTIONS, unanswerable=3))
    (folder / "squad-dev.json").write_text(squad_json(QUESTIONS[:2]))
    (folder / "test.qa.tsv").write_text(
        'who was the builder of the bridge over the arn\t["Ada Holt"]\n'
        'who founded the paper\t["Lind", "Bo Lind"]\n'
        'in which year did it open\t["1877"]\n'
    )
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


@pytest.fixture
def make(folder: Path) -> Callable[..., Params]:
    def make(at: str | Path = folder, **changes: Any) -> Params:
        """Parameters of a study of the folder `at`; a change is made in all sections that have it.

        The collection, the gold set and the reading set `far` are of the folder, too, and whole.
        """

        def changed(kind: Any, *given: Any) -> Any:
            known = {field.name for field in fields(kind)}
            return kind(str(at), *given, **{n: v for n, v in changes.items() if n in known})

        return replace(
            load_params(PROFILE),
            source=changes.get("source", "folder"),
            collections={
                "main": changed(Collection, {"mine": "test.qa.tsv"}),
                "far": Collection(str(at), {"far": "test.qa.tsv"}),
            },
            distractors=changes.get("distractors", {}),
            gold_sets={"main": changed(GoldSet, "main"), "far": GoldSet(str(at), "far")},
            reading_sets={"main": changed(ReadingSet), "far": ReadingSet(str(at))},
        )

    return make


def build(params: Params) -> None:
    """Run the stages of the main collection, gold set and reading set."""
    for stage in STUDY:
        stage.run(params, "main")


def examples(split: str = "train", name: str = "main") -> list[Example]:
    """A gold set's, read with the passages of the collection of the same name."""
    return list(read_examples(paths.gold(split, name), stored(name)))


def stored(name: str = "main") -> Passages:
    return Passages(paths.collection(name) / PASSAGES)


def asked(name: str = "main") -> list[tuple[str, ...]]:
    """Passage id, question and answers of a gold set's training examples."""
    passages = stored(name)
    return [(passages[e.positives[0]].id, e.question, *e.answers) for e in examples("train", name)]


def written() -> dict[str, str]:
    """Digest by path of every file below the working directory but those that lock a stage."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path().rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }


def test_a_folder_becomes_a_study(make: Callable[..., Params]) -> None:
    build(make())
    passages = stored()
    assert [(p.id, p.text) for p in passages] == list(TEXTS.items())
    assert all(len(p.sentence_starts) == 2 for p in passages)
    assert asked() == QUESTIONS
    assert [(e.id, e.negatives) for e in examples()] == [(str(i), ()) for i in range(6)]
    assert len(examples("dev")) == 2
    assert [bool(e.answers) for e in read_reading(paths.reading("train"))].count(False) == 3
    questions = read_questions(paths.collection() / "questions/mine.qa.tsv")
    assert [q.answers for q in questions] == [("Ada Holt",), ("Lind", "Bo Lind"), ("1877",)]
    unknown = {"subsets": None, "facts": None}
    assert read_annotations(paths.collection(), ["mine"]) == {"mine": unknown}
    # "Ada Holt": asked in other words; "Bo Lind": of the words founded, wend, today and founded,
    # paper one in four is shared.
    computed = {"no_answer_overlap": ["2"], "no_question_overlap": ["1", "2"]}
    assert read_json(paths.subsets()) == {"mine": computed}
    assert read_values(paths.reading_metrics())["train"] == {"answerable": 6, "unanswerable": 3}
    metrics = read_values(paths.collection_metrics())
    assert metrics["passages"]["by_source"] == {"folder": 3}
    assert metrics["passages"]["sentences_mean"] == 2
    assert metrics["test"]["mine"]["questions"] == 3
    metrics = read_values(paths.gold_metrics())
    assert metrics["train"] == {"questions": 6, "no_passage": 0, "answer_across_cut": 0}
    shares = [metrics["position"][f"sentence_{n}"]["answer_start"] for n in range(1, 7)]
    assert shares == [50, 50, 0, 0, 0, 0]


def test_twice_gives_the_same_bytes(make: Callable[..., Params]) -> None:
    params = make(max_train_questions=3, max_test_questions=2, max_examples=4)
    build(params)
    first = written()
    build(params)
    assert written() == first
    build(replace(params, seed=params.seed + 1))
    assert written() != first


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_said_of_questions_follows_their_sample(
    make: Callable[..., Params], folder: Path, seed: int
) -> None:
    for name in ("main", "far"):  # nothing is judged
        collection.run(make(), name)
        assert list(paths.qrels(name).iterdir()) == []
    judged, facts = {0: "1", 1: "3"}, ["arn.architect", "wend_today.founder", "arn.opening"]
    text = "".join(f"{question} 0 {passage} 1\n" for question, passage in judged.items())
    (folder / "test.qrels").write_text(text)
    (folder / "test.facts.tsv").write_text("".join(f"{fact}\n" for fact in facts))
    labels = [["no_answer_overlap"], ["no_question_overlap"], ["total", "no_answer_overlap"]]
    with (folder / "test.overlap.jsonl").open("w") as out:
        for number, found in enumerate(labels):
            out.write(json.dumps({"id": number, "labels": found}) + "\n")
    collection.run(replace(make(max_test_questions=2), seed=seed), "main")
    there = [q.text for q in read_questions(folder / "test.qa.tsv")]
    chosen = read_questions(paths.collection() / "questions/mine.qa.tsv")
    rows = {question.id: there.index(question.text) for question in chosen}
    assert list(rows) == ["0", "1"] and list(rows.values()) == sorted(rows.values())
    expected = {i: {judged[row]: 1} for i, row in rows.items() if row in judged}
    assert read_qrels(paths.qrels() / "mine.qrels") == expected
    known = read_annotations(paths.collection(), ["mine"])["mine"]
    assert known["facts"] == {i: facts[row] for i, row in rows.items()}
    assert known["subsets"] == {
        subset: [i for i, row in rows.items() if subset in labels[row]]
        for subset in ("no_answer_overlap", "no_question_overlap")
    }
    collection.run(make(), "far")
    assert (paths.qrels("far") / "far.qrels").read_text() == text


def test_samples_keep_sizes_and_order(make: Callable[..., Params]) -> None:
    build(make(max_train_questions=2, max_dev_questions=1, max_test_questions=2, max_examples=4))
    found = asked()
    assert len(found) == 2
    assert sorted(found, key=QUESTIONS.index) == found
    assert len(examples("dev")) == 1
    assert len(read_reading(paths.reading("train"))) == 4
    assert len(read_questions(paths.collection() / "questions/mine.qa.tsv")) == 2


def test_training_questions_by_answer_sentence(make: Callable[..., Params]) -> None:
    build(make(train_answer_sentences=1))
    assert [e.answers for e in examples()] == [("1852",), ("Wend",), ("Bo Lind",)]
    assert len(examples("dev")) == 2  # dev is as it was
    assert read_values(paths.gold_metrics())["train"]["answer_too_late"] == 3
    # "Ada Holt" is no training answer any more.
    assert read_json(paths.subsets())["mine"]["no_answer_overlap"] == ["0", "2"]
    gold.run(make(train_answer_sentences=2), "main")
    assert len(examples()) == 6


def test_distractors_join_the_main_collection_with_ids_of_their_own(
    make: Callable[..., Params], folder: Path
) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "passages.tsv").write_text(passage_tsv({"1": "Another text.", "9": TEXTS["1"]}))
    params = make(distractors={"more": str(other)})
    distractors.run(params, "more")
    build(params)
    assert [p.id for p in stored()] == ["1", "2", "3", "more:1", "more:9"]
    assert [p.row for p in stored()] == list(range(5))
    by_source = read_values(paths.collection_metrics())["passages"]["by_source"]
    assert by_source == {"folder": 3, "more": 2}
    assert asked()[0][0] == "1"  # not the copy among the distractors
    collection.run(params, "far")
    assert [p.id for p in stored("far")] == ["1", "2", "3"]


def test_a_gold_set_may_be_of_another_collection(make: Callable[..., Params], folder: Path) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "passages.tsv").write_text(passage_tsv({"9": TEXTS["3"], "8": TEXTS["1"]}))
    (other / "test.qa.tsv").write_bytes((folder / "test.qa.tsv").read_bytes())
    params = make()
    far = Collection(str(other), {"far": "test.qa.tsv"})
    params = replace(params, collections=params.collections | {"far": far})
    build(params)
    before = written()
    collection.run(params, "far")
    gold.run(params, "far")
    places = {"1": "8", "3": "9"}
    assert asked("far") == [(places[p], q, a) for p, q, a in QUESTIONS if p in places]
    assert [e.positives for e in examples("dev", "far")] == [(1,), (1,)]
    assert read_values(paths.gold_metrics("far"))["train"]["no_passage"] == 2
    # The main set is as it was, and what test questions share with training is told by it.
    assert written().items() >= before.items()
    subsets.run(params, "far")
    (found,) = read_json(paths.subsets("far")).values()
    assert [found] == list(read_json(paths.subsets()).values())


def test_each_collection_has_test_sets_of_its_own(make: Callable[..., Params]) -> None:
    collection.run(make(), "far")
    assert [p.id for p in stored("far")] == ["1", "2", "3"]
    assert len(read_questions(paths.collection("far") / "questions/far.qa.tsv")) == 3
    assert not paths.collection().exists()


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        ("Collection", "collections"),
        ("Distractors", "distractors"),
        ("Gold", "gold_sets"),
        ("Reading", "reading_sets"),
    ],
)
def test_unknown_names_are_told(make: Callable[..., Params], kind: str, section: str) -> None:
    params = make(distractors={"far": "x"})
    ITEMS[kind].find("far", params)
    with pytest.raises(InputError, match=rf"params\.yaml: {section} has no less; known: .*far$"):
        ITEMS[kind].find("less", params)


def test_dprs_training_files_come_first(make: Callable[..., Params], folder: Path) -> None:
    positive = {"title": "T", "text": TEXTS["3"], "passage_id": "3"}
    record = {
        "question": "who started wend today",
        "answers": ["bo lind"],
        "positive_ctxs": [positive],
        "negative_ctxs": [],
        "hard_negative_ctxs": [{"title": "T", "text": TEXTS["1"], "passage_id": "1"}],
    }
    lost = record | {"positive_ctxs": [positive | {"text": "Not in the collection."}]}
    for split in ("train", "dev"):
        (folder / f"{split}.dpr.json").write_text(json.dumps([record, lost], indent=4))
    (folder / "squad-dev.json").unlink()
    build(make())
    assert examples() == [Example("0", "who started wend today", ("bo lind",), (2,))]
    assert read_values(paths.gold_metrics())["train"]["no_passage"] == 1
    metrics = read_values(paths.reading_metrics())
    assert metrics["train"] == {"answerable": 6, "unanswerable": 3}
    # There is no squad-dev.json: dev's are made.
    assert metrics["dev"] == {"answerable": 1, "unanswerable": 1, "answer_not_found": 1}


def test_reading_examples_may_have_files_of_their_own(
    make: Callable[..., Params], folder: Path
) -> None:
    (folder / "reading-train.json").write_text(squad_json(QUESTIONS[4:], unanswerable=1))
    build(make())
    assert len(examples()) == 6
    expected = read_reading(paths.reading("train"))
    assert [e.id for e in expected] == ["0", "u0", "1"]
    (folder / "squad-dev.json").unlink()  # only the main set has a dev split
    reading.run(make(), "far")
    assert read_reading(paths.reading("train", "far")) == expected
    assert not paths.reading("dev", "far").exists()
    assert read_values(paths.reading_metrics("far")) == {
        "train": {"answerable": 2, "unanswerable": 1}
    }


def test_fact_keys_settle_question_overlap(make: Callable[..., Params], folder: Path) -> None:
    (folder / "train.facts.tsv").write_text("1\tarn.builder\n4\twend_today.founder\n")
    (folder / "test.facts.tsv").write_text("arn.architect\nwend_today.founder\narn.opening\n")
    build(make())
    assert read_json(paths.subsets())["mine"]["no_question_overlap"] == ["0", "2"]


def test_published_annotations_come_before_computed_ones(
    make: Callable[..., Params], folder: Path
) -> None:
    (folder / "train.facts.tsv").write_text("1\tarn.builder\n")
    (folder / "test.facts.tsv").write_text("arn.builder\na\nb\n")
    with (folder / "test.overlap.jsonl").open("w") as out:
        for number in range(3):
            out.write(json.dumps({"id": number, "labels": ["no_question_overlap"]}) + "\n")
    build(make())
    annotated = {"no_answer_overlap": [], "no_question_overlap": ["0", "1", "2"]}
    assert read_json(paths.subsets()) == {"mine": annotated}
    (folder / "test.overlap.jsonl").unlink()
    build(make())
    computed = {"no_answer_overlap": ["2"], "no_question_overlap": ["1", "2"]}
    assert read_json(paths.subsets()) == {"mine": computed}


BROKEN: dict[str, tuple[str, str | None, str]] = {
    "a malformed line": ("passages.tsv", "id\ttext\ttitle\n1\tno title\n", r":2: 2 tab-separated"),
    "an empty passage": ("passages.tsv", "id\ttext\ttitle\n1\t\tT\n", ":2: an empty passage"),
    "a duplicate id": ("passages.tsv", passage_tsv(TEXTS) + "2\tb\tT\n", ":5: the id '2' also"),
    "no passages": ("passages.tsv", None, ": no such file"),
    "other passages": ("passages.tsv", passage_tsv({"1": "Else."}), "none of 6 gold questions"),
    "a question without answers": ("test.qa.tsv", 'a?\t["b"]\nwho?\t[]\n', ":2: a question with"),
    "no test questions": ("test.qa.tsv", None, ": no such file"),
    "no training questions": ("squad-train.json", None, ": no such file"),
    "a misplaced answer": (
        "squad-dev.json",
        squad_json(QUESTIONS[:2])
        .replace("1852", "1853", 1)
        .replace("was finished", "got ready", 1),
        "is not at",
    ),
    "an unknown test question": (
        "test.overlap.jsonl",
        '{"id": 3, "labels": []}\n',
        ":1: the id 3, among 3 questions",
    ),
    "a training question without a fact": ("train.facts.tsv", "1\n", ":1: no fact key"),
    "too few facts": ("test.facts.tsv", "a\n", "1 fact keys for 3 questions"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_input_is_named_and_nothing_is_written(
    make: Callable[..., Params], folder: Path, what: str
) -> None:
    name, content, complaint = BROKEN[what]
    build(make())
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(InputError, match=complaint) as caught:
        for stage in STUDY:
            before = written()
            stage.run(make(), "main")
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)
    assert str(folder) in str(caught.value)
    # What was there is untouched, and nothing is beside it but what the next start goes on with.
    kept = {path for path in written() if path.startswith(str(resume.FOLDER))}
    assert {path: text for path, text in written().items() if path not in kept} == before


@pytest.mark.parametrize("stage", [collection, distractors])
def test_a_broken_folder_leaves_no_collection(
    make: Callable[..., Params], folder: Path, stage: Any
) -> None:
    with (folder / "passages.tsv").open("a") as out:
        out.write("4\t \tT\n")
    with pytest.raises(InputError, match=r"passages\.tsv:5: an empty passage"):
        stage.run(make(distractors={"far": str(folder)}), "far")
    assert written() == {}


@pytest.mark.parametrize("name", ["main", "far", "distractors"])
def test_passages_that_were_segmented_are_not_segmented_again(
    make: Callable[..., Params], folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    params = make(distractors={"far": str(folder)} if name == "distractors" else {})

    def run() -> None:
        if name == "distractors":
            distractors.run(params, "far")
        else:
            collection.run(params, name)

    run()
    whole = written()
    for path in whole:
        Path(path).unlink()
    segmented: list[str] = []
    segment = sentences.segment

    def until_stopped(zone: Sequence[str]) -> list[tuple[int, ...]]:
        if len(segmented) == 2 and not again:
            raise KeyboardInterrupt
        segmented.extend(zone)
        return segment(zone)

    again = False
    monkeypatch.setattr(sentences, "ZONE", 1)
    monkeypatch.setattr(sentences, "FEW", len(TEXTS))  # no processes: they would not be stopped
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(sentences, "segment", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert all(path.startswith(str(resume.FOLDER)) for path in written())
    again = True
    run()
    assert segmented == list(TEXTS.values())
    assert written() == whole


def test_wrong_judgements_cost_no_segmentation(
    make: Callable[..., Params], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "test.qrels").write_text("no judgement\n")
    segmented: list[str] = []
    segment = sentences.segment

    def counted(zone: Sequence[str]) -> list[tuple[int, ...]]:
        segmented.extend(zone)
        return segment(zone)

    monkeypatch.setattr(sentences, "segment", counted)
    with pytest.raises(InputError, match=r"test\.qrels:1"):
        collection.run(make(), "far")
    assert segmented == list(TEXTS.values())
    (folder / "test.qrels").unlink()
    collection.run(make(), "far")
    assert segmented == list(TEXTS.values())
    assert not list(resume.FOLDER.iterdir())


def test_missing_folders_are_named(make: Callable[..., Params]) -> None:
    with pytest.raises(InputError, match=r"nowhere/passages\.tsv: no such file"):
        collection.run(make("nowhere"), "main")
    with pytest.raises(InputError, match="nowhere: no such folder; name a data folder"):
        reading.run(make("nowhere"), "main")
    with pytest.raises(InputError, match=r"nowhere/passages\.tsv: no such file"):
        distractors.run(make(distractors={"x": "nowhere"}), "x")
    with pytest.raises(
        InputError, match=r"x/passages\.arrow: cannot be read as Arrow \(No such file"
    ):
        collection.run(make(distractors={"x": "nowhere"}), "main")
    assert written() == {}
    collection.run(make(), "main")
    before = written()
    with pytest.raises(InputError, match="nowhere: no such folder; name a data folder"):
        gold.run(make("nowhere"), "main")
    assert written().items() >= before.items()
    assert not paths.gold("train").parent.exists()


def test_a_given_folder_acquires_nothing(make: Callable[..., Params]) -> None:
    acquire.run(make())
    assert list(paths.RAW.iterdir()) == []


def test_a_failed_download_leaves_what_was_there(
    make: Callable[..., Params], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire.run(make())
    monkeypatch.setenv("ECQG_SQUAD_URL", (tmp_path / "empty").as_uri())
    with pytest.raises(InputError, match=r"cannot download file://.*train-v2\.0\.json"):
        acquire.run(make(source="squad"))
    assert list(paths.RAW.iterdir()) == []
    assert written() == {}


def test_a_changed_download_is_refused(
    make: Callable[..., Params], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train-v2.0.json").write_text('{"data": []}')
    monkeypatch.setenv("ECQG_SQUAD_URL", tmp_path.as_uri())
    with pytest.raises(InputError, match=r"train-v2\.0\.json has the sha256 \w{64} where 68dcfbb9"):
        acquire.run(make(source="squad"))
    assert written() == {}


REAL = os.environ.get("ECQG_DATA", "")


@pytest.mark.skipif(not REAL, reason="ECQG_DATA names no folder with a set in docs/data.md's form")
def test_real_data(make: Callable[..., Params]) -> None:
    """Every example of a converted public set leads to a passage that holds its answer."""
    build(make(REAL))
    metrics = read_values(paths.gold_metrics())
    passages = stored()
    texts = {p.text for p in passages}
    for split in ("train", "dev"):
        found = examples(split)
        source = [e for e in read_reading(Path(REAL) / f"squad-{split}.json") if e.answers]
        joined = sum(e.context not in texts for e in source)
        assert metrics[split]["no_passage"] == 0
        assert metrics[split]["answer_across_cut"] <= joined
        assert len(found) + metrics[split]["answer_across_cut"] == len(source)
        assert all(any(a in passages[e.positives[0]].text for a in e.answers) for e in found)
