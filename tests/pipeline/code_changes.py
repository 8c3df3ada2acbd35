"""Does `dvc status` name the stages that a changed module takes part in, and no others?

    python tests/pipeline/code_changes.py FOLDER [MODULE ...]

changes one statement in each module of a clone with a finished run, in turn (or in the modules
named, such as src/ecqg/seeds.py), and compares what DVC then says with the imports that the
standard library's modulefinder sees in the byte code. The clone is left as it was.
"""

from __future__ import annotations

import modulefinder
import re
import sys
from contextlib import chdir
from functools import cache
from pathlib import Path

from dvc.repo import Repo
from tiny import run
from tqdm import tqdm

LISTING = re.compile(r"data/code/(\w+)\.txt")
CHANGE = "\nCHANGED = True\n"


def listings_that_changed(root: Path) -> set[str]:
    """Stage modules whose code differs, by the stages of `dvc status`."""
    run(root, "ecqg", "check")
    changed = set[str]()
    # In this process, as to start dvc takes seconds; stages are named as seen from the root.
    with chdir(root), Repo() as repo:
        status = repo.status()
    for stage, news in status.items():
        for entry in news:
            for path in entry.get("changed deps", {}) if isinstance(entry, dict) else ():
                if found := LISTING.fullmatch(path):
                    changed.add(found[1])
        assert stage == "check" or changed, f"{stage} has changed otherwise: {news}"
    return changed


def stages_that_import(root: Path, module: Path) -> set[str]:
    """Stage modules that import `module`, themselves, through others or by the command line."""
    # Stage modules of which this study has a stage.
    used = set(LISTING.findall((root / "dvc.lock").read_text(encoding="utf-8")))
    source = root / "src"
    if module in imported(source, "numerics"):  # which sets libraries for all of them
        return used
    return {s for s in used if module in imported(source, f"stages/{s}")}


@cache
def imported(source: Path, module: str) -> set[Path]:
    finder = modulefinder.ModuleFinder([str(source)])
    finder.run_script(str(source / f"ecqg/{module}.py"))
    return {Path(m.__file__) for m in finder.modules.values() if m.__file__}


def compare(root: Path, module: Path) -> tuple[set[str], set[str]]:
    """Stages that DVC misses, and stages that it names in vain, when `module` has changed."""
    before = module.read_bytes()
    try:
        module.write_bytes(before + CHANGE.encode())
        said = listings_that_changed(root)
    finally:
        module.write_bytes(before)
    wanted = stages_that_import(root, module)
    return wanted - said, said - wanted


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    assert not listings_that_changed(root), "the clone has changes already"
    files = [root / name for name in sys.argv[2:]] or sorted((root / "src/ecqg").rglob("*.py"))
    missed = vain = 0
    for module in tqdm(files, unit="module"):
        misses, alarms = compare(root, module)
        missed, vain = missed + len(misses), vain + len(alarms)
        if misses or alarms:
            tqdm.write(f"{module.relative_to(root)}: misses {misses}, names in vain {alarms}")
    run(root, "ecqg", "check")
    pairs = sum(len(stages_that_import(root, module)) for module in files)
    print(
        f"{len(files)} modules, {pairs} pairs of module and stage: {missed} missed, {vain} in vain"
    )


if __name__ == "__main__":
    main()
