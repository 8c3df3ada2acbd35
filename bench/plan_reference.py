"""What `ecqg plan` reckons with, from runs that were measured: src/ecqg/planning/reference.yaml.

    python bench/plan_reference.py "AMD EPYC, two jobs" LOG ... > src/ecqg/planning/reference.yaml

Each LOG is what `ecqg repro` printed of a whole run with the parameters of params.yaml, two stages
at a time: a line for each stage with the time that it took. Of several runs means count. The speed
of the machine is measured first, so nothing else should run.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

from ecqg.params import load_params
from ecqg.planning.costs import COSTS
from ecqg.planning.plan import split
from ecqg.planning.sizes import sizes_of
from ecqg.planning.speed import measure

LINE = re.compile(r"\[ *\d+/\d+\] (\S+) (\d+):(\d\d):(\d\d)(,|$)")
START = 1.5  # seconds that a stage takes to begin, where one item alone was measured


def taken(logs: list[Path]) -> dict[str, float]:
    """Mean seconds by stage."""
    found = defaultdict(list)
    for log in logs:
        for line in log.read_text(encoding="utf-8").splitlines():
            if match := LINE.search(line):
                name, *times, _ = match.groups()
                hours, minutes, seconds = map(int, times)
                found[name].append(3600 * hours + 60 * minutes + seconds)
    return {name: mean(values) for name, values in found.items()}


def main() -> None:
    """Print reference.yaml."""
    about, *logs = sys.argv[1:]
    speed = measure()
    params = load_params()
    sizes = sizes_of(params)
    groups = defaultdict(list)
    for name, seconds in taken([Path(log) for log in logs]).items():
        group, first, second = split(name)
        count = COSTS[group][1](params, sizes, first, second) if group in COSTS else 0.0
        groups[group].append((seconds, count))
    print(f"# Written by bench/plan_reference.py.\nabout: {about}\nspeed:")
    for kind, rate in speed.items():
        print(f"  {kind}: {rate:.4g}")
    print("stages:")
    for group, items in sorted(groups.items()):
        least = min(seconds for seconds, _ in items)
        total = sum(count for _, count in items)
        fixed = mean(s for s, _ in items) if not total else least
        if total and least > START:
            fixed = START
        unit = max(0.0, sum(s - fixed for s, _ in items)) / total if total else 0.0
        print(f"  {group}: {{fixed: {fixed:.3g}, unit: {unit:.4g}}}")


if __name__ == "__main__":
    main()
