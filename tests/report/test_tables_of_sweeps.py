"""A sweep's table and picture, against values worked out by hand and SciPy's paired test."""

from __future__ import annotations

import shutil
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from pandas import DataFrame
from scipy.stats import ttest_rel
from typer.testing import CliRunner

from ecqg import paths
from ecqg.analysis.premises import HEADER
from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.files import write_text
from ecqg.pipeline import sweeps
from ecqg.report import revisions
from ecqg.report.formats import Table
from ecqg.report.sweeps import (
    axis_label,
    compare_systems,
    premises_by_point,
    read_points,
    summarise,
    sweep_tables,
)
from ecqg.report.sweeps_picture import draw_sweep
from ecqg.tables import write_table, write_values

AXES = ["reader threshold"]
TOP1 = {
    0.3: {"dpr": [40, 42, 41], "mixed": [44, 42, 43]},
    2: {"dpr": [40, 42], "mixed": [47, 47]},
}
MEASURES = [("tail", 1), ("entropy", 0)]


def tree(folder: Path, top1: dict[str, float], top5: dict[str, float] | None = None) -> Path:
    rows = [
        [s, "main", "tail", "", k, 100, value, 0, 100]
        for k, of in ((1, top1), (5, top5 or {}))
        for s, value in of.items()
    ]
    write_table(folder / "judged/accuracy.csv", headers.ACCURACY, rows)
    write_table(folder / "judged/ranking.csv", headers.RANKING, [])
    for system, value in top1.items():
        write_values(folder / f"results/attention/{system}.csv", {"entropy": value / 10})
    return folder


def tables(
    numbers: DataFrame,
    axes: list[str],
    measures: list[tuple[str, int]] = MEASURES,
    reference: tuple[str, ...] = (),
    caption: str = "",
) -> list[Table]:
    systems = ["dpr", "mixed"]
    summary = summarise(numbers, axes, systems, measures, reference)
    pairs = compare_systems(numbers, axes, systems, measures)
    return sweep_tables(summary, pairs, axes, caption, reference)


def draw(path: Path, numbers: DataFrame, axes: list[str], reference: tuple[str, ...] = ()) -> None:
    summary = summarise(numbers, axes, ["dpr", "mixed"], MEASURES, reference)
    pairs = compare_systems(numbers, axes, ["dpr", "mixed"], MEASURES)
    draw_sweep(path, summary, pairs, axes, reference)


@pytest.fixture
def trees(tmp_path: Path) -> dict[tuple[float], dict[int, Path]]:
    return {
        (value,): {
            seed: tree(tmp_path / f"{value}-{seed}", {s: of[seed] for s, of in systems.items()})
            for seed in range(len(systems["dpr"]))
        }
        for value, systems in TOP1.items()
    }


def test_means_spreads_and_paired_differences(trees: dict[tuple[float], dict[int, Path]]) -> None:
    numbers = read_points(trees, AXES)
    assert list(numbers.columns[:2]) == ["reader threshold", "seed"]
    found = summarise(numbers, AXES, ["dpr", "mixed"], MEASURES)
    rows = found.set_index([*AXES, "measure", "system"])
    here = rows.loc[(0.3, "tail", "mixed")]
    assert here["mean"] == pytest.approx(43)
    assert here["deviation"] == pytest.approx(1)
    assert isnan(here["difference"])  # there is no reference
    assert rows.loc[(2, "entropy", "mixed")]["mean"] == pytest.approx(4.7)
    assert rows.loc[(2, "tail", "dpr")]["seeds"] == 2
    pairs = compare_systems(numbers, AXES, ["dpr", "mixed"], MEASURES)
    gain = pairs.set_index([*AXES, "measure", "pair"]).loc[(0.3, "tail", "Mixed-DPR less DPR")]
    assert gain["difference"] == pytest.approx(2)
    assert gain["difference_deviation"] == pytest.approx(np.std([4, 0, 2], ddof=1))
    assert gain["p"] == pytest.approx(ttest_rel([44, 42, 43], [40, 42, 41]).pvalue)


