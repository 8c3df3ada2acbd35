"""plots/run.html: the page of the report with what is of one run alone, its commit and its times.

plots/report.html is the same bytes wherever it is made, so these cannot stand on it. This copy is
no output of DVC's, and Git ignores it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

from ecqg import paths, templates
from ecqg.errors import printable
from ecqg.files import read_text, write_text
from ecqg.report.formats import Row, Table

PLACE = "<h2 id=h-run>This run</h2>\n"


def write_run_page(times: Mapping[str, tuple[float, int]]) -> Path:
    """Write the page, and say where; `times` has seconds and MiB of each stage.

    Raises InputError where the report was not made.
    """
    begin, place, rest = read_text(paths.REPORT_HTML).partition(PLACE)
    order = sorted(times, key=lambda name: -times[name][0])
    rows = [
        Row([name, str(timedelta(seconds=round(times[name][0]))), str(times[name][1] or "")])
        for name in order
    ]
    added = templates.fill(
        __file__,
        lambda text: escape(printable(text)),
        commit=_git("rev-parse", "HEAD"),
        changed=_git("status", "--porcelain", "--", "src", "params.yaml", "dvc.yaml").splitlines(),
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        machine=f"{platform.system()} {platform.machine()}",
        total=timedelta(seconds=round(sum(seconds for seconds, _ in times.values()))),
        times=Table(["stage", "time", "MiB"], rows),
    )
    write_text(paths.RUN_HTML, f"{begin}{place}{added}{rest}")
    return paths.RUN_HTML


def _git(*arguments: str) -> str:
    """What Git says; nothing outside a repository, or where it is not installed."""
    if not shutil.which("git"):
        return ""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()
