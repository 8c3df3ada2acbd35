from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ecqg import shards
from ecqg.corpus.passages import Passage, Passages, sample_passages, write_passages
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.params import Generate
from ecqg.questions import generation
from ecqg.questions.generation import Plan, Prompt, generate, read_selected
from ecqg.questions.generator import Pair
from ecqg.questions.statistics import Statistics

TEXTS = [
    ("Salt", "Salt is white. It comes from Wick."),
    ("Wick", "Wick lies in Valdoria. Clara  Moss made it rich."),
    ("Norden", "Norden is a castle. Anna Verge owned it. It burned in 1702."),
]


class Scripted:
    """Answers a source, known by its length, with scripted texts."""

    def __init__(self, script: dict[str, list[str | None]], most: int = 99) -> None:
        self.script, self.model = script, torch.nn.Identity()
        self.most = most  # batches until it fails
        self.encoded = 0
        self.known: dict[int, str] = {}
        self.batches: list[list[str]] = []
        self.uniform: dict[str, Any] = {}

    def encode(self, sources: Sequence[str], targets: Sequence[str]) -> list[Pair]:
        self.encoded += len(sources)
        self.known |= {len(source): source for source in sources}
        return [Pair([1] * len(source), []) for source in sources]

    def sample(
        self, sources: Sequence[list[int]], uniform: torch.Tensor, how: Generate
    ) -> list[str | None]:
        if len(self.batches) == self.most:
            raise KeyboardInterrupt
        texts = [self.known[len(source)] for source in sources]
        self.batches.append(texts)
        samples = len(uniform) // len(sources)
        self.uniform |= {t: uniform[i * samples].tolist() for i, t in enumerate(texts)}
        return [reply for text in texts for reply in self.script[text]]


@pytest.fixture
def passages(tmp_path: Path) -> Passages:
    rows = [
        Passage(i, f"p{i}", title, text, (0, text.index(". ") + 2))
        for i, (title, text) in enumerate(TEXTS)
    ]
    write_passages(tmp_path / "passages.arrow", rows)
    return Passages(tmp_path / "passages.arrow")


