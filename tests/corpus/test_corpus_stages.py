from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ecqg import paths, resume, shards
from ecqg.corpus import ingest, sentences
from ecqg.corpus.examples import read_examples
from ecqg.corpus.judgements import read_qrels
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import read_questions
from ecqg.corpus.reading import read_reading
from ecqg.corpus.sentences import Segmenter
from ecqg.errors import InputError
from ecqg.params import Corpus, Params, Supervised, load_params
from ecqg.stages import acquire, corpus, distractors, supervised_gold, zero_shot
from ecqg.tables import read_values

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
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
    def make(**changes: Any) -> Params:
        params = load_params(PROFILE)
        base = Corpus("folder", str(folder), {"mine": "test.qa.tsv"}, {}, *[None] * 5, 0.0)
        return replace(params, corpus=replace(base, **changes), zero_shot={"far": str(folder)})

    return make


def written() -> dict[str, str]:
    """Digest by path of every file below the working directory but those that lock a stage."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path().rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }


def test_a_folder_becomes_a_study(make: Callable[..., Params]) -> None:
    corpus.run(make())
    passages = Passages(paths.collection() / "passages.arrow")
    assert [(p.id, p.text) for p in passages] == list(TEXTS.items())
    assert all(len(p.sentence_starts) == 2 for p in passages)
    gold = list(read_examples(paths.gold("train")))
    assert [(e.positives[0].passage_id, e.question, *e.answers) for e in gold] == QUESTIONS
    assert all(e.positives[0].text == TEXTS[e.positives[0].passage_id] for e in gold)
    assert len(list(read_examples(paths.gold("dev")))) == 2
    assert [bool(e.answers) for e in read_reading(paths.reading("train"))].count(False) == 3
    questions = read_questions(paths.collection() / "questions/mine.qa.tsv")
    assert [q.answers for q in questions] == [("Ada Holt",), ("Lind", "Bo Lind"), ("1877",)]
    subsets = json.loads((paths.collection() / "subsets.json").read_text())
    # "Ada Holt": asked in other words; "Bo Lind": of the words founded, wend, today and founded,
    # paper one in four is shared.
    assert subsets == {"mine": {"no_answer_overlap": ["2"], "no_question_overlap": ["1", "2"]}}
    metrics = read_values(paths.CORPUS_METRICS)
    assert metrics["gold"]["train"] == {"questions": 6, "no_passage": 0, "answer_across_cut": 0}
    assert metrics["reading"]["train"] == {"answerable": 6, "unanswerable": 3}
    assert metrics["passages"]["by_source"] == {"train_set": 3}
    assert metrics["passages"]["sentences_mean"] == 2
    assert metrics["test"]["mine"]["questions"] == 3
    with paths.QUESTION_POSITION.open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["answer_start"]) for row in rows] == [50, 50, 0, 0, 0, 0]
    assert metrics["position"]["sentence_1"]["answer_start"] == 50


def test_twice_gives_the_same_bytes(make: Callable[..., Params]) -> None:
    params = make(max_train_questions=3, max_test_questions=2, max_reading_examples=4)
    corpus.run(params)
    first = written()
    corpus.run(params)
    assert written() == first
    corpus.run(replace(params, seed=params.seed + 1))
    assert written() != first


def test_judgements_follow_the_sample_of_the_questions(
    make: Callable[..., Params], folder: Path
) -> None:
    corpus.run(make())
    zero_shot.run(make(), "far")
    for collection in ("main", "far"):  # nothing is judged
        assert list(paths.judgements(collection).iterdir()) == []
    judged = {0: "1", 1: "3"}
    text = "".join(f"{question} 0 {passage} 1\n" for question, passage in judged.items())
    (folder / "test.qrels").write_text(text)
    corpus.run(make(max_test_questions=2))
    asked = [q.text for q in read_questions(folder / "test.qa.tsv")]
    chosen = read_questions(paths.collection() / "questions/mine.qa.tsv")
    rows = {question.id: asked.index(question.text) for question in chosen}
    expected = {i: {judged[row]: 1} for i, row in rows.items() if row in judged}
    assert 0 < len(expected) < len(chosen)
    assert read_qrels(paths.judgements() / "mine.qrels") == expected
    zero_shot.run(make(), "far")
    assert (paths.judgements("far") / "far.qrels").read_text() == text


def test_samples_keep_sizes_order_and_ids(make: Callable[..., Params], folder: Path) -> None:
    with (folder / "test.overlap.jsonl").open("w") as out:
        for number in range(3):
            out.write(json.dumps({"id": number, "labels": ["no_question_overlap"]}) + "\n")
    corpus.run(
        make(
            max_train_questions=2,
            max_dev_questions=1,
            max_test_questions=2,
            max_reading_examples=4,
        )
    )
    gold = [e.question for e in read_examples(paths.gold("train"))]
    everything = [question for _, question, _ in QUESTIONS]
    assert len(gold) == 2
    assert sorted(gold, key=everything.index) == gold
    assert len(list(read_examples(paths.gold("dev")))) == 1
    assert len(read_reading(paths.reading("train"))) == 4
    questions = read_questions(paths.collection() / "questions/mine.qa.tsv")
    assert len(questions) == 2
    # The annotations in the folder come before what would be computed, under the new ids.
    subsets = json.loads((paths.collection() / "subsets.json").read_text())["mine"]
    assert subsets == {"no_answer_overlap": [], "no_question_overlap": ["0", "1"]}


def test_training_questions_by_answer_sentence(make: Callable[..., Params]) -> None:
    corpus.run(make(train_answer_sentences=1))
    gold = [e.answers for e in read_examples(paths.gold("train"))]
    assert gold == [("1852",), ("Wend",), ("Bo Lind",)]
    assert len(list(read_examples(paths.gold("dev")))) == 2  # dev is as it was
    metrics = read_values(paths.CORPUS_METRICS)
    assert metrics["gold"]["train"]["answer_too_late"] == 3
    corpus.run(make(train_answer_sentences=2))
    assert len(list(read_examples(paths.gold("train")))) == 6


def test_distractors_join_with_ids_of_their_own(make: Callable[..., Params], folder: Path) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "passages.tsv").write_text(passage_tsv({"1": "Another text.", "9": TEXTS["1"]}))
    params = make(distractors={"more": str(other)})
    distractors.run(params, "more")
    corpus.run(params)
    passages = Passages(paths.collection() / "passages.arrow")
    assert [p.id for p in passages] == ["1", "2", "3", "more:1", "more:9"]
    assert [p.row for p in passages] == list(range(5))
    gold = list(read_examples(paths.gold("train")))
    assert gold[0].positives[0].passage_id == "1"  # not the copy among the distractors
    with pytest.raises(InputError, match=r"params\.yaml: corpus\.distractors has no less"):
        distractors.run(params, "less")


def test_a_supervised_set_has_gold_questions_of_its_own(make: Callable[..., Params]) -> None:
    params = make()
    own = Supervised(params.corpus.train_set, "main", None)
    params = replace(params, supervised={"mine": own})
    corpus.run(params)
    supervised_gold.run(params, "mine")
    train, dev = (
        list(read_examples(paths.supervised_gold("mine") / f"{split}.json"))
        for split in ("train", "dev")
    )
    assert [(e.positives[0].passage_id, e.question, *e.answers) for e in train] == QUESTIONS
    assert len(dev) == 2
    with pytest.raises(InputError, match=r"params\.yaml: supervised has no yours"):
        supervised_gold.run(params, "yours")


def test_a_zero_shot_set_is_a_collection_of_its_own(make: Callable[..., Params]) -> None:
    zero_shot.run(make(), "far")
    passages = Passages(paths.collection("far") / "passages.arrow")
    assert [p.id for p in passages] == ["1", "2", "3"]
    assert len(read_questions(paths.collection("far") / "questions/far.qa.tsv")) == 3
    with pytest.raises(InputError, match=r"params\.yaml: zero_shot has no near"):
        zero_shot.run(make(), "near")


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
    corpus.run(make())
    (example,) = read_examples(paths.gold("train"))
    assert (example.question, example.positives[0].passage_id) == ("who started wend today", "3")
    assert example.hard_negatives == ()
    metrics = read_values(paths.CORPUS_METRICS)
    assert metrics["gold"]["train"]["no_passage"] == 1
    assert metrics["reading"]["train"] == {"answerable": 6, "unanswerable": 3}
    # There is no squad-dev.json: dev's are made.
    made = {"answerable": 1, "unanswerable": 1, "answer_not_found": 1}
    assert metrics["reading"]["dev"] == made


def test_reading_examples_may_have_files_of_their_own(
    make: Callable[..., Params], folder: Path
) -> None:
    (folder / "reading-train.json").write_text(squad_json(QUESTIONS[4:], unanswerable=1))
    corpus.run(make())
    assert len(list(read_examples(paths.gold("train")))) == 6
    examples = read_reading(paths.reading("train"))
    assert [e.id for e in examples] == ["0", "u0", "1"]


def test_fact_keys_settle_question_overlap(make: Callable[..., Params], folder: Path) -> None:
    (folder / "train.facts.tsv").write_text("1\tarn.builder\n4\twend_today.founder\n")
    (folder / "test.facts.tsv").write_text("arn.architect\nwend_today.founder\narn.opening\n")
    corpus.run(make())
    subsets = json.loads((paths.collection() / "subsets.json").read_text())["mine"]
    assert subsets["no_question_overlap"] == ["0", "2"]


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
    "too few facts": ("test.facts.tsv", "a\n", "1 fact keys for 3 questions"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_input_is_named_and_nothing_is_written(
    make: Callable[..., Params], folder: Path, what: str
) -> None:
    name, content, complaint = BROKEN[what]
    corpus.run(make())
    before = written()
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(InputError, match=complaint) as caught:
        corpus.run(make())
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)
    assert str(folder) in str(caught.value)
    # What was there is untouched, and nothing is beside it but what the next start goes on with.
    kept = {path for path in written() if path.startswith(str(resume.FOLDER))}
    assert {path: text for path, text in written().items() if path not in kept} == before


@pytest.mark.parametrize("stage", [zero_shot, distractors])
def test_a_broken_folder_leaves_no_collection(
    make: Callable[..., Params], folder: Path, stage: Any
) -> None:
    with (folder / "passages.tsv").open("a") as out:
        out.write("4\t \tT\n")
    with pytest.raises(InputError, match=r"passages\.tsv:5: an empty passage"):
        stage.run(make(distractors={"far": str(folder)}), "far")
    assert written() == {}


@pytest.mark.parametrize("name", ["corpus", "zero_shot", "distractors"])
def test_passages_that_were_segmented_are_not_segmented_again(
    make: Callable[..., Params], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    params = make()
    if name == "distractors":
        params = make(distractors={"far": params.corpus.train_set})
    run: Callable[[], None] = {
        "corpus": lambda: corpus.run(params),
        "zero_shot": lambda: zero_shot.run(params, "far"),
        "distractors": lambda: distractors.run(params, "far"),
    }[name]
    run()
    whole = written()
    for path in whole:
        Path(path).unlink()
    segmented: list[str] = []
    segment = Segmenter.__call__

    def until_stopped(self: Segmenter, zone: Sequence[str]) -> list[tuple[int, ...]]:
        if len(segmented) == 2 and not again:
            raise KeyboardInterrupt
        segmented.extend(zone)
        return segment(self, zone)

    again = False
    monkeypatch.setattr(ingest, "ZONE", 1)
    monkeypatch.setattr(sentences, "ZONE", 1)
    monkeypatch.setattr(sentences, "FEW", len(TEXTS))  # no processes: they would not be stopped
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(Segmenter, "__call__", until_stopped)
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
    segment = Segmenter.__call__

    def counted(self: Segmenter, zone: Sequence[str]) -> list[tuple[int, ...]]:
        segmented.extend(zone)
        return segment(self, zone)

    monkeypatch.setattr(Segmenter, "__call__", counted)
    with pytest.raises(InputError, match=r"test\.qrels:1"):
        zero_shot.run(make(), "far")
    assert segmented == list(TEXTS.values())
    (folder / "test.qrels").unlink()
    zero_shot.run(make(), "far")
    assert segmented == list(TEXTS.values())
    assert not list(resume.FOLDER.iterdir())


def test_missing_folders_are_named(make: Callable[..., Params]) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder; name a data folder"):
        corpus.run(make(train_set="nowhere"))
    with pytest.raises(InputError, match=r"nowhere/passages\.tsv: no such file"):
        distractors.run(make(distractors={"x": "nowhere"}), "x")
    with pytest.raises(
        InputError, match=r"x/passages\.arrow: cannot be read as Arrow \(No such file"
    ):
        corpus.run(make(distractors={"x": "nowhere"}))
    assert written() == {}


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
    corpus.run(make(train_set=REAL))
    metrics = read_values(paths.CORPUS_METRICS)
    passages = Passages(paths.collection() / "passages.arrow")
    texts = {p.text for p in passages}
    for split in ("train", "dev"):
        examples = list(read_examples(paths.gold(split)))
        source = [e for e in read_reading(Path(REAL) / f"squad-{split}.json") if e.answers]
        joined = sum(e.context not in texts for e in source)
        assert metrics["gold"][split]["no_passage"] == 0
        assert metrics["gold"][split]["answer_across_cut"] <= joined
        assert len(examples) + metrics["gold"][split]["answer_across_cut"] == len(source)
        assert all(any(a in e.positives[0].text for a in e.answers) for e in examples)
