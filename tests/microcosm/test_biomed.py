import csv
import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import ecqg
from ecqg.corpus.qrels import read_qrels
from ecqg.corpus.questions import read_questions
from ecqg.errors import InputError
from ecqg.microcosm.biomed import vocabulary
from ecqg.microcosm.biomed.findings import Finding, methods, studies
from ecqg.microcosm.biomed.vocabulary import Field
from ecqg.microcosm.biomed.writer import Abstract, fitting, usable, write_biomed
from ecqg.microcosm.grammar import fill, slots
from ecqg.microcosm.realise import write_article
from ecqg.microcosm.world import World
from ecqg.microcosm.writer import write_microcosm
from ecqg.params import SideCollection, load_params

pytestmark = pytest.mark.slow

TOPIC = {"gene", "drug", "disease", "trial"}
COUNT = 600
FILES = ("passages.tsv", "test.qa.tsv", "test.qrels")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("biomed") / "biomed"
    write_biomed(folder, SideCollection(COUNT, 200), world_seed=1, seed=1)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.fixture(scope="module")
def told() -> list[Abstract]:
    return fitting(1, COUNT)


def tokens(text: str) -> str:
    return " " + " ".join(re.findall(r"\w+", text.lower())) + " "


@pytest.mark.parametrize(
    "finding", [f for study in studies() for f in study.findings], ids=lambda f: f.name
)
def test_the_data_of_a_finding_are_complete(finding: Finding) -> None:
    assert len(finding.says) >= 3
    stated = set().union(*(slots(says) for says in finding.says))
    assert set(finding.draws) <= stated <= set(finding.draws) | TOPIC
    for slot, asks in finding.asks.items():
        assert slot in stated
        for ask in asks:
            assert ask.endswith("?")
            assert slot not in slots(ask), f"gives the answer away: {ask}"
            assert slots(ask) <= set(finding.draws) | TOPIC
            assert slots(ask) & TOPIC, f"asks about anything: {ask}"


def test_passages_are_whole_sentences_of_at_most_120_words(
    rows: list[dict[str, str]], told: list[Abstract]
) -> None:
    assert len(rows) == COUNT
    assert len({row["text"] for row in rows}) > 0.98 * COUNT  # short ends of abstracts recur
    at = 0
    for abstract in told:
        parts = [row["text"] for row in rows[at : at + len(abstract.passages)]]
        assert {row["title"] for row in rows[at : at + len(parts)]} == {abstract.title}
        assert " ".join(parts) == " ".join(abstract.sentences)
        assert all(len(part.split()) <= 120 and part.endswith(".") for part in parts)
        assert all(sum(part.startswith(s) for s in abstract.sentences) for part in parts)
        at += len(parts)
    assert at == COUNT
    assert 0.3 < sum(len(a.passages) > 1 for a in told) / len(told) < 0.9


def test_prose_is_clean_and_varies(told: list[Abstract]) -> None:
    shapes = Counter()
    for abstract in told:
        for text in (abstract.title, *abstract.sentences):
            assert not re.search(r"[{}\[\]|]|  |\.\.|,,| ,|,\.", text), text
            assert not re.search(r"\b[Aa] [aeioAEIO]|\b(\w+) \1\b", text), text
            assert not re.match(r"[a-z]", text) or re.match(r"miR-|p\.[A-Z]", text), text
        for sentence in abstract.sentences:
            shapes[re.sub(r"\S*[A-Z0-9]\S*|\w+(?:asia|osis|itis|emia|uria)", "*", sentence)] += 1
    assert len(shapes) > 700
    assert shapes.most_common(1)[0][1] < 0.02 * sum(shapes.values())


def test_findings_are_told_in_their_sentence(told: list[Abstract]) -> None:
    for abstract in told:
        assert 7 <= len(abstract.sentences) <= 14
        for stated in abstract.stated:
            sentence = tokens(abstract.sentences[stated.sentence])
            for slot in stated.told:
                assert any(tokens(a) in sentence for a in stated.values[slot].answers)


def test_questions_are_answered_by_a_passage_and_do_not_give_the_answer_away(
    folder: Path, rows: list[dict[str, str]]
) -> None:
    questions = read_questions(folder / "test.qa.tsv")
    assert len({question.text for question in questions}) == len(questions) == 200
    texts = [tokens(row["text"]) for row in rows]
    for question in questions:
        assert any(tokens(a) in text for a in question.answers for text in texts), question
        assert not any(a.lower() in question.text.lower() for a in question.answers)
    assert sum(len(question.answers) > 1 for question in questions) > 50  # synonyms


