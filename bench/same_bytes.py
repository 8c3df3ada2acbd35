"""Do stages write the same bytes in other surroundings?

    python bench/same_bytes.py [STUDY] [--stages PATTERN ...] [--emulate CPU ...] [--jobs N]

Each stage of a finished STUDY (a clone in which `make repro` ran; without one the tests' tiny study
is made) runs again on the study's own inputs: on its own, with variables that ask every library for
something else and the C library's AVX-512 hidden, in each CPU that qemu emulates (`qemu-x86_64 -cpu
help`; Debian's qemu-user 7.2 sorts wrongly, 10.0 does not), and with ECQG_NUMERICS=native. The
default must not differ, native should, or else this comparison could not fail. Ends with 1 where
bytes differ that should not. A STUDY that another processor made compares that one with this one;
where it is not whole, the inputs and outputs of the stages that are named must be there.
tests/pipeline/same_outs.py compares the runs of two machines.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ruamel.yaml import YAML

TESTS = Path(__file__).parents[1] / "tests"
OTHER = {  # what a person's shell might hold; the default takes no notice
    "OMP_NUM_THREADS": "3",
    "MKL_CBWR": "AUTO",
    "ATEN_CPU_CAPABILITY": "default",
    "OPENBLAS_CORETYPE": "Nehalem",
    "FAISS_SIMD_LEVEL": "NONE",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD",
}
SETTINGS = {
    "again": {},
    "other variables": OTHER,
    "native": {"ECQG_NUMERICS": "native"},
}
# Processes that an emulated one starts would not be emulated.
START = (
    "import multiprocessing as m; m.set_executable({worker!r}); "
    "from ecqg.__main__ import main; main()"
)


def main() -> None:
    """Print a line for each stage and surrounding, and how many differ in each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("study", nargs="?", type=Path, help="a finished study's folder")
    parser.add_argument(
        "--stages", nargs="+", default=["*"], help="names, * for any letters, in this order"
    )
    parser.add_argument("--emulate", nargs="+", default=[], metavar="CPU")
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS), choices=SETTINGS)
    parser.add_argument("--jobs", type=int, default=1, help="stages side by side")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="same-bytes-") as folder:
        root = Path(folder) / "study"
        if options.study:
            skipped = shutil.ignore_patterns(".venv", ".git", ".cache", "cache", "__pycache__")
            shutil.copytree(options.study, root, symlinks=True, ignore=skipped)
        else:
            make_tiny(root)
        lock = read_lock(root / "dvc.lock")
        stages = {
            name: stage
            for pattern in options.stages
            for name, stage in lock.items()
            if fnmatch(name, pattern) and "outs" in stage
        }
        wrong = 0
        for setting in options.settings:
            differing = compare(setting, root, stages, SETTINGS[setting], "", options.jobs)
            wrong += setting != "native" and differing
        for cpu in options.emulate:
            wrong += compare(f"emulated {cpu}", root, stages, {}, cpu, options.jobs)
    sys.exit(wrong > 0)


def make_tiny(root: Path) -> None:
    """The study that the tests run, finished."""
    sys.path += [str(TESTS), str(TESTS / "pipeline")]
    from tiny import TINY, clone, edit, run

    root.mkdir()
    clone(root)
    edit(root / "params.yaml", TINY)
    run(root, "ecqg", "repro")


def read_lock(path: Path) -> dict[str, Any]:
    """What dvc.lock says of each stage."""
    with path.open(encoding="utf-8") as file:
        return dict(YAML(typ="safe").load(file)["stages"])


def compare(
    setting: str,
    root: Path,
    stages: dict[str, Any],
    variables: dict[str, str],
    cpu: str,
    jobs: int,
) -> int:
    """Run `stages` again and compare their outs; returns how many stages wrote other bytes."""
    programs = root.parent / "programs"
    write_programs(programs, cpu)
    environment = {
        **os.environ,
        **variables,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
    since = time.monotonic()

    def run(name: str) -> bool:
        differs, said = run_again(root, name, stages[name], environment)
        print(f"{setting}: {name}: {said}", flush=True)
        return differs

    with ThreadPoolExecutor(jobs) as pool:
        differing = sum(pool.map(run, stages))
    seconds = time.monotonic() - since
    print(f"{setting}: {differing} of {len(stages)} stages differ ({seconds:.0f} s)", flush=True)
    return differing


def run_again(
    root: Path, name: str, stage: dict[str, Any], environment: dict[str, str]
) -> tuple[bool, str]:
    """Whether a stage writes other bytes in a copy of the study, without its outs; and in words.

    The copy shares files, which stages replace and never change. A stage that fails differs.
    """
    outs = [Path(out["path"]) for out in stage["outs"]]
    start = time.monotonic()
    with TemporaryDirectory(dir=root.parent) as folder:
        copy = Path(folder) / "study"
        shutil.copytree(root, copy, symlinks=True, copy_function=os.link)
        for out in outs:
            remove(copy / out)
        ran = subprocess.run(
            stage["cmd"] if isinstance(stage["cmd"], str) else " && ".join(stage["cmd"]),
            shell=True,
            cwd=copy,
            env={**environment, "DVC_STAGE": name, "PYTHONPATH": str(copy / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - start
        if ran.returncode:
            return True, f"failed: {ran.stderr[-2000:]}"
        other = [out for out in outs if not is_same(copy / out, root / out)]
    said = f"differs: {', '.join(map(str, other))}" if other else "same"
    return bool(other), f"{said} ({seconds:.1f} s)"


def write_programs(folder: Path, cpu: str) -> None:
    """`ecqg` as stages call it and `python` as their processes do, emulated where `cpu` says so."""
    folder.mkdir(exist_ok=True)
    python = [*(["qemu-x86_64", "-cpu", cpu] if cpu else []), sys.executable]
    ecqg = [*python, "-c", START.format(worker=str(folder / "python"))]
    for name, command in (("python", python), ("ecqg", ecqg)):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
        program.chmod(0o755)


def remove(path: Path) -> None:
    """A file or folder, and leave the folder that it is in."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_same(one: Path, other: Path) -> bool:
    """Whether two files or folders hold the same bytes."""
    if not one.is_dir():
        return one.exists() and filecmp.cmp(one, other, shallow=False)
    files = [{p.relative_to(r) for p in r.rglob("*") if p.is_file()} for r in (one, other)]
    return files[0] == files[1] and not any(
        filecmp.cmpfiles(one, other, map(str, files[0]), shallow=False)[1:]
    )


if __name__ == "__main__":
    main()
