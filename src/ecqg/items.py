"""Which item of a group a stage of dvc.yaml is to work on.

Names in params.yaml become names of stages. If dvc.yaml wrote them into commands, a shell would
read them, and DVC starts no stage of ours before it has put the commands together. So a command
says @system or @collection instead, and the names come from the environment, where DVC puts the
stage's own name: retrieve@mixed-movies_like.

Stages annotate what they work on with the types below, of which the command line makes arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ecqg.paths import SUPERVISED
from ecqg.systems import DUALS, FIRST_STAGES, TRAINED, evaluated

ALL = "all"
Dual: TypeAlias = str
Finetuned: TypeAlias = str
Pretrained: TypeAlias = str
FirstStage: TypeAlias = str
Evaluated: TypeAlias = str
Examples: TypeAlias = str
Questions: TypeAlias = str
Collection: TypeAlias = str
Name: TypeAlias = str


@dataclass(frozen=True)
class Item:
    """A kind of item: how help describes it, and its names where they are known beforehand."""

    help: str
    known: tuple[str, ...] = ()
    supervised: bool = False  # and supervised-TESTSET

    def argument(self) -> Any:
        """An argument of a command, checked before anything is loaded."""
        import typer

        return typer.Argument(help=self.help, callback=self.check)

    def check(self, name: str | None) -> str | None:
        """`name`, if it is one of `known`; raises Typer's error for a bad argument."""
        known = list(self.known) + [f"{SUPERVISED}-TESTSET"] * self.supervised
        if name is None or not self.known or name in self.known:
            return name
        if self.supervised and name.startswith(f"{SUPERVISED}-"):
            return name
        import typer

        raise typer.BadParameter(f"must be {' or '.join((', '.join(known[:-1]), known[-1]))}")


ITEMS = {
    "System": Item("a retrieval system", tuple(evaluated(DUALS, FIRST_STAGES)), supervised=True),
    "Dual": Item("a dual encoder", DUALS, supervised=True),
    "Trained": Item("a dual encoder of ours", TRAINED, supervised=True),
    "Finetuned": Item("a dual encoder", ("dpr", "uncon", "mixed")),
    "Pretrained": Item("a dual encoder that is pre-trained", ("uncon", "mixed")),
    "FirstStage": Item("a retrieval system", FIRST_STAGES),
    "Evaluated": Item("all systems, or a supervised one on its test set", (ALL,), supervised=True),
    "Examples": Item("training examples", ("gold", *TRAINED[1:]), supervised=True),
    "Questions": Item("a kind of synthetic question", ("unconditioned", "conditioned")),
    "Kind": Item("a kind of question", ("unconditioned", "conditioned", "answer_sentence")),
    "Collection": Item("main or a zero-shot set; where the system belongs if not named"),
    "Name": Item("a name in params.yaml"),
}

STAGE = "DVC_STAGE"  # environment variable: the stage's name, in a group followed by its item
PLACE = re.compile(r"((?:supervised-)?)@[a-z_]+")


def fill_in(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """`arguments` with the parts of the stage's item in the places of @NAME, in order.

    Parts are joined by "-", which only the last may contain. Outside of a stage nothing changes.

    >>> fill_in(["retrieve", "@system", "@collection"], {"DVC_STAGE": "retrieve@mixed-movies-like"})
    ['retrieve', 'mixed', 'movies-like']
    >>> fill_in(["encode", "supervised-@test_set"], {"DVC_STAGE": "supervised-encode@trivia_like"})
    ['encode', 'supervised-trivia_like']
    """
    places = {n: found for n, a in enumerate(arguments) if (found := PLACE.fullmatch(a))}
    _, _, item = environment.get(STAGE, "").partition("@")
    if not item or not places:
        return list(arguments)
    parts = dict(zip(places, item.split("-", len(places) - 1), strict=True))
    return [places[n][1] + parts[n] if n in places else a for n, a in enumerate(arguments)]
