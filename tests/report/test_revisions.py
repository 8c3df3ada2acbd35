"""Revisions and experiments by name."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from dvc.repo import Repo

from ecqg import paths
from ecqg.checking import read_yaml
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.files import write_text
from ecqg.report.amounts import summarise_amounts
from ecqg.report.revisions import (
    commit_of,
    extract_results,
    extract_seeds,
    parameters_at,
    params_at,
)
from ecqg.tables import read_values, write_table, write_values

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
    Path("params.yaml").write_text("damaged, and not looked at")
    assert params_at(commits[2]) == replace(params_at(commits[1]), seed=2)
    Path("params.yaml").write_text(f"{PROFILE.read_text(encoding='utf-8')}size: 3\n")
    git("commit", "-q", "-a", "-m", "of another version")
    with pytest.raises(InputError, match=r"^HEAD:params\.yaml: unknown parameter size"):
        params_at("HEAD")


def test_amounts_of_synthetic_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    repo = Repo.init()
    text = PROFILE.read_text(encoding="utf-8")
    had_passages, had_epochs = "    passages: 1480\n", "    training:\n      epochs: 6\n"
    assert text.count(had_passages) == text.count(had_epochs) == 1
    for name, passages, epochs, top in (("a", 640, 32, 70), ("b", 1280, 16, 72), ("c", 640, 8, 1)):
        changed = text.replace(had_passages, f"    passages: {passages}\n")
        changed = changed.replace(had_epochs, f"    training:\n      epochs: {epochs}\n")
        Path("params.yaml").write_text(changed)
        rows = []
        for system, accuracy in (("dpr", 65), ("aug", top)):
            of_set = [system, "main", "nq_like", ""]
            for k, more in ((10, 0), (20, 1.25), (100, 2)):
                rows.append([*of_set, k, 600, accuracy + more, 0, 100])
            rows.append([system, "main", "nq_like", "no_answer_overlap", 10, 600, 1, 0, 100])
        write_table(paths.ACCURACY, headers.ACCURACY, rows)
        outcome = [top - 65, "", 1.0, 9.5, 0.01 if top > 70 else 0.2, 9, 80, 5]
        pair = ["aug", "dpr", "main", "nq_like", ""]
        compared = [[*pair, measure, *outcome] for measure in ("top10", "top20")]
        write_table(paths.COMPARISONS, headers.COMPARISONS, compared)
        repo.add([str(paths.JUDGED), str(paths.COMPARISONS)])
        git("add", ".")
        git("commit", "-q", "-m", name)
        git("tag", name)
    page = summarise_amounts(["a", "b"])
    rows = [line for line in page.splitlines() if line.startswith("|")][2:5]
    assert rows == [
        "| none (DPR) |  | 65.0 / 66.2 / 67.0 |  |",
        f"| 640 | 32 | 70.0 / 71.2 / 72.0 | {' / '.join(2 * ['+5.0 [+1.0, +9.5]'])} |",
        f"| 1,280 | 16 | 72.0 / 73.2 / 74.0 | {' / '.join(2 * ['+7.0 [+1.0, +9.5]*'])} |",
    ]
    assert "_74.8 / 79.7 / 85.9_" in page
    assert "About 320 updates" in page
    with pytest.raises(InputError, match="c has about 80 updates of pre-training, a has 320"):
        summarise_amounts(["a", "c"])
    with pytest.raises(InputError, match="has no tail"):
        summarise_amounts(["a"], "tail")
    tree = read_yaml("params.yaml")
    del tree["pretrained"]["aug"], tree["systems"]["dense"]["aug"]
    Path("params.yaml").write_text(json.dumps(tree))
    git("commit", "-q", "-a", "-m", "without")
    with pytest.raises(InputError, match="main pre-trains no aug; name a run that does"):
        summarise_amounts(["main"])


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