def test_the_table_says_how_many_seeds(trees: dict[tuple[float], dict[int, Path]]) -> None:
    values, differences = tables(read_points(trees, AXES), AXES, MEASURES[:1], caption="How sure")
    assert values.caption == "How sure"
    assert values.header == ["reader threshold", "system", "tail top-1"]
    assert [row.cells for row in values.rows] == [
        ["0.3", "DPR", "41.0 ± 1.0"],
        ["0.3", "Mixed-DPR", "43.0 ± 1.0"],
        ["2", "DPR", "41.0 ± 1.4"],
        ["2", "Mixed-DPR", "47.0 ± 0.0"],
    ]
    assert differences.header == ["systems", "reader threshold", "tail top-1"]
    assert [row.cells for row in differences.rows] == [
        ["Mixed-DPR less DPR", "0.3", "+2.0 ± 2.0"],
        ["Mixed-DPR less DPR", "2", "+6.0 ± 1.4"],
    ]
    assert "over seeds: 2 to 3." in values.notes[0]
    assert differences.caption == "Differences between systems"


def test_every_two_systems_are_compared_point_by_point(tmp_path: Path) -> None:
    top1 = {"dpr": 40.0, "uncon": 43.0, "mixed": 44.5}
    of = {0.3: top1, 0.7: {**top1, "mixed": 42.0}, 0.9: {"dpr": 40.0, "mixed": 41.0}}
    trees = {(value,): {1: tree(tmp_path / str(value), here)} for value, here in of.items()}
    pairs = compare_systems(read_points(trees, AXES), AXES, [*top1], MEASURES[:1])
    assert [tuple(row) for row in pairs[["pair", *AXES, "difference"]].itertuples(index=False)] == [
        ("UnCon-DPR less DPR", 0.3, 3.0),
        ("UnCon-DPR less DPR", 0.7, 3.0),
        ("Mixed-DPR less DPR", 0.3, 4.5),
        ("Mixed-DPR less DPR", 0.7, 2.0),
        ("Mixed-DPR less DPR", 0.9, 1.0),
        ("Mixed-DPR less UnCon-DPR", 0.3, 1.5),
        ("Mixed-DPR less UnCon-DPR", 0.7, -1.0),
    ]


def test_a_star_is_a_small_p_and_every_k_stands_in_a_test_sets_column(tmp_path: Path) -> None:
    trees: dict[int, Path] = {}
    for seed, gap in enumerate([2.0, 2.1, 1.9]):
        top1 = {"dpr": 40.0 + seed, "mixed": 40.0 + seed + gap}
        trees[seed] = tree(tmp_path / str(seed), top1, {"dpr": 60.0, "mixed": 61.0 + seed - 1})
    measures = [("tail", 1), ("tail", 5)]
    assert (
        ttest_rel([2.0, 2.1, 1.9], [0, 0, 0]).pvalue < 0.05 < ttest_rel([0, 1, 2], [0] * 3).pvalue
    )
    values, differences = tables(read_points({(): trees}, []), [], measures)
    assert values.header == ["system", "tail top-1 / top-5"]
    assert values.rows[0].cells == ["DPR", "41.0 ± 1.0 / 60.0 ± 0.0"]
    assert differences.rows[0].cells == ["Mixed-DPR less DPR", "+2.0 ± 0.1* / +1.0 ± 1.0"]


