"""The tables of controls, against values worked out by hand."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from made_up import params_of
from matplotlib.image import imread
from typer.testing import CliRunner

from ecqg.analysis.premises import HEADER
from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.params import Dense, Pretrained, QuestionSet
from ecqg.report import revisions
from ecqg.report.controls import controls_tables
from ecqg.report.seed_trees import Trees, read_trees
from ecqg.tables import write_table, write_values

TOP1 = {"dpr": [40, 41, 42], "uncon": [42, 42, 43], "mixed": [43, 42, 46], "noisy": [30, 30, 30]}
ENTROPY = {"dpr": 3.9, "uncon": 3.8, "mixed": 4.0, "noisy": 3.5}
SETS = {
    "free": QuestionSet("unconditioned", None, 9, 2, (), 0.0),
    "low": QuestionSet("conditioned", "lowest", 9, 1, ("reader", "hard"), 0.0),
    "wrong": QuestionSet("world", "highest", 9, 1, (), 0.2),
}
PRETRAINED = {
    "uncon": Pretrained("init", {"free": 1.0}),
    "mixed": Pretrained("init", {"free": 0.5, "low": 0.5}),
    "noisy": Pretrained("init", {"free": 0.25, "wrong": 0.75}),
}
DENSE = {name: Dense(name if name in PRETRAINED else "init", "main") for name in TOP1}


def tree(folder: Path, number: int) -> Path:
    rows = []
    for system, values in TOP1.items():
        for name, more in (("nq_like", 0), ("tail", 1)):
            first = values[number] + more
            rows += [[system, "main", name, "", k, 100, v, 0, 100] for k, v in
                     ((1, first), (5, first + 20 + number))]  # fmt: skip
        entropy = ENTROPY[system] + (0.1 * number if system == "mixed" else 0)
        write_values(folder / f"results/attention/{system}.csv", {"entropy": entropy})
    write_table(folder / "judged/accuracy.csv", headers.ACCURACY, rows)
    write_table(folder / "judged/ranking.csv", headers.RANKING, [])
    made = {"uncon": {"examples": 5000}, "mixed": {"examples": 4998 + number}}
    write_values(folder / "results/training_sets.csv", made)
    judged = [
        ("valid about entities", "low", 60),
        ("valid after filters", "low after reader", 70),
        ("valid after filters", "low after hard", 80 + number),
        ("valid, others", "free", 90),
        ("reader agrees", "free", 40),
    ]
    premises = [[name, about, "%", "", "", here, "", "", ""] for name, about, here in judged]
    write_table(folder / "results/premises.csv", HEADER, premises)
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> dict[int, Path]:
    return {seed: tree(tmp_path / str(seed), i) for i, seed in enumerate((1, 2, 7))}


@pytest.fixture
def trees(folders: dict[int, Path]) -> Trees:
    return read_trees(folders)


def test_rows_have_ingredients_and_differences(trees: Trees) -> None:
    of, less_dpr, less_uncon = (
        {row.cells[0]: dict(zip(table.header, row.cells, strict=True)) for row in table.rows}
        for table in controls_tables(trees, DENSE, PRETRAINED, SETS)
    )
    assert [*of] == [*less_dpr] == ["UnCon-DPR", "Mixed-DPR", "noisy"]
    assert [*less_uncon] == ["Mixed-DPR", "noisy"]
    mixed = of["Mixed-DPR"]
    assert (mixed["generator"], mixed["entities"]) == ("unconditioned, conditioned", "lowest")
    assert (mixed["filters"], mixed["conditioned (%)"]) == ("reader + hard", "50")
    assert (mixed["wrong passage (%)"], mixed["examples"]) == ("0", "4,999")
    # Half of 90, half of 80, 81 and 82 in the mean; of "wrong" nobody judged.
    assert [row["valid (%)"] for row in of.values()] == ["90", "86", ""]
    # +3, +1, +4: mean 2.67, deviation 1.53; the same at k 5, which adds the same to all systems
    assert less_dpr["Mixed-DPR"]["nq_like"] == "+2.7 ± 1.5 / +2.7 ± 1.5"
    assert less_uncon["Mixed-DPR"]["tail"] == "+1.3 ± 1.5 / +1.3 ± 1.5"
    # +0.1, +0.2, +0.3
    assert less_dpr["Mixed-DPR"]["entropy"] == "+0.200 ± 0.100"
    assert less_dpr["Mixed-DPR"]["uniform"] == ""  # which was not measured
    assert (of["UnCon-DPR"]["entities"], of["UnCon-DPR"]["filters"]) == ("", "none")
    assert less_dpr["UnCon-DPR"]["entropy"] == "-0.100 ± 0.000*"
    noisy = of["noisy"]
    assert (noisy["generator"], noisy["entities"]) == ("unconditioned, world", "highest")
    assert (noisy["filters"], noisy["conditioned (%)"]) == ("none", "75")
    # 0.75 of the questions, of which 0.2 are on a wrong passage
    assert (noisy["wrong passage (%)"], noisy["examples"]) == ("15", "")


def test_others_may_be_what_they_are_compared_to(trees: Trees) -> None:
    [_, less_noisy] = controls_tables(trees, DENSE, PRETRAINED, SETS, ["noisy"])
    assert less_noisy.caption == "Less noisy"
    assert [row.cells[0] for row in less_noisy.rows] == ["UnCon-DPR", "Mixed-DPR"]
    with pytest.raises(InputError, match=r"no system other.*there is dpr, uncon"):
        controls_tables(trees, DENSE, PRETRAINED, SETS, ["other"])


def test_a_study_without_pre_training_is_refused(trees: Trees) -> None:
    with pytest.raises(InputError, match="no system is pre-trained on questions"):
        controls_tables(trees, {"dpr": DENSE["dpr"]}, PRETRAINED, SETS)


def test_the_command_prints_the_tables_and_draws(
    folders: dict[int, Path], trees: Trees, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = params_of()
    systems = dataclasses.replace(params.systems, dense=DENSE)
    params = dataclasses.replace(params, systems=systems, pretrained=PRETRAINED, question_sets=SETS)
    monkeypatch.setattr(revisions, "commit_of", lambda name: name)
    monkeypatch.setattr(revisions, "_text", lambda commit, name: f"seed: {commit}")
    monkeypatch.setattr(revisions, "parameters_at", lambda commit: ({"seed": int(commit)}, ""))
    monkeypatch.setattr("ecqg.params.build_params", lambda tree, file: params)
    monkeypatch.setattr(
        revisions, "extract_results", lambda commit, to: shutil.copytree(folders[int(commit)], to)
    )
    picture = tmp_path / "controls.png"
    result = CliRunner().invoke(app, ["controls", "1", "2", "7", "--picture", str(picture)])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("### Which ingredient does it: the questions of each system\n")
    assert "\n\n### Less UnCon-DPR\n\n| system | nq_like |" in result.stdout
    assert imread(picture).std() > 0.01  # something is drawn
    assert "+2.7 ± 1.5 / +2.7 ± 1.5" in result.stdout and "Seeds: 3." in result.stdout
    kept = [str(tmp_path / f"kept/{seed}.zip") for seed in (1, 2, 7)]
    for file in kept:
        revisions.keep_record(Path(file).stem, Path(file), by_query=False)
    assert CliRunner().invoke(app, ["controls", *kept]).stdout == result.stdout
    again = CliRunner().invoke(app, ["controls", "1", "1"])
    assert (again.exit_code, again.stderr) == (
        1, "ecqg: 1 has seed 1 as a run before it has; give one run a seed\n",
    )  # fmt: skip
