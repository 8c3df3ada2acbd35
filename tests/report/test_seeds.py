"""The summary of several seeds, against values worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from ecqg.corpus.questions import Question
from ecqg.errors import InputError
from ecqg.evaluation import judgement
from ecqg.evaluation.per_query import write_per_query, write_relevant
from ecqg.report.numbers import COLUMNS
from ecqg.report.seed_trees import read_tidy
from ecqg.report.seeds import published_orders, summarise_seeds
from ecqg.tables import read_table, write_table, write_values

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
    write_values(folder / "results/attention/supervised-nq_like.csv", {"entropy": 3.5})
    # the one that the test set trained
    for k, value in ((1, 50), (5, 70), (20, 80)):
        accuracy.append(["supervised", "main", "nq_like", "", k, 100, value, 0, 100])
    kept = folder / "per_query/supervised/nq_like/supervised/nq_like.csv"
    write_per_query(kept, questions, np.where(np.arange(100) < 50, 1, 0))
    write_table(folder / "judged/accuracy.csv", judgement.ACCURACY, accuracy)
    ranked = [["dpr", "main", "nq_like", "no_answer_overlap", 9, "MAP", 0.5 + number / 4]]
    write_table(folder / "judged/ranking.csv", judgement.RANKING, ranked)
    said = {"highest": {"score": 14 + number}, "lowest": {"score": 13}}
    write_values(folder / "results/analysis/explanation.csv", {"dpr": {"extremes": said}})
    write_values(folder / "results/mix.csv", {"mixed": {"kept": 10 * number, "note": "text"}})
    return folder


@pytest.fixture
def trees(tmp_path: Path) -> dict[int, Path]:
    return {seed: tree(tmp_path / str(seed), i) for i, seed in enumerate((1, 2, 7))}


def rows_of(page: str, caption: str) -> list[list[str]]:
    below = page.split(f"### {caption}\n")[1].split("###")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]


def test_means_spreads_and_tests(trees: dict[int, Path]) -> None:
    page = summarise_seeds(trees)
    assert page.startswith("# Over 3 seeds: 1, 2, 7\n")
    # 43, 42, 46: mean 43.67, deviation sqrt((0.44 + 2.78 + 5.44) / 2) = 2.08
    assert rows_of(page, "Top-1 accuracy (%)")[2] == [
        "nq_like", "41.0 ± 1.0", "42.3 ± 0.6", "43.7 ± 2.1", "50.0 ± 0.0",
    ]  # fmt: skip
    attention = rows_of(page, "Attention")
    assert attention[4][1] == "4.100 ± 0.100"
    assert attention[5][:2] == ["supervised DPR (nq_like)", "3.500 ± 0.000"]
    order = {row[0]: row[1:] for row in rows_of(page, "Does the published order hold?")}
    claimed = "Mixed-DPR > UnCon-DPR > DPR"
    # in seed 2 Mixed equals UnCon
    assert order["nq_like top-1"] == [claimed, "", claimed, "yes", "2 of 3"]
    # in seed 2 DPR and UnCon-DPR are equal
    entropy = "Mixed-DPR > DPR > UnCon-DPR"
    assert order["entropy"] == [entropy, "", entropy, "yes", "2 of 3"]
    assert order["far top-1"] == ["", claimed, claimed, "no", "0 of 3"]  # all equal


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


def test_the_published_orders_are_those_of_the_published_figures() -> None:
    assert published_orders("nq_like top-5") == [("mixed", "uncon", "dpr")]
    # NQ at top-1 is in both papers, by different dumps: SIGIR tab. 3, AugDPR tab. 3
    assert published_orders("nq_like_no_question_overlap top-1") == [
        ("mixed", "dpr", "uncon"),
        ("aug", "dpr", "bm25"),
    ]
    assert published_orders("biomed_like top-20") == [("bm25", "aug", "dpr")]
    assert published_orders("biomed_like top-100") == [("aug", "bm25", "dpr")]
    assert published_orders("webq_like top-20") == [("supervised", "aug", "dpr", "bm25")]
    assert published_orders("tail top-1") == []
    assert published_orders("entropy") == [("mixed", "dpr", "uncon")]
    assert published_orders("later_sentences") == [("mixed", "uncon", "dpr")]  # +1.1 and +1.8 %
    assert published_orders("first_sentence") == []


def test_differences_over_seeds(trees: dict[int, Path]) -> None:
    page = summarise_seeds(trees)

    found = {row[0]: row[1:] for row in rows_of(page, "Mixed-DPR less DPR")}
    by_seed, mean, interval, t_p, outcomes, sign_p = found["nq_like top-1"]
    assert (by_seed, mean, outcomes) == ("+3.0 +1.0 +4.0", "+2.7 ± 1.5", "3 / 0 / 0")
    # t = 2.667 / (1.528 / sqrt 3) = 3.02 with 2 degrees of freedom; sign test 2 / 8
    assert (t_p, sign_p) == ("0.094", "0.250")
    low, high = (float(bound) for bound in interval.strip("[]").split(","))
    assert low < 2.7 < high
    assert found["entropy"][2] == ""  # no interval from questions

    own = {row[0]: row[1:] for row in rows_of(page, "supervised DPR less DPR")}["nq_like top-1"]
    assert own[:2] == ["+10.0 +9.0 +8.0", "+9.0 ± 1.0"]
    low, high = (float(bound) for bound in own[2].strip("[]").split(","))
    assert low < 9.0 < high

    others = {row[0]: row[1:] for row in rows_of(page, "All other metrics")}
    assert others["mix.csv mixed.kept"] == ["10.000 ± 10.000", "0 10 20"]
    assert others["ranking dpr nq_like_no_answer_overlap MAP"][1] == "0.5 0.75 1"
    assert others["attention/dpr.csv variants.text.entropy"][0] == "3.000 ± 0.000"
    assert others["mixed nq_like top20"][0] == "80.000 ± 0.000"
    assert others["dpr tokens"][1] == "90 91 92"
    assert page == summarise_seeds(trees)


def test_claims_are_tested_over_seeds(trees: dict[int, Path]) -> None:
    claims = rows_of(summarise_seeds(trees), "What is said of attention, entities and overlap")[2:]
    # 70, 71, 72 against 100 - 49: t 34.6, p 0.0008; 14, 15, 16 against 13: t 3.46, p 0.0742
    assert [claim[1:] for claim in claims] == [
        ["60 / -", "71.0 / 51.0", "+20.0 ± 1.0", "0.001", "3 of 3"],
        ["73.7 / 72.1", "15.0 / 13.0", "+2.0 ± 1.0", "0.074", "3 of 3"],
    ]
    assert claims[0][0].startswith("DPR: lowest-attended entity")


def test_a_single_seed_has_no_spread(trees: dict[int, Path]) -> None:
    page = summarise_seeds({1: trees[1]})
    assert rows_of(page, "Top-1 accuracy (%)")[2][1] == "40.0"
    assert "nan" not in page


def test_a_count_that_a_seed_lacks_is_seen(trees: dict[int, Path]) -> None:
    (trees[7] / "results/mix.csv").unlink()
    found = {row[0]: row[2] for row in rows_of(summarise_seeds(trees), "All other metrics")[2:]}
    assert found["mix.csv mixed.kept"] == "0 10 nan"


def test_trees_of_different_studies_are_refused(trees: dict[int, Path]) -> None:
    (trees[7] / "results/attention/uncon.csv").unlink()
    what = r"attention uncon entropy is not in .* seed 1 and seed 7; run the same"
    with pytest.raises(InputError, match=what):
        summarise_seeds(trees)
    with pytest.raises(InputError, match="nowhere: no such folder"):
        summarise_seeds({1: Path("nowhere")})
    with pytest.raises(InputError, match="no seeds"):
        summarise_seeds({})


def test_a_subset_that_is_the_whole_set_has_no_row(trees: dict[int, Path]) -> None:
    for folder in trees.values():
        path = folder / "judged/accuracy.csv"
        rows = list(read_table(path, judgement.ACCURACY))
        of_nq = [row for row in rows if row["test_set"] == "nq_like"]
        rows += [row | {"subset": "no_question_overlap"} for row in of_nq]
        rows += [
            row | {"subset": "no_answer_overlap"} | ({"accuracy": "99"} if row["k"] == "5" else {})
            for row in of_nq
        ]
        write_table(path, judgement.ACCURACY, (row.values() for row in rows))
    page = summarise_seeds(trees)
    names = [row[0] for row in rows_of(page, "Top-5 accuracy (%)")]
    assert "nq_like_no_question_overlap" not in names
    assert "nq_like_no_answer_overlap" in names
