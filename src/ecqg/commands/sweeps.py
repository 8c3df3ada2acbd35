"""Sweeps over parameters and seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError

NAME = typer.Argument(help="a file of sweeps/, without .yaml")


def show_all() -> None:
    """Name the sweeps."""
    from ecqg.pipeline.sweeps import describe

    for name, about in describe():
        say(f"{name:20} {about}")


def run(
    name: Annotated[str, NAME],
    seed: Annotated[
        list[int] | None, typer.Option(min=0, help="in place of the file's; more than once")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="experiments at a time")] = 2,
    dry: Annotated[bool, typer.Option("--dry", help="only name the experiments")] = False,
) -> None:
    """Run the experiments of a sweep that are not there yet, through DVC's queue.

    After an interruption the same command goes on. Experiments belong to the last commit: after
    another one they are run again.
    """
    from ecqg.params import load_params
    from ecqg.pipeline import sweeps

    sweep = sweeps.read_sweep(name, seed)
    points = sweeps.points(name, sweep)
    if dry:
        there = {*sweeps.finished(point.name for point in points)}
        for point in points:
            settings = " ".join(f"{key}={value}" for key, value in point.settings.items())
            say(f"{'done   ' if point.name in there else 'to run '} {point.name}  {settings}")
        return
    if sweep.profile and load_params().profile != sweep.profile:
        raise InputError(
            f"the sweep {name} is of the profile {sweep.profile}",
            file="params.yaml",
            remedy=f"ecqg profile use {sweep.profile}, and commit it",
        )
    if failed := sweeps.run(name, sweep, jobs):
        raise InputError(f"{failed[0]} failed", remedy=f"see 'dvc queue logs {failed[0]}'")
    say(f"{len(points)} experiments are finished. Their table: ecqg sweep show {name}")


def show(
    name: Annotated[str, NAME],
    output: Annotated[Path, typer.Option(help="folder for NAME.csv and NAME.png")] = Path(
        "data/sweeps"
    ),
) -> None:
    """Print what a sweep's finished experiments show, and write all numbers and a picture."""
    import tempfile

    from ecqg.files import atomic
    from ecqg.pipeline.sweeps import finished, points, read_sweep
    from ecqg.report import markdown
    from ecqg.report.revisions import commit_of, extract_results
    from ecqg.report.sweeps import ENTROPY, draw_sweep, read_points, summarise, sweep_table

    sweep = read_sweep(name)
    every = points(name, sweep)
    there = {*finished(point.name for point in every)}
    axes = [axis.name for axis in sweep.axes]
    with tempfile.TemporaryDirectory() as folder:
        trees: dict[tuple[object, ...], dict[int, Path]] = {}
        for point in every:
            if point.name in there:
                tree = Path(folder) / point.name
                extract_results(commit_of(point.name), tree)
                trees.setdefault(point.values, {})[point.seed] = tree
        numbers = read_points(trees, axes)
    measures = [(test_set, k) for test_set in sweep.test_sets for k in sweep.ks]
    summary = summarise(numbers, axes, sweep.systems, [*measures, (ENTROPY, 0)])
    table, picture = output / f"{name}.csv", output / f"{name}.png"
    with atomic(table) as aside:
        numbers.to_csv(aside, index=False)
    draw_sweep(picture, summary, axes)
    say(markdown.table(sweep_table(summary, axes, sweep.about)).strip())
    say(f"\n{len(there)} of {len(every)} experiments are finished. {table}: {len(numbers):,} rows")
    say(f"The picture: {picture}")
