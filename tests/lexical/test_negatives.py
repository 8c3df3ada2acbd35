from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg import resume, shards
from ecqg.corpus.examples import Context, Example, read_examples, write_examples
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.evaluation.answers import has_answer
from ecqg.lexical import negatives
from ecqg.lexical.bm25 import BM25
from ecqg.lexical.hits import Hits
from ecqg.lexical.negatives import add_negatives

WORDS = ["Greta", "Río", "cello", "1852", "tower", "river"]
TEXTS = [f"{a} by the {b}." for a in WORDS for b in WORDS if a != b]


@pytest.fixture(scope="session")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Passages:
    path = tmp_path_factory.mktemp("negatives") / "passages.arrow"
    write_passages(path, [Passage(i, f"p{i}", f"t{i}", t, (0,)) for i, t in enumerate(TEXTS)])
    return Passages(path)


def search(questions: Sequence[str], depth: int) -> Iterator[Hits]:
    """A stand-in for BM25: a shuffle of all rows that the question decides."""
    for question in questions:
        rows = np.random.default_rng(len(question)).permutation(len(TEXTS))[:depth]
        yield rows, -np.arange(len(rows), dtype=np.float32)


def context(row: int) -> Context:
    return Context(f"p{row}", f"t{row}", TEXTS[row])


EXAMPLES = st.builds(
    Example,
    st.text(max_size=9),
    st.lists(st.sampled_from([*WORDS, "greta BY", "1"]), min_size=1, max_size=2).map(tuple),
    st.lists(st.integers(0, len(TEXTS) - 1).map(context), min_size=1, max_size=2).map(tuple),
)


@settings(deadline=None)
@given(st.lists(EXAMPLES, max_size=6), st.integers(1, len(TEXTS)), st.integers(1, 4))
def test_negatives_are_the_best_passages_that_do_not_answer(
    passages: Passages, examples: list[Example], depth: int, per_question: int
) -> None:
    found = add_negatives(examples, passages, search, depth=depth, per_question=per_question)
    for example, result in zip(examples, found, strict=True):
        assert (result.question, result.answers, result.positives) == (
            example.question,
            example.answers,
            example.positives,
        )
        ((rows, _),) = search([example.question], depth)
        wrong = [
            context(row)
            for row in rows
            if not has_answer(example.answers, TEXTS[row]) and context(row) not in example.positives
        ]
        assert list(result.hard_negatives) == wrong[:per_question]


@settings(deadline=None)
@given(st.lists(EXAMPLES, max_size=4), st.integers(1, len(TEXTS)), st.integers(1, 4))
def test_drawn_negatives_are_some_of_those_that_do_not_answer(
    passages: Passages, examples: list[Example], depth: int, per_question: int
) -> None:
    def drawn(of: list[Example], count: int) -> list[tuple[Context, ...]]:
        found = add_negatives(of, passages, search, depth=depth, per_question=count, seed=3)
        return [result.hard_negatives for result in found]

    every = add_negatives(examples, passages, search, depth=depth, per_question=depth)
    found = drawn(examples, per_question)
    for chosen, wrong in zip(found, every, strict=True):
        assert len(chosen) == len(set(chosen)) == min(per_question, len(wrong.hard_negatives))
        assert set(chosen) <= set(wrong.hard_negatives)
    # A question's are its own, whatever others are asked.
    assert found == [one for example in examples for one in drawn([example], per_question)]


def test_every_negative_is_drawn_as_often(passages: Passages) -> None:
    example = Example("q", ("nowhere",), (context(3),))
    counts: Counter[str] = Counter()
    for seed in range(1200):
        (result,) = add_negatives(
            [example], passages, search, depth=len(TEXTS), per_question=1, seed=seed
        )
        counts[result.hard_negatives[0].passage_id] += 1
    expected = 1200 / (len(TEXTS) - 1)
    assert set(counts) == {f"p{row}" for row in range(len(TEXTS))} - {"p3"}
    # five standard deviations of a binomial
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_a_positive_is_no_negative_even_without_the_answer(passages: Passages) -> None:
    example = Example("q", ("nowhere",), (context(3), context(5)))
    (result,) = add_negatives([example], passages, search, depth=len(TEXTS), per_question=99)
    ids = {c.passage_id for c in result.hard_negatives}
    assert ids == {f"p{row}" for row in range(len(TEXTS))} - {"p3", "p5"}