def run(
    generator: Scripted,
    passages: Passages,
    prompts: list[Prompt],
    samples: int,
    seed: int = 1,
    folder: Path | None = None,
    attempts: int = 1,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    statistics = Statistics()
    plan = Plan(samples, 99, 5, "fp32", True, Generate(1.0, 0, 1.0, attempts), seed)
    records = generate(
        generator,  # type: ignore[arg-type]
        passages,
        prompts,
        plan,
        statistics=statistics,
        folder=folder,
    )
    return list(records), statistics.summary()


def test_records_and_statistics(passages: Passages) -> None:
    sources = [f"{title} | {' '.join(text.split())}" for title, text in TEXTS]
    script: dict[str, list[str | None]] = {
        sources[0]: ["where is salt from | wick", "Where is salt from | wick"],
        sources[1]: ["who made wick rich | clara moss", None],
        sources[2]: ["when did norden burn | 1702", "who lives in norden | ghosts"],
    }
    records, summary = run(Scripted(script), passages, [Prompt(0), Prompt(1), Prompt(2)], 2)
    assert [(r["id"], r["answer"]) for r in records] == [
        ("0-0", "Wick"),
        ("1-0", "Clara Moss"),  # as the passage spells it, white space aside
        ("2-0", "1702"),
        ("2-1", "ghosts"),
    ]
    assert records[1] == {
        "id": "1-0",
        "passage_id": "p1",
        "row": 1,
        "entity": None,
        "start": None,
        "question": "who made wick rich",
        "answer": "Clara Moss",
    }
    assert summary == {
        "drawn": 6,
        "questions": 4,
        "distinct_questions": 4,
        "drawn_again": 0.0,
        "malformed": pytest.approx(100 / 6),
        "duplicates": pytest.approx(100 / 6),
        "answer_in_passage": 75.0,
        "answer_sentence": {"2": 100.0},
    }


def test_conditioned_prompts_mark_their_entity(tmp_path: Path, passages: Passages) -> None:
    moss, verge = (passages[i].text.index(n) for i, n in ((1, "Clara"), (2, "Anna")))
    rows = [
        {"passage_id": "p2", "row": 2, "entity": "Anna Verge", "start": verge, "end": verge + 10},
        {"passage_id": "p1", "row": 1, "entity": "Clara  Moss", "start": moss, "end": moss + 11},
        {"passage_id": "p1", "row": 1, "entity": "Wick", "start": 0, "end": 4},
    ]
    write_jsonl(tmp_path / "selected.jsonl", rows)
    prompts = read_selected(tmp_path / "selected.jsonl")
    assert [p.id for p in prompts] == ["1.0", f"1.{moss}", f"2.{verge}"]
    script: dict[str, list[str | None]] = {
        "Wick | Wick | * Wick * lies in Valdoria. Clara Moss made it rich.": ["where | valdoria"],
        "Clara Moss | Wick | Wick lies in Valdoria. * Clara Moss * made it rich.": [
            "what did clara moss make rich | wick"
        ],
        "Anna Verge | Norden | Norden is a castle. * Anna Verge * owned it. It burned in 1702.": [
            "who owned norden | anna verge"
        ],
    }
    records, summary = run(Scripted(script), passages, prompts, 1)
    assert [(r["id"], r["entity"], r["start"]) for r in records] == [
        ("1.0-0", "Wick", 0),
        (f"1.{moss}-0", "Clara  Moss", moss),
        (f"2.{verge}-0", "Anna Verge", verge),
    ]
    assert summary["entity_in_question"] == pytest.approx(100 / 3)
    assert summary["entity_in_question_or_answer"] == pytest.approx(200 / 3)
    assert summary["answer_sentence"] == {"1": pytest.approx(200 / 3), "2": pytest.approx(100 / 3)}


def test_what_does_not_name_its_entity_is_drawn_again(passages: Passages) -> None:
    moss, verge = (passages[i].text.index(n) for i, n in ((1, "Clara"), (2, "Anna")))
    prompts = [Prompt(1, (0, 4)), Prompt(1, (moss, moss + 11)), Prompt(2, (verge, verge + 10))]
    wick = "Wick | Wick | * Wick * lies in Valdoria. Clara Moss made it rich."
    clara = "Clara Moss | Wick | Wick lies in Valdoria. * Clara Moss * made it rich."
    anna = "Anna Verge | Norden | Norden is a castle. * Anna Verge * owned it. It burned in 1702."
    generator = Scripted({
        wick: ["where is wick | valdoria", "what lies where | valdoria"],
        clara: [None, "who made it rich | wick"],
        anna: ["what burned | 1702", "what did anna verge own | norden"],
    })  # fmt: skip
    again = {
        clara: ["what did clara moss make rich | wick", "who is rich | clara moss"],
        anna: ["whose is norden | anna verge", "who is anna verge | norden"],
    }
    sample, first = generator.sample, []

    def second_time(
        sources: Sequence[list[int]], uniform: torch.Tensor, how: Generate
    ) -> list[str | None]:
        drawn = sample(sources, uniform, how)
        first.append(dict(generator.uniform))
        generator.script |= again
        return drawn

    generator.sample = second_time  # type: ignore[method-assign]
    again[wick] = ["what is in wick | salt", "where does wick lie | valdoria"]
    records, summary = run(generator, passages, prompts, 2, attempts=2)
    assert [(r["id"], r["question"]) for r in records] == [
        ("1.0-0", "where is wick"),
        ("1.0-1", "where does wick lie"),
        (f"1.{moss}-0", "what did clara moss make rich"),
        (f"1.{moss}-1", "who made it rich"),  # neither names her: the first stands
        (f"2.{verge}-0", "what burned"),
        (f"2.{verge}-1", "what did anna verge own"),  # named her at once
    ]
    assert [set(batch) for batch in generator.batches] == [{wick, clara, anna}] * 2
    assert all(first[0][source] != first[1][source] for source in (wick, clara, anna))
    assert summary["drawn_again"] == 50.0 and summary["malformed"] == 0
    generator.script[wick] = again[wick]
    generator.batches.clear()
    run(generator, passages, prompts[:1], 2, attempts=3)
    assert len(generator.batches) == 1  # nothing is missing


def test_random_numbers_belong_to_the_prompt(
    passages: Passages, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [f"{title} | {' '.join(text.split())}" for title, text in TEXTS]
    script: dict[str, list[str | None]] = {s: [None] for s in sources}
    everything, alone = Scripted(script), Scripted(script)
    run(everything, passages, [Prompt(0), Prompt(1), Prompt(2)], 1)
    assert [len(b) for b in everything.batches] == [3]
    assert everything.batches[0] == sorted(sources, key=len)
    monkeypatch.setattr(generation, "SEQUENCES_ON_CPU", 1)
    run(alone, passages, [Prompt(2), Prompt(0), Prompt(1)], 1)
    assert [len(b) for b in alone.batches] == [1, 1, 1]
    assert alone.uniform == everything.uniform
    assert len({tuple(u) for u in alone.uniform.values()}) == 3
    other = Scripted(script)
    run(other, passages, [Prompt(0)], 1, seed=2)
    assert other.uniform[sources[0]] != alone.uniform[sources[0]]


@given(st.lists(st.integers(1, 500), min_size=1, max_size=60), st.integers(1, 300))
def test_batches_grow_until_sequences_or_tokens_are_too_many(
    lengths: list[int], samples: int
) -> None:
    batches = list(generation._batches(lengths, samples, 256))
    sizes = [[lengths[i] for i in batch] for batch in batches]
    assert [n for batch in sizes for n in batch] == sorted(lengths)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))

    def fits(batch: list[int]) -> bool:
        sequences = len(batch) * samples
        return sequences <= 256 and sequences * max(batch) <= 65_536

    assert all(fits(batch) or len(batch) == 1 for batch in sizes)
    assert not any(fits([*a, b[0]]) for a, b in pairwise(sizes))


