"""What commands print."""

from __future__ import annotations

import sys

import typer

from ecqg.errors import InputError, printable


def say(text: str) -> None:
    """Print lines, in which names from files may stand."""
    typer.echo("\n".join(map(printable, text.splitlines())))


def complain(error: InputError) -> None:
    """On a line of its own, below the bars of what was under way."""
    if "tqdm" in sys.modules:
        for bar in list(sys.modules["tqdm"].tqdm._instances):
            bar.close()
    typer.echo(f"ecqg: {error}", err=True)