def test_differences_to_a_reference_are_each_systems_own(tmp_path: Path) -> None:
    of = {"as it is": {"dpr": 40.0, "mixed": 44.0}, "other": {"dpr": 40.0, "mixed": 43.0}}
    trees = {
        (point,): {
            seed: tree(
                tmp_path / point / str(seed), {"dpr": top1["dpr"], "mixed": top1["mixed"] + seed}
            )
            for seed in range(2)
        }
        for point, top1 in of.items()
    }
    axes, reference = ["the papers' way"], ("as it is",)
    numbers = read_points(trees, axes)
    values, differences, between = tables(numbers, axes, reference=reference)
    assert [row.cells[:3] for row in values.rows] == [
        ["as it is", "DPR", "40.0 ± 0.0"],
        ["as it is", "Mixed-DPR", "44.5 ± 0.7"],
    ]
    # DPR's is the same in both and has no row.
    assert [row.cells for row in differences.rows] == [
        ["other", "Mixed-DPR", "-1.0 ± 0.0*", "-0.100 ± 0.000*"],
    ]
    assert differences.caption == "Less as it is"
    assert differences.notes[-1] == "A system without a row is the same as there"
    assert [row.cells[:3] for row in between.rows] == [
        ["Mixed-DPR less DPR", "as it is", "+4.5 ± 0.7"],
        ["Mixed-DPR less DPR", "other", "+3.5 ± 0.7"],
    ]
    draw(tmp_path / "sweep.png", numbers, axes, reference)
    assert (tmp_path / "sweep.png").read_bytes()[:4] == b"\x89PNG"


def test_a_seed_by_itself_has_no_spread(tmp_path: Path) -> None:
    numbers = read_points({(): {1: tree(tmp_path, {"dpr": 40.0, "mixed": 41.5})}}, [])
    values, differences = tables(numbers, [], MEASURES[:1])
    assert [row.cells for row in values.rows] == [["DPR", "40.0"], ["Mixed-DPR", "41.5"]]
    assert [row.cells for row in differences.rows] == [["Mixed-DPR less DPR", "+1.5"]]


def test_a_system_by_itself_has_no_differences(tmp_path: Path) -> None:
    numbers = read_points({(): {1: tree(tmp_path / "tree", {"dpr": 40.0})}}, [])
    (values,) = tables(numbers, [], MEASURES[:1])
    assert [row.cells for row in values.rows] == [["DPR", "40.0"]]
    for axes in ([], ["seed", "test_set"]):
        draw(tmp_path / f"{len(axes)}.png", numbers, axes)
        assert (tmp_path / f"{len(axes)}.png").read_bytes()[:4] == b"\x89PNG"


def test_premises_stand_by_point_with_a_column_for_each_thing_measured(tmp_path: Path) -> None:
    def study(name: str, valid: float, kept: float | None = None) -> Path:
        measured = [("valid", "uncon", "%", valid), ("entropy", "", "of maximum", valid / 100)]
        measured += [] if kept is None else [("valid", "kept", "%", kept)]
        rows = [[*what, "", "", here, "", "", ""] for *what, here in measured]
        write_table(tmp_path / name / paths.PREMISES, HEADER, rows)
        return tmp_path / name

    trees = {
        (0.3, "x"): {1: study("a", 60.0), 2: study("b", 62.0)},
        (0.7, "x"): {1: study("c", 70.0, 91.5)},
    }
    table = premises_by_point(trees, ["threshold", "other"], ["entropy", "valid"])
    assert table.header == [
        "threshold", "other", "entropy (of maximum)", "valid: UnCon-DPR (%)", "valid: kept (%)",
    ]  # fmt: skip
    assert [row.cells for row in table.rows] == [
        ["0.3", "x", "0.61 ± 0.01", "61.0 ± 1.4", ""],
        ["0.7", "x", "0.70", "70.0", "91.5"],
    ]
    with pytest.raises(InputError, match="no run has a premise 'x'; they have entropy, valid"):
        premises_by_point(trees, ["threshold", "other"], ["valid", "x"])


def test_values_of_axes_as_people_read_them() -> None:
    values = [0.5, 2.0, 20000, np.int64(20000), np.float64(1000), -4000, True, "v1.0", "2000"]
    shown = ["0.5", "2", "20,000", "20,000", "1,000", "-4,000", "True", "v1.0", "2000"]
    assert [axis_label(value) for value in values] == shown


