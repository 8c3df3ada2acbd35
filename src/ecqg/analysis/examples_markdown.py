"""The page of examples in Markdown, for a code host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ecqg.analysis.examples import PassageExample, Shown
from ecqg.attention.aggregate import normalise
from ecqg.corpus.passages import Passage

RULE = (
    "{count} passages, drawn at random (with the seed of params.yaml) from those that have both a "
    "gold question and a conditioned question that passed the filters."
)
ENTITIES = (
    "Entities are given with the attention of the baseline per word piece, over the mean of "
    "all entities of the passage: 1 is an average entity."
)
QUESTIONS = (
    "Words of a question that also stand in the passage are in italics, stop words aside. "
    "Confidence is that of the reader's answer. A score compares questions about one passage "
    "under one system; scores of different systems have different scales."
)
HEADER = ("type", "conditioned on", "question", "answer", "reader's answer", "confidence", "filter")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def examples_markdown(examples: Sequence[PassageExample], systems: Mapping[str, str]) -> str:
    """The whole page; `systems` maps the systems whose scores are shown to their names."""
    parts = ["# Examples", RULE.format(count=len(examples)), ENTITIES, QUESTIONS]
    for example in examples:
        parts.append(f"## {escape(example.passage.title or 'A passage without title')}")
        parts.append(f"> {_passage(example)}")
        entities = (f"{escape(name)} {density:.2f}" for name, density in example.entity_densities())
        parts.append(f"Entities, least attended first: {' · '.join(entities)}")
        header = [*HEADER, *systems.values()]
        rule = ["---"] * 5 + ["---:", "---"] + ["---:"] * len(systems)
        rows = [_cells(question, example.passage, systems) for question in example.questions]
        parts.append("\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows)))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> print(escape("a*b |\nc"))
    a\*b \| c
    """
    return re.sub(r"\s+", " ", _SPECIAL.sub(r"\\\1", text))


def _passage(example: PassageExample) -> str:
    """The text, the entities that questions were conditioned on in bold."""
    chosen, text = example.conditioned(), example.passage.text
    out, end = [], 0
    for mention in example.mentions:
        if normalise(mention.text) in chosen and mention.start >= end:
            out += [escape(text[end : mention.start]), f"**{escape(mention.text)}**"]
            end = mention.end
    return "".join([*out, escape(text[end:])]).strip()


def _cells(question: Shown, passage: Passage, systems: Mapping[str, str]) -> list[str]:
    marked = " ".join(
        f"_{escape(word)}_" if known else escape(word) for word, known in question.marked(passage)
    )
    return [
        question.kind,
        escape(question.entity),
        marked,
        escape(question.answer),
        escape(question.read_answer),
        "" if question.confidence is None else f"{question.confidence:.2f}",
        question.status,
        *(f"{question.scores[system]:.1f}" for system in systems),
    ]
