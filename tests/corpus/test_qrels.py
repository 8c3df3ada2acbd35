"""Relevance judgements from TREC qrels, from fact keys and from SQuAD's contexts, and their use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ecqg import paths
from ecqg.corpus.collection import build_collection
from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.qrels import judge, read_qrels, renumbered
from ecqg.corpus.questions import Question, write_questions
from ecqg.corpus.reading import Answer, ReadingExample, write_reading
from ecqg.errors import InputError
from ecqg.evaluation.ranking import judged_metrics
from ecqg.evaluation.runs import Ranking, write_run
from ecqg.files import write_json, write_jsonl, write_text
from ecqg.params import Collection, load_params
from ecqg.stages import collection, evaluate

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
TEXTS = [
    "Ada Holt built the bridge over the Arn.",
    "The mill burned in 1852.",
    "Ada Holt built the mill.",
]
ASKED = [("who built it", ("Ada Holt",)), ("when did it burn", ("1852",)), ("why", ("no",))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with three questions, and the collection of its passages."""
    monkeypatch.chdir(tmp_path)
    rows = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(TEXTS)]
    for name in ("main", "far"):
        write_passages(paths.collection(name) / "passages.arrow", rows)
    questions = [Question(str(i), *asked) for i, asked in enumerate(ASKED)]
    write_questions(Path("mine/test.qa.tsv"), questions)
    return Path("mine")


@pytest.fixture
def passages(folder: Path) -> Passages:
    return Passages(paths.collection() / "passages.arrow")


def test_qrels_come_first(folder: Path, passages: Passages) -> None:
    assert judge(folder, "test.qa.tsv", passages) is None
    write_text(folder / "test.facts.tsv", "a\nb\nc\n")
    write_jsonl(folder / "facts.jsonl", [{"passage_id": "p1", "key": "a"}])
    write_text(folder / "test.qrels", "0 0 p0 1\n0\t0\tp2\t2\n1 0 p1 0\n2 0 p1 -1\n")
    assert judge(folder, "test.qa.tsv", passages) == {"0": {"p0": 1, "p2": 2}}


def test_every_passage_that_states_the_fact(folder: Path, passages: Passages) -> None:
    write_text(folder / "test.facts.tsv", "bridge:who\nmill:year\nmill:why\n")
    facts = [("p0", "bridge:who"), ("p1", "mill:year"), ("p2", "bridge:who"), ("p2", "other")]
    write_jsonl(folder / "facts.jsonl", [{"passage_id": p, "key": k} for p, k in facts])
    assert judge(folder, "test.qa.tsv", passages) == {
        "0": {"p0": 1, "p2": 1},
        "1": {"p1": 1},
    }


def test_the_passage_that_holds_the_question(folder: Path, passages: Passages) -> None:
    def example(question: str, context: str, answer: str) -> ReadingExample:
        answers = (Answer(answer, context.index(answer)),) if answer else ()
        return ReadingExample(f"{question}/{context}", question, "", context, answers)

    examples = [
        example("who built it", TEXTS[0], "Ada Holt"),
        example("who built it", TEXTS[2], "Ada Holt"),
        example("who built it", TEXTS[1], "The mill"),  # the same words, another question
        example("when did it  burn", f"{TEXTS[0]} {TEXTS[1]}", "1852"),  # in the second passage
        example("why", TEXTS[0], ""),
        example("why", "Nowhere, no.", "no"),
    ]
    write_reading(folder / "squad-test.json", examples)
    assert judge(folder, "test.qa.tsv", passages) == {
        "0": {"p0": 1, "p2": 1},
        "1": {"p1": 1},
    }


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("0 0 p0\n", r"qrels:1: not a judgement \(1 row is bad\); write 'question_id 0 passage_"),
        ("0 0 p0 1\n0 0 p1 yes\n", r"test\.qrels:2: not a judgement"),
        ("0 0 p0 1\n0 0 p0 0\n", r"test\.qrels:2: passage 'p0' is judged twice for question"),
        ("0 0 p0 1\n3 0 p0 1\n", r"test\.qrels:2: there is no question '3' \(1 row is bad\); wri"),
        (
            "0 0 p0 1\n1 0 p9 1\n1 0 p1 1\n0 0 p9 0\nx 0 p1 1\n",
            r"test\.qrels:2: no passage has the id 'p9' \(3 rows are bad\); take ids of passages",
        ),
    ],
)
def test_bad_qrels(folder: Path, passages: Passages, lines: str, message: str) -> None:
    write_text(folder / "test.qrels", lines)
    with pytest.raises(InputError, match=message):
        judge(folder, "test.qa.tsv", passages)


def test_numbers_follow_a_sample() -> None:
    found = {"5": {"a": 1}, "2": {"b": 1}, "7": {"c": 1}}
    assert renumbered(found, [2, 4, 5]) == {"0": {"b": 1}, "2": {"a": 1}}


