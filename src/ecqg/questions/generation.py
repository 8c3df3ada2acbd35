"""Sampling synthetic questions for passages, or for entities of passages (SIGIR sec. 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch

from ecqg import seeds
from ecqg.corpus.passages import Passage, Passages
from ecqg.errors import InputError
from ecqg.files import read_jsonl, write_jsonl
from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.params import Generate, Precision
from ecqg.progress import track
from ecqg.questions.format import Span, find_answer, find_mentions, format_source, parse_target
from ecqg.questions.generator import Generator
from ecqg.questions.model import load_generator
from ecqg.questions.statistics import Statistics
from ecqg.resume import resumable
from ecqg.shards import map_blocks, map_rest
from ecqg.training.batches import by_budget
from ecqg.training.device import explain_out_of_memory, pick_device

CHUNK = 4096  # prompts sorted by length together; bounds memory, whatever the number of prompts
SEQUENCES, OF_GIB = 1024, 16  # decoded side by side on a GPU, at most; and for each GiB that it has
SEQUENCES_ON_CPU = 96  # 256 take 180 MiB more there, and 4 % less time
TOKENS = 256  # of a sequence's source, padding included, at most so many on average


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a question is to be written about: the passage in `row`, or an entity in it."""

    row: int
    entity: Span | None = None

    @property
    def id(self) -> str:
        """Unique among the prompts of one kind."""
        return str(self.row) if self.entity is None else f"{self.row}.{self.entity[0]}"


