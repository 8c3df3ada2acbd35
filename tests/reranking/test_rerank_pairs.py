"""Pairs against the tokenizer's own, and against the reader's windows."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecqg.reading.windows import Lengths, cut
from ecqg.reranking.pairs import Form, Pairs
from small_passages import make_passages

WORDS = ["The", "bridge", "Bridge", "bri", "mill", "of,", "river.", "town's", "in-law", "?", "xylo"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, st.sampled_from(["", "Old Mill"]), TEXTS), min_size=1, max_size=4)
QUICK = settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)


def unpacked(batch) -> list[tuple[list[int], list[int]]]:
    """Ids and types of each sequence of a batch."""
    ends = [*batch.starts.tolist()[1:], len(batch.ids)]
    spans = list(zip(batch.starts.tolist(), ends, strict=True))
    return [(batch.ids[a:b].tolist(), batch.types[a:b].tolist()) for a, b in spans]


def make(tokenizer, drawn, form: Form) -> tuple[Pairs, np.ndarray]:
    passages = make_passages(*((title, text) for _, title, text in drawn))
    return Pairs(tokenizer, [q for q, _, _ in drawn], passages, form), np.arange(len(drawn))


@QUICK
@given(drawn=PAIRS)
def test_without_marks_a_pair_is_the_tokenizers_own(tokenizer, drawn) -> None:
    # Questions that fit, since transformers has no limit for the first text alone.
    drawn = [(q[:20], title, text) for q, title, text in drawn]
    pairs, rows = make(tokenizer, drawn, Form(40, 30, mark_overlap=False))
    batch = pairs.batch(rows, rows)
    for (question, title, text), (ids, types) in zip(drawn, unpacked(batch), strict=True):
        theirs = tokenizer(
            question, f"{title} {text}".strip(), truncation="only_second", max_length=40
        )
        assert ids == theirs["input_ids"]
        assert types == theirs["token_type_ids"]
    assert pairs.lengths(rows, rows).tolist() == batch.mask.sum(1).tolist()
    assert batch.positions[batch.starts].eq(0).all()
    assert batch.slots.tolist() == np.flatnonzero(batch.mask.numpy().ravel()).tolist()


@QUICK
@given(drawn=PAIRS)
def test_with_marks_a_pair_is_the_readers_first_window(tokenizer, drawn) -> None:
    drawn = [(question, "", text) for question, _, text in drawn]
    pairs, rows = make(tokenizer, drawn, Form(30, 8, mark_overlap=True))
    lengths = Lengths(30, 8, 19)
    windows = list(cut(tokenizer, [(q, t) for q, _, t in drawn], lengths, mark_overlap=True))
    first = {window.example: window for window in reversed(windows)}
    for row, (ids, types) in enumerate(unpacked(pairs.batch(rows, rows))):
        assert ids == first[row].ids.tolist()
        assert types == first[row].types.tolist()


def test_which_words_are_marked(tokenizer) -> None:
    passages = make_passages(("Old Mill", "the river , of Brun ."))
    pairs = Pairs(tokenizer, ["where , is the mill of brun ?"], passages, Form(40, 20, True))
    ((ids, types),) = unpacked(pairs.batch(np.array([0]), np.array([0])))
    words = [
        word.removeprefix("##")
        for word, kind in zip(tokenizer.convert_ids_to_tokens(ids), types, strict=True)
        if kind in (2, 3)
    ]
    # First the question's, then the passage's; neither the comma, which stands in both.
    assert "".join(words) == "themillofbrunmilltheofbrun"
