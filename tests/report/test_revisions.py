"""Revisions and experiments by name."""

import subprocess
from pathlib import Path

import pytest

from ecqg.errors import InputError
from ecqg.report.revisions import commit_of, seed_of

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
    assert [seed_of(commit_of(name)) for name in ("main", "seed-2")] == [1, 2]


def test_an_unknown_name_is_one_line(commits: dict[int, str]) -> None:
    with pytest.raises(InputError, match="seed-3 is no revision and no experiment; 'dvc exp list'"):
        commit_of("seed-3")
