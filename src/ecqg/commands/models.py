"""Models as other packages load them, with their cards."""

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
    """Write both encoders of a system as other packages load them, with a model card."""
    from ecqg import paths
    from ecqg.params import load_params

    params = load_params()
    if output.exists():  # whole outputs replace what stands there
        raise InputError("exists already", file=output, remedy="name a new folder")
    from ecqg.encoder.export import export_dpr, export_sentence_transformers
    from ecqg.report.model_card import model_card
    from ecqg.stages.report import study

    # Before the weights: a study whose tables cannot be read leaves no folder.
    card = model_card(system, format, output.name, params, study(params))
    if format == "dpr":
        export_dpr(paths.retriever(system), output, card)
    else:
        export_sentence_transformers(paths.retriever(system), output, params.encoder, card)
