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
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from ecqg.errors import InputError
from ecqg.signals import DVC_STAGE
from ecqg.systems import LEXICAL, RERANKED, evaluated

if TYPE_CHECKING:
    from ecqg.params import Params

System: TypeAlias = str
Dense: TypeAlias = str
Lexical: TypeAlias = str
Public: TypeAlias = str
Pretrained: TypeAlias = str
Questions: TypeAlias = str
Collection: TypeAlias = str
Gold: TypeAlias = str
Reading: TypeAlias = str
Distractors: TypeAlias = str


@dataclass(frozen=True)
class Item:
    """A kind of item: how help describes it, and where its names are."""

    help: str
    section: str = ""  # of params.yaml, whose keys they are
    known: tuple[str, ...] = ()  # or all of them

    def argument(self) -> Any:
        """An argument of a command, checked before anything is loaded."""
        import typer

        return typer.Argument(help=self.help, callback=self._check)

    def _check(self, name: str | None) -> str | None:
        if name is None or not self.known or name in self.known:
            return name
        import typer

        *others, last = self.known
        raise typer.BadParameter(f"must be {', '.join(others)} or {last}")

    def find(self, name: str, params: Params) -> None:
        """Raise InputError where params.yaml has no item of that name."""
        if self.section:
            section = attrgetter(self.section)(params)
            named = evaluated(section) if self.section == "systems" else section
            if name not in named:
                what, known = f"{self.section} has no {name}", f"known: {', '.join(named)}"
                if name.startswith("@"):  # copied from dvc.yaml
                    what = f"{name} stands for a name of {self.section} when DVC runs a stage"
                raise InputError(what, file="params.yaml", remedy=known)


ITEMS = {
    "System": Item("a system of params.yaml, or one that is re-ranked: SYSTEM_reranked", "systems"),
    "Dense": Item("a dual encoder, of systems.dense in params.yaml", "systems.dense"),
    "Public": Item("an entry of public in params.yaml", "public"),
    "Pretrained": Item("an entry of pretrained in params.yaml", "pretrained"),
    "Lexical": Item("a system that matches terms", known=LEXICAL),
    "Questions": Item("a question set of params.yaml", "question_sets"),
    "GeneratorKind": Item(
        "what a generator learns", known=("unconditioned", "conditioned", "answer_sentence")
    ),
    "Collection": Item("a collection of params.yaml; main if not named", "collections"),
    "Gold": Item("a gold set of params.yaml", "gold_sets"),
    "Reading": Item("a reading set of params.yaml", "reading_sets"),
    "Distractors": Item("an entry of distractors in params.yaml", "distractors"),
}

PLACE = re.compile(rf"@[a-z]+((?:{RERANKED})?)")


def fill_in(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """`arguments` with the parts of the stage's item in the places of @NAME, in order.

    Parts are joined by "-", which only the last may contain. What follows a place stays. Outside
    of a stage nothing changes.

    >>> fill_in(["retrieve", "@system", "@collection"], {"DVC_STAGE": "retrieve@mixed-movies-like"})
    ['retrieve', 'mixed', 'movies-like']
    >>> fill_in(["evaluate", "@system_reranked"], {"DVC_STAGE": "evaluate-reranked@bm25"})
    ['evaluate', 'bm25_reranked']
    """
    places = {n: found for n, a in enumerate(arguments) if (found := PLACE.fullmatch(a))}
    _, _, item = environment.get(DVC_STAGE, "").partition("@")
    if not item or not places:
        return list(arguments)
    parts = dict(zip(places, item.split("-", len(places) - 1), strict=True))
    return [parts[n] + places[n][1] if n in places else a for n, a in enumerate(arguments)]