def test_what_is_judged_is_measured(folder: Path) -> None:
    write_text(folder / "test.qrels", "0 0 p0 1\n0 0 p2 1\n1 0 p1 1\n")
    passages = [f"p{i}\t{text}\t\n" for i, text in enumerate(TEXTS)]
    write_text(folder / "passages.tsv", "id\ttext\ttitle\n" + "".join(passages))
    far = Collection("mine", {"far": "test.qa.tsv"})
    params = replace(load_params(PROFILE), collections={"far": far})
    collection.run(params, "far")
    questions = [Question(str(i), *asked) for i, asked in enumerate(ASKED)]
    store = paths.collection("far")
    write_questions(store / "questions" / "other.qa.tsv", questions)  # not judged
    write_json(paths.subsets("far"), {"far": {"no_answer_overlap": ["1", "2"]}})
    for system in ("bm25", "mixed"):
        paths.runs(system, "far").mkdir(parents=True)
        found = [Ranking("0", ("p1", "p2"), (2.0, 1.0)), Ranking("2", ("p1",), (1.0,))]
        shown = found if system == "bm25" else found[1:]
        write_run(paths.runs(system, "far") / "far.trec", shown, system)
        write_run(paths.runs(system, "far") / "other.trec", found[1:], system)
        evaluate.run(params, system, "far")
    known = read_qrels(paths.qrels("far") / "far.qrels")
    parts = {"far": ("0", "1", "2"), "far_no_answer_overlap": ("1", "2")}
    metrics, of_mixed = (
        {
            part: values | {"questions": questions}
            for part, questions, values in judged_metrics(
                paths.per_query(system, "far") / "relevant" / "far.csv", known, parts, (1, 2)
            )
        }
        for system in ("bm25", "mixed")
    )
    assert of_mixed["far"]["MRR@10"] == 0
    assert not (paths.per_query("bm25", "far") / "relevant/other.csv").exists()
    assert metrics.keys() == {"far", "far_no_answer_overlap"}
    assert metrics["far"]["questions"] == 2
    assert metrics["far"]["MRR@10"] == 0.25  # question 1 was judged, and found nothing
    assert (metrics["far"]["P@2"], metrics["far"]["R@2"]) == (0.25, 0.25)
    assert metrics["far_no_answer_overlap"]["questions"] == 1
    assert metrics["far_no_answer_overlap"]["MRR@10"] == 0


def test_judgements_by_the_ids_that_questions_have(folder: Path, passages: Passages) -> None:
    write_text(folder / "test.ids.txt", "who\nwhen\nwhy\n")
    write_text(folder / "test.qrels", "when 0 p1 2\nwho 0 p0 1\nwho 0 p2 3\n")
    judged = {"0": {"p0": 1, "p2": 3}, "1": {"p1": 2}}
    assert judge(folder, "test.qa.tsv", passages) == judged
    write_text(folder / "test.qrels", "0 0 p1 2\n")
    with pytest.raises(InputError, match="there is no question '0'"):
        judge(folder, "test.qa.tsv", passages)
    for text, message in (
        ("who\nwhen\n", "2 ids for 3 questions"),
        ("who\nwho\nwhy\n", r"test\.ids\.txt:2: the id 'who' is no single word, or stands twice"),
        ("a b\nwhen\nwhy\n", r"test\.ids\.txt:1: the id 'a b'"),
    ):
        write_text(folder / "test.ids.txt", text)
        with pytest.raises(InputError, match=message):
            judge(folder, "test.qa.tsv", passages)


def test_a_question_needs_answers_or_a_relevant_passage(folder: Path) -> None:
    entries = (Entry(f"p{i}", text, "") for i, text in enumerate(TEXTS))
    write_passage_file(folder / "passages.tsv", entries)
    asked = [
        Question("0", "who", ("Ada Holt",)),
        Question("1", "when", ()),
        Question("2", "why", ()),
    ]
    write_questions(folder / "test.qa.tsv", asked)
    write_text(folder / "test.qrels", "1 0 p1 1\n2 0 p0 0\n")
    settings = Collection(str(folder), {"test": "test.qa.tsv"})
    for out in ("built", "judged"):
        Path(out).mkdir()
    with pytest.raises(InputError, match=r"test\.qa\.tsv:3: a question with neither answers nor"):
        build_collection(settings, {}, 1, Path("built"), Path("judged"))
    write_text(folder / "test.qrels", "1 0 p1 1\n2 0 p0 2\n")
    counts = build_collection(settings, {}, 1, Path("built"), Path("judged"))
    assert counts["test"] == {"test": {"questions": 3}}
    assert read_qrels(Path("judged/test.qrels")) == {"1": {"p1": 1}, "2": {"p0": 2}}
