import csv
import filecmp
import json
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import chisquare

import ecqg
from ecqg import paths, resume, shards
from ecqg.corpus.questions import read_questions
from ecqg.corpus.reading import read_reading
from ecqg.errors import InputError
from ecqg.microcosm import write_microcosm, writer
from ecqg.microcosm.testsets import ANSWER_OVERLAP, QUESTION_OVERLAP
from ecqg.microcosm.world import World
from ecqg.microcosm.writer import SUPERVISED
from ecqg.params import Microcosm, SideCollection, load_params
from ecqg.stages import acquire

SIDE = SideCollection(passages=60, questions=20)
SETTINGS = Microcosm(
    world_seed=1,
    passages=900,
    families=("person", "company", "settlement", "novel", "battle"),
    train_questions=1000,
    gold_share=0.6,
    dev_questions=150,
    test_questions=200,
    reading_questions=600,
    sentence_bias=(40, 25, 15, 10, 6, 4),
    movies=SIDE,
    biomed=SIDE,
)
SPLITS = ("train", "dev")
TEST_SETS = ("nq_like", "webq_like", "trivia_like", "uniform", "tail")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("microcosm") / "world"
    write_microcosm(folder, SETTINGS, seed=1)
    return folder


@pytest.fixture(scope="module")
def passages(folder: Path) -> list[dict[str, str]]:
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.fixture(scope="module")
def facts(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "facts.jsonl").open(encoding="utf-8")]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def sentence(starts: list[int], offset: int) -> int:
    return sum(start <= offset for start in starts) - 1


def test_all_files_are_there_and_nothing_else(folder: Path) -> None:
    expected = {"passages.tsv", "sentences.jsonl", "facts.jsonl", "train.facts.tsv"}
    expected |= {
        f"{kind}-{split}.json" for kind in ("squad", "reading") for split in ("train", "dev")
    }
    expected |= {f"{name}.{what}.tsv" for name in TEST_SETS for what in ("qa", "facts")}
    own = {f"{name}/squad-{split}.json" for name in SUPERVISED for split in SPLITS}
    found = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert found == expected | own


def test_supervised_training_is_worded_as_the_test_set_and_asks_other_things(
    folder: Path, facts: list[dict]
) -> None:
    keys = {(f["passage_id"], f["start"]): f["key"] for f in facts}
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as rows:
        ids = {row["text"]: row["id"] for row in csv.DictReader(rows, delimiter="\t")}
    for name in SUPERVISED:
        tested = lines(folder / f"{name}.facts.tsv")
        asked = {split: read_reading(folder / name / f"squad-{split}.json") for split in SPLITS}
        assert len(asked["train"]) == SETTINGS.train_questions
        assert len(asked["dev"]) == SETTINGS.dev_questions
        found = [keys[ids[e.context], e.answers[0].start] for s in SPLITS for e in asked[s]]
        assert len(set(found)) == len(found)
        assert not set(found) & set(tested)
        words = [
            sum(len(q.split()) for q in questions) / len(questions)
            for questions in (
                [e.question for e in asked["train"]],
                [q.text for q in read_questions(folder / f"{name}.qa.tsv")],
            )
        ]
        assert words[0] == pytest.approx(words[1], rel=0.08)


def test_passages_are_numbered_and_contexts_are_passages(
    folder: Path, passages: list[dict[str, str]]
) -> None:
    assert [row["id"] for row in passages] == [str(i + 1) for i in range(SETTINGS.passages)]
    texts = {row["text"]: row["title"] for row in passages}
    assert len(texts) == SETTINGS.passages
    for name in ("squad-train", "squad-dev", "reading-train", "reading-dev"):
        for example in read_reading(folder / f"{name}.json"):  # checks every answer_start
            assert texts[example.context] == example.title


def test_counts_are_as_asked_for(folder: Path) -> None:
    assert len(read_reading(folder / "squad-train.json")) == SETTINGS.train_questions
    assert len(read_reading(folder / "squad-dev.json")) == SETTINGS.dev_questions
    for name in TEST_SETS:
        assert len(read_questions(folder / f"{name}.qa.tsv")) == SETTINGS.test_questions
        assert len(lines(folder / f"{name}.facts.tsv")) == SETTINGS.test_questions
    reading = read_reading(folder / "reading-train.json")
    assert sum(bool(example.answers) for example in reading) == SETTINGS.reading_questions
    assert sum(not example.answers for example in reading) == SETTINGS.reading_questions


