"""What a run will take, before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ecqg.commands.output import say

if TYPE_CHECKING:
    from ecqg.planning.plan import Planned

SHOWN = 12  # stages in a table; all with --all
NQ, GOLD = 3_610, 59_000  # test questions of NQ, and training questions, about (SIGIR sec. 3.1)


def plan(
    targets: Annotated[
        list[str] | None, typer.Argument(help="stages, with what they need; all where none")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="stages at a time, as 'ecqg repro'")
    ] = None,
    gpus: Annotated[int, typer.Option(min=0, help="of another machine, each an H200")] = 0,
    nodes: Annotated[int, typer.Option(min=1, help="machines of a cluster")] = 1,
    cores: Annotated[
        int | None, typer.Option(min=1, help="processors of a machine; this one's")
    ] = None,
    passages: Annotated[
        int | None, typer.Option(min=1, help="of a collection not here yet")
    ] = None,
    questions: Annotated[int, typer.Option(min=1, help="of a test set not here yet")] = NQ,
    gold: Annotated[int, typer.Option(min=1, help="training questions not here yet")] = GOLD,
    every: Annotated[bool, typer.Option("--all", help="list all stages")] = False,
) -> None:
    """Say what 'ecqg repro' would do, and what it would take here, stage by stage.

    Measured: this machine's speed, in a few seconds. The rest follows from the parameters, the
    number of rows and a run that was measured elsewhere.
    """
    from rich.console import Console

    from ecqg.params import load_params
    from ecqg.pipeline.reproduce import default_jobs, ordered_stages
    from ecqg.planning.plan import Machine, read_gpu, wall
    from ecqg.planning.plan import plan as plan_stages
    from ecqg.planning.sizes import Assumed
    from ecqg.planning.speed import measure
    from ecqg.processes import processors
    from ecqg.report.formats import Row, Table
    from ecqg.report.terminal import show_tables
    from ecqg.systems import RETRIEVAL_ALONE

    params = load_params()
    wanted = targets or ([] if params.question_sets else RETRIEVAL_ALONE)
    side = jobs or (max(2, gpus * nodes) if gpus else default_jobs())
    threads = max(1, (cores or processors()) // side)
    machine = Machine(measure(), side, gpus, nodes, threads)
    with ordered_stages(wanted) as stages:
        assumed = Assumed(passages, questions, gold) if passages else None
        planned = plan_stages(stages, params, machine, assumed)
    left = [one for one in planned if not one.done]
    if not left:
        say(f"All {len(planned)} stages are up to date.")
        return
    longest = sorted(left, key=lambda one: -one.seconds)
    shown = longest if every else longest[:SHOWN]
    rows = [Row([one.name, *_taken([one], gpus)]) for one in shown]
    if rest := longest[len(shown) :]:
        rows.append(Row([f"{len(rest)} others", *_taken(rest, gpus)]))
    caption = f"{len(left)} of {len(planned)} stages are to be done"
    columns = ["stage", "time", "memory", "disk", *(["GPU-hours"] if gpus else [])]
    show_tables([Table(columns, rows, caption)], Console())
    seconds, memory = wall(planned, machine)
    disk = sum(one.disk for one in left)
    at_once = f"{machine.jobs} stage{'s' * (machine.jobs > 1)} at a time"
    needs = f"{amount(memory)} of memory, {amount(disk)} of disk"
    say(f"\nAbout {in_words(seconds)}, {at_once}; {needs}.")
    if gpus:
        say(f"{_gpu_hours(left)} GPU-hours, of {read_gpu().about}.")


def _taken(stages: list[Planned], gpus: int) -> list[str]:
    """Cells of a row."""
    cells = [
        in_words(sum(one.seconds for one in stages)),
        amount(max(one.memory for one in stages)),
        amount(sum(one.disk for one in stages)),
    ]
    return [*cells, _gpu_hours(stages)] if gpus else cells


def _gpu_hours(stages: list[Planned]) -> str:
    return f"{sum(one.seconds for one in stages if one.kind == 'model') / 3600:.1f}"


def amount(mib: float) -> str:
    """Memory or disk.

    >>> amount(0.2), amount(480), amount(3000), amount(100_000)
    ('1 MiB', '480 MiB', '2.9 GiB', '98 GiB')
    """
    if mib < 1000:
        return f"{max(1, round(mib))} MiB"
    return f"{mib / 1024:.1f} GiB" if mib < 10 * 1024 else f"{mib / 1024:,.0f} GiB"


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
