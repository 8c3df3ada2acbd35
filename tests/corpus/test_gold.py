from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecqg import shards
from ecqg.corpus import locate
from ecqg.corpus.examples import Example
from ecqg.corpus.folder import (
    Candidate,
    Split,
    candidate_reading,
    dpr_candidates,
    reading_candidates,
)
from ecqg.corpus.gold import GoldPair, build_gold, gold_examples, gold_pairs, pair_up
from ecqg.corpus.locate import Block, locate_contexts
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.reading import Answer, ReadingExample
from ecqg.params import GoldSet

FIRST = "The old bridge over the river Arn was finished in 1852. Its builder was"
SECOND = "the engineer Ada Holt. She had studied at the college in Wend."
THIRD = "The old bridge over the river Arn was finished in 1852."
TEXTS = [FIRST, SECOND, THIRD, FIRST, "Short."]


@pytest.fixture
def passages(tmp_path: Path) -> Passages:
    starts = [(0, 56), (0, 23), (0,), (0, 56), (0,)]
    pairs = enumerate(zip(TEXTS, starts, strict=True))
    rows = [Passage(i, f"p{i}", "Bridge", t, s) for i, (t, s) in pairs]
    write_passages(tmp_path / "passages.arrow", rows)
    return Passages(tmp_path / "passages.arrow")


def test_contexts_are_found_whole_or_joined(passages: Passages) -> None:
    joined = f"{FIRST} {SECOND}"
    third = len(joined) + 2
    three = f"{joined}\n {THIRD}"
    found = locate_contexts(
        [THIRD, FIRST, "Short.", joined, three, f"{FIRST} but not this", f"{SECOND} {FIRST}"],
        passages,
    )
    assert found == {
        THIRD: (Block(2, 0, len(THIRD)),),  # although rows 0 and 3 begin with it
        FIRST: (Block(0, 0, len(FIRST)),),  # the first of two
        "Short.": (Block(4, 0, 6),),
        joined: (Block(0, 0, len(FIRST)), Block(1, len(FIRST) + 1, len(joined))),
        three: (
            Block(0, 0, len(FIRST)),
            Block(1, len(FIRST) + 1, len(joined)),
            Block(2, third, third + len(THIRD)),
        ),
    }


