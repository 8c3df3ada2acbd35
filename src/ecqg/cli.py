"""The command line: commands for people (ecqg.commands), one for each stage (stage_commands)."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ecqg import stage_commands
from ecqg.commands import (
    adapt,
    comparisons,
    data,
    doctor,
    drawings,
    inspect,
    models,
    plan,
    probe,
    profiles,
    study,
    sweeps,
)
from ecqg.commands.output import complain
from ecqg.errors import InputError

ORDER: list[str] = []  # of the commands in the help


class _OneLine(TyperGroup):
    """What a command cannot help is one line and exit status 1: bad input, a disk that is full."""

    def list_commands(self, context: Any) -> list[str]:
        """Those of the help in its order, then the stages."""
        return [*ORDER, *(name for name in stage_commands.names() if name not in ORDER)]

    def get_command(self, context: Any, name: str) -> Any:
        """One of the help's, or a stage's."""
        return super().get_command(context, name) or stage_commands.find(name)

    def invoke(self, context: Any) -> Any:
        """Run the command that `context` names."""
        try:
            return super().invoke(context)
        except InputError as error:
            complain(error)
        except Exception as error:
            from ecqg.space import explain_full_disk

            full = explain_full_disk(error)
            if full is None:
                raise
            with suppress(OSError):  # where this goes may be on that disk
                complain(full)
        raise typer.Exit(1)


def _version(wanted: bool) -> None:
    if wanted:
        from ecqg import __version__

        typer.echo(f"ecqg {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=_OneLine, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False
)


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Entity-conditioned question generation for dense retrieval.

    'make repro' runs the whole study. 'ecqg stages' lists its stages, each a command, too.
    """


FIRST, MORE, HIDDEN = "Commands", "More", ""
_profile = typer.Typer(help="Choose a profile: a complete params.yaml.", no_args_is_help=True)
_profile.command("list")(profiles.show)
_profile.command("use")(profiles.use)
_sweep = typer.Typer(help="Run and show sweeps over parameters and seeds.", no_args_is_help=True)
_sweep.command("list")(sweeps.show_all)
_sweep.command("run")(sweeps.run)
_sweep.command("show")(sweeps.show)
# In the help's order; a line fits 80 columns. What makes files of this repository is hidden.
for _panel, _name, _command, _line in (
    (FIRST, "repro", study.repro, "run the study of params.yaml, or what changed"),
    (FIRST, "probe", probe.probe, "where a retriever looks, and what it overlooks"),
    (FIRST, "adapt", adapt.adapt, "train a retriever on what it overlooks"),
    (FIRST, "report", stage_commands.command("report"), "write the run's page, plots/report.html"),
    (FIRST, "search", inspect.search, "what systems find for a question"),
    (FIRST, "explain", inspect.explain, "where systems look in a passage, word by word"),
    (FIRST, "explore", inspect.explore, "search and explain, in a browser"),
    (FIRST, "sweep", _sweep, "run and show sweeps over parameters and seeds"),
    (FIRST, "verify", study.verify, "does the run agree with the committed seeds?"),
    (FIRST, "new-profile", profiles.new, "a study of your corpus: what it needs, how long"),
    (FIRST, "doctor", doctor.doctor, "what this machine lacks, and how to get it"),
    (MORE, "stages", stage_commands.show, "the stages of the study, each a command"),
    (MORE, "plan", plan.plan, "time, memory and disk before the run"),
    (MORE, "table", study.table, "the results of the last run"),
    (MORE, "profile", _profile, "choose a profile: a complete params.yaml"),
    (MORE, "experiments", comparisons.experiments, "experiments that differ in parameters"),
    (
        MORE,
        "compare-revisions",
        comparisons.compare_revisions,
        "what differs between two revisions",
    ),
    (MORE, "seeds", comparisons.seeds, "mean, spread and claims over seeds"),
    (MORE, "controls", comparisons.controls, "which ingredient of the questions does it"),
    (MORE, "import", data.import_, "published files, or yours, as a data folder"),
    (MORE, "export", data.export, "a run as DPR's JSON"),
    (MORE, "export-model", models.export_model, "a system as other packages load it"),
    (MORE, "verify-cache", data.verify_cache, "compare DVC's cache with its digests"),
    (HIDDEN, "dag", drawings.dag, ""),
    (HIDDEN, "plots-page", drawings.plots_page, ""),
):
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name, rich_help_panel=_panel, short_help=_line)
    else:
        _as = app.command(_name, rich_help_panel=_panel, short_help=_line, hidden=not _panel)
        _as(_command)
    ORDER.append(_name)
