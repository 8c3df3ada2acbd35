"""The command line: a command for each stage (ecqg.stage_commands), and those for people."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from ecqg.errors import InputError, printable
from ecqg.files import write_text
from ecqg.items import ITEMS
from ecqg.stage_commands import add_commands

if TYPE_CHECKING:
    from ecqg.report.claims import Claim
    from ecqg.report.verdict import Verdict


class _OneLine(TyperGroup):
    """What a command cannot help is one line and exit status 1: bad input, a disk that is full."""

    def invoke(self, context: Any) -> Any:
        """Run the command that `context` names."""
        try:
            return super().invoke(context)
        except InputError as error:
            _complain(error)
        except Exception as error:
            from ecqg.space import explain_full_disk

            full = explain_full_disk(error)
            if full is None:
                raise
            with suppress(OSError):  # where this goes may be on that disk
                _complain(full)
        raise typer.Exit(1)


app = typer.Typer(
    cls=_OneLine,
    help="Entity-conditioned question generation for dense retrieval. 'make repro' runs the "
    "stages of dvc.yaml in order; each also runs by itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
profile = typer.Typer(help="Choose a profile: a complete params.yaml.", no_args_is_help=True)
app.add_typer(profile, name="profile", rich_help_panel="For people")
PEOPLE = "For people"
SEEDS = Path("docs/seeds.csv")  # those that are committed


def _say(text: str) -> None:
    """Print lines, in which names from files may stand."""
    typer.echo("\n".join(map(printable, text.splitlines())))


def _complain(error: InputError) -> None:
    """On a line of its own, below the bars of what was under way."""
    if "tqdm" in sys.modules:
        for bar in list(sys.modules["tqdm"].tqdm._instances):
            bar.close()
    typer.echo(f"ecqg: {error}", err=True)


@app.command(rich_help_panel=PEOPLE)
def table() -> None:
    """Show the results of the last run, and where the pictures are."""
    from ecqg.params import load_params
    from ecqg.report.terminal import show
    from ecqg.stages.report import study

    show(study(load_params()))


@app.command(rich_help_panel=PEOPLE)
def dag() -> None:
    """Draw dvc.yaml in steps: here, and for README and docs as docs/pipeline.svg and .md."""
    from ecqg.pipeline import drawing, steps

    stages = steps.read_stages(Path("dvc.yaml"))
    edges = steps.edges(stages)
    write_text(Path("docs/pipeline.svg"), drawing.picture(edges))
    write_text(Path("docs/pipeline.md"), steps.page(edges, stages))
    typer.echo(steps.in_characters(edges))


@app.command("plots-page", rich_help_panel=PEOPLE)
def plots_page() -> None:
    """Let 'dvc plots show' work without a network: write its page, with Vega inside."""
    from ecqg.report.plots_page import write_plots_page

    page = write_plots_page(Path(".dvc"))
    typer.echo(f"{page}: 'dvc plots show' and 'dvc plots diff' use it")


@app.command(rich_help_panel=PEOPLE)
def experiments(
    system: Annotated[str, typer.Option(help="whose metrics: a file of metrics/")] = "mixed",
) -> None:
    """Compare experiments: the parameters that differ, and the headline of a system."""
    from ecqg.report.terminal import show_experiments

    show_experiments(system)


@app.command("import", rich_help_panel=PEOPLE)
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
) -> None:
    """Convert public files of questions or passages to a data folder."""
    from ecqg.corpus.formats.importer import FORMATS, import_files

    if form not in FORMATS:
        raise InputError(f"no format {form}", remedy=f"choose one of {', '.join(FORMATS)}")
    written = import_files(form, files, output, name, entities, encoding)
    skipped = f" ({written.unanswered:,} without an answer skipped)"
    _say(f"{written.path}: {written.records:,} records{skipped if written.unanswered else ''}")


@app.command(rich_help_panel=PEOPLE)
def repro(
    targets: Annotated[
        list[str] | None, typer.Argument(help="stages, with what they need; all where none")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="stages at a time; else one a processor, two with a GPU"
        ),
    ] = None,
) -> None:
    """Do what 'dvc repro' does, with independent stages side by side.

    A stage computes in one thread, or, with ECQG_NUMERICS=native, in its share of the processors.
    For large models, which fill memory or a GPU one by one, 'dvc repro' is the better command.
    At the end of the whole study a line says which premises of the papers do not hold.
    """
    from ecqg.closure import list_again
    from ecqg.params import load_params
    from ecqg.pipeline.reproduce import default_jobs, reproduce_side_by_side
    from ecqg.report.premises import premise_line
    from ecqg.signals import allow

    allow(1.5)  # seconds; stages have one
    load_params()  # before DVC puts names from it into paths
    list_again()
    if not reproduce_side_by_side(targets or [], jobs or default_jobs()):
        raise typer.Exit(1)
    if not targets:
        if line := premise_line():
            _say(line)
        if SEEDS.is_file():
            try:
                _say(f"{_verdict(SEEDS, finished=True).line}. More: ecqg verify")
            except InputError as error:
                _say(f"Not compared with the committed seeds: {error}")


@app.command(rich_help_panel=PEOPLE)
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


@app.command(rich_help_panel=PEOPLE)
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


@app.command(rich_help_panel=PEOPLE)
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


@app.command(rich_help_panel=PEOPLE)
def amounts(
    revisions: Annotated[
        list[str],
        typer.Argument(help="Git revisions or DVC experiments that differ in AugDPR's passages"),
    ],
    test_set: Annotated[
        str | None, typer.Option(help="default: the first of the main collection")
    ] = None,
) -> None:
    """Print AugDPR's accuracy by the number of passages with synthetic questions, as Markdown."""
    from ecqg.report.amounts import summarise_amounts

    _say(summarise_amounts(revisions, test_set))


