"""An exported retriever's card: true of the run, with a snippet that runs as it stands."""

from __future__ import annotations

import re
import shutil

import pytest
from huggingface_hub import ModelCard
from typer.testing import CliRunner

from ecqg import paths
from ecqg.cli import app
from ecqg.evaluation import headers
from ecqg.profiles import FOLDER
from tiny_models import dual_encoder


@pytest.fixture
def study(tmp_path, monkeypatch, tiny_bert, tokenizer):
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(FOLDER / "microcosm.yaml", "params.yaml")
    for name in ("mixed", "dpr"):
        retriever = paths.retriever(name)
        dual_encoder(tiny_bert(2, 1), tiny_bert(2, 2), tokenizer).save(retriever)
    return tmp_path


def measured():
    """Tables as a run leaves them, with figures made up here."""
    paths.JUDGED.mkdir(parents=True)
    rows = [
        f"mixed,main,{name},,{k},2000,{value},{value - 2},{value + 2.04}"
        for name, value in (("nq_like", 40.5), ("tail", 30.25))
        for k in (1, 5)
    ]
    for file, header, lines in (
        (paths.ACCURACY, headers.ACCURACY, rows),
        (paths.RANKING, headers.RANKING, []),
        (paths.ATTENTION, headers.ATTENTION, []),
        (paths.COMPARISONS, headers.COMPARISONS, []),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([",".join(header), *lines]) + "\n")
    means = paths.attention_means("mixed")
    means.parent.mkdir(parents=True)
    means.write_text("name,value\nentropy,3.881\nnormalised_entropy,0.851\nfirst_sentence,1.359\n")


def export(kind, system="mixed"):
    result = CliRunner().invoke(app, ["export-model", system, "--format", kind, "--output", "out"])
    assert result.exit_code == 0, result.output
    return ModelCard.load("out/README.md", ignore_metadata_errors=False)


@pytest.mark.parametrize("kind", ["dpr", "sentence-transformers"])
def test_the_snippet_runs_as_it_stands(kind, study):
    card = export(kind)
    (code,) = re.findall(r"```python\n(.*?)```", card.text, re.S)
    made = {}
    exec(compile(code, "README.md", "exec"), made)
    scores = made["score"] if kind == "dpr" else made["scores"]
    assert scores.shape == ((1, 1) if kind == "dpr" else (1, 2))


def test_what_was_measured_stands_on_it(study):
    measured()
    card = export("sentence-transformers")
    assert "| nq_like | 2000 | 40.5 [38.5, 42.5] | 40.5 [38.5, 42.5] |" in card.text
    assert "3.88 nats,\n85 % of its maximum" in card.text
    assert [(r.dataset_name, r.metric_type, r.metric_value) for r in card.data.eval_results] == [
        ("nq_like", "top-1 accuracy", 40.5),
        ("nq_like", "top-5 accuracy", 40.5),
        ("tail", "top-1 accuracy", 30.25),
        ("tail", "top-5 accuracy", 30.25),
    ]
    assert card.data.model_name == "out" and card.data.license == "apache-2.0"
    # Both trainings, as the default's parameters have them.
    assert (
        "| pre-trained | 50 % unconditioned, 50 % conditioned | 2 | 64 | 0.0005 | 1 |" in card.text
    )
    assert "| fine-tuned | gold set main | 4 | 64 | 0.0004 | 1 |" in card.text


def test_a_system_that_was_not_measured_says_so(study):
    assert "Not measured when this folder was written." in export("dpr").text
    shutil.rmtree("out")
    measured()
    card = export("dpr", "dpr")
    assert "Not measured when this folder was written." in card.text
    assert card.data.eval_results is None and card.data.library_name == "transformers"


def test_the_licence_of_others_is_not_ours(study):
    text = (study / "params.yaml").read_text()
    (study / "params.yaml").write_text(text.replace("name: weights/encoder", "name: other/bert"))
    card = export("dpr")
    assert card.data.license == "other" and "Look there." in card.text
    assert "began as those of `other/bert`" in card.text
