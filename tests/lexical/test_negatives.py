import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg import paths, resume, shards
from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.evaluation.answers import has_answer
from ecqg.lexical import negatives
from ecqg.lexical.bm25 import BM25
from ecqg.lexical.hits import Hits
from ecqg.lexical.negatives import Mine, add_negatives
from ecqg.parallel import pool
from ecqg.params import GoldSet, Params, load_params
from ecqg.stages import negatives_gold, negatives_synthetic

WORDS = ["Greta", "Río", "cello", "1852", "tower", "river"]
TEXTS = [f"{a} by the {b}." for a in WORDS for b in WORDS if a != b]


def write_store(path: Path, texts: Sequence[str] = TEXTS) -> None:
    write_passages(path, [Passage(i, f"p{i}", "", text, (0,)) for i, text in enumerate(texts)])


@pytest.fixture(scope="session")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Passages:
    path = tmp_path_factory.mktemp("negatives") / PASSAGES
    write_store(path)
    return Passages(path)


def search(questions: Sequence[str], depth: int) -> Iterator[Hits]:
    """A stand-in for BM25: a shuffle of all rows that the question decides."""
    for question in questions:
        rows = np.random.default_rng(len(question)).permutation(len(TEXTS))[:depth]
        yield rows, -np.arange(len(rows), dtype=np.float32)


def asked(question: str, *positives: int, answer: str = "nowhere") -> Example:
    return Example("q", question, (answer,), positives)


EXAMPLES = st.builds(
    Example,
    st.text(max_size=3),
    st.text(max_size=9),
    st.lists(st.sampled_from([*WORDS, "greta BY", "1"]), min_size=1, max_size=2).map(tuple),
    st.lists(st.integers(0, len(TEXTS) - 1), min_size=1, max_size=2).map(tuple),
)


@settings(deadline=None)
@given(st.lists(EXAMPLES, max_size=6), st.integers(1, len(TEXTS)), st.integers(1, 4))
def test_negatives_are_the_best_passages_that_do_not_answer(
    passages: Passages, examples: list[Example], depth: int, per_question: int
) -> None:
    found = add_negatives(examples, passages, search, depth=depth, per_question=per_question)
    for example, result in zip(examples, found, strict=True):
        assert replace(result, negatives=()) == example
        ((rows, _),) = search([example.question], depth)
        wrong = [
            row
            for row in rows
            if not has_answer(example.answers, TEXTS[row]) and row not in example.positives
        ]
        assert list(result.negatives) == wrong[:per_question]


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(EXAMPLES, max_size=4), st.integers(1, len(TEXTS)), st.integers(1, 4))
def test_drawn_negatives_are_some_of_those_that_do_not_answer(
    passages: Passages, examples: list[Example], depth: int, per_question: int
) -> None:
    def drawn(of: list[Example], count: int) -> list[tuple[int, ...]]:
        found = add_negatives(of, passages, search, depth=depth, per_question=count, seed=3)
        return [result.negatives for result in found]

    every = add_negatives(examples, passages, search, depth=depth, per_question=depth)
    found = drawn(examples, per_question)
    for chosen, wrong in zip(found, every, strict=True):
        assert len(chosen) == len(set(chosen)) == min(per_question, len(wrong.negatives))
        assert set(chosen) <= set(wrong.negatives)
    # A question's are its own, whatever others are asked.
    assert found == [one for example in examples for one in drawn([example], per_question)]


@pytest.mark.slow
def test_every_negative_is_drawn_as_often(passages: Passages) -> None:
    example = asked("q", 3)
    counts: Counter[int] = Counter()
    for seed in range(1200):
        (result,) = add_negatives(
            [example], passages, search, depth=len(TEXTS), per_question=1, seed=seed
        )
        counts[result.negatives[0]] += 1
    expected = 1200 / (len(TEXTS) - 1)
    assert set(counts) == set(range(len(TEXTS))) - {3}
    # five standard deviations of a binomial
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_a_positive_is_no_negative_even_without_the_answer(passages: Passages) -> None:
    example = asked("q", 3, 5)
    (result,) = add_negatives([example], passages, search, depth=len(TEXTS), per_question=99)
    assert set(result.negatives) == set(range(len(TEXTS))) - {3, 5}


def test_examples_are_streamed_block_by_block(
    passages: Passages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negatives, "BLOCK", 3)
    taken = []

    def source() -> Iterator[Example]:
        for number in range(10):
            taken.append(number)
            yield asked(str(number), 0)

    results = add_negatives(source(), passages, search, depth=5, per_question=1)
    next(results)
    assert taken == [0, 1, 2]
    assert [r.question for r in results] == [str(n) for n in range(1, 10)]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """Of a study with two collections, the second of which has the passages in reverse."""
    params = load_params("params.yaml")
    monkeypatch.chdir(tmp_path)
    write_store(paths.collection() / PASSAGES)
    write_store(paths.collection("far") / PASSAGES, TEXTS[::-1])
    return replace(params, gold_sets=params.gold_sets | {"far": GoldSet("x", "far")})


def gold(name: str, split: str) -> list[tuple[Example, list[str], list[str]]]:
    """What the stage has written: examples, and the texts of their passages."""
    file = paths.gold_negatives(split, name)
    store = Passages(file.parent / PASSAGES)
    return [
        (e, [store[row].text for row in e.positives], [store[row].text for row in e.negatives])
        for e in read_examples(file, store)
    ]


