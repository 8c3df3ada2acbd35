"""What this machine has of what the study needs."""

from __future__ import annotations

import typer

from ecqg.commands.output import say


def doctor() -> None:
    """Say what this machine has of what the study needs, and how to get what is missing.

    Exit status 1 where the default profile cannot run.
    """
    from ecqg.params import load_params
    from ecqg.pipeline.doctor import examine

    lacking = False
    for finding in examine(load_params().entities.model):
        lacking |= bool(finding.missing) and finding.needed
        mark = "ok" if not finding.missing else "MISSING" if finding.needed else "-"
        say(f"{mark:8} {finding.what:22} {finding.found}")
        if finding.missing:
            say(f"{'':8} {'':22} {finding.missing}")
    if lacking:
        raise typer.Exit(1)