_Block: TypeAlias = tuple[list[list[int]], list[str]]  # sources as token ids, and prompts' ids
Parse: TypeAlias = Callable[[str], tuple[str, str] | None]  # question and answer in a text
# A prompt, its passage, and question and answer of each sample; None for one that is malformed.
_Question: TypeAlias = tuple[str, str] | None
_Chunk: TypeAlias = Sequence[tuple[Prompt, Passage]]
Drawn: TypeAlias = tuple[Prompt, Passage, Sequence[_Question]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn for each prompt, and how."""

    samples: int  # questions of each prompt
    max_source_tokens: int
    max_target_tokens: int
    precision: Precision
    marked: bool  # whether an entity is marked in its passage, beside being named
    how: Generate
    seed: int


def read_selected(path: str | Path) -> list[Prompt]:
    """The selected passages or entities, passage by passage.

    Raises InputError naming file and line for an entity without a place, and where nothing was
    selected.
    """
    prompts: set[Prompt] = set()
    for line, record in enumerate(read_jsonl(path, {"row": int}), 1):
        if "entity" not in record:
            prompts.add(Prompt(record["row"]))
            continue
        start, end = record.get("start"), record.get("end")
        if type(start) is not int or type(end) is not int:
            remedy = "make it again with 'dvc repro'"
            raise InputError("an entity without a place", file=path, line=line, remedy=remedy)
        prompts.add(Prompt(record["row"], (start, end)))
    if not prompts:
        remedy = "raise passages of the question set, or select.per_passage"
        raise InputError("nothing is selected", file=path, remedy=remedy)
    return sorted(prompts, key=lambda prompt: (prompt.row, prompt.entity or (0, 0)))


def write_questions(
    name: str,
    output: Path,
    generator: Path,
    passages: Path,
    prompts: Sequence[Prompt],
    plan: Plan,
    parse: Parse = parse_target,
    wrong_passage: float = 0.0,
) -> Statistics:
    """Write the records of `generate`, drawn by the generator in a folder, and say what they are.

    `name` is that of the work: when it is stopped and starts again with the same files, prompts
    and plan, it resumes where it was. A share `wrong_passage` of them is misplaced (`misplace`).
    Raises InputError as `load_generator` does.
    """
    loaded, collection, statistics = load(generator, plan), Passages(passages), Statistics()
    places = [(prompt.row, prompt.entity) for prompt in prompts]
    with resumable(__name__, name, [generator, passages], places, plan) as folder:
        records = generate(loaded, collection, prompts, plan, parse, statistics, folder, generator)
        write_jsonl(output, misplace(records, wrong_passage, collection, plan.seed))
    return statistics


def misplace(
    records: Iterable[dict[str, Any]], share: float, passages: Passages, seed: int
) -> Iterator[dict[str, Any]]:
    """Put a share of generated questions on any other passage: what does noise cost?

    All but `passage_id` and `row` stays as it was. Each question is moved with the same chance.
    """
    rng = seeds.python_rng(seed, "wrong passage")
    for record in records:
        if rng.random() < share and len(passages) > 1:
            row = rng.randrange(len(passages) - 1)
            row += row >= record["row"]
            record = {**record, "passage_id": passages[row].id, "row": row}
        yield record


def generate(
    generator: Generator,
    passages: Sequence[Passage],
    prompts: Sequence[Prompt],
    plan: Plan,
    parse: Parse = parse_target,
    statistics: Statistics | None = None,
    folder: Path | None = None,
    source: Path | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a record per question, `plan.samples` of each prompt, in the order of the prompts.

    Malformed texts and repeated questions of a passage are left out and counted in `statistics`.
    A text that is malformed or does not name its entity is drawn again, up to
    `plan.how.attempts` times in all; where none does, the first stands.
    An answer that stands in the passage is spelled as there. Each sample has random numbers of its
    own, so what a prompt yields depends on the others by rounding only (fp32: hardly ever; bf16:
    in other batches, 3 in 100 questions are others). What is drawn is written to `folder`, where
    there is one (`map_rest`). With a `source`, the generator's folder, several processes may draw.
    """
    generator.model.eval()
    statistics = statistics or Statistics()

    def sample(chunk: _Chunk, part: Path | None, attempt: str) -> list[list[_Question]]:
        if not chunk:
            return []
        draw = partial(_sample, generator, plan=plan, folder=part, source=source, attempt=attempt)
        # Kept whole as well, so that prompts of which all is drawn are not tokenized again.
        (texts,) = map_blocks(part and part / "whole", [chunk], draw)
        return [
            [None if text is None else parse(text) for text in of_prompt] for of_prompt in texts
        ]

    def drawn() -> Iterator[Drawn]:
        for first in range(0, len(prompts), CHUNK):
            chunk = [(prompt, passages[prompt.row]) for prompt in prompts[first : first + CHUNK]]
            part = folder and folder / f"{first:09d}"
            questions = sample(chunk, part, "")
            for attempt in range(2, plan.how.attempts + 1):
                missed = [
                    i for i, of in enumerate(questions) if not all(_apt(*chunk[i], q) for q in of)
                ]
                again = part and part / f"attempt-{attempt}"
                texts = sample([chunk[i] for i in missed], again, f" attempt {attempt}")
                for i, others in zip(missed, texts, strict=True):
                    pairs = zip(questions[i], others, strict=True)
                    questions[i] = [
                        new if _apt(*chunk[i], new) and not _apt(*chunk[i], old) else old
                        for old, new in pairs
                    ]
                statistics.again += len(missed)
            for (prompt, passage), of_prompt in zip(chunk, questions, strict=True):
                yield prompt, passage, of_prompt

    return to_records(drawn(), statistics)


def to_records(drawn: Iterable[Drawn], statistics: Statistics) -> Iterator[dict[str, Any]]:
    """Yield the records of questions that were drawn; see `generate`."""
    row, known = -1, set[str]()
    for prompt, passage, questions in drawn:
        if prompt.row != row:
            row, known = prompt.row, set()
        entity = _entity(prompt, passage)
        for number, parsed in enumerate(questions):
            if parsed is None:
                statistics.malformed += 1
                continue
            question, answer = parsed
            if question.casefold() in known:
                statistics.duplicates += 1
                continue
            known.add(question.casefold())
            span = find_answer(answer, passage.text)
            if span is not None:
                answer = " ".join(passage.text[slice(*span)].split())
            statistics.add(question, answer, span, passage, entity)
            yield {
                "id": f"{prompt.id}-{number}",
                "passage_id": passage.id,
                "row": row,
                "entity": entity,
                "start": None if prompt.entity is None else prompt.entity[0],
                "question": question,
                "answer": answer,
            }


def _sample(
    generator: Generator,
    prompts: _Chunk,
    plan: Plan,
    folder: Path | None,
    source: Path | None,
    attempt: str,
) -> list[list[str | None]]:
    """The texts drawn for each prompt; prompts of similar length are decoded together.

    `attempt` makes the random numbers others than an earlier one's.
    """
    sources = [
        format_source(passage.title, passage.text, _entity(prompt, passage), marked=plan.marked)
        for prompt, passage in prompts
    ]
    tokens = [pair.source for pair in generator.encode(sources, [""] * len(sources))]
    ids = [prompt.id + attempt for prompt, _ in prompts]
    batches = _batches([len(source) for source in tokens], plan.samples, _side_by_side())

    def mapped(rest: Iterator[list[int]]) -> Iterator[list[str | None]]:
        blocks = (([tokens[i] for i in rows], [ids[i] for i in rows]) for rows in rest)
        here = partial(draw, generator, plan)
        return map(here, blocks) if source is None else run(Draw(source, plan), blocks, here=here)

    drawn = map_rest(folder, batches, mapped)
    results: list[list[str | None]] = [[] for _ in prompts]
    bar = track(drawn, "questions", total=len(batches), unit="batch")
    for batch, texts in zip(batches, bar, strict=True):
        for place, i in enumerate(batch):
            results[i] = texts[place * plan.samples : (place + 1) * plan.samples]
    return results


def draw(generator: Generator, plan: Plan, block: _Block) -> list[str | None]:
    """The texts of all samples of a block's prompts, prompt by prompt.

    Raises InputError where memory runs out.
    """
    sources, ids = block
    streams = [seeds.numpy_rng(plan.seed, "sample", i, k) for i in ids for k in range(plan.samples)]
    uniform = np.stack([stream.random(plan.max_target_tokens) for stream in streams])
    with explain_out_of_memory("generator.max_source_tokens or generator.max_target_tokens"):
        return generator.sample(sources, torch.from_numpy(uniform.astype(np.float32)), plan.how)


@dataclass(frozen=True)
class Draw(Task[_Block, list[str | None]]):
    """Texts of blocks of prompts, by the generator in a folder."""

    generator: Path
    plan: Plan
    device = True

    def start(self) -> Callable[[_Block], list[str | None]]:
        """Load the generator."""
        return partial(draw, load(self.generator, self.plan), self.plan)

    def name(self, block: _Block) -> str:
        """Prompts are called by their passages' rows."""
        return f"the prompts {block[1][0]} to {block[1][-1]}"


def load(folder: Path, plan: Plan) -> Generator:
    """The generator in a folder, as a plan needs it. Raises InputError as `load_generator` does."""
    return load_generator(folder, plan.max_source_tokens, plan.max_target_tokens, plan.precision)


def _side_by_side() -> int:
    """How many sequences are decoded together: a GPU waits for the CPU between tokens.

    BART-base takes 12 MiB a sequence in fp32 (bench/gpu.py); larger models shall fit, too.
    """
    device = pick_device()
    if device.type != "cuda":
        return SEQUENCES_ON_CPU
    return min(SEQUENCES, OF_GIB * torch.cuda.get_device_properties(device).total_memory // 2**30)


def _batches(lengths: Sequence[int], samples: int, most: int) -> list[list[int]]:
    """Places from the shortest source to the longest, as many together as may be."""
    sizes = np.array(lengths) * samples
    return [rows.tolist() for rows in by_budget(sizes, most * TOKENS, most=most // samples)]


def _apt(prompt: Prompt, passage: Passage, question: _Question) -> bool:
    """Whether a question is well-formed and names the entity, if any, that it is to be about."""
    entity = _entity(prompt, passage)
    return question is not None and (not entity or bool(find_mentions(question[0], entity)))


def _entity(prompt: Prompt, passage: Passage) -> str | None:
    return None if prompt.entity is None else passage.text[slice(*prompt.entity)]
