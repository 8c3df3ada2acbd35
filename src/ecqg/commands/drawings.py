"""Draw dvc.yaml, and the page of DVC's plots."""

from __future__ import annotations

from pathlib import Path

import typer

from ecqg.files import write_text


def dag() -> None:
    """Draw dvc.yaml in steps: here, and for README and docs as docs/pipeline.svg and .md."""
    from ecqg.pipeline import drawing, steps

    stages = steps.read_stages(Path("dvc.yaml"))
    edges = steps.edges(stages)
    write_text(Path("docs/pipeline.svg"), drawing.picture(edges))
    write_text(Path("docs/pipeline.md"), steps.page(edges, stages))
    typer.echo(steps.in_characters(edges))


def plots_page() -> None:
    """Let 'dvc plots show' work without a network: write its page, with Vega inside."""
    from ecqg.report.plots_page import write_plots_page

    page = write_plots_page(Path(".dvc"))
    typer.echo(f"{page}: 'dvc plots show' and 'dvc plots diff' use it")
