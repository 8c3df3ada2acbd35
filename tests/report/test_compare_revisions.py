"""Two commits of a scratch repository with a bare remote, as a pull request compares them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ecqg.cli import app
from ecqg.errors import InputError
from ecqg.report.compare import LIMIT, as_markdown, compare, line

METRICS = {"nq_like": {"top1": 50.0, "top5": 80.0}, "tail": {"top1": 40.0, "top5": 60.0}}


def git(*arguments: str) -> None:
    name = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *name, *arguments], check=True, capture_output=True)


def write(systems: dict[str, dict[str, object]], parameters: str) -> None:
    for system, metrics in systems.items():
        Path(f"metrics/{system}.json").write_text(json.dumps(metrics))
    Path("params.yaml").write_text(parameters)
    git("add", ".")
    git("commit", "--quiet", "--message", "x")


@pytest.fixture(autouse=True)
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """origin/main has one commit; on the branch `change` there is another."""
    git("init", "--quiet", "--bare", str(tmp_path / "remote"))
    git("clone", "--quiet", str(tmp_path / "remote"), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    git("checkout", "--quiet", "-B", "main")
    Path("metrics").mkdir()
    old = {**METRICS, "entropy": 4.1}
    write({"dpr": old, "mixed": old, "gone": old}, "a: {b: 1}\nc: x\n")
    git("push", "--quiet", "origin", "main")
    git("checkout", "--quiet", "-b", "change")
    new = {"nq_like": {"top1": 50.0, "top5": 81.0}, "tail": {"top1": 36.0, "top5": 60.0}}
    Path("metrics/gone.json").unlink()
    write({"mixed": {**new, "entropy": 4.1005}}, "a: {b: 2, d: true}\nc: x\n")


def test_parameters_and_metrics_that_differ() -> None:
    found = compare("origin/main", "HEAD", {})
    assert found.parameters == [("a.b", 1, 2), ("a.d", None, True)]
    differing = {c.metric: (c.before, c.after) for c in found.changes if c.difference}
    assert differing == {
        ("mixed", "nq_like", "top5"): (80.0, 81.0),
        ("mixed", "tail", "top1"): (40.0, 36.0),
        ("mixed", "", "entropy"): (4.1, 4.1005),
    }
    assert len(found.changes) == 10
    assert found.alone == ["gone"]
    assert line(found, None) == "3 of 10 metrics differ"


@pytest.mark.parametrize(("spread", "beyond"), [(0.6, True), (0.7, False)])
def test_what_is_beyond_noise_is_bold(spread: float, beyond: bool) -> None:
    # The standard deviation of [-s, 0, s] is s; t(0.975, 2) is 4.303, and 4 / (4.303 √2) 0.657.
    values = [-spread, 0.0, spread]
    found = compare("origin/main", "HEAD", {("mixed", "tail", "accuracy", 1): values})
    change = next(c for c in found.changes if c.metric == ("mixed", "tail", "top1"))
    assert change.noise == pytest.approx(4.302653 * spread * 2**0.5)
    assert change.beyond is beyond
    page = as_markdown(found, None)
    assert ("**-4.0**" in page) is beyond
    assert ("1 beyond the noise of seeds, above all Mixed-DPR, tail top1" in page) is beyond


def test_the_comment_is_short_whatever_differs() -> None:
    many = "".join(f"p{i}: {'x' * 90}\n" for i in range(400))
    write({"mixed": {f"set{i}": {"top1": 1.0 + i} for i in range(400)}}, many)
    old = {f"set{i}": {"top1": 90.0} for i in range(400)}
    git("checkout", "--quiet", "main")
    write({"mixed": old}, "a: 1\n")
    page = as_markdown(compare("main", "change", {}), None, "https://example.org/raw/abc")
    assert len(page) <= LIMIT
    assert "371 more" in page  # parameters: 402 less 30, one of them on the other side
    assert "![https://example.org/raw/abc/plots/accuracy.png]" in page


def test_the_gate_names_the_row_that_fell() -> None:
    runner = CliRunner()
    result = runner.invoke(app, ["compare-revisions", "origin/main", "--tolerance", "3"])
    assert result.exit_code == 1
    said = "Mixed-DPR, tail top1: 40.0 to 36.0 (-4.0) fell by more than 3 points"
    assert result.stdout.startswith(said)
    result = runner.invoke(app, ["compare-revisions", "origin/main", "HEAD", "--tolerance", "4"])
    assert result.exit_code == 0
    result = runner.invoke(app, ["compare-revisions", "origin/main", "--md", "--tolerance", "3"])
    assert said in result.stdout
    assert result.stdout.startswith("### origin/main and workspace\n")


def test_a_revision_without_metrics_is_one_line() -> None:
    git("rm", "--quiet", "-r", "metrics")
    git("commit", "--quiet", "--message", "none")
    with pytest.raises(InputError, match="no metrics at HEAD"):
        compare("origin/main", "HEAD", {})
    with pytest.raises(InputError, match="other is no revision and no experiment"):
        compare("other", "HEAD", {})


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        (b'{"tail": {"top1": "high"}}', "expected float, got str at [...][...]"),
        (b'{"tail": {"top1": null}}', "expected float, got null at [...][...]"),
        (b'{"tail": {"top1": {"a": 1}}}', "expected float, got object at [...][...]"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[1", "Expecting ',' delimiter"),
    ],
)
def test_metrics_that_are_none_are_one_line(metrics: bytes, said: str) -> None:
    Path("metrics/mixed.json").write_bytes(metrics)
    git("commit", "--quiet", "--all", "--message", "x")
    for name in ("HEAD", "workspace"):
        with pytest.raises(InputError) as error:
            compare("origin/main", name, {})
        assert f"{name}:metrics/mixed.json: no metrics (" in str(error.value)
        assert said in str(error.value)


def test_a_revision_s_text_that_is_no_utf_8_is_one_line() -> None:
    for name in ("metrics/mixed.json", "params.yaml"):
        Path(name).write_bytes(b"\n\xff")
        git("commit", "--quiet", "--all", "--message", "x")
        with pytest.raises(InputError, match=rf":{name}:2: not UTF-8 \(invalid start byte\)"):
            compare("origin/main", "HEAD", {})
        git("reset", "--quiet", "--hard", "HEAD~")


def test_a_metric_called_almost_as_an_accuracy() -> None:
    for name in ("top²", "top" + "9" * 5000):
        Path("metrics/mixed.json").write_text(json.dumps({"tail": {name: 1}}))
        changes = compare("workspace", "workspace", {}).changes
        assert ("mixed", "tail", name) in [change.metric for change in changes]