def test_facts_stand_where_they_say(passages: list[dict[str, str]], facts: list[dict]) -> None:
    texts = {row["id"]: row["text"] for row in passages}
    for fact in facts:
        end = fact["start"] + len(fact["object"])
        assert texts[fact["passage_id"]][fact["start"] : end] == fact["object"]


def test_gold_questions_follow_the_bias(folder: Path) -> None:
    starts = [json.loads(line)["starts"] for line in lines(folder / "sentences.jsonl")]
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as rows:
        place = {row["text"]: i for i, row in enumerate(csv.DictReader(rows, delimiter="\t"))}
    asked = Counter(
        sentence(starts[place[example.context]], example.answers[0].start)
        for example in read_reading(folder / "squad-train.json")
    )
    total = sum(SETTINGS.sentence_bias)
    expected = [weight / total * SETTINGS.train_questions for weight in SETTINGS.sentence_bias]
    assert chisquare([asked[i] for i in range(6)], expected).pvalue > 1e-3
    reading = Counter(
        sentence(starts[place[example.context]], example.answers[0].start)
        for example in read_reading(folder / "reading-train.json")
        if example.answers
    )
    assert chisquare([reading[i] for i in range(5)]).pvalue > 1e-3


def test_test_sets_ask_where_they_should(folder: Path, facts: list[dict]) -> None:
    where: dict[str, dict] = {}
    for fact in facts:
        where.setdefault(fact["key"], fact)
    last = {
        str(i + 1): len(json.loads(line)["starts"]) - 1
        for i, line in enumerate(lines(folder / "sentences.jsonl"))
    }
    for key in lines(folder / "tail.facts.tsv"):
        assert where[key]["sentence"] >= last[where[key]["passage_id"]] - 1
    uniform = Counter(where[key]["sentence"] for key in lines(folder / "uniform.facts.tsv"))
    assert chisquare([uniform[i] for i in range(5)]).pvalue > 1e-3
    biased = Counter(where[key]["sentence"] for key in lines(folder / "nq_like.facts.tsv"))
    assert biased[0] > 2 * biased[3]
    for name in TEST_SETS:
        questions = read_questions(folder / f"{name}.qa.tsv")
        for question, key in zip(questions, lines(folder / f"{name}.facts.tsv"), strict=True):
            assert question.answers == (where[key]["object"],)


def test_overlaps_are_those_of_natural_questions(folder: Path) -> None:
    gold = {line.split("\t")[1] for line in lines(folder / "train.facts.tsv")}
    train = read_reading(folder / "squad-train.json")
    assert len(gold) == len(train)
    answers = {example.answers[0].text.lower() for example in train}
    asked = {example.question for example in train}
    keys = lines(folder / "nq_like.facts.tsv")
    questions = read_questions(folder / "nq_like.qa.tsv")
    assert sum(key in gold for key in keys) == round(QUESTION_OVERLAP * len(keys))
    overlap = sum(question.answers[0].lower() in answers for question in questions)
    assert overlap == round(ANSWER_OVERLAP * len(questions))
    for name in TEST_SETS:
        assert not asked & {question.text for question in read_questions(folder / f"{name}.qa.tsv")}
        if name != "nq_like":
            assert not gold & set(lines(folder / f"{name}.facts.tsv"))


def test_readers_are_not_trained_on_tested_facts(folder: Path) -> None:
    gold = {line.split("\t")[1] for line in lines(folder / "train.facts.tsv")}
    tested: set[str] = set()
    for name in TEST_SETS:
        tested |= set(lines(folder / f"{name}.facts.tsv"))
    fresh = {
        question.text
        for name in TEST_SETS
        for question, key in zip(
            read_questions(folder / f"{name}.qa.tsv"),
            lines(folder / f"{name}.facts.tsv"),
            strict=True,
        )
        if key in tested - gold
    }
    answered = {e.question for e in read_reading(folder / "reading-train.json") if e.answers}
    assert not fresh & answered


