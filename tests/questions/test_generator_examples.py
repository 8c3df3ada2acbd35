from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.questions.gold import gold_texts, read_gold

TEXT = "Wick lies in Valdoria. Clara Moss made it rich in 1852."
PASSAGES = [
    Passage(0, "7", "Salt", "Salt is salt. It is white.", (0, 14)),
    Passage(1, "9", "Wick", TEXT, (0, 23)),
]


def example(question: str, *answers: str, row: int = 1) -> Example:
    return Example("1", question, answers, (row,))


@pytest.fixture
def passages(tmp_path: Path) -> Passages:
    write_passages(tmp_path / "passages.arrow", PASSAGES)
    return Passages(tmp_path / "passages.arrow")


EXAMPLES = [
    example("who made wick rich", "C. Moss", "clara moss"),
    example("where is wick", "Estavia"),
    example("what is salt", "SALT", row=0),
]


def test_gold_joins_passages_answers_and_entities(tmp_path: Path, passages: Passages) -> None:
    write_examples(tmp_path / "train.jsonl", EXAMPLES)
    entities = [["Wick"], ["Wick", "Valdoria"], []]
    rows = [
        {"question": e.question, "entities": n} for e, n in zip(EXAMPLES, entities, strict=True)
    ]
    write_jsonl(tmp_path / "entities.jsonl", rows)
    gold = read_gold(tmp_path / "train.jsonl", passages, tmp_path / "entities.jsonl")
    assert [g.passage.row for g in gold] == [1, 1, 0]
    assert [g.answer for g in gold] == ["Clara Moss", "Estavia", "Salt"]  # as spelled there
    assert [g.entities for g in gold] == [("Wick",), ("Wick", "Valdoria"), ()]

    plain = gold_texts(gold, "unconditioned", marked=True, shuffled=False, rng=Random(1))
    assert plain[0] == (f"Wick | {TEXT}", "who made wick rich | Clara Moss")
    assert len(plain) == 3
    drawn = [
        gold_texts(gold, "conditioned", marked=True, shuffled=False, rng=Random(i))
        for i in range(20)
    ]
    assert {len(texts) for texts in drawn} == {2}  # without an entity there is no condition
    marked_wick = f"Wick | Wick | {TEXT}".replace("Wick lies", "* Wick * lies")
    assert {texts[0][0] for texts in drawn} == {marked_wick}
    # What the title names is told only where the question names nothing else.
    assert {texts[1][0].split(" | ")[0] for texts in drawn} == {"Valdoria"}
    chains = gold_texts(gold, "answer_sentence", marked=True, shuffled=False, rng=Random(1))
    # "Estavia" does not stand in the passage, so no sentence is the answer's.
    assert [source for source, _ in chains] == [plain[0][0], plain[2][0]]
    assert chains[0][1] == "Clara 1852. | Clara Moss | who made wick rich"
    shuffled = [
        gold_texts(gold, "conditioned", marked=False, shuffled=True, rng=Random(i))[0][0]
        for i in range(20)
    ]
    assert set(shuffled) == {
        f"Wick | Wick | {TEXT}",
        "Wick | Wick | Clara Moss made it rich in 1852. Wick lies in Valdoria.",
    }
    for i in range(20):  # one order for both questions on the passage
        one, other, _ = gold_texts(
            gold, "unconditioned", marked=False, shuffled=True, rng=Random(i)
        )
        assert one[0] == other[0]


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path, passages: Passages) -> None:
    path = tmp_path / "train.jsonl"
    write_examples(path, [*EXAMPLES, example("who", "Moss", row=2)])
    with pytest.raises(InputError, match=r"train\.jsonl:4: passages that are no rows of the coll"):
        read_gold(path, passages, tmp_path / "e.jsonl")
    write_examples(path, EXAMPLES)
    write_jsonl(tmp_path / "e.jsonl", [{"question": "who", "entities": []}] * 3)
    with pytest.raises(InputError, match=r"e\.jsonl: is not about these gold questions"):
        read_gold(path, passages, tmp_path / "e.jsonl")