@pytest.mark.parametrize("axes", [[], ["a"], ["a", "b"]])
def test_pictures_have_a_panel_for_each_measure(tmp_path: Path, axes: list[str]) -> None:
    points = {0: [()], 1: [("x",), ("y",)], 2: [(1, 5), (1, 7), (2, 5), (2, 7)]}[len(axes)]
    trees = {
        point: {s: tree(tmp_path / f"{i}-{s}", {"dpr": 40 + s, "mixed": 41 + i}) for s in (1, 2)}
        for i, point in enumerate(points)
    }
    draw(tmp_path / "sweep.png", read_points(trees, axes), axes)
    assert (tmp_path / "sweep.png").read_bytes()[:4] == b"\x89PNG"


def test_without_runs_or_systems_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run is finished"):
        read_points({}, AXES)
    numbers = read_points({(): {1: tree(tmp_path, {"dpr": 40.0})}}, [])
    with pytest.raises(InputError, match="no run has other; they have dpr"):
        summarise(numbers, [], ["other"], MEASURES)


@pytest.mark.slow
def test_records_stand_for_experiments_of_other_commits(
    trees: dict[tuple[float], dict[int, Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_text(
        Path("sweeps/sure.yaml"),
        "about: How sure\nseeds: [0, 1]\nsystems: [dpr, mixed]\ntest_sets: [tail]\nks: [1]\n"
        "axes: [{name: reader threshold, parameter: filter.threshold, values: [0.3, 2]}]\n",
    )
    write_text(Path("params.yaml"), "seed: 5\nfilter: {threshold: 0.5}\n")
    of = {f"sure_{v}_seed-{s}": (v, s) for (v,), seeds in trees.items() for s in seeds if s < 2}
    there = [*of]

    def text(commit: str, file: str) -> str:
        value, seed = of[commit]
        return f"seed: {seed}\nfilter: {{threshold: {value}}}\n"

    def extract(commit: str, to: Path) -> None:
        value, seed = of[commit]
        shutil.copytree(trees[value,][seed], to)

    monkeypatch.setattr(revisions, "commit_of", lambda name: name)
    monkeypatch.setattr(revisions, "_text", text)
    monkeypatch.setattr(revisions, "extract_results", extract)
    monkeypatch.setattr(sweeps, "finished", lambda names: [name for name in names if name in there])

    def say(*words: str) -> str:
        result = CliRunner().invoke(app, ["sweep", *words, "--records", "kept"])
        assert result.exit_code == (0 if result.stdout else 1), result.output
        return result.stdout or result.stderr

    whole = say("show", "sure")
    assert "4 of 4 experiments are finished" in whole
    assert sorted(path.name for path in Path("data/sweeps").iterdir()) == ["sure.csv", "sure.png"]
    assert say("show", "sure", "--csv", "other/all.csv", "--picture", "other/all.png") == whole
    assert sorted(path.name for path in Path("other").iterdir()) == ["all.csv", "all.png"]
    assert sorted(path.stem for path in Path("kept").iterdir()) == sorted(of)
    there.clear()  # another commit
    assert say("show", "sure") == whole
    # Where params.yaml is of another profile than the sweep, its profile's parameters count.
    file = Path("sweeps/sure.yaml")
    write_text(file, f"profile: other\n{file.read_text()}")
    with monkeypatch.context() as patch:
        patch.setattr("ecqg.profiles.whole", lambda name: Path("params.yaml").read_text())
        assert say("show", "sure") == whole
        patch.setattr(
            "ecqg.profiles.whole", lambda name: "seed: 5\nfilter: {threshold: 0.5, x: 1}\n"
        )
        assert "of other parameters (filter.x is" in say("show", "sure")
    write_text(file, file.read_text().removeprefix("profile: other\n"))
    Path("kept/sure_0.3_seed-1.zip").unlink()
    assert "3 of 4 experiments are finished" in say("show", "sure")
    assert [line.split()[0] for line in say("run", "sure", "--dry").splitlines()] == [
        "done", "done", "to", "done",
    ]  # fmt: skip
    write_text(Path("params.yaml"), "seed: 5\nfilter: {threshold: 0.5, share: 2}\n")
    assert say("run", "sure") == (
        "ecqg: kept/sure_0.3_seed-0.zip: of other parameters (filter.share is None there, 2 here); "
        "remove it, or name another folder\n"
    )