def test_the_judged_passage_states_what_is_asked(folder: Path, rows: list[dict[str, str]]) -> None:
    """It holds an answer, and is of the only abstract that names all that the question names."""
    judged = read_qrels(folder / "test.qrels")
    questions = read_questions(folder / "test.qa.tsv")
    assert list(judged) == [question.id for question in questions]
    unique = 0
    for question in questions:
        ((passage, relevance),) = judged[question.id].items()
        row = rows[int(passage) - 1]
        assert (row["id"], relevance) == (passage, 1)
        assert any(tokens(answer) in tokens(row["text"]) for answer in question.answers)
        holding = {
            other["title"]
            for other in rows
            if any(tokens(answer) in tokens(other["text"]) for answer in question.answers)
        }
        unique += holding == {row["title"]}
    assert unique > 40  # for these an answer alone tells the abstract


def test_no_question_asks_for_two_things(told: list[Abstract]) -> None:
    rng = random.Random(1)
    asked: dict[str, set[str]] = {}
    for abstract in told:
        for stated in abstract.stated:
            for slot in stated.finding.asks:
                for template in usable(stated, slot):
                    text = fill(template, stated.word, rng)
                    asked.setdefault(text, set()).add(stated.values[slot].text)
    assert len(asked) > 3000
    assert [question for question, answers in asked.items() if len(answers) > 1] == []


def test_questions_are_worded_otherwise_than_passages(
    folder: Path, rows: list[dict[str, str]]
) -> None:
    """Three words of a question in a row seldom stand in a passage."""
    prose = " ".join(fill(m, str, random.Random(0)) for m in methods()[0]) + " ".join(
        row["text"] for row in rows
    )
    grams = Counter(zip(*(prose.lower().split()[i:] for i in range(3)), strict=False))
    found, total = 0, 0
    for question in read_questions(folder / "test.qa.tsv"):
        words = question.text.rstrip("?").lower().split()
        for gram in zip(words, words[1:], words[2:], strict=False):
            total += 1
            found += gram in grams
    assert found < 0.25 * total


def coverage(folder: Path, questions: Path, judged: dict[str, dict[str, int]]) -> float:
    """Mean share of a question's distinct words in the title and text of its passage."""
    with (folder / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        held = {
            row["id"]: set(re.findall(r"\w+", f"{row['title']} {row['text']}".lower()))
            for row in csv.DictReader(lines, delimiter="\t")
        }
    shares = []
    for question in read_questions(questions):
        asked = set(re.findall(r"\w+", question.text.lower()))
        shares += [len(asked & held[passage]) / len(asked) for passage in judged[question.id]]
    assert len(shares) == 200
    return sum(shares) / len(shares)


def test_questions_cover_their_passages_more_than_those_of_the_encyclopedia(
    folder: Path, tmp_path: Path
) -> None:
    """As BioASQ's do: 72.1 percent of a question's words, NQ's 58.6 (AugDPR sec. 4)."""
    params = load_params(Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml").microcosm
    small = replace(
        params, passages=COUNT, train_questions=300, dev_questions=20, test_questions=200,
        reading_questions=20,
    )  # fmt: skip
    write_microcosm(tmp_path / "main", small, seed=1)
    main = tmp_path / "main"
    stating: dict[str, str] = {}  # key of a fact -> the first passage that states it
    for line in (main / "facts.jsonl").read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        stating.setdefault(fact["key"], fact["passage_id"])
    keys = (main / "nq_like.facts.tsv").read_text(encoding="utf-8").splitlines()
    asked = read_questions(main / "nq_like.qa.tsv")
    stated = {q.id: {stating[key]: 1} for q, key in zip(asked, keys, strict=True)}
    far = coverage(folder, folder / "test.qa.tsv", read_qrels(folder / "test.qrels"))
    near = coverage(main, main / "nq_like.qa.tsv", stated)
    assert 0.65 < far < 0.8
    assert far - near > 0.1


def test_names_are_unique_and_name_one_thing() -> None:
    for names in (
        vocabulary.genes(1),
        vocabulary.drugs(1),
        vocabulary.diseases(1, 5000),
        vocabulary.trials(1),
    ):
        answers = [answer for name in names for answer in name.answers]
        assert len(set(answers)) == len(answers) > 3000


def test_most_words_are_foreign_to_the_main_collection(rows: list[dict[str, str]]) -> None:
    world = World(1, 600)
    known = set()
    for index in range(600):
        known |= set(re.findall(r"[a-z]+", write_article(world, index).text.lower()))
    own = set()
    for row in rows:
        own |= set(re.findall(r"[a-z]+", row["text"].lower()))
    assert len(own & known) < 0.25 * len(own)


def test_the_same_seeds_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for seed, same in ((1, True), (2, False)):
        write_biomed(tmp_path / str(seed), SideCollection(COUNT, 200), world_seed=1, seed=seed)
        files = [tmp_path / str(seed) / name for name in FILES]
        equal = [file.read_bytes() == (folder / file.name).read_bytes() for file in files]
        assert equal == [True, same, same]


def test_bounds_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"raise microcosm\.biomed\.passages"):
        write_biomed(tmp_path / "biomed", SideCollection(6, 900), world_seed=1, seed=1)
    with pytest.raises(InputError, match=r"lower microcosm\.biomed\.passages"):
        Field(1, 10**6)
    assert list(tmp_path.iterdir()) == []
