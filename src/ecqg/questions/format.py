"""What a generator reads and writes, as plain text.

Source: `[entity |] title | passage`, the entity's mentions in the passage set between MARKs.
Target: `question | answer`; of the answer-sentence generator `first last | answer | question`,
first and last word of the sentence that holds the answer. The same text serves an encoder-decoder
and a causal model. Naming the entity in a prefix alone is not enough: a small model then writes
about the first sentence whatever it is told, hence the marks. The question comes first, as in the
SIGIR paper: it is then written about the entity, and its answer looked up. With the answer first,
a small generator picks some answer and then forces it and the entity into one question. The
answer-sentence generator has no entity to write about: it chooses a sentence, then an answer in
it, then asks (AugDPR sec. 2).

The marks are printable text and not new special tokens, so that a pre-trained model needs no
new embeddings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

SEPARATOR = "|"
MARK = "*"

Span = tuple[int, int]


def find_mentions(text: str, entity: str) -> list[Span]:
    """Character spans of `entity` in `text` as whole words, ignoring case and kinds of space.

    >>> find_mentions("Ann met Anna. ANN left.", "ann")
    [(0, 3), (14, 17)]
    """
    return [match.span() for match in _mention(entity).finditer(text)]


def _mention(entity: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in entity.split())
    return re.compile(rf"(?<!\w){words}(?!\w)" if words else r"(?!)", re.IGNORECASE)


def shuffle_sentences(text: str, sentences: Sequence[Span], rng: Random) -> str:
    """The sentences of `text` in random order, one space between them."""
    order = rng.sample(range(len(sentences)), len(sentences))
    return " ".join(text[slice(*sentences[i])].strip() for i in order)


def format_source(title: str, text: str, entity: str | None = None, *, marked: bool = True) -> str:
    """The generator's input; `marked` says whether the entity is marked in the passage too."""
    if entity is None:
        return _join(title, text)
    if marked:
        text = _mention(entity).sub(rf"{MARK} \g<0> {MARK}", text)
    return _join(entity, title, text)


def format_target(question: str, answer: str) -> str:
    """The generator's output. `parse_target` inverts it up to white space and SEPARATORs."""
    return _join(question.replace(SEPARATOR, " "), answer.replace(SEPARATOR, " "))


def parse_target(text: str) -> tuple[str, str] | None:
    """(question, answer), or None where the text is not one answer and one question."""
    parts = [" ".join(part.split()) for part in text.split(SEPARATOR)]
    if len(parts) != 2 or not all(parts):
        return None
    return parts[0], parts[1]


def format_chain(sentence: str, answer: str, question: str) -> str:
    """The answer-sentence generator's output: the sentence as its first and last word."""
    words = sentence.split()
    ends = f"{words[0]} {words[-1]}" if words else ""
    return _join(*(part.replace(SEPARATOR, " ") for part in (ends, answer, question)))


def parse_chain(text: str) -> tuple[str, str] | None:
    """(question, answer) of what `format_chain` formats, or None where the text is malformed."""
    parts = [" ".join(part.split()) for part in text.split(SEPARATOR)]
    if len(parts) != 3 or not all(parts):
        return None
    return parts[2], parts[1]


def find_answer(answer: str, text: str) -> Span | None:
    """The first place in `text` where `answer` stands as whole words, or None.

    Case and white space are ignored: a tokenizer may have lost both.

    >>> find_answer("o ' neil", "She met O'Neil.")
    (8, 14)
    """
    letters = [re.escape(letter) for letter in answer if not letter.isspace()]
    if not letters:
        return None
    pattern = r"(?<!\w)" + r"\s*".join(letters) + r"(?!\w)"
    match = re.search(pattern, text, re.IGNORECASE)
    return match.span() if match else None


def _join(*parts: str) -> str:
    return f" {SEPARATOR} ".join(" ".join(part.split()) for part in parts)
