"""What `ecqg plan` reckons with, from runs that were measured: src/ecqg/planning/reference.yaml.

    python bench/plan_reference.py "AMD EPYC, two jobs" LOG ... > reference.yaml
    python bench/plan_reference.py --space "AMD EPYC, two jobs" LOG ... > reference.yaml

Each LOG is what `ecqg repro` printed of a whole run with the parameters of params.yaml, two stages
at a time: a line for each stage with the time that it took and its most memory. Of several runs
means count. Bytes of outputs are those of dvc.lock. The speed of the machine is measured first, so
nothing else should run; with --space, times stay as they are, and something may.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

from ecqg import numerics

numerics.fix()  # before any library is loaded, as stages have it

# ruff: noqa: E402
import msgspec
from ruamel.yaml import YAML

from ecqg.params import load_params
from ecqg.planning.costs import COSTS
from ecqg.planning.plan import MIB, read_reference, split
from ecqg.planning.sizes import sizes_of
from ecqg.planning.space import DISK, MEMORY
from ecqg.planning.speed import measure

LINE = re.compile(r"\[ *\d+/\d+\] (\S+) (\d+):(\d\d):(\d\d)(?:, ([\d,]+) MiB)?$")
START = 1.5  # seconds that a stage takes to begin, where one item alone was measured


def taken(logs: list[Path]) -> tuple[dict[str, float], dict[str, float]]:
    """Mean seconds and mean MiB by stage."""
    found, peaks = defaultdict(list), defaultdict(list)
    for log in logs:
        for line in log.read_text(encoding="utf-8").splitlines():
            if match := LINE.search(line):
                name, *times, peak = match.groups()
                hours, minutes, seconds = map(int, times)
                found[name].append(3600 * hours + 60 * minutes + seconds)
                peaks[name].append(int((peak or "0").replace(",", "")))
    return (
        {name: mean(values) for name, values in found.items()},
        {name: mean(values) for name, values in peaks.items()},
    )


def written() -> dict[str, int]:
    """Bytes of each stage's outputs."""
    with Path("dvc.lock").open(encoding="utf-8") as file:
        stages = YAML(typ="safe").load(file)["stages"]
    return {
        name: sum(out.get("size", 0) for out in stage.get("outs", ()))
        for name, stage in stages.items()
    }


def main() -> None:
    """Print reference.yaml."""
    space = "--space" in sys.argv
    about, *logs = [argument for argument in sys.argv[1:] if argument != "--space"]
    before = read_reference()
    speed = before.speed if space else measure()
    params = load_params()
    sizes = sizes_of(params)
    groups = defaultdict(list)
    times, peaks = taken([Path(log) for log in logs])
    memory, disk, units = defaultdict(float), defaultdict(float), defaultdict(float)
    held: dict[str, float] = {}
    bytes_of = written()
    for name, seconds in times.items():
        group, first, second = split(name)
        of = (params, sizes, first, second)
        count = COSTS[group][1](*of) if group in COSTS else 0.0
        groups[group].append((seconds, count))
        if peaks[name] >= memory[group]:
            memory[group] = peaks[name]
            held[group] = MEMORY[group](*of) / MIB if group in MEMORY else 0.0
        disk[group] += bytes_of.get(name, 0)
        units[group] += DISK[group](*of) if group in DISK else 1.0
    print(f"# Written by bench/plan_reference.py.\nabout: {json.dumps(about)}\nspeed:")
    for kind, rate in speed.items():
        print(f"  {kind}: {rate:.4g}")
    print("stages:")
    for group in sorted(before.stages.keys() | groups.keys()):
        if group not in groups:  # it had nothing to do
            values = msgspec.structs.asdict(before.stages[group])
            print(f"  {group}: {{{', '.join(f'{k}: {v:.4g}' for k, v in values.items())}}}")
            continue
        items = groups[group]
        least = min(seconds for seconds, _ in items)
        total = sum(count for _, count in items)
        fixed = mean(s for s, _ in items) if not total else least
        if total and least > START:
            fixed = START
        unit = max(0.0, sum(s - fixed for s, _ in items)) / total if total else 0.0
        if space and group in before.stages:
            fixed, unit = before.stages[group].fixed, before.stages[group].unit
        each = disk[group] / units[group]
        values = f"fixed: {fixed:.3g}, unit: {unit:.4g}, memory: {memory[group]:.0f}"
        print(f"  {group}: {{{values}, held: {held[group]:.1f}, disk: {each:.4g}}}")


if __name__ == "__main__":
    main()
