"""A run against seeds: one drawn as they are agrees, a broken one does not, bad input is a line."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_up import write_study
from rich.console import Console
from typer.testing import CliRunner

from ecqg import paths
from ecqg.checking import read_yaml
from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.files import write_json, write_text
from ecqg.params import load_params
from ecqg.profiles import FOLDER
from ecqg.report import stale
from ecqg.report.claims import Claim
from ecqg.report.results import Results, read_results
from ecqg.report.seed_trees import Key
from ecqg.report.seeds import COLUMNS, write_parameters
from ecqg.report.terminal import show_tables
from ecqg.report.verdict import Run, judge_run, read_headline, read_seeds
from ecqg.stages.report import study
from ecqg.tables import write_table

pytestmark = pytest.mark.slow

SEEDS = list(range(1, 11))
ACCURACY = {"tfidf": 60.0, "bm25": 55.0, "dpr": 50.0, "uncon": 51.0, "mixed": 56.0}
SETS = ("nq_like", "webq_like", "trivia_like", "tail", "uniform")
NONE: dict[Key, float] = {}
PART = "nq_like_no_answer_overlap"
CLAIMS = [
    Claim("mixed-dpr", "", "mixed", "dpr", "top1", "greater", "ours", "tail"),
    Claim("uncon-dpr", "", "uncon", "dpr", "top1", "greater", "ours", "tail"),
    Claim("part", "", "mixed", "dpr", "top5", "greater", "ours", PART),
]


def draw(rng: np.random.Generator, count: int, questions: float = 1.0) -> dict[Key, list[float]]:
    """Metrics of runs: those of a test set go up and down together, and each by itself."""
    found: dict[Key, list[float]] = {}
    for name in (*SETS, PART):
        easy = rng.normal(0, questions, count)
        for system, value in ACCURACY.items():
            for k, more in ((1, 0), (5, 25)):
                values = value + more + easy + rng.normal(0, 0.7, count)
                found[system, name, "accuracy", k] = values.tolist()
    for system in ("dpr", "uncon", "mixed"):
        found[system, "", "entropy", 0] = rng.normal(4, 0.02, count).tolist()
    return found


def part(drawn: dict[Key, list[float]], chosen: slice) -> dict[Key, list[float]]:
    return {key: values[chosen] for key, values in drawn.items()}


def compared(seeds, run: dict[Key, float], results: Results, claims=CLAIMS, filtered=NONE):
    headline = {key: value for key, value in run.items() if key[1] != PART}
    subsets = {key: value for key, value in run.items() if key[1] == PART}
    return judge_run(Run(headline, subsets, results.questions, filtered), SEEDS, seeds, claims)


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    monkeypatch.chdir(tmp_path)
    write_text("params.yaml", (FOLDER / "microcosm.yaml").read_text(encoding="utf-8"))
    write_study()
    return read_results(study(load_params()))


@pytest.mark.parametrize("questions", [0.0, 1.0, 3.0])
def test_runs_like_the_seeds_agree(results: Results, questions: float) -> None:
    """Also where all metrics of a test set move together, as with other questions."""
    rng, agreed = np.random.default_rng(7), 0
    for _ in range(25):
        drawn = draw(rng, 11, questions)
        run = {key: values[10] for key, values in drawn.items()}
        agreed += compared(part(drawn, slice(10)), run, results).agrees
    assert agreed >= 24


def test_metrics_that_move_together_are_no_difference(results: Results) -> None:
    """Ten metrics are outside, where the binomial distribution has 3: of 53, 4 or more in 0.2 %."""
    drawn = draw(np.random.default_rng(7), 10)
    means = {key: float(np.mean(values)) for key, values in drawn.items()}

    def shifted(deviations: float) -> tuple[bool, int, str]:
        of_set = {key: v for key, v in drawn.items() if key[1] == "webq_like"}
        shift = {key: deviations * float(np.std(v, ddof=1)) for key, v in of_set.items()}
        found = compared(drawn, means | {k: means[k] + more for k, more in shift.items()}, results)
        return found.agrees, len(found.tables[0].rows), found.line

    # t with 9 degrees of freedom at 99.5 %: 3.25 * 1.049 = 3.41 deviations; at 1 - 0.005 / 53
    # 6.06 * 1.049 = 6.35
    assert shifted(3.3)[:2] == (True, 0)
    agrees, outside, line = shifted(3.6)
    assert (agrees, outside) == (True, 10)
    assert "43 of 53 metrics" in line
    assert "(chance leaves up to 3 outside; the others are not far, and may move together)" in line
    agrees, outside, line = shifted(6.5)
    assert (agrees, outside) == (False, 10)
    assert "(chance leaves up to 3 outside);" in line


def test_a_run_of_shuffled_labels_differs(results: Results) -> None:
    drawn = draw(np.random.default_rng(7), 11)
    run = {k: v[10] if k[2] == "entropy" or k[0] == "bm25" else 0.4 for k, v in drawn.items()}
    found = compared(part(drawn, slice(10)), run, results)
    assert not found.agrees
    assert found.line.startswith(f"This run differs from the committed seeds ({SEEDS[0]}, 2, ")
    outside = found.tables[0]
    assert len(outside.rows) >= len(SETS) * 2 * 4  # all but BM25
    tail = next(row.cells for row in outside.rows if row.cells[0] == "Mixed-DPR, tail top-1")
    seeds = drawn["mixed", "tail", "accuracy", 1][:10]
    mean, spread = np.mean(seeds), np.std(seeds, ddof=1)
    half = 3.24984 * spread * np.sqrt(1.1)  # t with 9 degrees of freedom at 99.5 %
    assert tail[1:] == [
        "0.4", f"{mean:.1f} ± {spread:.1f}", f"[{mean - half:.1f}, {mean + half:.1f}]",
    ]  # fmt: skip


def test_other_questions_passed_the_filters(results: Results) -> None:
    """What an inverted filter does: retrievers as ever, questions others."""
    drawn = draw(np.random.default_rng(7), 10)
    means = {key: float(np.mean(values)) for key, values in drawn.items()}
    kept, agree = (("", "", f"filter/conditioned.csv {n}", 0) for n in ("kept", "same_answer.hard"))
    seeds = {**drawn, kept: [30.0, 32.0, 33.0, 31.0, 34.0] * 2, agree: [100.0] * 10}
    within = {kept: 36.0, agree: 100.0}
    found = compared(seeds, means, results, filtered=within)
    assert found.agrees and "; 2 of 2 shares of generated questions; claims" in found.line
    # t with 9 degrees of freedom at 1 - 0.005 / 2: 3.69 * 1.49 * 1.049 = 5.77
    for changed, right in (({kept: 37.7}, True), ({kept: 37.9}, False), ({agree: 20.0}, False)):
        found = compared(seeds, means, results, filtered=within | changed)
        assert found.agrees == right
    assert "; 1 of 2 shares of generated questions; claims" in found.line
    assert found.tables[0].rows[0].cells[0] == "filter/conditioned.csv same answer.hard"


def test_a_run_with_a_claim_reversed_differs(results: Results) -> None:
    """In a subset, of which metrics/ has nothing: no metric is outside."""
    drawn = draw(np.random.default_rng(7), 11, questions=4.0)
    seeds = part(drawn, slice(10))
    run = {key: float(np.mean(values)) for key, values in seeds.items()}
    assert compared(seeds, run, results).agrees
    a, b = (("mixed", PART, "accuracy", 5), ("dpr", PART, "accuracy", 5))
    run[a], run[b] = run[b], run[a]
    found = compared(seeds, run, results)
    assert not found.agrees
    assert found.line.endswith("; claims that the seeds decide: 3, reversed beyond chance: part")
    assert found.tables[0].rows == []
    row = found.tables[1].rows[2].cells
    assert row[0] == f"Mixed-DPR > DPR, {PART} top-5"
    # As large, the other way: effect ratio -1; (a - b) / b - (b - a) / a
    change = (run[b] - run[a]) / run[a] - (run[a] - run[b]) / run[b]
    assert row[3:] == ["-1.00", f"{change:+.3f}", "reversed"]


def test_a_small_difference_may_have_the_other_sign(results: Results) -> None:
    drawn = draw(np.random.default_rng(7), 10)
    small = [0.1, 0.2, 1.2, 0.9, 1.0, 1.1, 0.2, 0.3, 1.2, 0.8]  # mean 0.7, s 0.43: t 5.1
    base = drawn["dpr", "tail", "accuracy", 1]
    drawn["uncon", "tail", "accuracy", 1] = [b + d for b, d in zip(base, small, strict=True)]
    run = {key: float(np.mean(values)) for key, values in drawn.items()}

    def sign(difference: float) -> tuple[bool, str]:
        run["uncon", "tail", "accuracy", 1] = run["dpr", "tail", "accuracy", 1] + difference
        found = compared(drawn, run, results)
        return found.agrees, found.tables[1].rows[1].cells[5]

    # One-sided, 1 % over three claims: t 3.5 with 9 degrees of freedom, 3.5 * 0.43 * 1.05 = 1.6
    assert sign(0.7) == (True, "as the seeds")
    assert sign(-0.6) == (True, "reversed, as by chance")
    assert sign(-1.4) == (False, "reversed")


def test_without_spread_questions_vary(results: Results) -> None:
    drawn = draw(np.random.default_rng(7), 10)
    key = ("bm25", "nq_like", "accuracy", 1)
    drawn[key] = [55.0] * 10
    run = {name: float(np.mean(values)) for name, values in drawn.items()}
    # 94 questions: share 53.7 / 98, standard error 5.03, half of the interval 3.25 * 5.03 * 1.049
    for value, outside in ((55 + 17.0, False), (55 + 17.3, True)):
        run[key] = value
        assert bool(compared(drawn, run, results).tables[0].rows) == outside


# The command ----------------------------------------------------------------------------------


def write_seeds(drawn: dict[Key, list[float]]) -> None:
    rows = []
    for (system, name, metric, k), values in drawn.items():
        test_set, subset = ("nq_like", name[8:]) if name == PART else (name, "")
        for seed, value in zip(SEEDS, values, strict=False):
            cells = {"system": system, "test_set": test_set, "subset": subset, "metric": metric}
            cells |= {"k": k, "seed": seed, "value": f"{value:.4g}"}
            rows.append([cells.get(column) for column in COLUMNS])
        rows.append([system, "dpr", "", test_set, subset, metric, k, "", "+1.0", *[""] * 7])
    write_table("docs/seeds.csv", COLUMNS, rows)
    tree = read_yaml("params.yaml")
    write_parameters({seed: {**tree, "seed": seed} for seed in SEEDS}, Path("docs/seeds.json"))


def write_metrics(run: dict[Key, float]) -> None:
    for system in ACCURACY:
        of_sets = {n: {f"top{k}": run[system, n, "accuracy", k] for k in (1, 5)} for n in SETS}
        entropy = {"entropy": run[key]} if (key := (system, "", "entropy", 0)) in run else {}
        write_json(paths.METRICS / f"{system}.json", of_sets | entropy)


@pytest.fixture
def finished(results: Results, monkeypatch: pytest.MonkeyPatch) -> dict[Key, list[float]]:
    """A run and seeds that it agrees with, in the working directory."""
    monkeypatch.setattr(stale, "complaints", lambda _: [])
    drawn = draw(np.random.default_rng(7), 11)
    for key in drawn:
        if key[1] == PART:
            drawn[key] = [results.accuracy[key[0]][PART][key[3]] + i / 10 for i in range(11)]
    write_seeds(part(drawn, slice(10)))
    write_metrics({key: values[10] for key, values in drawn.items()})
    write_text(
        "claims.yaml",
        "[{id: one, text: it helps, system: mixed, baseline: dpr, test_set: tail, metric: top1,"
        " direction: greater, source: ours}]",
    )
    return drawn


def verify(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["verify", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_agrees(finished: dict[Key, list[float]]) -> None:
    code, said, wrong = verify()
    assert (code, wrong) == (0, "")
    first = said.splitlines()[0]
    assert first.startswith("This run agrees with the committed seeds (1, 2, 3, 4, 5, 6, 7, 8, 9,")
    assert " of 53 metrics within their 99 % intervals" in first
    assert first.endswith("; claims that the seeds decide: 1, reversed beyond chance: none")
    assert "Mixed-DPR > DPR, tail top-1" in said
    assert verify("--seeds", "docs/seeds.csv") == (0, said, "")
    assert (
        read_headline()["mixed", "tail", "accuracy", 5]
        == finished["mixed", "tail", "accuracy", 5][10]
    )
    kept = read_seeds(SEEDS, Path("docs/seeds.csv"))
    assert kept.keys() == finished.keys()
    key = ("mixed", PART, "accuracy", 5)
    assert kept[key] == pytest.approx(finished[key][:10], abs=0.01)


def test_the_command_differs(finished: dict[Key, list[float]]) -> None:
    write_metrics({key: values[10] / 50 for key, values in finished.items()})
    code, said, _ = verify()
    assert code == 1
    assert said.startswith("This run differs from the committed seeds")
    assert "Outside the prediction intervals" in said


def other_parameters() -> None:
    tree = json.loads(Path("docs/seeds.json").read_text(encoding="utf-8"))
    tree["parameters"]["generate"]["top_k"] = 7
    write_json("docs/seeds.json", tree)


def two_seeds() -> None:
    tree = json.loads(Path("docs/seeds.json").read_text(encoding="utf-8"))
    write_json("docs/seeds.json", tree | {"seeds": [1, 2]})


def no_metrics() -> None:
    for file in paths.METRICS.iterdir():
        file.unlink()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            other_parameters,
            "docs/seeds.json: these seeds have other parameters than params.yaml (generate.top_k);"
            " compare a run of those, or run seeds of yours",
        ),
        (two_seeds, "docs/seeds.json: spread of 2 seeds; run three or more"),
        (no_metrics, "metrics: no finished run; run 'make repro'"),
        (lambda: paths.ACCURACY.unlink(), "accuracy.csv: no results; run 'make repro'"),
        (lambda: Path("docs/seeds.json").unlink(), "docs/seeds.json: parameters of the s"),
        (lambda: Path("docs/seeds.csv").unlink(), "docs/seeds.csv: no such file"),
        (lambda: write_text("docs/seeds.json", "[]"), "docs/seeds.json: not what 'ecqg seeds' wr"),
        (lambda: write_text("docs/seeds.csv", "a,b\n"), "docs/seeds.csv:1: 'a,b' where 'system,"),
        (lambda: write_text("claims.yaml", "- {id: x}"), "claims.yaml: parameter claims[0].text"),
        (lambda: write_text(paths.METRICS / "dpr.json", '{"a": "b"}'), "dpr.json: no metrics ("),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    finished: dict[Key, list[float]], damage, said
) -> None:
    damage()
    code, out, wrong = verify()
    assert (code, out) == (2, "")
    assert said in wrong
    assert wrong.startswith("ecqg: ")
    assert wrong.count("\n") == 1


def test_a_stale_run_is_none(
    finished: dict[Key, list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "These rows are stale: generate.top_k changed since; 'dvc repro' renews them"
    monkeypatch.setattr(stale, "complaints", lambda _: [line])
    code, _, wrong = verify()
    assert (code, wrong) == (2, f"ecqg: no finished run: {line}; run 'make repro'\n")


@pytest.mark.parametrize("code", [0, 1])
def test_repro_ends_with_the_line_and_does_not_fail(
    finished: dict[Key, list[float]], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    from ecqg import closure
    from ecqg.pipeline import reproduce

    monkeypatch.setattr(closure, "list_again", lambda: None)
    monkeypatch.setattr(reproduce, "reproduce_side_by_side", lambda *_: True)
    if code:
        write_metrics({key: values[10] / 50 for key, values in finished.items()})
    result = CliRunner().invoke(app, ["repro"])
    assert result.exit_code == 0
    assert result.stdout == verify()[1].splitlines()[0] + ". More: ecqg verify\n"
    assert CliRunner().invoke(app, ["repro", "gold@main"]).stdout == ""
    other_parameters()
    result = CliRunner().invoke(app, ["repro"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Not compared with the committed seeds: docs/seeds.json: these")
    assert result.stdout.count("\n") == 1


def test_a_run_of_another_study_is_refused(results: Results) -> None:
    with pytest.raises(InputError, match="no metric of the seeds; run 'make repro'"):
        compared({}, {("other", "", "entropy", 0): 4.0}, results)


def test_tables_have_notes_below(capsys: pytest.CaptureFixture[str], results: Results) -> None:
    drawn = draw(np.random.default_rng(7), 10)
    found = compared(drawn, {key: values[0] for key, values in drawn.items()}, results)
    show_tables(found.tables, Console(width=120))
    assert capsys.readouterr().out.rstrip().endswith("over the seeds (Breuer et al. 2020)")
