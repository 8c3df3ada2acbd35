"""A retriever of one's own, adapted to one's own passages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError


def adapt(
    model: Annotated[
        str,
        typer.Argument(help="a folder, a package, QUESTION,PASSAGE, or a hub's NAME@COMMIT"),
    ],
    passages: Annotated[Path, typer.Option(help="a file, or a folder of BEIR")],
    output: Annotated[Path, typer.Option(help="a new folder for what comes out")],
    questions: Annotated[
        Path | None, typer.Option(help="to measure it by: as for 'ecqg probe'; none is trained on")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(help="which passages answer them, in TREC's form or BEIR's")
    ] = None,
    study: Annotated[
        Path, typer.Option(help="a study's folder, which has generators and a reader")
    ] = Path(),
    limit: Annotated[
        int, typer.Option(min=1, help="passages that are asked about, a random sample")
    ] = 1000,
    epochs: Annotated[int, typer.Option(min=1)] = 2,
    lr: Annotated[float, typer.Option(min=1e-8, max=1.0, help="learning rate")] = 2e-5,
    batch_size: Annotated[int, typer.Option(min=2, help="questions of a step")] = 32,
    max_tokens: Annotated[
        int | None, typer.Option(min=8, help="of a passage; else as the model's folder says")
    ] = None,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    skip_bad: Annotated[
        Path | None,
        typer.Option(
            help="a new file for bad rows, which are left out: of passages, of judgements, and of "
            "questions in JSON Lines or CSV"
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="state the cost and stop")] = False,
) -> None:
    """Train a retriever on generated questions about passages, half about what it overlooks.

    No labels are needed. A second retriever, trained on plain questions alone, says what the choice
    of entities did. Goes on where it was stopped: docs/adapt.md.
    """
    if qrels and not questions:
        raise InputError("--qrels judge --questions", remedy="give both")

    from rich.console import Console

    from ecqg.adapt.outcome import sentences, table, verdict
    from ecqg.adapt.run import Source
    from ecqg.adapt.run import adapt as run
    from ecqg.adapt.settings import Wishes
    from ecqg.probe.models import find_model
    from ecqg.report.terminal import show_tables

    source = Source(find_model(model), passages, questions, qrels, study)
    wishes = Wishes(limit, epochs, lr, batch_size, seed)
    result = run(
        source,
        wishes,
        output,
        say,
        skip_bad=skip_bad,
        max_tokens=max_tokens,
        dry_run=dry_run,
    )
    if result is None:
        return
    name = result.probe.models[0].name
    show_tables([table(result.probe, result.found)], Console())
    say("")
    for line in sentences(name, result.found) if result.found else ():
        say(line)
    say(verdict(name, result.found))
    say(f"\nThe retriever, its card and what was asked: {output}; heat maps: {output}/probe.html")
    say(f"{output}.work has all steps; remove it when you are content")