@pytest.mark.parametrize(("gib", "sequences"), [(8, 128), (24, 384), (80, 1024)])
def test_a_larger_gpu_decodes_more_sequences_together(
    gib: int, sequences: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = SimpleNamespace(total_memory=gib << 30)
    monkeypatch.setattr(generation, "pick_device", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: card)
    assert generation._side_by_side() == sequences


@pytest.mark.parametrize("most", [0, 1, 2])
def test_what_is_drawn_is_not_drawn_again(
    most: int, passages: Passages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "SEQUENCES_ON_CPU", 2)
    monkeypatch.setattr(generation, "CHUNK", 2)
    monkeypatch.setattr(shards, "SECONDS", 0)
    sources = [f"{title} | {' '.join(text.split())}" for title, text in TEXTS]
    script: dict[str, list[str | None]] = {s: [f"who | {s[:4]}", None] for s in sources}
    prompts = [Prompt(2), Prompt(0), Prompt(1)]
    whole = Scripted(script)
    expected = run(whole, passages, prompts, 2)
    stopped, second = Scripted(script, most), Scripted(script)
    with pytest.raises(KeyboardInterrupt):
        run(stopped, passages, prompts, 2, folder=tmp_path / "kept")
    assert run(second, passages, prompts, 2, folder=tmp_path / "kept") == expected
    assert stopped.batches + second.batches == whole.batches
    assert len(stopped.batches) == most
    assert second.encoded == (1 if most == 2 else 3)  # of two chunks, that of two was over


def test_too_little_memory_names_the_parameters(
    passages: Passages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 2 GiB")

    monkeypatch.setattr(Scripted, "sample", too_much)
    knobs = "generator.max_source_tokens or generator.max_target_tokens"
    with pytest.raises(InputError, match=rf"out of memory \(CUDA.*\); lower {knobs}"):
        run(Scripted({}), passages, [Prompt(0)], 1)


def test_passages_are_sampled_without_repetition() -> None:
    assert sample_passages(3, 10, 1) == [0, 1, 2]
    drawn = {tuple(sample_passages(3, 2, seed)) for seed in range(30)}
    assert drawn == {(0, 1), (0, 2), (1, 2)}


def test_passages_can_be_selected_whole(tmp_path: Path) -> None:
    rows = [{"passage_id": f"p{row}", "row": row} for row in (2, 0, 2)]
    write_jsonl(tmp_path / "selected.jsonl", rows)
    assert read_selected(tmp_path / "selected.jsonl") == [Prompt(0), Prompt(2)]


def test_an_empty_selection_and_an_entity_without_a_place_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "selected.jsonl"
    file.write_text("")
    with pytest.raises(InputError, match=r"selected\.jsonl: nothing is selected; raise passages"):
        read_selected(file)
    whole = {"row": 1, "entity": "Wick", "start": 0, "end": 4}
    for place in ({"end": "4"}, {"start": None}, {"end": True}):
        write_jsonl(file, [whole, whole | place])
        with pytest.raises(InputError, match=r"selected\.jsonl:2: an entity without a place"):
            read_selected(file)
