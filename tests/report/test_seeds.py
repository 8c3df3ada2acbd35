"""Page and table of several seeds, against values worked out by hand."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ecqg import paths
from ecqg.analysis.premises import HEADER
from ecqg.checking import read_yaml
from ecqg.cli import app
from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation import headers
from ecqg.evaluation.topk import write_per_query, write_relevant
from ecqg.params import build_params, load_params
from ecqg.profiles import FOLDER
from ecqg.report import markdown, revisions, seeds
from ecqg.report.claims import Claim
from ecqg.report.numbers import COLUMNS
from ecqg.report.seed_trees import read_tidy, read_trees
from ecqg.tables import read_table, write_table, write_values

pytestmark = pytest.mark.slow

PROFILE = FOLDER / "microcosm.yaml"
TOP1 = {"dpr": [40, 41, 42], "uncon": [42, 42, 43], "mixed": [43, 42, 46]}
ENTROPY = {"dpr": [3.9, 3.9, 3.8], "uncon": [3.8, 3.9, 3.7], "mixed": [4.0, 4.1, 4.2]}


def tree(folder: Path, number: int) -> Path:
    """Results of one seed: 100 questions of which the first TOP1 are answered first."""
    accuracy = []
    for system, values in TOP1.items():
        for k, value in ((1, values[number]), (5, values[number] + 20), (20, 80)):
            accuracy.append([system, "main", "nq_like", "", k, 100, value, 0, 100])
        accuracy.append([system, "far", "far", "", 1, 100, 10, 0, 100])
        measures = {"entropy": ENTROPY[system][number], "tokens": 90 + number}
        if system == "dpr":
            measures |= {"lowest_second_half": 70 + number, "all_first_half": 49}
        measures |= {"variants": {"text": {"entropy": 3}}}
        write_values(folder / f"results/attention/{system}.csv", measures)
        questions = [Question(str(i), f"q{i}", ("x",)) for i in range(100)]
        ranks = np.where(np.arange(100) < values[number], 1, 0)
        write_per_query(folder / f"per_query/main/{system}/nq_like.csv", questions, ranks)
        write_relevant(folder / f"per_query/main/{system}/relevant/nq_like.csv", [])
    write_values(folder / "results/attention/dpr_nq.csv", {"entropy": 3.5})
    # the one that the test set trained
    for k, value in ((1, 50), (5, 70), (20, 80)):
        accuracy.append(["dpr_nq", "main", "nq_like", "", k, 100, value, 0, 100])
    kept = folder / "per_query/main/dpr_nq/nq_like.csv"
    write_per_query(kept, questions, np.where(np.arange(100) < 50, 1, 0))
    write_table(folder / "judged/accuracy.csv", headers.ACCURACY, accuracy)
    ranked = [["dpr", "main", "nq_like", "no_answer_overlap", 9, "MAP", 0.5 + number / 4]]
    write_table(folder / "judged/ranking.csv", headers.RANKING, ranked)
    said = {"highest": {"score": 14 + number}, "lowest": {"score": 13}}
    write_values(folder / "results/analysis/explanation.csv", {"dpr": {"extremes": said}})
    write_values(folder / "results/mix.csv", {"mixed": {"kept": 10 * number, "note": "text"}})
    return folder


@pytest.fixture
def trees(tmp_path: Path) -> dict[int, Path]:
    return {seed: tree(tmp_path / str(seed), i) for i, seed in enumerate((1, 2, 7))}


def claim(system: str, baseline: str, metric: str, test_set: str = "nq_like") -> Claim:
    return Claim("some", "it helps", system, baseline, metric, "greater", "sec. 4", test_set)


CLAIMS = (
    claim("mixed", "dpr", "top1"),
    claim("uncon", "dpr", "top1"),
    claim("mixed", "uncon", "entropy", ""),
    claim("aug", "dpr", "top1"),
)


def summarise(trees: dict[int, Path]) -> str:
    read = read_trees(trees)
    return seeds.summarise_seeds(read, "seeds.csv", seeds.judge_seeds(read, CLAIMS))


def rows_of(page: str, caption: str) -> list[list[str]]:
    below = page.split(f"### {caption}\n")[1].split("###")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]


@pytest.fixture
def numbers(trees: dict[int, Path], tmp_path: Path) -> list[dict[str, str]]:
    return written(trees, tmp_path / "seeds.csv")


def written(trees: dict[int, Path], file: Path) -> list[dict[str, str]]:
    count = seeds.write_numbers(read_trees(trees), file)
    with file.open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == count
    assert tuple(rows[0]) == seeds.COLUMNS
    return rows


def picked(rows: list[dict[str, str]], **wanted: str) -> list[dict[str, str]]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


@pytest.mark.parametrize(
    ("runs", "said"), [([1, 2, 4, 7], "1, 2, 4, 7"), ([*range(11, 51)], "11 to 50")]
)
def test_seeds_in_a_row_are_named_by_the_first_and_the_last(runs: list[int], said: str) -> None:
    page = markdown.fill(seeds.__file__, seeds=runs, numbers="", percent=95, tables=[])
    assert page.startswith(f"# Over {len(runs)} seeds: {said}\n\n")


def test_means_and_spreads(trees: dict[int, Path]) -> None:
    page = summarise(trees)
    assert page.startswith("# Over 3 seeds: 1, 2, 7\n")
    assert "[seeds.csv](seeds.csv)" in page
    # 43, 42, 46: mean 43.67, deviation sqrt((0.44 + 2.78 + 5.44) / 2) = 2.08
    assert rows_of(page, "Top-1 accuracy (%)")[2] == [
        "nq_like", "41.0 ± 1.0", "42.3 ± 0.6", "43.7 ± 2.1", "50.0 ± 0.0",
    ]  # fmt: skip
    assert rows_of(page, "Top-5 accuracy (%)")[2][1] == "61.0 ± 1.0"
    attention = rows_of(page, "Attention")
    assert attention[4][1] == "4.100 ± 0.100"
    assert attention[5][:2] == ["dpr_nq", "3.500 ± 0.000"]


def test_a_system_of_an_earlier_study_is_left_out(trees: dict[int, Path]) -> None:
    before = read_tidy(trees)
    for folder in trees.values():
        write_values(folder / "results/attention/gone.csv", {"entropy": 3.5})
    assert read_tidy(trees).equals(before)


def test_premises_over_seeds(trees: dict[int, Path]) -> None:
    assert "Premises" not in summarise(trees)
    for folder, lowest, met in zip(trees.values(), (56, 50, 62), ("yes", "no", "yes"), strict=True):
        rows = [
            ["lowest in second half", "", "%", 60, "sec. 1", lowest, 55, 70, met],
            ["synthetic to gold", "uncon", ": 1", 17, "sec. 3", 2, 1, "", "yes"],
            ["synthetic to gold", "mixed", ": 1", 17, "sec. 3", lowest / 50, 1.1, "", met],
            ["valid after filters", "", "%", "", "", 80, lowest, "", "yes"],
            ["right answers", "uncon", "%", "", "", 50, "", "", ""],  # has no target
        ]
        write_table(folder / paths.PREMISES, HEADER, rows)
    # 56, 50, 62: mean 56, deviation 6
    assert rows_of(summarise(trees), "Premises of the papers")[2:] == [
        ["lowest in second half (%)", "60", "56 ± 6", "55 to 70", "2 of 3"],
        [
            "synthetic to gold (: 1)", "17", "UnCon-DPR 2, Mixed-DPR 1.12 ± 0.12",
            "≥ 1, ≥ 1.1", "2 of 3",
        ],
        ["valid after filters (%)", "", "80", "each seed's own", "3 of 3"],
    ]  # fmt: skip


def test_claims_stand_first_with_their_tests(trees: dict[int, Path]) -> None:
    page = summarise(trees)
    assert page.index("### Claims") < page.index("### Top-1")
    mixed, uncon, entropy = rows_of(page, "Claims")[2:]  # AugDPR was not run
    # +3, +1, +4: t = 2.667 / (1.528 / sqrt 3) = 3.02 with 2 degrees of freedom, p 0.094
    # +2, +1, +1: t = 4, p 0.057; +0.2, +0.2, +0.5: t 3, p 0.095
    # Holm: 3 * 0.0572, then 2 * 0.0942 = 0.188, then no less
    assert mixed[:3] == ["Mixed-DPR > DPR, nq_like top-1", "it helps (sec. 4)", "+2.7 ± 1.5"]
    assert mixed[4:6] == ["0.094", "0.188"]
    assert (uncon[2], uncon[4:6]) == ("+1.3 ± 0.6", ["0.057", "0.172"])
    assert entropy[2:6] == ["+0.300 ± 0.173", "", "0.095", "0.188"]
    low, high = map(float, mixed[3].strip("[]").split(", "))
    assert low < 2.7 < high
    assert {row[6].split(",")[0] for row in (mixed, uncon, entropy)} == {
        "not reproduced: undecided"
    }


def test_the_numbers_of_all_seeds_are_one_tidy_table(trees: dict[int, Path]) -> None:
    tidy = read_tidy(trees)
    assert list(tidy.columns) == COLUMNS
    assert tidy.seed.unique().tolist() == [1, 2, 7]

    def value(**wanted: object) -> float:
        rows = tidy[(tidy[list(wanted)] == list(wanted.values())).all(axis=1)]
        return rows.value.item()

    whole = {"collection": "main", "test_set": "nq_like", "subset": "", "name": "nq_like"}
    assert value(seed=7, system="mixed", metric="accuracy", k=1, **whole) == 46
    part = {"test_set": "nq_like", "subset": "no_answer_overlap"}
    part["name"] = "nq_like_no_answer_overlap"
    assert value(seed=2, system="dpr", metric="MAP", k=0, **part) == 0.75
    assert value(seed=1, system="uncon", metric="entropy", collection="", name="") == 3.8
    assert value(seed=2, system="", metric="mix.csv mixed.kept") == 10


def test_the_table_has_every_number_of_every_seed(
    trees: dict[int, Path], numbers: list[dict[str, str]]
) -> None:
    values = [row for row in numbers if row["seed"]]
    assert len(values) == len(read_tidy(trees))  # of which no cut-off or subset is left out

    def by_seed(**wanted: str) -> dict[str, str]:
        return {row["seed"]: row["value"] for row in picked(values, **wanted)}

    place = {"collection": "main", "test_set": "nq_like", "subset": ""}
    assert by_seed(system="mixed", metric="accuracy", k="1", **place) == {
        "1": "43", "2": "42", "7": "46",
    }  # fmt: skip
    assert by_seed(metric="mix.csv mixed.kept") == {"1": "0", "2": "10", "7": "20"}
    assert by_seed(metric="MAP", subset="no_answer_overlap") == {"1": "0.5", "2": "0.75", "7": "1"}
    assert by_seed(system="dpr", metric="variants/text/entropy")["7"] == "3"
    assert by_seed(system="dpr", metric="tokens") == {"1": "90", "2": "91", "7": "92"}
    assert by_seed(system="uncon", metric="entropy")["1"] == "3.8"
    assert not any(row["against"] or row["deviation"] for row in values)


def test_large_counts_keep_their_digits_and_other_values_have_four(
    trees: dict[int, Path], tmp_path: Path
) -> None:
    write_values(trees[1] / "results/mix.csv", {"mixed": {"kept": 12312, "share": 0.123456}})
    rows = picked(written(trees, tmp_path / "seeds.csv"), seed="1")
    assert picked(rows, metric="mix.csv mixed.kept")[0]["value"] == "12312"
    assert picked(rows, metric="mix.csv mixed.share")[0]["value"] == "0.1235"


def test_the_table_leaves_out_cut_offs_that_no_report_shows(
    trees: dict[int, Path], tmp_path: Path
) -> None:
    path = trees[2] / "judged/ranking.csv"
    of = ["dpr", "main", "nq_like", "", 9]
    measures = ("P@5", "P@10", "nDCG", "nDCG@10", "index recall@100")
    write_table(path, headers.RANKING, [[*of, measure, 0.5] for measure in measures])
    found = {row["metric"] for row in picked(written(trees, tmp_path / "seeds.csv"), seed="2")}
    assert found & {*measures} == {"P@10", "nDCG@10", "index recall@100"}


def test_the_table_has_means_without_a_seed(numbers: list[dict[str, str]]) -> None:
    means = picked(numbers, seed="", against="")
    of = {"test_set": "nq_like", "metric": "accuracy", "k": "1"}
    (mean,) = picked(means, system="mixed", **of)
    assert (mean["value"], mean["deviation"], mean["p_t"]) == ("43.667", "2.082", "")
    assert picked(means, system="mixed", metric="entropy")[0]["value"] == "4.100"
    assert picked(means, system="dpr_nq", **of)[0]["value"] == "50.000"
    assert not picked(means, metric="MAP")  # the values of all seeds are there


def test_the_table_has_differences_with_tests(
    trees: dict[int, Path], tmp_path: Path, numbers: list[dict[str, str]]
) -> None:
    of = {"test_set": "nq_like", "metric": "accuracy", "k": "1"}
    (found,) = picked(numbers, system="mixed", against="dpr", **of)
    assert (found["collection"], found["subset"], found["seed"]) == ("main", "", "")
    assert (found["value"], found["deviation"]) == ("+2.7", "1.5")
    assert (found["wins"], found["losses"]) == ("3", "0")
    # t = 2.667 / (1.528 / sqrt 3) = 3.02 with 2 degrees of freedom; sign test 2 / 8
    assert (found["p_t"], found["p_sign"]) == ("0.094", "0.250")
    assert float(found["low"]) < 2.7 < float(found["high"])
    (entropy,) = picked(numbers, system="mixed", against="dpr", metric="entropy")
    assert (entropy["value"], entropy["low"], entropy["high"]) == ("+0.233", "", "")  # no questions
    # +1, 0, +3: a tie is neither
    (tied,) = picked(numbers, system="mixed", against="uncon", **of)
    assert (tied["wins"], tied["losses"]) == ("2", "0")

    (own,) = picked(numbers, system="dpr_nq", against="dpr", **of)
    assert (own["value"], own["deviation"]) == ("+9.0", "1.0")
    assert float(own["low"]) < 9.0 < float(own["high"])
    assert picked(numbers, system="dpr_nq", against="dpr", k="20")  # as its paper has it
    assert not picked(numbers, system="mixed", against="dpr", k="20")
    assert numbers == written(trees, tmp_path / "again.csv")


def test_what_is_said_of_attention_is_tested_over_seeds(trees: dict[int, Path]) -> None:
    claims = rows_of(summarise(trees), "What is said of attention, entities and overlap")[2:]
    # 70, 71, 72 against 100 - 49: t 34.6, p 0.0008; 14, 15, 16 against 13: t 3.46, p 0.0742
    assert [claim[1:] for claim in claims] == [
        ["60 / -", "71.0 / 51.0", "+20.0 ± 1.0", "0.001", "3 of 3"],
        ["73.7 / 72.1", "15.0 / 13.0", "+2.0 ± 1.0", "0.074", "3 of 3"],
    ]
    assert claims[0][0].startswith("DPR: lowest-attended entity")


def test_a_single_seed_has_no_spread(trees: dict[int, Path], tmp_path: Path) -> None:
    one = {1: trees[1]}
    page = summarise(one)
    assert rows_of(page, "Top-1 accuracy (%)")[2][1] == "40.0"
    assert rows_of(page, "Claims")[2][2:] == ["+3.0", "[+0.0, +7.0]", "", "", ""]
    assert "nan" not in page
    rows = written(one, tmp_path / "seeds.csv")
    assert "nan" not in {cell for row in rows for cell in row.values()}
    (mean,) = picked(rows, system="dpr", test_set="nq_like", k="1", against="", seed="")
    assert (mean["value"], mean["deviation"]) == ("40.000", "")


def test_a_count_that_a_seed_lacks_has_no_row(trees: dict[int, Path], tmp_path: Path) -> None:
    (trees[7] / "results/mix.csv").unlink()
    found = picked(written(trees, tmp_path / "seeds.csv"), metric="mix.csv mixed.kept")
    assert {row["seed"]: row["value"] for row in found} == {"1": "0", "2": "10"}


def test_trees_of_different_studies_are_refused(trees: dict[int, Path]) -> None:
    (trees[7] / "results/attention/uncon.csv").unlink()
    what = r"attention uncon entropy is not in .* seed 1 and seed 7; run the same"
    with pytest.raises(InputError, match=what):
        read_trees(trees)
    with pytest.raises(InputError, match="nowhere: no such folder"):
        read_trees({1: Path("nowhere")})
    with pytest.raises(InputError, match="no seeds"):
        read_trees({})


def test_a_subset_that_is_the_whole_set_has_no_row(trees: dict[int, Path], tmp_path: Path) -> None:
    for folder in trees.values():
        path = folder / "judged/accuracy.csv"
        rows = list(read_table(path, headers.ACCURACY))
        of_nq = [row for row in rows if row["test_set"] == "nq_like"]
        rows += [row | {"subset": "no_question_overlap"} for row in of_nq]
        rows += [
            row | {"subset": "no_answer_overlap"} | ({"accuracy": "99"} if row["k"] == "5" else {})
            for row in of_nq
        ]
        write_table(path, headers.ACCURACY, (row.values() for row in rows))
    page = summarise(trees)
    names = [row[0] for row in rows_of(page, "Top-5 accuracy (%)")]
    assert "nq_like_no_question_overlap" not in names
    assert "nq_like_no_answer_overlap" in names
    rows = written(trees, tmp_path / "seeds.csv")
    assert not picked(rows, subset="no_question_overlap")
    assert picked(rows, subset="no_answer_overlap", system="dpr", k="5", seed="2")


def test_the_command_prints_the_page_and_writes_the_table(
    trees: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "commit_of", lambda name: name)
    monkeypatch.setattr(revisions, "_text", lambda commit, name: "")
    tree = read_yaml(PROFILE)
    monkeypatch.setattr(revisions, "parameters_at", lambda c: ({**tree, "seed": int(c)}, ""))
    monkeypatch.setattr(
        revisions, "extract_results", lambda commit, to: shutil.copytree(trees[int(commit)], to)
    )
    file = tmp_path / "to" / "all.csv"
    options = ["--csv", str(file), "--picture", str(tmp_path / "claims.png")]
    result = CliRunner().invoke(app, ["seeds", *options, "1", "2", "7"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("# Over 3 seeds: 1, 2, 7\n")
    claims = rows_of(result.stdout, "Claims")
    assert len({row[0] for row in claims[2:]}) == 9  # of claims.yaml, what was measured here
    kept = json.loads(file.with_suffix(".json").read_text())
    assert kept["seeds"] == [1, 2, 7]
    assert (tmp_path / "claims.png").read_bytes().startswith(b"\x89PNG")
    assert build_params({**kept["parameters"], "seed": 1}) == load_params(PROFILE)
    assert f"{file}: {len(file.read_text().splitlines()) - 1} rows" in result.stderr
    written(trees, tmp_path / "same.csv")
    assert file.read_bytes() == (tmp_path / "same.csv").read_bytes()
    again = CliRunner().invoke(app, ["seeds", "--csv", str(file), "1", "1"])
    assert (again.exit_code, again.stderr) == (
        1, "ecqg: 1 has seed 1 as a run before it has; give one run a seed\n",
    )  # fmt: skip


def test_seeds_of_different_parameters_are_refused(tmp_path: Path) -> None:
    one = read_yaml(PROFILE)
    other = {**one, "seed": 2, "generate": {**one["generate"], "top_k": 7}}
    file = tmp_path / "seeds.json"
    what = "seeds 1 and 2 differ in generate.top_k, too; run the same study for all seeds"
    with pytest.raises(InputError, match=what):
        seeds.write_parameters({1: one, 2: other}, file)
    assert not file.exists()