@app.command(rich_help_panel=PEOPLE)
def seeds(
    revisions: Annotated[
        list[str], typer.Argument(help="Git revisions or DVC experiments, one a seed")
    ],
    csv: Annotated[Path, typer.Option(help="where the table of all metrics, by seed, goes")] = Path(
        "data/seeds.csv"
    ),
) -> None:
    """Compare runs that differ in their seed: print a page in Markdown, write a table as CSV.

    Beside the table a file of JSON has the seeds' parameters, for 'ecqg verify'.
    """
    import tempfile

    from ecqg.report.revisions import commit_of, extract_seeds, parameters_at
    from ecqg.report.seed_trees import read_trees
    from ecqg.report.seeds import summarise_seeds, write_numbers, write_parameters

    claims = _claims()
    with tempfile.TemporaryDirectory() as folder:
        trees = extract_seeds(revisions, Path(folder))
        of_seeds = (parameters_at(commit_of(name))[0] for name in revisions)
        write_parameters(dict(zip(trees, of_seeds, strict=True)), csv.with_suffix(".json"))
        read = read_trees(trees)
        rows = write_numbers(read, csv)
        _say(summarise_seeds(read, csv.name, claims))
    typer.echo(f"{csv}: {rows:,} rows", err=True)


def _claims() -> tuple[Claim, ...]:
    """Those of claims.yaml, which may be about the study here or those of the profiles."""
    from ecqg.checking import parse_yaml
    from ecqg.params import build_params, load_params
    from ecqg.profiles import describe, whole
    from ecqg.report.claims import read_claims
    from ecqg.stages.report import study

    profiles = (build_params(parse_yaml(whole(name), name), name) for name, _ in describe())
    return read_claims([study(params) for params in (load_params(), *profiles)])


def _verdict(seeds: Path, *, finished: bool) -> Verdict:
    """That on the run here; it is `finished` where DVC need not be asked.

    Raises InputError where it cannot be compared with the seeds.
    """
    from ecqg.checking import read_yaml
    from ecqg.params import load_params
    from ecqg.report.results import read_results
    from ecqg.report.stale import complaints
    from ecqg.report.verdict import check_parameters, judge_run, read_headline, read_seeds
    from ecqg.stages.report import study

    params = load_params()
    names = check_parameters(read_yaml("params.yaml"), seeds)
    claims = _claims()
    headline, results = read_headline(), read_results(study(params))
    if not finished and (stale := complaints(results)):
        raise InputError(f"no finished run: {stale[0]}", remedy="run 'make repro'")
    return judge_run(headline, results, names, read_seeds(names, seeds), claims)


@app.command(rich_help_panel=PEOPLE)
def verify(
    seeds: Annotated[Path, typer.Option(help="the table of 'ecqg seeds' to compare with")] = SEEDS,
) -> None:
    """Say whether the last run agrees with the committed seeds, metric by metric, claim by claim.

    Exit status 0: it agrees. 1: it differs. 2: they cannot be compared.
    """
    from rich.console import Console

    from ecqg.report.terminal import show_tables

    try:
        found = _verdict(seeds, finished=False)
    except InputError as error:
        _complain(error)
        raise typer.Exit(2) from None
    _say(found.line)
    show_tables(found.tables, Console())
    if not found.agrees:
        raise typer.Exit(1)


@app.command(rich_help_panel=PEOPLE)
def controls(
    revisions: Annotated[
        list[str], typer.Argument(help="Git revisions or DVC experiments, one a seed")
    ],
) -> None:
    """Say over seeds which ingredient of synthetic questions does it: print a table in Markdown."""
    import tempfile

    from ecqg.report import markdown
    from ecqg.report.controls import controls_table
    from ecqg.report.revisions import commit_of, extract_seeds, params_at
    from ecqg.report.seed_trees import read_trees

    params = params_at(commit_of(revisions[0]))
    with tempfile.TemporaryDirectory() as folder:
        trees = read_trees(extract_seeds(revisions, Path(folder)))
    dense = params.systems.dense
    table = controls_table(trees, dense, params.pretrained, params.question_sets)
    _say(markdown.table(table).strip())


@profile.command("list")
def profile_list() -> None:
    """Name the profiles."""
    from ecqg.profiles import describe

    for name, what in describe():
        _say(f"{name:18} {what}")


@profile.command("use")
def profile_use(
    name: str,
    data: Annotated[
        Path | None,
        typer.Option(help="folder that holds the profile's data sets, each a folder of its own"),
    ] = None,
) -> None:
    """Write a profile to params.yaml, checked, and show what changed.

    A params.yaml with edits of yours is kept beside it as params.yaml.bak.
    """
    from ecqg.profiles import use

    for line in use(name, data=data):
        _say(line)


add_commands(app)
