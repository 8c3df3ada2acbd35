from __future__ import annotations

from pathlib import Path

from ecqg.corpus.gold import GoldPair
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.position import question_position


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
    first, second, third, *others = question_position(pairs, Passages(tmp_path / "p.arrow"))
    assert first.question_overlap == 100 * (1 + 0 + 1) / 3
    assert second.question_overlap == 100 * (0.5 + 0.5) / 2
    assert third.question_overlap == 0
    assert first.answer_location == 100
    assert [second.answer_location, third.answer_location] == [0, 100]
    assert [s.answer_start for s in (first, second, third)] == [50, 0, 50]
    assert [o.sentence for o in others] == [4, 5, 6]
    assert all((o.question_overlap, o.answer_location, o.answer_start) == (0, 0, 0) for o in others)
