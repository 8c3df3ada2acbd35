"""Profiles: complete params.yaml files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say


def show() -> None:
    """Name the profiles."""
    from ecqg.profiles import describe

    for name, what in describe():
        say(f"{name:18} {what}")


def use(
    name: str,
    data: Annotated[
        Path | None,
        typer.Option(help="folder that holds the profile's data sets, each a folder of its own"),
    ] = None,
) -> None:
    """Write a profile to params.yaml, checked, and show what changed.

    A params.yaml with edits of yours is kept beside it as params.yaml.bak.
    """
    from ecqg.profiles import use

    for line in use(name, data=data):
        say(line)