def test_unanswerable_questions_are_plausible(folder: Path) -> None:
    """They look like the answerable ones, and many name the context's own subject."""
    examples = read_reading(folder / "reading-train.json")
    unanswerable = [example for example in examples if not example.answers]
    own = sum(example.title.lower() in example.question for example in unanswerable)
    assert 0.2 < own / len(unanswerable) < 0.8
    openers = [
        Counter(e.question.split()[0] for e in examples if bool(e.answers) == answered)
        for answered in (True, False)
    ]
    assert {word for word, _ in openers[0].most_common(3)} == {
        word for word, _ in openers[1].most_common(3)
    }


@pytest.mark.slow
def test_the_same_seeds_give_the_same_bytes_and_others_do_not(folder: Path, tmp_path: Path) -> None:
    names = [p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()]
    write_microcosm(tmp_path / "again", SETTINGS, seed=1)
    assert filecmp.cmpfiles(folder, tmp_path / "again", names, shallow=False)[0] == names
    write_microcosm(tmp_path / "other", SETTINGS, seed=2)
    same, different, _ = filecmp.cmpfiles(folder, tmp_path / "other", names, shallow=False)
    assert set(same) == {"passages.tsv", "sentences.jsonl", "facts.jsonl"}
    assert different


@pytest.mark.slow
def test_articles_that_were_written_are_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, passages=160, train_questions=9, dev_questions=9)
    settings = replace(settings, test_questions=9, reading_questions=20, gold_share=1.0)
    params = load_params(Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml")
    params = replace(params, microcosm=settings)
    monkeypatch.chdir(tmp_path)
    acquire.run(params)
    paths.RAW.rename("whole")
    written: list[int] = []
    write = writer._article

    def until_stopped(world: World, index: int) -> list[object]:
        if len(written) == 40 and not again:
            raise KeyboardInterrupt
        written.append(index)
        return write(world, index)

    again = False
    monkeypatch.setattr(writer, "_article", until_stopped)
    monkeypatch.setattr(shards, "SECONDS", 0)
    with pytest.raises(KeyboardInterrupt):
        acquire.run(params)
    assert not paths.RAW.exists()
    again = True
    acquire.run(params)
    assert written == list(range(160))
    names = [str(p.relative_to("whole")) for p in Path("whole").rglob("*") if p.is_file()]
    assert len(names) > 20
    assert filecmp.cmpfiles("whole", paths.RAW, names, shallow=False)[0] == names
    assert not list(resume.FOLDER.iterdir())


def test_too_many_questions_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    settings = Microcosm(1, 200, (), 5000, 1.0, 10, 10, 10, (1, 0, 0, 0, 0, 0), SIDE, SIDE)
    with pytest.raises(InputError, match=r"raise microcosm\.passages or gold_share"):
        write_microcosm(tmp_path / "world", settings, seed=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_word_matching_is_neither_hopeless_nor_unbeatable(
    folder: Path, passages: list[dict[str, str]]
) -> None:
    def tokens(text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    documents = [Counter(tokens(f"{row['title']} {row['text']}")) for row in passages]
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / len(lengths)
    frequency = Counter(word for document in documents for word in document)
    padded = [" " + " ".join(tokens(row["text"])) + " " for row in passages]

    def hits(name: str, k: int) -> float:
        count = 0
        questions = read_questions(folder / f"{name}.qa.tsv")
        for question in questions:
            scores = [0.0] * len(documents)
            for word in tokens(question.text):
                n = frequency[word]
                if not n:
                    continue
                idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
                for i, document in enumerate(documents):
                    if tf := document[word]:
                        norm = 0.9 * (0.6 + 0.4 * lengths[i] / mean)
                        scores[i] += idf * tf * 1.9 / (tf + norm)
            top = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
            answer = " " + " ".join(tokens(question.answers[0])) + " "
            count += any(answer in padded[i] for i in top)
        return count / len(questions)

    for name in ("nq_like", "uniform", "tail"):
        assert 0.3 < hits(name, 1) < 0.75, name
        assert 0.75 < hits(name, 20) < 1, name
