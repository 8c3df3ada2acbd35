"""claims.yaml: what it may say, and how claims are judged, against values worked out by hand."""

from pathlib import Path

import pytest
from made_up import STUDY

from ecqg.errors import InputError
from ecqg.files import write_text
from ecqg.palette import SERIES
from ecqg.report.claims import Claim, claims_table, judge, read_claims
from ecqg.report.claims_picture import claims_figure, draw_claims
from ecqg.report.seed_trees import Key

ROOT = Path(__file__).parents[2]
GOOD = (
    "- {id: one, text: it helps, system: mixed, baseline: dpr, test_set: nq_like, metric: top1,"
    " direction: greater, source: sec. 4}\n"
)


def test_claims_of_the_repository_are_about_its_study() -> None:
    from ecqg.params import load_params
    from ecqg.stages.report import study

    claims = read_claims([study(load_params(ROOT / "params.yaml"))], ROOT / "claims.yaml")
    found = {(c.system, c.baseline, c.test_set, c.metric): c.direction for c in claims}
    assert len(found) == len(claims)
    assert found["mixed", "uncon", "webq_like", "top1"] == "greater"
    assert found["uncon", "dpr", "", "entropy"] == "less"  # 3.80 and 3.97


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mixed", "mixd", "claim one has the system mixd; known: tfidf, bm25, dpr, uncon, mixed"),
        ("dpr", "mixed", "claim one has the baseline mixed; known: tfidf, bm25, dpr, uncon"),
        ("nq_like", "nq", "claim one has the test_set nq; known: nq_like, nq_like_no_answer_over"),
        ("test_set: nq_like, ", "", "claim one has the test_set none; known: nq_like, "),
        ("top1", "entropy", "the test_set nq_like; known: none, as entropy is measured on none"),
        ("top1", "top3", "claims[0].metric is 'top3'; it must be one of top1, top5, entropy"),
        ("greater", "more", "claims[0].direction is 'more'; it must be one of greater, less"),
        ("baseline", "base", "unknown parameter claims[0].base; did you mean claims[0].baseline?"),
        (", source: sec. 4", "", "claims[0].source is missing"),
        (GOOD, GOOD + GOOD, "two claims one; rename one"),
        (GOOD, "claims: []", "it must be a list, each a section"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "claims.yaml"
    write_text(file, GOOD)
    assert [str(c) for c in read_claims([STUDY], file)] == ["Mixed-DPR > DPR, nq_like top-1"]
    write_text(file, GOOD.replace(old, new))
    with pytest.raises(InputError) as error:
        read_claims([STUDY], file)
    assert str(error.value).startswith(f"{file}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def claim(test_set: str, direction: str = "greater") -> Claim:
    return Claim(test_set, "", "mixed", "dpr", "top1", direction, "ours", test_set)


def numbers(**differences: list[float]) -> dict[Key, list[float]]:
    found: dict[Key, list[float]] = {}
    for name, values in differences.items():
        base = [30.0 + i for i in range(len(values))]
        found["dpr", name, "accuracy", 1] = base
        found["mixed", name, "accuracy", 1] = [b + v for b, v in zip(base, values, strict=True)]
    return found


def test_verdicts() -> None:
    up, down = [3.0, 2.5, 3.5, 3.0, 2.8, 3.2], [-3.0, -2.5, -3.5, -3.0, -2.8, -3.2]
    near, wide = [0.1, -0.2, 0.3, 0.0, -0.1, 0.1], [4.0, -3.0, 2.0, -5.0, 1.0, 3.0]
    measured = numbers(up=up, down=down, near=near, wide=wide)
    claims = [claim("up"), claim("down"), claim("near"), claim("wide"), claim("other")]
    verdicts = {j.claim.id: j.verdict for j in judge(claims, measured)}
    assert [*verdicts] == ["up", "down", "near", "wide"]  # the last one was not measured
    assert verdicts["up"] == "reproduced"
    assert verdicts["down"] == "reversed"
    assert verdicts["near"] == "not reproduced: equivalent within 1 point"
    assert verdicts["wide"].startswith("not reproduced: undecided, resolves ")
    assert verdicts["wide"].endswith(" points")
    (less,) = judge([claim("down", "less")], measured)
    assert less.verdict == "reproduced"
    # The bootstrap over questions denies what the few seeds seem to show.
    (denied,) = judge([claim("up")], measured, lambda _: (-0.5, 6.0))
    assert denied.verdict.startswith("not reproduced: undecided, with other questions")


def test_too_few_seeds_are_called_so_where_no_difference_is_as_large_as_they_resolve() -> None:
    """With two seeds (t 12.7) differences that vary by 11.3 resolve more than 100 points."""
    (two,) = judge([claim("wide")], numbers(wide=[9.0, -7.0]))
    assert two.resolves > 100
    assert two.verdict == "not reproduced: undecided, 2 seeds are too few"
    entropy = Claim("e", "", "mixed", "dpr", "entropy", "greater", "ours")
    measured = {("dpr", "", "entropy", 0): [4.0, 4.1], ("mixed", "", "entropy", 0): [4.3, 3.9]}
    (attention,) = judge([entropy], measured)
    assert 4.05 < attention.resolves < 100
    assert attention.verdict == "not reproduced: undecided, 2 seeds are too few"


def test_correction_counts_all_claims() -> None:
    """t = 2 / (1.265 / sqrt 6) = 3.87 with 5 degrees of freedom, p 0.012: alone, not among five."""
    measured = numbers(up=[2.0, 1.0, 4.0, 1.0, 3.0, 1.0])
    (alone,) = judge([claim("up")], measured)
    assert (alone.verdict, f"{alone.p:.3f}") == ("reproduced", "0.012")
    among = judge([claim("up")] * 5, measured)
    assert among[0].p == pytest.approx(5 * alone.p)
    assert among[0].verdict.startswith("not reproduced")


@pytest.mark.parametrize(
    ("shift", "verdict"),
    [
        # s 0.0183, standard error 0.0091. t 1.1; to the margin 0.04 3.3, one-sided p 0.023
        (0.01, "not reproduced: equivalent within 1 %"),
        (0.05, "reproduced"),  # t 5.5, p 0.012
    ],
)
def test_attention_is_equal_within_a_percent(shift: float, verdict: str) -> None:
    entropy = Claim("e", "", "mixed", "dpr", "entropy", "greater", "ours")
    base = [4.0, 4.1, 3.9, 4.0]
    mixed = [b + shift + d for b, d in zip(base, [0.02, -0.02, 0.01, -0.01], strict=True)]
    measured = {("dpr", "", "entropy", 0): base, ("mixed", "", "entropy", 0): mixed}
    assert [one.verdict for one in judge([entropy], measured)] == [verdict]


def test_the_table_has_nothing_where_nothing_was_measured() -> None:
    assert claims_table(judge([claim("up")], {})).rows == []


def test_the_picture_has_a_panel_for_each_two_encoders_and_apart_what_has_another_scale() -> None:
    up, wide = [3.0, 2.5, 3.5, 3.0, 2.8, 3.2], [4.0, -3.0, 2.0, -5.0, 1.0, 3.0]
    measured = numbers(up=up, wide=wide)
    measured["bm25", "up", "accuracy", 1] = [90.0] * 6
    for system, value in (("dpr", 4.0), ("mixed", 4.0)):
        measured[system, "", "entropy", 0] = [value] * 6
    claims = [
        Claim("bm25", "", "dpr", "bm25", "top1", "greater", "ours", "up"),
        Claim("entropy", "", "mixed", "dpr", "entropy", "greater", "ours"),
        claim("up"),
        claim("wide"),
    ]
    figure = claims_figure(judge(claims, measured, lambda one: (2.0, 8.0)))
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    encoders, terms = figure.axes[:2]
    assert len(titles) == 3
    assert titles[0] == "Mixed-DPR less DPR (points)"
    assert titles[1].startswith("accuracy against term") and titles[2].startswith("attention")
    names = [[label.get_text() for label in panel.get_yticklabels()] for panel in figure.axes]
    assert names == [
        ["up top-1", "wide top-1"],
        ["DPR > BM25, up top-1"],
        ["Mixed-DPR > DPR, entropy"],
    ]
    assert encoders.get_xlim() == pytest.approx((-1.05 * 8, 1.05 * 8))  # of the interval
    assert terms.get_xlim()[0] < -55  # BM25 is above by 55 to 60 points
    marks = {line.get_color() for line in encoders.get_lines() if line.get_marker() == "o"}
    assert SERIES[0] in marks  # the first is reproduced
    seeds = [line for line in encoders.get_lines() if line.get_marker() == "|"]
    assert [list(line.get_xdata()) for line in seeds] == [pytest.approx(up), pytest.approx(wide)]


def test_a_picture_of_no_claim_is_one(tmp_path: Path) -> None:
    draw_claims(tmp_path / "claims.png", [])
    assert (tmp_path / "claims.png").read_bytes().startswith(b"\x89PNG")
