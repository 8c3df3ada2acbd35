"""Are the packages that this project needs what they were, and is anything known against them?

    python bench/audit.py           # what `make audit` runs; status 1 where something is wrong
    python bench/audit.py --write   # what `make hashes` runs: constraints-hashes.txt anew

Three questions: whether the files that pip would fetch for constraints.txt have the digests in
constraints-hashes.txt; whether each installed file is as its package's RECORD says; and what
pip-audit knows of the versions. PyTorch has no line in constraints-hashes.txt: which build pip
takes depends on the machine (CPU or CUDA), so that `make setup` cannot ask for hashes either. What
could not be reached is said in a line, and is no success: status 2.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

CONSTRAINTS, HASHES = Path("constraints.txt"), Path("constraints-hashes.txt")
BY_MACHINE = ("torch==",)
HEAD = """\
# Digests of the files that pip takes for constraints.txt on Linux, x86-64, with Python 3.11.
# Written by make hashes, checked by make audit. Not torch, whose build depends on the machine.
"""
FINE, WRONG, UNKNOWN = 0, 1, 2


def pinned(path: Path) -> list[str]:
    """The lines NAME==VERSION, less those that depend on the machine."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "==" in line and not line.startswith(("#", *BY_MACHINE))]


def fetched(lines: list[str]) -> dict[str, str]:
    """What pip would fetch: NAME==VERSION -> sha256. Raises RuntimeError where it cannot say."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--dry-run", "--ignore-installed", "--no-deps", "--report", "-", *lines]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["pip failed"])[-1])
    found = {}
    for package in json.loads(done.stdout)["install"]:
        name = f"{package['metadata']['name']}=={package['metadata']['version']}"
        found[name] = package["download_info"]["archive_info"]["hashes"]["sha256"]
    return found


def recorded(path: Path) -> dict[str, str]:
    """What constraints-hashes.txt says."""
    pairs = (line.partition(" --hash=sha256:")[::2] for line in pinned(path))
    return dict(pairs)


def changed(recorded: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    """In words, what pip would fetch and is not as recorded."""
    known = {_plain(name): digest for name, digest in recorded.items()}
    for name, digest in found.items():
        if known.get(_plain(name)) != digest:
            yield f"{name}: {digest}, recorded is {known.get(_plain(name))}"


def damaged(packages: list[Distribution]) -> Iterator[str]:
    """In words, each installed file that is not as its package's RECORD says."""
    for package in packages:
        for file in package.files or []:
            if file.hash is None or file.hash.mode != "sha256":
                continue
            try:
                with Path(file.locate()).open("rb") as content:
                    digest = hashlib.file_digest(content, "sha256").digest()
            except OSError:
                yield f"{package.name}: {file} is missing"
                continue
            if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
                yield f"{package.name}: {file} is not as RECORD says"


def vulnerabilities() -> tuple[int, list[str]]:
    """What pip-audit says of constraints.txt, in lines."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(CONSTRAINTS)]
    command += ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--timeout", "15"]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True)
    try:
        return judged(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return UNKNOWN, [f"pip-audit could not be run or reach its service: {last[:200]}"]


def judged(packages: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """pip-audit's findings; a package that its service did not know is no sound one."""
    skipped = [package for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in "
        f"{', '.join(flaw['fix_versions']) or 'no version yet'}"
        for package in packages
        for flaw in package.get("vulns", [])
    ]
    lines = [f"{len(packages)} packages, {len(found)} findings", *found]
    if skipped:
        lines.append(
            f"{len(skipped)} packages could not be asked for, such as {skipped[0]['name']}: "
            f"{skipped[0]['skip_reason']}"
        )
    return WRONG if found else UNKNOWN if skipped else FINE, lines


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def main() -> int:
    """Answer the questions, a line each and one for every finding."""
    parser = argparse.ArgumentParser(description="Check or write the digests of packages.")
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        found = fetched(pinned(CONSTRAINTS))
        lines = [f"{name} --hash=sha256:{found[name]}\n" for name in sorted(found, key=str.lower)]
        HASHES.write_text(HEAD + "".join(lines), encoding="utf-8")
        print(f"{HASHES}: {len(lines)} packages")
        return FINE
    status = FINE
    try:
        found = fetched(pinned(CONSTRAINTS))
    except RuntimeError as error:
        status = UNKNOWN
        print(f"Files to fetch: could not be asked for ({str(error)[:200]})")
    else:
        wrong = [*changed(recorded(HASHES), found)]
        status = WRONG if wrong else status
        print(
            f"Files to fetch: {len(found)} packages, {len(wrong)} not as in {HASHES}",
            *wrong,
            sep="\n  ",
        )
    wrong = [*damaged(list(distributions()))]
    status = WRONG if wrong else status
    print(f"Installed files: {len(wrong)} not as their packages say", *wrong, sep="\n  ")
    code, said = vulnerabilities()
    print("Vulnerabilities:", *said, sep="\n  ")
    return WRONG if WRONG in (status, code) else max(status, code)


if __name__ == "__main__":
    sys.exit(main())