def test_passages_that_were_looked_at_are_not_looked_at_again(
    passages: Passages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contexts = [THIRD, FIRST, "Short.", f"{FIRST} {SECOND}"]
    whole = locate_contexts(contexts, passages)
    looked: list[int] = []
    read = Passages.__getitem__

    def until_stopped(store: Passages, row: int | slice) -> object:
        if isinstance(row, slice):
            looked.append(row.start)
            if looked == [0, 2, 4]:
                raise KeyboardInterrupt
        return read(store, row)  # type: ignore[call-overload]

    monkeypatch.setattr(locate, "ZONE", 2)
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(Passages, "__getitem__", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        locate_contexts(contexts, passages, tmp_path / "kept")
    assert locate_contexts(contexts, passages, tmp_path / "kept") == whole
    assert looked == [0, 2, 4, 4]


def test_what_was_found_for_other_questions_is_not_taken(
    passages: Passages, tmp_path: Path
) -> None:
    kept, settings = tmp_path / "kept", GoldSet("x", "main")
    for context, answer in ((FIRST, "Its"), (THIRD, "1852"), (FIRST, "Its")):
        split = Split([candidate(context, answer)], [])
        pairs, _ = gold_pairs(settings, split, passages, kept)
        assert passages[pairs[0].row].text == context
    assert len(list(kept.iterdir())) == 2


def candidate(context: str, *answers: str, name: str = "q") -> Candidate:
    spans = tuple(Answer(a, context.index(a)) for a in answers)
    return Candidate(name, f"{name}?", answers, context, spans)


def test_the_passage_that_holds_an_answer_whole_is_gold(passages: Passages) -> None:
    joined = f"{FIRST} {SECOND}"
    pairs, dropped = pair_up(
        [
            candidate(FIRST, "1852", name="a"),
            candidate(joined, "Ada Holt", name="b"),
            candidate(joined, "builder was the engineer", "college", name="c"),
            candidate(joined, "builder was the engineer", name="d"),
            candidate("Elsewhere.", "Elsewhere", name="e"),
            Candidate("f", "f?", ("eighteen",), FIRST, ()),
        ],
        passages,
    )
    assert dropped == {"no_passage": 1, "answer_across_cut": 1}
    assert [(p.id, p.row, p.start) for p in pairs] == [
        ("a", 0, FIRST.index("1852")),
        ("b", 1, SECOND.index("Ada Holt")),
        ("c", 1, SECOND.index("college")),
        ("f", 0, None),
    ]
    for pair in pairs[:3]:
        assert any(TEXTS[pair.row].startswith(a, pair.start) for a in pair.answers)
    assert [pair.sentence(passages) for pair in pairs] == [0, 0, 1, None]


def test_gold_examples_name_their_passage_by_row() -> None:
    pair = GoldPair("a", "when?", ("1852",), 2, 50)
    assert list(gold_examples([pair])) == [Example("a", "when?", ("1852",), (2,))]


def test_unanswerable_examples_are_no_candidates() -> None:
    answers = (Answer("Ada", 0), Answer("Ada Holt", 0), Answer("Ada", 0))
    examples = [
        ReadingExample("1", "who?", "t", "Ada Holt did.", answers),
        ReadingExample("2", "why?", "t", "Ada Holt did.", ()),
    ]
    (only,) = reading_candidates(examples)
    assert (only.id, only.answers) == ("1", ("Ada", "Ada Holt"))


def test_dprs_positives_become_candidates(tmp_path: Path) -> None:
    context = "In the artist's life art came late; ART came."
    positive = {"title": "t", "text": context, "passage_id": "1"}
    records = [
        {"question": "q0", "answers": ["late", "Art"], "positive_ctxs": [positive, {"text": "x"}]},
        {"question": "q1", "answers": ["nowhere"], "positive_ctxs": [positive]},
        {"question": "q2", "answers": ["a"], "positive_ctxs": []},
    ]
    path = tmp_path / "train.dpr.json"
    path.write_text(json.dumps(records))
    first, second, third = dpr_candidates(path)
    # "art" inside "artist" does not count, whatever the case.
    assert first.spans == (
        Answer("art", context.index("art came")),
        Answer("late", context.index("late")),
    )
    assert (first.id, second.spans, third.context) == ("0", (), "")


def test_dprs_examples_become_reading_examples(tmp_path: Path) -> None:
    def passage(text: str) -> dict[str, str]:
        return {"title": text[:1], "text": text, "passage_id": "1"}

    records = [
        {
            "question": "q0",
            "answers": ["st . marie", "1852", "52"],
            "positive_ctxs": [passage("In 1852 St. Marie burned."), passage("52.")],
            "hard_negative_ctxs": [passage("St. Marie, 1852."), passage("Nothing."), passage("x")],
        },
        {"question": "q1", "answers": ["1852"], "positive_ctxs": [passage("In 18520, or 1 852.")]},
        {"question": "q2", "answers": ["nothing"], "positive_ctxs": [passage("Nothing.")]},
        {"question": "q3", "answers": ["a"], "positive_ctxs": []},
    ]
    path = tmp_path / "train.dpr.json"
    path.write_text(json.dumps(records))
    context = "In 1852 St. Marie burned."
    assert list(candidate_reading(dpr_candidates(path))) == [
        ReadingExample("0", "q0", "I", context, (Answer("1852", 3), Answer("St. Marie", 8))),
        ReadingExample("0-negative", "q0", "N", "Nothing.", ()),
        ReadingExample("2", "q2", "N", "Nothing.", (Answer("Nothing", 0),)),
    ]


def test_without_questions_the_folder_needs_none(passages: Passages, tmp_path: Path) -> None:
    settings = GoldSet(str(tmp_path / "nowhere"), "main", max_train_questions=0)
    counts = build_gold(settings, passages, 1, tmp_path / "out")
    assert (counts["train"], counts["dev"]) == ({"questions": 0}, {"questions": 0})
    for split in ("train", "dev"):
        assert (tmp_path / "out" / f"{split}.jsonl").read_bytes() == b""
