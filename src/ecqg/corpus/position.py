"""Where in the gold passage training questions point (thesis tab. 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ecqg.corpus.gold import GoldPair, answer_sentence
from ecqg.corpus.passages import Passage, Passages
from ecqg.corpus.words import content_words, normalize_answer

SENTENCES = 6


@dataclass(frozen=True, slots=True)
class SentenceShare:
    """Means over training questions for one sentence index, in percent.

    `question_overlap`: the share of the question's non-stop words that stand in the sentence;
    `answer_location`: questions with an answer string in the sentence, normalised as SQuAD's, and
    an answer may stand in several sentences. Both are over the questions whose passage has that
    sentence (the thesis does not say). `answer_start`: questions whose gold answer starts in the
    sentence, over all whose answer has a known place; it sums to 100 over all sentences.
    """

    sentence: int
    question_overlap: float
    answer_location: float
    answer_start: float


def sentence_overlap(question: str, passage: Passage) -> list[float]:
    """The share of a question's non-stop words in each of a passage's first SENTENCES sentences.

    From 0 to 1, one value a sentence; a question of stop words alone overlaps with none.
    """
    words = content_words(question)
    return [
        len(words & content_words(passage.text[start:end])) / max(len(words), 1)
        for start, end in passage.sentences()[:SENTENCES]
    ]


def question_position(pairs: Iterable[GoldPair], passages: Passages) -> list[SentenceShare]:
    """The table's rows for sentences 1 to SENTENCES."""
    overlap = [0.0] * SENTENCES
    located, started, having = [0] * SENTENCES, [0] * SENTENCES, [0] * SENTENCES
    placed = 0
    for pair in pairs:
        passage = passages[pair.row]
        shares = sentence_overlap(pair.question, passage)
        answers = [f" {normalize_answer(answer)} " for answer in pair.answers]
        for index, (start, end) in enumerate(passage.sentences()[:SENTENCES]):
            having[index] += 1
            overlap[index] += shares[index]
            text = f" {normalize_answer(passage.text[start:end])} "
            located[index] += any(answer in text for answer in answers)
        first = answer_sentence(pair, passages)
        if first is not None:
            placed += 1
            if first < SENTENCES:
                started[first] += 1
    return [
        SentenceShare(
            i + 1,
            100 * overlap[i] / max(having[i], 1),
            100 * located[i] / max(having[i], 1),
            100 * started[i] / max(placed, 1),
        )
        for i in range(SENTENCES)
    ]
