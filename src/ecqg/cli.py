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


class _OneLine(TyperGroup):
    """What a command cannot help is one line and exit status 1: bad input, a disk that is full."""

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


STUDY, LOOK, COMPARE = "The study", "Look inside", "Compare runs"
FILES = "Files and models"
for _panel, _name, _command in (
    (STUDY, "repro", study.repro),
    (STUDY, "plan", plan.plan),
    (STUDY, "new-profile", profiles.new),
    (STUDY, "table", study.table),
    (STUDY, "verify", study.verify),
    (STUDY, "doctor", doctor.doctor),
    (STUDY, "stages", stage_commands.show),
    (LOOK, "probe", probe.probe),
    (LOOK, "adapt", adapt.adapt),
    (LOOK, "search", inspect.search),
    (LOOK, "explain", inspect.explain),
    (LOOK, "explore", inspect.explore),
    (COMPARE, "experiments", comparisons.experiments),
    (COMPARE, "compare-revisions", comparisons.compare_revisions),
    (COMPARE, "seeds", comparisons.seeds),
    (COMPARE, "controls", comparisons.controls),
    (FILES, "import", data.import_),
    (FILES, "export", data.export),
    (FILES, "export-model", models.export_model),
    (FILES, "verify-cache", data.verify_cache),
    (FILES, "dag", drawings.dag),
    (FILES, "plots-page", drawings.plots_page),
):
    app.command(_name, rich_help_panel=_panel)(_command)

_profile = typer.Typer(help="Choose a profile: a complete params.yaml.", no_args_is_help=True)
_profile.command("list")(profiles.show)
_profile.command("use")(profiles.use)
app.add_typer(_profile, name="profile", rich_help_panel=STUDY)
_sweep = typer.Typer(help="Run and show sweeps over parameters and seeds.", no_args_is_help=True)
_sweep.command("list")(sweeps.show_all)
_sweep.command("run")(sweeps.run)
_sweep.command("show")(sweeps.show)
app.add_typer(_sweep, name="sweep", rich_help_panel=COMPARE)
stage_commands.add_commands(app)
