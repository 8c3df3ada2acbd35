"""A gold set: questions that people asked, each with its answers and the passage that holds one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.folder import Candidate, Split, read_split, sample
from ecqg.corpus.locate import Block, locate_contexts
from ecqg.corpus.normal_form import normalize_answer
from ecqg.corpus.passages import Passage, Passages
from ecqg.corpus.reading import Answer
from ecqg.corpus.words import content_words
from ecqg.errors import InputError
from ecqg.params import GoldSet
from ecqg.resume import digest

SENTENCES = 6  # of a passage, that tables are about


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

    def sentence(self, passages: Passages) -> int | None:
        """The 0-based sentence of the gold passage in which the answer starts."""
        return None if self.start is None else passages[self.row].sentence_at(self.start)


def build_gold(
    settings: GoldSet, passages: Passages, seed: int, out: Path, resume_dir: Path | None = None
) -> dict[str, Any]:
    """Write train.jsonl and dev.jsonl to `out`; return counts and where train questions point.

    `passages` are those of the set's collection. Where there are to be no questions, the folder
    need not have any. Raises InputError for malformed files, and where no question of a split leads
    to a passage.
    """
    most = {"train": settings.max_train_questions, "dev": settings.max_dev_questions}
    counts: dict[str, Any] = {name: {"questions": 0} for name in most}
    pairs: dict[str, list[GoldPair]] = {name: [] for name in most}
    some = [] if settings.max_train_questions == 0 else [*most]
    splits = {name: read_split(settings.folder, name) for name in some}
    for name, split in splits.items():
        found, dropped = gold_pairs(settings, split, passages, resume_dir)
        if name == "train" and (first := settings.train_answer_sentences) is not None:
            early = [p for p in found if (at := p.sentence(passages)) is not None and at < first]
            found, dropped["answer_too_late"] = early, len(found) - len(early)
        pairs[name] = sample(found, most[name], seed, name)
        counts[name] = {"questions": len(pairs[name]), **dropped}
    for name, chosen in pairs.items():
        write_examples(out / f"{name}.jsonl", gold_examples(chosen))
    return counts | {"position": question_position(pairs["train"], passages)}


def gold_pairs(
    settings: GoldSet, split: Split, passages: Passages, resume_dir: Path | None = None
) -> tuple[list[GoldPair], dict[str, int]]:
    """A split's gold pairs, and how many candidates were dropped; none at all is an InputError.

    Resumes from the folder `resume_dir`, one for these passages, by the same questions.
    """
    if resume_dir is not None:
        resume_dir /= digest([], [candidate.context for candidate in split.candidates])
    pairs, dropped = pair_up(split.candidates, passages, resume_dir)
    if not pairs:
        what = f"none of {len(split.candidates)} gold questions leads to a passage"
        remedy = "contexts must be texts of passages.tsv (docs/data.md)"
        raise InputError(what, file=settings.folder, remedy=remedy)
    return pairs, dropped


def pair_up(
    candidates: Sequence[Candidate], passages: Passages, resume_dir: Path | None = None
) -> tuple[list[GoldPair], dict[str, int]]:
    """Tie candidates to passages of the collection, in order.

    A context is the text of one passage, or of neighbouring ones joined because an answer runs
    across a cut or lies near one; then the passage that holds an answer whole is the gold one.
    Returns the pairs and the numbers of candidates dropped: `no_passage`, whose context is not in
    the collection, and `answer_across_cut`, whose answers no single passage holds. Resumes
    from the folder `resume_dir`.
    """
    places = locate_contexts((c.context for c in candidates), passages, resume_dir)
    pairs: list[GoldPair] = []
    dropped = {"no_passage": 0, "answer_across_cut": 0}
    for candidate in candidates:
        if (blocks := places.get(candidate.context)) is None:
            dropped["no_passage"] += 1
        elif (held := _holder(blocks, candidate.spans)) is None:
            dropped["answer_across_cut"] += 1
        else:
            pairs.append(GoldPair(candidate.id, candidate.question, candidate.answers, *held))
    return pairs, dropped


def _holder(blocks: Sequence[Block], spans: Sequence[Answer]) -> tuple[int, int | None] | None:
    """Row and offset of the first answer that one block holds whole."""
    for span in spans:
        for block in blocks:
            if block.start <= span.start and span.start + len(span.text) <= block.end:
                return block.row, span.start - block.start
    return (blocks[0].row, None) if len(blocks) == 1 and not spans else None


def gold_examples(pairs: Iterable[GoldPair]) -> list[Example]:
    """The pairs as training examples without negatives."""
    return [Example(pair.id, pair.question, pair.answers, (pair.row,)) for pair in pairs]


def sentence_overlap(question: str, passage: Passage) -> list[float]:
    """The share of a question's non-stop words in each of a passage's first SENTENCES sentences.

    From 0 to 1, one value a sentence; a question of stop words alone overlaps with none.
    """
    words = content_words(question)
    return [
        len(words & content_words(passage.text[start:end])) / max(len(words), 1)
        for start, end in passage.sentences()[:SENTENCES]
    ]


def question_position(pairs: Iterable[GoldPair], passages: Passages) -> dict[str, dict[str, float]]:
    """Where in the gold passage training questions point (thesis tab. 4.2).

    Means in percent by sentence, sentence_1 to that of SENTENCES. `question_overlap`: the share of
    the question's non-stop words that stand in the sentence. `answer_location`: questions with an
    answer string in the sentence, normalised as SQuAD's, and an answer may stand in several
    sentences. Both are over the questions whose passage has that sentence (the thesis does not
    say). `answer_start`: questions whose gold answer starts in the sentence, over all whose answer
    has a known place; it sums to 100 over all sentences.
    """
    overlap = [0.0] * SENTENCES
    located, started, having = [0] * SENTENCES, [0] * SENTENCES, [0] * SENTENCES
    placed = 0
    for pair in pairs:
        passage = passages[pair.row]
        answers = [f" {normalize_answer(answer)} " for answer in pair.answers]
        spans = passage.sentences()[:SENTENCES]
        for i, share in enumerate(sentence_overlap(pair.question, passage)):
            having[i] += 1
            overlap[i] += share
            text = f" {normalize_answer(passage.text[slice(*spans[i])])} "
            located[i] += any(answer in text for answer in answers)
        if (first := pair.sentence(passages)) is not None:
            placed += 1
            if first < SENTENCES:
                started[first] += 1
    return {
        f"sentence_{i + 1}": {
            "question_overlap": 100 * overlap[i] / max(having[i], 1),
            "answer_location": 100 * located[i] / max(having[i], 1),
            "answer_start": 100 * started[i] / max(placed, 1),
        }
        for i in range(SENTENCES)
    }
