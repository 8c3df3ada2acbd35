"""Data in and out: public formats, a run for others' evaluators, DVC's cache."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError
from ecqg.items import ITEMS


def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="docs/data.md lists the formats")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="also as .gz")],
    output: Annotated[Path, typer.Option(help="the data folder; made if it is not there")],
    name: Annotated[str, typer.Option(help="split or test set: test, for dpr-train train")] = "",
    entities: Annotated[
        Path | None, typer.Option(help="wikimovies: entities.txt, for answers with commas")
    ] = None,
    encoding: Annotated[
        str, typer.Option(help="bioasq, bioasq-articles: that of the files, such as latin-1")
    ] = "utf-8",
    skip_bad: Annotated[
        Path | None,
        typer.Option(help="beir, passages, questions: a new file for rows that cannot be used"),
    ] = None,
) -> None:
    """Convert files of questions or passages, published or your own, to a data folder."""
    from ecqg.corpus.formats.importer import FORMATS, import_files
    from ecqg.corpus.formats.own_folder import OWN_FORMATS, import_own

    if form in OWN_FORMATS:
        if entities is not None or encoding != "utf-8":
            what = f"--entities or --encoding for {form}"
            raise InputError(what, remedy="leave them out; its files are UTF-8")
        records, bad = import_own(form, files, output, name, skip_bad)
        for file, count in records.items():
            say(f"{output / file}: {count:,} records")
        if bad:
            say(f"{skip_bad}: {bad:,} bad row{'s'[: bad > 1]}, left out")
        return
    if form not in FORMATS:
        known = (*FORMATS, *OWN_FORMATS)
        raise InputError(f"no format {form}", remedy=f"choose one of {', '.join(known)}")
    if skip_bad is not None:
        what = f"--skip-bad for {form}"
        raise InputError(what, remedy=f"only {', '.join(OWN_FORMATS)} can leave rows out")
    written = import_files(form, files, output, name, entities, encoding)
    skipped = f" ({written.unanswered:,} without an answer skipped)"
    say(f"{written.path}: {written.records:,} records{skipped if written.unanswered else ''}")


def export(
    system: Annotated[str, ITEMS["System"].argument()],
    test_set: str,
    out: Annotated[Path, typer.Argument(help="the JSON file to write")],
    collection: Annotated[str, typer.Option(help="an entry of collections")] = "main",
    depth: Annotated[int, typer.Option(min=1, help="passages a question")] = 100,
) -> None:
    """Write a run as DPR's retrieval JSON, for anyone's evaluator."""
    from ecqg.evaluation.dpr_json import export_dpr

    export_dpr(system, test_set, collection, out, depth)


def verify_cache() -> None:
    """Compare the files of DVC's cache with their digests, and name those to delete."""
    from ecqg.pipeline.verify import verify_cache as verify

    files, damaged = verify()
    for path in damaged:
        typer.echo(f"damaged: {path}", err=True)
    if damaged:
        typer.echo("Delete these and what is linked to them, then run 'dvc repro'", err=True)
        raise typer.Exit(1)
    size = sum(path.stat().st_size for path in files) / 1e6
    typer.echo(f"{len(files):,} files of {size:,.0f} MB hold what their names say")
