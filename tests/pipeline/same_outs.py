"""Did two runs write the same? Compares the digests of all outs, whatever the outs are called.

    python tests/pipeline/same_outs.py ONE OTHER [--renamed FILE]
    python tests/pipeline/same_outs.py --write FILE STUDY

ONE and OTHER are folders of finished studies, or files of digests that `--write` made of one. A
folder that is an out counts file by file, so that files may move between folders. FILE holds lines
`pattern replacement`, regular expressions that turn paths of ONE into those of OTHER; the first
that matches counts, and a path without a match has kept its name. A path that is replaced by `-`
is meant to be gone. What data/code lists is not compared: it changes with every line of code.
Prints what differs, what is missing and what is new, and ends with 1 if there is any.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from ruamel.yaml import YAML

CODE = "data/code"
CACHE = Path(".dvc/cache/files/md5")
GONE = "-"
Digests = dict[str, str]


def main() -> None:
    """Compare, or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path, nargs="?")
    parser.add_argument("--renamed", type=Path, metavar="FILE")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.write:
        write(options.write, digests(options.one))
        return
    if options.other is None:
        parser.error("two studies are compared")
    said = list(differences(digests(options.one), digests(options.other), renamed(options.renamed)))
    print("\n".join(said) or "the same")
    sys.exit(bool(said))


def digests(path: Path) -> Digests:
    """MD5 of each file that the stages of a study wrote, by path."""
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            return {row["path"]: row["md5"] for row in csv.DictReader(file)}
    with (path / "dvc.lock").open(encoding="utf-8") as file:
        stages = YAML(typ="safe").load(file)["stages"].values()
    found: Digests = {}
    for out in (out for stage in stages for out in stage.get("outs", ())):
        if out["path"] != CODE:
            found |= expand(path, out["path"], out["md5"])
    return found


def expand(root: Path, path: str, md5: str) -> Digests:
    """A file's digest, or those of a folder's files: as DVC's cache lists them, or as they are."""
    if not md5.endswith(".dir"):
        return {path: md5}
    listing = root / CACHE / md5[:2] / md5[2:]
    if listing.is_file():
        listed = json.loads(listing.read_text(encoding="utf-8"))
        return {f"{path}/{entry['relpath']}": entry["md5"] for entry in listed}
    files = (file for file in (root / path).rglob("*") if file.is_file())  # an out without a cache
    return {
        file.relative_to(root).as_posix(): hashlib.md5(file.read_bytes()).hexdigest()
        for file in files
    }


def write(path: Path, found: Digests) -> None:
    """As `digests` reads them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["path", "md5"])
        writer.writerows(sorted(found.items()))


def renamed(path: Path | None) -> list[tuple[re.Pattern[str], str]]:
    """Patterns with their replacements; empty lines and those after # say nothing."""
    lines = path.read_text(encoding="utf-8").splitlines() if path else []
    pairs = (line.split() for line in lines if line.strip() and not line.startswith("#"))
    return [(re.compile(pattern), replacement) for pattern, replacement in pairs]


def differences(
    one: Digests, other: Digests, patterns: list[tuple[re.Pattern[str], str]]
) -> Iterator[str]:
    """A line for each path that is not the same in both."""
    new = set(other)
    for path, md5 in sorted(one.items()):
        target = rename(path, patterns)
        if target == GONE:
            continue
        if target not in other:
            yield f"missing  {path}" + (f" -> {target}" if target != path else "")
        elif other[target] != md5:
            yield f"differs  {target}"
        new.discard(target)
    for path in sorted(new):
        yield f"new      {path}"


def rename(path: str, patterns: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in patterns:
        if pattern.search(path):
            return GONE if replacement == GONE else pattern.sub(replacement, path, count=1)
    return path


if __name__ == "__main__":
    main()
