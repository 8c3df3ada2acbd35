"""Sweeps over parameters and seeds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError

if TYPE_CHECKING:
    from ecqg.pipeline.sweeps import Point

OUTPUT = Path("data/sweeps")
NAME = typer.Argument(help="a file of sweeps/, without .yaml")
Records = Annotated[
    Path | None,
    typer.Option(help="a folder for each experiment's results; what it has counts as finished"),
]


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
    records: Records = None,
) -> None:
    """Run the experiments of a sweep that are not there yet, through DVC's queue.

    After an interruption the same command goes on. Experiments belong to the last commit: after
    another one they are run again, unless records of them are kept.
    """
    from ecqg.params import load_params
    from ecqg.pipeline import sweeps

    sweep = sweeps.read_sweep(name, seed)
    points = sweeps.points(name, sweep)
    kept = _kept(points, records, sweep.profile)
    if dry:
        there = {*sweeps.finished(point.name for point in points), *kept}
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

    def keep(experiment: str) -> None:
        if records:
            _keep(experiment, records)

    if failed := sweeps.run(name, sweep, jobs, kept, keep):
        raise InputError(f"{failed[0]} failed", remedy=f"see 'dvc queue logs {failed[0]}'")
    say(f"{len(points)} experiments are finished. Their table: ecqg sweep show {name}")


def show(
    name: Annotated[str, NAME],
    records: Records = None,
    csv: Annotated[
        Path | None, typer.Option(help="where all numbers go; else data/sweeps/NAME.csv")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="where the picture goes; else data/sweeps/NAME.png")
    ] = None,
) -> None:
    """Print what a sweep's finished experiments show, and write all numbers and a picture."""
    import tempfile

    from ecqg.files import atomic
    from ecqg.pipeline.sweeps import finished, points, read_sweep
    from ecqg.report import markdown
    from ecqg.report.records import read_record
    from ecqg.report.sweeps import (
        ENTROPY,
        compare_systems,
        differences_table,
        premises_by_point,
        read_points,
        summarise,
        sweep_tables,
    )
    from ecqg.report.sweeps_picture import draw_sweep
    from ecqg.report.trends import TREND, trends

    sweep = read_sweep(name)
    every = points(name, sweep)
    kept = _kept(every, records, sweep.profile)
    axes = [axis.name for axis in sweep.axes]
    with tempfile.TemporaryDirectory() as folder:
        for one in finished(point.name for point in every if point.name not in kept):
            kept[one] = _keep(one, records or Path(folder))
        trees: dict[tuple[object, ...], dict[int, Path]] = {}
        for point in every:
            if point.name in kept:
                tree = Path(folder) / point.name
                read_record(kept[point.name], tree)
                trees.setdefault(point.values, {})[point.seed] = tree
        numbers = read_points(trees, axes)
        premises = [premises_by_point(trees, axes, sweep.premises)] if sweep.premises else []
    measures = [*((test_set, k) for test_set in sweep.test_sets for k in sweep.ks), (ENTROPY, 0)]
    reference = (sweep.reference,) if sweep.reference else ()
    summary = summarise(numbers, axes, sweep.systems, measures, reference)
    pairs = compare_systems(numbers, axes, sweep.systems, measures)
    csv = csv or OUTPUT / f"{name}.csv"
    picture = picture or OUTPUT / f"{name}.png"
    with atomic(csv) as aside:
        numbers.to_csv(aside, index=False)
    draw_sweep(picture, summary, pairs, axes, reference)
    tables = sweep_tables(summary, pairs, axes, sweep.about, reference)
    whole = trends(numbers, axes, sweep.systems, measures)
    if not whole.empty:
        tables.append(differences_table(whole, [TREND], "Differences over all points"))
    tables += premises
    say("\n\n".join(markdown.table(part).strip() for part in tables))
    say(f"\n{len(kept)} of {len(every)} experiments are finished.")
    typer.echo(f"{csv}: {len(numbers):,} rows; {picture}", err=True)


def _kept(points: Iterable[Point], folder: Path | None, profile: str) -> dict[str, Path]:
    """The records of points, by name. Raises InputError for one of other parameters than today's.

    Today's are those of the sweep's profile where params.yaml is of another. Of other code a record
    may be: who keeps it knows what changed since.
    """
    from ecqg.checking import parse_yaml, read_yaml
    from ecqg.pipeline.sweeps import parameters_of
    from ecqg.profiles import whole
    from ecqg.report import revisions
    from ecqg.report.records import SUFFIX

    found: dict[str, Path] = {}
    if folder is None:
        return found
    today = read_yaml("params.yaml")
    if profile and today.get("profile") != profile:
        today = parse_yaml(whole(profile), profile)
    for point in points:
        file = folder / f"{point.name}{SUFFIX}"
        if not file.is_file():
            continue
        had, _ = revisions.parameters_of(str(file))
        if differences := revisions.differing(had, parameters_of(point, today)):
            key, there, here = differences[0]
            what = f"of other parameters ({key} is {there} there, {here} here)"
            raise InputError(what, file=file, remedy="remove it, or name another folder")
        found[point.name] = file
    return found


def _keep(experiment: str, folder: Path) -> Path:
    from ecqg.report.records import SUFFIX
    from ecqg.report.revisions import keep_record

    file = folder / f"{experiment}{SUFFIX}"
    keep_record(experiment, file, by_query=False)
    return file
