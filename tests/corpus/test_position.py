from __future__ import annotations

from pathlib import Path

from ecqg.corpus.gold import GoldPair, question_position
from ecqg.corpus.passages import Passage, Passages, write_passages


def test_by_hand(tmp_path: Path) -> None:
    long = "The bridge opened in 1852. Ada Holt built the bridge. In 1852 Holt died."
    short = "The tower stands in Wend."
    starts = (0, long.index("Ada"), long.index("In 1852"))
    rows = [Passage(0, "1", "", long, starts), Passage(1, "2", "", short, (0,))]
    write_passages(tmp_path / "p.arrow", rows)
    pairs = [
        # content words: bridge, opened; both in sentence 1, bridge in sentence 2
        GoldPair("a", "When was the bridge opened?", ("1852",), 0, long.index("1852")),
        # content words: ada, die; ada in sentence 2 only
        GoldPair("b", "When did Ada die?", ("the 1852",), 0, long.rindex("1852")),
        # content words: tower; its answer's place is not known
        GoldPair("c", "Where is the tower?", ("wend",), 1, None),
    ]
    table = question_position(pairs, Passages(tmp_path / "p.arrow"))
    columns = list(zip(*(row.values() for row in table.values()), strict=True))
    overlap, location, start = columns
    assert list(table) == [f"sentence_{n}" for n in range(1, 7)]
    assert list(table["sentence_1"]) == ["question_overlap", "answer_location", "answer_start"]
    assert overlap == (100 * (1 + 0 + 1) / 3, 100 * (0.5 + 0.5) / 2, 0, 0, 0, 0)
    assert location == (100, 0, 100, 0, 0, 0)
    assert start == (50, 0, 50, 0, 0, 0)