@pytest.mark.slow
def test_the_stage_serves_both_gold_splits(
    params: Params, capsys: pytest.CaptureFixture[str]
) -> None:
    cello = asked("Who stood by the cello?", 1, answer="Greta")
    train = [cello, asked("Zebra?", 0, answer="stripes")]  # BM25 finds nothing
    write_examples(paths.gold("train"), train)
    write_examples(paths.gold("dev"), train[:1])
    negatives_gold.run(params, "main")
    (first, positives, (negative,)), (second, others, none) = gold("main", "train")
    assert (positives, others, none) == ([TEXTS[1]], [TEXTS[0]], [])
    assert "cello" in negative and "Greta" not in negative
    assert [(e.question, e.answers) for e in (first, second)] == [
        (e.question, e.answers) for e in train
    ]
    assert gold("main", "dev") == [(first, positives, [negative])]
    # The passages that these name and no others, in the collection's order.
    folder = paths.gold_negatives("train").parent
    assert [p.text for p in Passages(folder / PASSAGES)] == [
        text for text in TEXTS if text in (*positives, *others, negative)
    ]
    assert {path.name for path in folder.iterdir()} == {PASSAGES, "train.jsonl", "dev.jsonl"}
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "negatives gold-main-train: 2 questions, 1 without a hard negative"


def test_a_gold_set_is_mined_in_its_collection(params: Params) -> None:
    last = len(TEXTS) - 1
    for name, row in (("main", 1), ("far", last - 1)):  # the same passage
        for split in ("train", "dev"):
            question = asked("Who stood by the cello?", row, answer="Greta")
            write_examples(paths.gold(split, name), [question])
        negatives_gold.run(params, name)
        ((_, positives, (negative,)),) = gold(name, "train")
        assert positives == [TEXTS[1]]
        assert "cello" in negative and "Greta" not in negative


def test_synthetic_questions_keep_the_rows_of_the_main_collection(params: Params) -> None:
    examples = [asked(f"Who of {word}?", 3, answer="Greta") for word in WORDS]
    write_examples(paths.synthetic("mixed"), examples)
    write_examples(paths.synthetic("none"), [])
    for name in ("mixed", "none"):
        negatives_synthetic.run(params, name)
    store = Passages(paths.collection() / PASSAGES)
    found = list(read_examples(paths.synthetic_negatives("mixed"), store))
    assert [replace(e, negatives=()) for e in found] == examples
    for word, example in zip(WORDS[1:], found[1:], strict=True):
        (row,) = example.negatives
        assert word in TEXTS[row] and "Greta" not in TEXTS[row]
    assert not paths.synthetic_negatives("none").read_bytes()


def test_only_those_of_synthetic_questions_are_drawn(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = []

    def noted(*arguments):
        seeds.append(arguments[-1])
        return Mine(*arguments)

    monkeypatch.setattr(negatives, "Mine", noted)
    question = asked("Who?", 1, answer="Greta")
    files = [paths.gold(split, name) for name in ("main", "far") for split in ("train", "dev")]
    for file in (*files, paths.synthetic("mixed")):
        write_examples(file, [question])
    drawn = replace(params.negatives, synthetic="drawn")
    for chosen in (params.negatives, drawn):
        changed = replace(params, negatives=chosen, seed=7)
        for name in ("main", "far"):
            negatives_gold.run(changed, name)
        negatives_synthetic.run(changed, "mixed")
    assert seeds == [None] * 5 + [None] * 4 + [7]


@pytest.mark.slow
def test_two_processes_mine_what_one_does(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [asked(f"Who of {word}?", 3, answer="Greta") for word in WORDS]
    write_examples(paths.synthetic("mixed"), examples)
    negatives_synthetic.run(params, "mixed")
    found = paths.synthetic_negatives("mixed").read_bytes()
    monkeypatch.setattr(negatives, "BLOCK", 1)
    monkeypatch.setattr(negatives, "run", partial(pool.run, workers=2, first=0))
    negatives_synthetic.run(params, "mixed")
    assert paths.synthetic_negatives("mixed").read_bytes() == found


@pytest.mark.parametrize("name", ["main", "mixed"])
def test_the_stage_goes_on_where_it_was_stopped(
    params: Params, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    examples = [asked(f"Who of {word}?", 0, answer="Greta") for word in WORDS]
    write_examples(paths.gold("train"), examples)
    write_examples(paths.gold("dev"), examples[:1])
    write_examples(paths.synthetic("mixed"), examples)
    stage = negatives_gold if name == "main" else negatives_synthetic
    folder = Path("data/negatives")

    def written() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    stage.run(params, name)
    whole = written()
    assert len(whole) == (3 if name == "main" else 1)
    shutil.rmtree(folder)
    searched: list[str] = []
    whole_search = BM25.search

    def until_stopped(self: BM25, questions: Sequence[str], depth: int) -> Iterator[Hits]:
        # What a kill leaves now is what the next start removes (ecqg.files.atomic).
        assert all(path.suffix == ".part" for path in folder.glob("*/*"))
        if len(searched) == 4 and not again:
            raise KeyboardInterrupt
        searched.extend(questions)
        return whole_search(self, questions, depth)

    again = False
    monkeypatch.setattr(negatives, "BLOCK", 2)
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(BM25, "search", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        stage.run(params, name)
    assert not written()
    again = True
    stage.run(params, name)
    dev = examples[:1] if name == "main" else []
    assert searched == [example.question for example in (*examples, *dev)]
    assert written() == whole
    assert not list(resume.FOLDER.iterdir())
