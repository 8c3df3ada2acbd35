"""Revisions and experiments by name."""

import hashlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from dvc.repo import Repo

from ecqg import paths
from ecqg.errors import InputError
from ecqg.files import remove, write_text
from ecqg.params import Params, build_params
from ecqg.report.revisions import (
    commit_of,
    extract_results,
    extract_seeds,
    parameters_at,
)
from ecqg.tables import read_values, write_values

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"


def git(*arguments: str) -> str:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    command = ["git", *who, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """A commit for each of two seeds, the second known only as an experiment is."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    text, found = PROFILE.read_text(encoding="utf-8"), {}
    for seed in (1, 2):
        Path("params.yaml").write_text(text.replace("\nseed: 1\n", f"\nseed: {seed}\n"))
        git("add", "params.yaml")
        git("commit", "-q", "-m", str(seed))
        found[seed] = git("rev-parse", "HEAD")
    git("update-ref", f"refs/exps/{found[1][:2]}/{found[1][2:]}/seed-2", found[2])
    git("reset", "-q", "--hard", found[1])
    return found


def test_an_experiment_is_found_by_its_name(commits: dict[int, str]) -> None:
    assert commit_of("seed-2") == commits[2]
    assert commit_of("main") == commits[1]
    found = [parameters_at(commit_of(name)) for name in ("main", "seed-2")]
    assert [parameters["seed"] for parameters, _ in found] == [1, 2]


def test_an_unknown_name_is_one_line(commits: dict[int, str]) -> None:
    with pytest.raises(InputError, match="seed-3 is no revision and no experiment; 'dvc exp list'"):
        commit_of("seed-3")


def test_a_revision_without_a_seed_is_one_line(commits: dict[int, str], tmp_path: Path) -> None:
    Path("params.yaml").write_text("bm25: {k1: 0.9}\n")
    git("commit", "-q", "-a", "-m", "no seed")
    with pytest.raises(InputError, match=r"params\.yaml: no parameter seed; name another"):
        extract_seeds(["main"], tmp_path / "seeds")


def test_the_parameters_of_a_commit(commits: dict[int, str]) -> None:
    def of(revision: str) -> Params:
        return build_params(*parameters_at(revision))

    Path("params.yaml").write_text("damaged, and not looked at")
    assert of(commits[2]) == replace(of(commits[1]), seed=2)
    Path("params.yaml").write_text(f"{PROFILE.read_text(encoding='utf-8')}size: 3\n")
    git("commit", "-q", "-a", "-m", "of another version")
    with pytest.raises(InputError, match=r"^HEAD:params\.yaml: unknown parameter size"):
        of("HEAD")


def test_results_of_a_revision_come_from_git_and_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    monkeypatch.chdir(work)
    git("init", "-q", "-b", "main")
    with Repo.init() as repo:
        write_values(paths.TRAINING_SETS, {"kept": 41.5})
        write_text(paths.ACCURACY, "table\n")
        kept = paths.per_query("dpr") / "nq.csv"
        write_text(kept, "id,question,rank\n0,Who?,1\n")
        before = kept.read_bytes()
        repo.add([str(paths.PER_QUERY), str(paths.JUDGED)])
    git("add", ".")
    git("commit", "-q", "-m", "one")
    revision = git("rev-parse", "HEAD")
    write_values(paths.TRAINING_SETS, {"kept": 0.0})  # not this
    extract_results(revision, out)
    assert read_values(out / "results/training_sets.csv") == {"kept": 41.5}
    assert (out / "judged/accuracy.csv").read_text() == "table\n"
    assert (out / "per_query/main/dpr/nq.csv").read_bytes() == before
    with pytest.raises(InputError, match=r"0{40} is no revision with results"):
        extract_results("0" * 40, tmp_path / "other")
    cached = Path(".dvc/cache/files/md5") / hashlib.md5(before).hexdigest()
    for gone in (cached.parent / cached.name[:2] / cached.name[2:], Path(".dvc/cache")):
        remove(gone)
        with pytest.raises(InputError, match=r"^no data/.* in the cache .*; run 'dvc exp run'"):
            extract_results(revision, tmp_path / "other")
