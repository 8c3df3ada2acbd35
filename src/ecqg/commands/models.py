"""Models as other packages load them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ecqg.errors import InputError
from ecqg.items import ITEMS


def export_model(
    system: Annotated[str, ITEMS["Dense"].argument()],
    format: Annotated[Literal["dpr", "sentence-transformers"], typer.Option()],
    output: Annotated[Path, typer.Option(help="the folder to write, a new one")],
) -> None:
    """Write both encoders of a system as other packages load them."""
    from ecqg import paths
    from ecqg.params import load_params

    settings = load_params().encoder
    if output.exists():  # whole outputs replace what stands there
        raise InputError("exists already", file=output, remedy="name a new folder")
    from ecqg.encoder.export import export_dpr, export_sentence_transformers

    if format == "dpr":
        export_dpr(paths.retriever(system), output)
    else:
        export_sentence_transformers(paths.retriever(system), output, settings)
