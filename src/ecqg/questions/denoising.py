"""Self-supervised examples that teach a random generator to copy.

BART's own objective, infilling of noised text, needs far more text than a small collection has.
This one keeps its core (write text that the source shows) in the form that generation will have.
A sentence is chosen, a span of it is the answer, and the target is

    title sentence-without-the-answer | answer

that is, a cloze question about the passage. Half of the sources name and mark a name of the
chosen sentence, so that a mark comes to prompt its sentence wherever it stands; the other half
leave the choice open. No human question is used.

The sources grow: first the chosen sentence alone, in the end whole passages in random sentence
order. Copying from one sentence is learned within a few hundred steps, from six at once it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ecqg.corpus.passages import Passage
from ecqg.questions.format import find_mentions, format_source, format_target
from ecqg.questions.names import WORD, Names

CURRICULUM_FRACTION = 0.6  # of all steps, over which the sources grow
CONDITIONED_SHARE = 0.5
NAME_SHARE = 0.8  # of the answers; the others are random spans of up to MAX_SPAN words
MAX_SPAN = 3


def pretraining_texts(
    passages: Sequence[Passage], names: Names, steps: int, batch_size: int, rng: Random
) -> Iterator[list[tuple[str, str]]]:
    """`steps` batches of (source, target) texts."""
    for step in range(steps):
        progress = step / max(1, steps * CURRICULUM_FRACTION)
        batch: list[tuple[str, str]] = []
        while len(batch) < batch_size:
            passage = passages[rng.randrange(len(passages))]
            # The same share of the way from one sentence to all, so that lengths are similar.
            sentences = 1 + round(min(1.0, progress) * (len(passage.sentence_starts) - 1))
            example = cloze(passage, names, sentences, rng)
            if example is not None:
                batch.append(example)
        yield batch


def cloze(passage: Passage, names: Names, sentences: int, rng: Random) -> tuple[str, str] | None:
    """One (source, target) with `sentences` of the passage, or None where none can be made."""
    spans = passage.sentences()
    chosen = rng.randrange(len(spans))
    others = rng.sample([i for i in range(len(spans)) if i != chosen], sentences - 1)
    shown = [chosen, *others]
    rng.shuffle(shown)
    context = " ".join(passage.text[slice(*spans[i])].strip() for i in shown)

    sentence = passage.text[slice(*spans[chosen])].strip().rstrip(".")
    named = names.spans(sentence)
    words = [match.span() for match in WORD.finditer(sentence)]
    if len(words) < 3:
        return None
    entity = rng.choice(named) if named and rng.random() < CONDITIONED_SHARE else None
    candidates = [span for span in named if entity is None or span != entity]
    if not candidates or rng.random() >= NAME_SHARE:
        first = rng.randrange(len(words))
        last = min(len(words) - 1, first + rng.randrange(MAX_SPAN))
        candidates = [(words[first][0], words[last][1])]
    answer = rng.choice(candidates)
    if entity is not None and answer[0] < entity[1] and entity[0] < answer[1]:
        return None
    removed = sentence[slice(*answer)]
    question = f"{sentence[: answer[0]]} {sentence[answer[1] :]}"
    # A question names its subject, which its sentence may call "it", but never its answer.
    if not find_mentions(question, passage.title) and not find_mentions(passage.title, removed):
        question = f"{passage.title} {question}"
    return (
        format_source(passage.title, context, None if entity is None else sentence[slice(*entity)]),
        format_target(question, removed),
    )
