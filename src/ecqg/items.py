"""Which item of a group a stage of dvc.yaml is to work on.

Names in params.yaml become names of stages. If dvc.yaml wrote them into commands, a shell would
read them, and DVC starts no stage of ours before it has put the commands together. So a command
says @system or @collection instead, and the names come from the environment, where DVC puts the
stage's own name: retrieve@mixed-movies_like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
