"""Conditioning entities of gold questions (SIGIR sec. 3.3).

An entity of a question is a noun chunk (or a named entity, where the parser, made for well-cased
text, misses the chunk) that also stands in the gold passage, case ignored. Determiners and other
function words around it do not count, and if a chunk as a whole is not in the passage its longest
part that is counts ("the river marl bridge" gives "River Marl"). Only names count: conditioning
will be on named entities, so what the passage writes in small letters is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ecqg.questions.format import find_mentions

# What noun chunks and named entities need of a spaCy pipeline.
COMPONENTS = ("tok2vec", "tagger", "parser", "attribute_ruler", "ner")


def conditioning_entities(pairs: Sequence[tuple[str, str]], nlp: Any) -> Iterator[list[str]]:
    """For each (question, passage text) the question's entities as the passage spells them.

    `nlp` is a spaCy pipeline with COMPONENTS. Longer ones come first; those inside another are
    left out.
    """
    docs = nlp.pipe(question for question, _ in pairs)
    for doc, (_, text) in zip(docs, pairs, strict=True):
        found: list[str] = []
        for chunk in (*doc.noun_chunks, *doc.ents):
            name = longest_in_passage(list(chunk), text)
            if name is not None and name not in found:
                found.append(name)
        found.sort(key=lambda name: (-len(name), name))
        yield [
            name
            for i, name in enumerate(found)
            if not any(find_mentions(longer, name) for longer in found[:i])
        ]


def longest_in_passage(tokens: list[Any], text: str) -> str | None:
    """The longest run of a chunk's tokens that is a name in `text`, as spelled there, or None."""
    for length in range(len(tokens), 0, -1):
        for start in range(len(tokens) - length + 1):
            run = tokens[start : start + length]
            if _function_word(run[0]) or _function_word(run[-1]):
                continue
            words = "".join(token.text_with_ws for token in run).strip()
            for first, end in find_mentions(text, words):
                if _is_name(text[first:end]):
                    return text[first:end]
    return None


def _function_word(token: Any) -> bool:
    return bool(token.is_stop or token.is_punct or token.lower_ in ("'s", "’s"))


def _is_name(words: str) -> bool:
    """Whether the first and the last word are capitalised."""
    parts = words.split()
    return parts[0][0].isupper() and parts[-1][0].isupper()
