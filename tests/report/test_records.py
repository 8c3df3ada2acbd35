"""What `ecqg seeds` says of records is what it says of the runs that they were written from."""

from __future__ import annotations

import dataclasses
import random
import shutil
import zipfile
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from test_seeds import tree
from typer.testing import CliRunner

from ecqg import paths
from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.params import build_params
from ecqg.profiles import whole
from ecqg.report import records, revisions
from ecqg.report.records import read_record, write_record
from ecqg.report.seed_trees import read_trees

TEXT = whole("microcosm")


@pytest.fixture
def trees(tmp_path: Path) -> dict[int, Path]:
    return {seed: tree(tmp_path / "trees" / str(seed), i) for i, seed in enumerate((1, 2, 7))}


def test_a_record_has_all_that_is_read_of_a_run(trees: dict[int, Path], tmp_path: Path) -> None:
    unpacked = {}
    for seed, of_seed in trees.items():
        file = tmp_path / f"{seed}.zip"
        write_record(of_seed, TEXT, file)
        unpacked[seed] = tmp_path / "unpacked" / str(seed)
        assert read_record(file, unpacked[seed]) == TEXT == read_record(file)
    before, after = read_trees(trees), read_trees(unpacked)
    assert before.tidy.equals(after.tidy) and before.places == after.places
    assert before.ranks.keys() == after.ranks.keys() and before.ranks
    for key, of in before.ranks.items():
        same = len({one.questions for one in of}) == 1
        assert (len({one.questions for one in after.ranks[key]}) == 1) == same
        for one, other in zip(of, after.ranks[key], strict=True):
            assert one.ids == other.ids and np.array_equal(one.ranks, other.ranks)


def test_the_same_results_are_the_same_bytes_and_hold_no_question(
    trees: dict[int, Path], tmp_path: Path
) -> None:
    for name in "ab":
        write_record(trees[1], TEXT, tmp_path / f"{name}.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    first, *others = sorted((trees[1] / paths.PER_QUERY.name).glob("*/*/nq_like.csv"))
    for file in (first, *others):
        with (
            pytest.raises(InputError, match="other questions than of other systems")
            if (file != first)
            else nullcontext()
        ):
            write_record(trees[1], TEXT, tmp_path / "b.zip")
        header, one, *rest = file.read_text().splitlines()
        id, _, rank = one.split(",")
        file.write_text("\n".join([header, f"{id},another question,{rank}", *rest]) + "\n")
    write_record(trees[1], TEXT, tmp_path / "b.zip")
    packed = [zipfile.ZipFile(tmp_path / f"{name}.zip") for name in "ab"]
    members = [{name: one.read(name) for name in one.namelist()} for one in packed]
    assert [m for m in members[0] if members[0][m] != members[1][m]] == [records.RANKS]
    assert b"another question" not in members[1][records.RANKS]


def test_what_is_damaged_is_one_line(
    trees: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, rng = tmp_path / "one.zip", random.Random(1)
    write_record(trees[1], TEXT, file)
    good = file.read_bytes()
    whole_tree = tmp_path / "whole"
    read_record(file, whole_tree)
    expected = {p.relative_to(whole_tree): p.read_bytes() for p in whole_tree.rglob("*.csv")}
    refused = 0
    for number in range(200):
        bad = bytearray(good)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        file.write_bytes(bytes(bad) if number % 4 else good[: rng.randrange(len(good))])
        out = tmp_path / str(number)
        try:
            text = read_record(file, out)
        except InputError as error:
            assert str(error).startswith(str(file)) and "\n" not in str(error)
            refused += 1
            continue
        # What nothing reads, such as dates, may be another.
        assert text == TEXT
        assert {p.relative_to(out): p.read_bytes() for p in out.rglob("*.csv")} == expected
        shutil.rmtree(out)
    assert refused > 150
    file.write_bytes(good)
    monkeypatch.setattr(records, "LARGEST", 1000)
    with pytest.raises(InputError, match=r"one\.zip: more than 1,000 bytes of results; write it"):
        read_record(file)
    with pytest.raises(InputError, match=r"none\.zip: cannot be read \(No such file"):
        read_record(tmp_path / "none.zip")


@pytest.mark.slow
def test_seeds_are_kept_and_put_together(
    trees: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seeds now, one of them from a record, and a third: as all at once."""

    def texts(revision: str, name: str) -> str:
        return TEXT.replace("\nseed: 1\n", f"\nseed: {revision}\n")

    monkeypatch.setattr(revisions, "commit_of", lambda name: name)
    monkeypatch.setattr(revisions, "_text", texts)
    monkeypatch.setattr(
        revisions, "extract_results", lambda commit, to: shutil.copytree(trees[int(commit)], to)
    )
    pages, tables = [], []
    kept = [str(tmp_path / "kept" / f"seed-{seed}.zip") for seed in (1, 2, 7)]
    for runs in (["1", "2", "7"], [*kept[:2], "7"], kept):
        file = tmp_path / "all.csv"
        options = ["--csv", str(file), "--keep", str(tmp_path / "kept")]
        result = CliRunner().invoke(app, ["seeds", *options, *runs])
        assert result.exit_code == 0, result.output
        pages.append(result.stdout)
        tables.append([file.read_bytes(), file.with_suffix(".json").read_bytes()])
    assert pages[0] == pages[1] == pages[2]
    assert tables[0] == tables[1] == tables[2]
    assert dataclasses.asdict(build_params(*revisions.parameters_of(kept[2])))["seed"] == 7


@pytest.mark.parametrize(
    "ranks",
    [
        b'{"sets": {}, "ranks": {"main/..": {}}}',
        b'{"sets": {"main/a": {"ids": ["0"], "questions": "x"}}, "ranks": {"main/dpr": {"a": []}}}',
        b'{"sets": []}',
        b"[",
    ],
)
def test_ranks_that_no_run_has_are_one_line(ranks: bytes, tmp_path: Path) -> None:
    file = tmp_path / "one.zip"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(records.PARAMS, TEXT)
        packed.writestr(records.RANKS, ranks)
    with pytest.raises(InputError, match=r"one\.zip: no record of a run; write it again"):
        read_record(file, tmp_path / "out")
