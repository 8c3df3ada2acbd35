"""Gold pairs: a question, its answers and the passage that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ecqg.corpus.answer_spans import find_answers
from ecqg.corpus.dpr_examples import Context, read_dpr_examples
from ecqg.corpus.examples import Example
from ecqg.corpus.locate import Block, locate_contexts
from ecqg.corpus.passages import Passages
from ecqg.corpus.reading import Answer, ReadingExample


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with the text that answers it, not yet tied to a passage of the collection.

    `spans` say where answers stand in `context`; none where no answer string is found there.
    `title` is the context's. `negative` is a passage in which no answer stands, where one is known.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    context: str
    spans: tuple[Answer, ...]
    title: str = ""
    negative: Context | None = None


@dataclass(frozen=True, slots=True)
class GoldPair:
    """A question, its answers, and the row of its gold passage.

    `start` is the character offset of an answer in the passage, None where no answer string
    stands in it (DPR's positives are matched after normalisation).
    """

    id: str
    question: str
    answers: tuple[str, ...]
    row: int
    start: int | None


def reading_candidates(examples: Iterable[ReadingExample]) -> list[Candidate]:
    """The answerable examples."""
    return [
        Candidate(
            e.id, e.question, tuple(dict.fromkeys(a.text for a in e.answers)), e.context, e.answers
        )
        for e in examples
        if e.answers
    ]


def dpr_candidates(path: str | Path) -> Iterator[Candidate]:
    """The examples of a DPR training file, by 0-based number, with their first positive passage.

    An example without positive passages (DPR drops those) gets an empty context. The negative is
    the first hard one in which no answer stands.
    """
    for number, example in enumerate(read_dpr_examples(path)):
        answers = example.answers
        positive = example.positives[0] if example.positives else Context("", "", "")
        spans = find_answers(answers, positive.text)
        without = (c for c in example.hard_negatives if not find_answers(answers, c.text))
        yield Candidate(
            str(number),
            example.question,
            answers,
            positive.text,
            spans,
            positive.title,
            next(without, None),
        )


def candidate_reading(candidates: Iterable[Candidate]) -> Iterator[ReadingExample]:
    """What a reader learns from candidates whose answer is found, by their ids.

    Each question on its context, which answers it, then, as ID-negative, on its negative, which
    does not: Natural Questions, as the papers' reader had it, has answerable and unanswerable
    examples (thesis sec. 4.2).
    """
    for c in candidates:
        if c.spans:
            yield ReadingExample(c.id, c.question, c.title, c.context, c.spans)
            if c.negative is not None:
                name, title = f"{c.id}-negative", c.negative.title
                yield ReadingExample(name, c.question, title, c.negative.text, ())


def pair_up(
    candidates: Sequence[Candidate], passages: Passages, resume_dir: Path | None = None
) -> tuple[list[GoldPair], dict[str, int]]:
    """Tie candidates to passages of the collection, in order.

    A context is the text of one passage, or of neighbouring ones joined because an answer runs
    across a cut or lies near one; then the passage that holds an answer whole is the gold one.
    Returns the pairs and the numbers of candidates dropped: `no_passage`, whose context is not in
    the collection, and `answer_across_cut`, whose answers no single passage holds. Goes on with
    what the folder `resume_dir` holds of the same work, where there is one.
    """
    places = locate_contexts((c.context for c in candidates), passages, resume_dir)
    pairs: list[GoldPair] = []
    dropped = {"no_passage": 0, "answer_across_cut": 0}
    for candidate in candidates:
        blocks = places.get(candidate.context)
        if blocks is None:
            dropped["no_passage"] += 1
            continue
        held = _holder(blocks, candidate.spans)
        if held is None:
            dropped["answer_across_cut"] += 1
            continue
        row, start = held
        pairs.append(GoldPair(candidate.id, candidate.question, candidate.answers, row, start))
    return pairs, dropped


def gold_examples(pairs: Iterable[GoldPair]) -> Iterator[Example]:
    """The pairs as training examples without negatives."""
    for pair in pairs:
        yield Example(pair.id, pair.question, pair.answers, (pair.row,))


def answer_sentence(pair: GoldPair, passages: Passages) -> int | None:
    """The 0-based sentence of the gold passage in which the answer starts."""
    return None if pair.start is None else passages[pair.row].sentence_at(pair.start)


def _holder(blocks: Sequence[Block], spans: Sequence[Answer]) -> tuple[int, int | None] | None:
    """Row and offset of the first answer that one block holds whole."""
    for span in spans:
        for block in blocks:
            if block.start <= span.start and span.start + len(span.text) <= block.end:
                return block.row, span.start - block.start
    return (blocks[0].row, None) if len(blocks) == 1 and not spans else None
