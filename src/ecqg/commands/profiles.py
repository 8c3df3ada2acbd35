"""Profiles: complete params.yaml files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ecqg.commands.output import say


def show() -> None:
    """Name the profiles."""
    from ecqg.profiles import describe

    for name, what in describe():
        say(f"{name:18} {what}")


def new(
    name: Annotated[str, typer.Argument(help="of the profile, and of profiles/NAME.yaml")],
    folder: Annotated[Path, typer.Argument(help="your corpus: DPR's, SQuAD's, BEIR's, rows")],
    tiny: Annotated[
        bool, typer.Option("--tiny", help="as small as runs at all, to try out")
    ] = False,
    weights: Annotated[
        str, typer.Option(help="random, or packages: MiniLM and SmolLM2 of 'make weights'")
    ] = "random",
    public: Annotated[
        Path | None, typer.Option(help="folder of a retriever to measure as it is, beside ours")
    ] = None,
    data_folder: Annotated[
        Path | None, typer.Option(help="where a converted corpus goes; else corpora/NAME")
    ] = None,
    skip_bad: Annotated[
        Path | None,
        typer.Option(help="a new file for rows that cannot be used, which are left out"),
    ] = None,
) -> None:
    """Look at a folder, say what can be studied with it, and write a profile that does."""
    from ecqg.errors import InputError
    from ecqg.onboarding.profile_file import new_profile

    if weights not in ("random", "packages"):
        raise InputError(f"--weights {weights}", remedy="write random or packages")
    start: Any = weights
    for line in new_profile(
        name,
        folder,
        tiny=tiny,
        start=start,
        public=public,
        data_folder=data_folder,
        skip_bad=skip_bad,
    ):
        say(line or " ")


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
