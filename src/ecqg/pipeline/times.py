"""How long each stage took when it last ran here, and the memory that it held."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ecqg.errors import InputError
from ecqg.files import read_as, write_json

TIMES = Path(".cache/ecqg/times.json")
Times = dict[str, tuple[float, int]]  # by stage, in the order of their ends: seconds, MiB or 0


def read_times() -> Times:
    """Of this clone's runs by `ecqg repro`; none where nothing was run, or the file is damaged."""
    with suppress(InputError):
        return read_as(TIMES, Times, "no times", "run 'ecqg repro'")
    return {}


def add_times(times: Mapping[str, tuple[float, int]]) -> None:
    """Keep those of stages that have run, in place of their earlier ones."""
    if times:
        before = read_times()
        write_json(TIMES, {n: t for n, t in before.items() if n not in times} | {**times})
