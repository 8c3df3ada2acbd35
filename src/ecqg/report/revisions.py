"""The results of a revision, experiment or record, laid out for `ecqg.report.seed_trees`."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ecqg import paths
from ecqg.checking import parse_yaml
from ecqg.errors import InputError
from ecqg.files import not_utf_8, read_text
from ecqg.report.records import PARAMS, SUFFIX, read_record, write_record
from ecqg.tables import flat_values


def commit_of(revision: str) -> str:
    """The commit of a Git revision or of a DVC experiment's name, which Git itself does not know.

    The newest experiment of that name is meant. Raises InputError where there is neither.
    """
    found = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").stdout.decode()
    if found:
        return found.strip()
    form = ("--sort=-committerdate", "--format=%(objectname) %(refname)")
    for line in _git("for-each-ref", *form, "refs/exps").stdout.decode().splitlines():
        commit, _, name = line.partition(" ")
        if name.rpartition("/")[2] == revision:
            return commit
    what = f"{revision} is no revision and no experiment"
    raise InputError(what, remedy="'dvc exp list' names experiments")


def parameters_at(revision: str) -> tuple[Any, str]:
    """What a commit's params.yaml has, and what messages call that file."""
    file = f"{revision}:{PARAMS}"
    return parse_yaml(_text(revision, PARAMS), file), file


def differing(one: Any, other: Any) -> list[tuple[str, Any, Any]]:
    """The parameters in which two contents of params.yaml differ; None is what one lacks."""
    old, new = (dict(flat_values(tree)) for tree in (one, other))
    return [
        (name.replace("/", "."), old.get(name), new.get(name))
        for name in old | new
        if old.get(name) != new.get(name) or (name in old) != (name in new)
    ]


def files_at(revision: str) -> dict[str, str]:
    """The text of params.yaml and of metrics/ at a revision, by path; "workspace" is here.

    Raises InputError for an unknown revision.
    """
    if revision == "workspace":
        files = [Path("params.yaml"), *sorted(paths.METRICS.glob("*.json"))]
        return {path.as_posix(): read_text(path) for path in files if path.is_file()}
    commit = commit_of(revision)
    wanted = ("params.yaml", f"{paths.METRICS.as_posix()}/")
    listed = _output(commit, "ls-tree", "-r", "--name-only", commit, "--", *wanted).decode()
    names = [name for name in listed.splitlines() if name.endswith((".json", "params.yaml"))]
    return {name: _text(commit, name) for name in names}


def extract_results(revision: str, folder: Path) -> None:
    """Write results/ of a revision, and what is judged and measured by query, to `folder`.

    The first is in Git; the others are DVC outputs and come from its cache. Raises InputError for
    an unknown revision, or results that are not in the cache.
    """
    # Not tar, whose safe extraction early releases of Python 3.11 lack.
    archive = _output(revision, "archive", "--format=zip", revision, str(paths.RESULTS))
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(folder)
    for out in (paths.JUDGED, paths.PER_QUERY):
        _fetch(revision, out, folder / out.name)


def parameters_of(run: str) -> tuple[Any, str]:
    """As `parameters_at`, of a run that is a revision, an experiment or a record."""
    if Path(run).suffix == SUFFIX:
        file = f"{run}:{PARAMS}"
        return parse_yaml(read_record(Path(run)), file), file
    return parameters_at(commit_of(run))


def keep_record(revision: str, file: Path, by_query: bool = True) -> None:
    """Write the record of a revision or experiment (ecqg.report.records)."""
    commit = commit_of(revision)
    with TemporaryDirectory() as folder:
        tree = Path(folder, "run")
        extract_results(commit, tree)
        write_record(tree, _text(commit, PARAMS), file, by_query)


def extract_seeds(runs: Iterable[str], folder: Path, keep: Path | None = None) -> dict[int, Path]:
    """Write the results of runs that differ in their seed below `folder`; a tree a seed, in order.

    A run is a revision, an experiment or a record (ecqg.report.records). In `keep`, records are
    written of those that are none: seed-SEED.zip. Of params.yaml the seed alone is looked at: the
    file may be of a version with other parameters. Raises InputError where there is none, or two
    have the same.
    """
    trees: dict[int, Path] = {}
    for name in runs:
        parameters, file = parameters_of(name)
        if not isinstance(parameters, dict) or not isinstance(parameters.get("seed"), int):
            raise InputError("no parameter seed", file=file, remedy="name another revision")
        seed = parameters["seed"]
        if seed in trees:
            what = f"{name} has seed {seed} as a run before it has"
            raise InputError(what, remedy="give one run a seed")
        trees[seed] = folder / str(seed)
        record = Path(name)
        if record.suffix != SUFFIX:
            # All are read from records, so that texts of questions are never compared with digests.
            record = (keep or folder) / f"seed-{seed}{SUFFIX}"
            keep_record(name, record)
        read_record(record, trees[seed])
    return dict(sorted(trees.items()))


def _fetch(revision: str, out: Path, target: Path) -> None:
    """Write an output of DVC's, as it was at a revision, to `target`.

    Raises InputError where it is not in the cache.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        Repo.get(".", out.as_posix(), out=str(target), rev=revision)
    except (DvcException, FileNotFoundError) as error:  # all of it, or one file of a folder
        what = f"no {out} of {revision} in the cache ({error})"
        raise InputError(what, remedy="run 'dvc exp run' again") from None


def _text(revision: str, name: str) -> str:
    file = f"{revision}:{name}"
    try:
        return _output(revision, "show", file).decode()
    except UnicodeDecodeError as error:
        raise not_utf_8(error, file) from None


def _output(revision: str, *arguments: str) -> bytes:
    result = _git(*arguments)
    if result.returncode:
        what = f"{revision} is no revision with results"
        raise InputError(what, remedy="'dvc exp show' lists experiments")
    return result.stdout


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], capture_output=True, check=False)