def test_examples_are_streamed_block_by_block(
    passages: Passages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negatives, "BLOCK", 3)
    taken = []

    def source() -> Iterator[Example]:
        for number in range(10):
            taken.append(number)
            yield Example(str(number), ("nowhere",), (context(0),))

    results = add_negatives(source(), passages, search, depth=5, per_question=1)
    next(results)
    assert taken == [0, 1, 2]
    assert [r.question for r in results] == [str(n) for n in range(1, 10)]


def test_the_stage_serves_both_gold_splits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ecqg.params import load_params
    from ecqg.stages import negatives as stage

    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    rows = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(TEXTS)]
    write_passages("data/collections/main/passages.arrow", rows)
    train = [
        Example("Who stood by the cello?", ("Greta",), (context(1),)),
        Example("Zebra?", ("stripes",), (context(0),)),  # BM25 finds nothing
    ]
    write_examples("data/gold/train.json", train)
    write_examples("data/gold/dev.json", train[:1])
    stage.run(params, "gold")
    first, second = read_examples("data/negatives/gold-train.json")
    (negative,) = first.hard_negatives
    assert "cello" in negative.text and "Greta" not in negative.text
    assert second.hard_negatives == ()
    assert list(read_examples("data/negatives/gold-dev.json")) == [first]
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("gold-train.json: 2 questions, 1 without a hard negative")


def test_only_those_of_synthetic_questions_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ecqg.params import load_params
    from ecqg.stages import negatives as stage

    params = load_params("params.yaml")
    seeds = []

    def noted(examples, passages, search, *, seed, **settings):
        seeds.append(seed)
        return add_negatives(examples, passages, search, seed=seed, **settings)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stage, "add_negatives", noted)
    rows = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(TEXTS)]
    write_passages("data/collections/main/passages.arrow", rows)
    for file in ("gold/train", "gold/dev", "supervised/x/train", "supervised/x/dev"):
        write_examples(f"data/{file}.json", [Example("Who?", ("Greta",), (context(1),))])
    write_examples("data/synthetic/mixed.json", [Example("Who?", ("Greta",), (context(1),))])
    drawn = replace(params.negatives, synthetic="drawn")
    for chosen in (params.negatives, drawn):
        for name in ("gold", "supervised-x", "mixed"):
            stage.run(replace(params, negatives=chosen, seed=7), name)
    assert seeds == [None] * 5 + [None] * 4 + [7]


def test_the_stage_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ecqg.params import load_params
    from ecqg.stages import negatives as stage

    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    rows = [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(TEXTS)]
    write_passages("data/collections/main/passages.arrow", rows)
    examples = [Example(f"Who of {word}?", ("Greta",), (context(0),)) for word in WORDS]
    write_examples("data/gold/train.json", examples)
    write_examples("data/gold/dev.json", examples[:1])
    target = Path("data/negatives/gold-train.json")
    stage.run(params, "gold")
    whole = target.read_bytes()
    target.unlink()
    searched: list[str] = []
    whole_search = BM25.search

    def until_stopped(self: BM25, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        if len(searched) == 4 and not again:
            raise KeyboardInterrupt
        searched.extend(questions)
        return whole_search(self, questions, depth)

    again = False
    monkeypatch.setattr(negatives, "BLOCK", 2)
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(BM25, "search", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        stage.run(params, "gold")
    assert not target.exists()
    again = True
    stage.run(params, "gold")
    assert searched == [example.question for example in (*examples, examples[0])]
    assert target.read_bytes() == whole
    assert not list(resume.FOLDER.iterdir())
