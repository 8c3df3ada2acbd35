"""What a run will take, before it starts."""

from __future__ import annotations

from typing import Annotated

import typer

from ecqg.commands.output import say

SHOWN = 12  # stages in a table; all with --all


def plan(
    targets: Annotated[
        list[str] | None, typer.Argument(help="stages, with what they need; all where none")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="stages at a time, as 'ecqg repro'")
    ] = None,
    gpus: Annotated[
        int, typer.Option(min=0, help="of another machine, each of an assumed speed")
    ] = 0,
    nodes: Annotated[int, typer.Option(min=1, help="machines of a cluster")] = 1,
    every: Annotated[bool, typer.Option("--all", help="list all stages")] = False,
) -> None:
    """Say what 'ecqg repro' would do and how long it would take here, stage by stage.

    Measured: this machine's speed, in a few seconds. The rest follows from the parameters, the
    number of rows and a run that was measured elsewhere.
    """
    from rich.console import Console

    from ecqg.params import load_params
    from ecqg.pipeline.reproduce import default_jobs, ordered_stages
    from ecqg.planning.plan import Machine, wall
    from ecqg.planning.plan import plan as plan_stages
    from ecqg.planning.speed import measure
    from ecqg.report.formats import Row, Table
    from ecqg.report.terminal import show_tables
    from ecqg.systems import RETRIEVAL_ALONE

    params = load_params()
    wanted = targets or ([] if params.question_sets else RETRIEVAL_ALONE)
    machine = Machine(measure(), jobs or gpus * nodes or default_jobs(), gpus, nodes)
    with ordered_stages(wanted) as stages:
        planned = plan_stages(stages, params, machine)
    left = [one for one in planned if not one.done]
    if not left:
        say(f"All {len(planned)} stages are up to date.")
        return
    longest = sorted(left, key=lambda one: -one.seconds)
    shown = longest if every else longest[:SHOWN]
    rows = [Row([one.name, in_words(one.seconds)]) for one in shown]
    if rest := longest[len(shown) :]:
        rows.append(Row([f"{len(rest)} others", in_words(sum(one.seconds for one in rest))]))
    caption = f"{len(left)} of {len(planned)} stages are to be done"
    show_tables([Table(["stage", "time"], rows, caption)], Console())
    total = wall(planned, machine)
    say(f"\nAbout {in_words(total)}, {machine.jobs} stages at a time.")
    if gpus:
        hours = sum(one.seconds for one in left if one.kind == "model") / 3600
        say(f"{hours:.1f} GPU-hours; the speed of a GPU is an assumption, not a measurement.")


def in_words(seconds: float) -> str:
    """A duration.

    >>> in_words(4), in_words(95), in_words(7300), in_words(200_000)
    ('4 s', '1 min 35 s', '2 h 2 min', '2 d 7 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 10:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return "{} d {} h".format(*divmod(hours, 24))
