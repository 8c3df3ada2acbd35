"""What of the results does not belong to the present params.yaml, code and data."""

from __future__ import annotations

import logging
from itertools import chain
from typing import Any

from ecqg.closure import FIRST, outdated
from ecqg.report.results import Results
from ecqg.systems import RETRIEVAL_ALONE

TARGETS = ("headline", "report")  # the stages from which all that is shown comes
NAMED = 4  # causes that a line names


def complaints(results: Results) -> list[str]:
    """Lines for people: rows that are missing, and what has changed since; often none.

    DVC compares parameters, code, inputs and outputs with dvc.lock.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    lines = []
    whole = bool(results.study.asked)
    targets, command = (TARGETS, "dvc repro") if whole else (RETRIEVAL_ALONE, "ecqg repro")
    if results.missing:
        lines.append(f"Not measured yet: {'; '.join(results.missing)}. Run '{command}'")
    logging.getLogger("dvc").setLevel(logging.ERROR)
    try:
        with Repo() as repo:
            status = repo.status(targets=list(targets), with_deps=True)
    except DvcException as error:
        why = " ".join(str(error).split())
        return [*lines, f"Whether these rows are up to date cannot be told: {why}"]
    # A comment may be all that differs in what the first stage reads: what it would write decides.
    # Parameters are those of other stages, too.
    first = status.get(FIRST)
    if first and all("changed deps" in entry for entry in first) and not outdated():
        del status[FIRST]
    if causes := _causes(status):
        named = ", ".join(causes[:NAMED]) + (", ..." if len(causes) > NAMED else "")
        lines.append(f"These rows are stale: {named} changed since; '{command}' renews them")
    return lines


def _causes(status: dict[str, list[Any]]) -> list[str]:
    """Names of parameters that changed, then of files, then of stages that never ran."""
    parameters, files, stages = set[str](), set[str](), set[str]()
    for stage, entries in status.items():
        for entry in entries:
            if not isinstance(entry, dict):  # such as "changed command"
                stages.add(stage)
                continue
            for path, what in chain(*(found.items() for found in entry.values())):
                if isinstance(what, dict):
                    parameters.update(what)
                else:
                    files.add(path)
    return [*sorted(parameters), *sorted(files), *sorted(stages)]
