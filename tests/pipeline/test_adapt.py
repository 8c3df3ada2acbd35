"""`ecqg adapt` on the models of a tiny study: what it writes, resumes, costs and refuses."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from pyserini.eval.evaluate_dpr_retrieval import SimpleTokenizer, has_answers
from sentence_transformers import SentenceTransformer
from tiny import run
from typer.testing import CliRunner

import public_encoders as public
from ecqg.cli import app
from ecqg.corpus.passage_file import read_passage_file, write_passage_file
from ecqg.corpus.questions import read_questions

pytestmark = [pytest.mark.pipeline, pytest.mark.slow]
FOLDER = Path("data/raw/microcosm")
SMALL = ["--study", "study", "--limit", "40", "--batch-size", "8", "--lr", "1e-3"]
SMALL += ["--passages", "passages.tsv"]


@pytest.fixture(scope="module")
def place(finished_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with passages, questions, two retrievers and a link to the study."""
    folder = tmp_path_factory.mktemp("adapt")
    shutil.copy(finished_copy / FOLDER / "passages.tsv", folder)
    shutil.copy(finished_copy / FOLDER / "uniform.qa.tsv", folder)
    shutil.copytree(finished_copy / "data/models/retriever/dpr", folder / "dpr")
    (folder / "mean").mkdir()
    public.make_sentence_transformer(folder / "mean", "bert", "mean, no head")
    (folder / "study").symlink_to(finished_copy)
    passages = list(read_passage_file(folder / "passages.tsv"))
    rows = [json.dumps(entry._asdict()) for entry in passages]
    rows[2], rows[6] = '{"text": "nameless"}', rows[0]
    (folder / "bad.jsonl").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    write_passage_file(
        folder / "swapped.tsv", (e._replace(text=e.title, title=e.text) for e in passages)
    )
    (folder / "q.qrels").write_text(f"0 0 {passages[0].id} 1\n1 0 nothing 1\n99 0 nothing 1\n")
    return folder


def adapt(place: Path, *more: str) -> tuple[str, str]:
    """Standard output and error of a call; its model, output and more in words."""
    done = run(place, "ecqg", "adapt", *SMALL, *more)
    return done.stdout, done.stderr


def adapt_here(place: Path, *more: str) -> tuple[str, str]:
    """The same in this process, for what computes little: to start one takes longer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        done = CliRunner().invoke(app, ["adapt", *SMALL, *more])
    assert (done.exit_code == 0) == ("--dry-run" in more)
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def adapted(place: Path) -> str:
    said, _ = adapt(place, "dpr", "--questions", "uniform.qa.tsv", "--output", "out")
    return said


def test_the_accuracy_is_that_of_the_exported_model(place: Path, adapted: str) -> None:
    """Ranked by sentence-transformers, matched by Pyserini."""
    model = SentenceTransformer(str(place / "out"), device="cpu")
    passages = list(read_passage_file(place / "passages.tsv"))
    questions = read_questions(place / "uniform.qa.tsv")
    vectors = model.encode_document([(p.title, p.text) for p in passages], batch_size=1)
    scores = model.encode_query([q.text for q in questions], batch_size=1) @ vectors.T
    found = json.loads((place / "out/adapt.json").read_text(encoding="utf-8"))["accuracy"]
    tokenizer = SimpleTokenizer()
    for k in (1, 5, 20):
        right = [
            any(has_answers(passages[i].text, q.answers, tokenizer) for i in row)
            for q, row in zip(questions, np.argsort(-scores)[:, :k], strict=True)
        ]
        # Equal but for rounding, which may swap two passages of nearly one score.
        assert found["top"]["adapted"][str(k)] == pytest.approx(100 * np.mean(right), abs=2.6)
    assert found["questions"] == len(questions) == 40
    for system in ("bm25", "base", "unconditioned"):
        difference = found["adapted_less"][system]["5"][0]
        gap = found["top"]["adapted"]["5"] - found["top"][system]["5"]
        assert difference == pytest.approx(gap, abs=1e-3)
    assert "Against BM25: top-1" in adapted and "Against dpr: top-1" in adapted


def test_it_has_learned_from_as_many_questions_as_the_plain_one(place: Path, adapted: str) -> None:
    work = place / "out.work/data"
    lines = {
        name: (work / f"synthetic/{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for name in ("unconditioned", "adapted")
    }
    assert len(lines["unconditioned"]) == len(lines["adapted"]) > 8
    kept = {
        name: [json.loads(line) for line in (place / f"out/questions/{name}.jsonl").open()]
        for name in ("unconditioned", "conditioned")
    }
    asked = {record["question"] for of in kept.values() for record in of}
    assert {json.loads(line)["question"] for line in lines["adapted"]} <= asked
    weights = [
        (place / f"out.work/data/models/retriever/{name}/passage_encoder/model.safetensors")
        for name in ("base", "unconditioned", "adapted")
    ]
    assert len({file.read_bytes() for file in weights}) == 3


def test_the_card_says_what_changed(place: Path, adapted: str) -> None:
    card = (place / "out/README.md").read_text(encoding="utf-8")
    found = json.loads((place / "out/adapt.json").read_text(encoding="utf-8"))
    assert f"| {found['accuracy']['top']['adapted']['5']:.1f}" in card.replace("**", "")
    kept = found["questions"]["conditioned"]
    assert (
        f"conditioned: {kept['generated']} generated about 40 passages, {kept['kept']} left" in card
    )
    page = (place / "out/probe.html").read_text(encoding="utf-8")
    assert "unconditioned" in page and "adapted" in page


def test_it_goes_on_where_it_was_stopped(place: Path, adapted: str) -> None:
    before = (place / "out/document_0_Transformer/model.safetensors").read_bytes()
    again = ("dpr", "--questions", "uniform.qa.tsv", "--output", "again")
    (place / "out.work").rename(place / "again.work")
    try:
        said, _ = adapt_here(place, *again, "--dry-run")
        assert "None of 29 steps is left" in said and "minute" not in said
        assert not (place / "again").exists()
        done = json.loads((place / "again.work/done.json").read_text(encoding="utf-8"))
        for name in [name for name in done if name.startswith(("train ", "encode", "evaluate"))]:
            del done[name]
        (place / "again.work/done.json").write_text(json.dumps(done), encoding="utf-8")
        said, _ = adapt(place, *again)
        assert "9 of 29 steps are left" in said and "generate" not in said.split("left")[1]
        assert (place / "again/document_0_Transformer/model.safetensors").read_bytes() == before
    finally:
        (place / "again.work").rename(place / "out.work")


def test_other_questions_are_not_mixed_with_those_of_an_earlier_call(
    place: Path, adapted: str
) -> None:
    shutil.copytree(place / "out.work", place / "other.work", symlinks=True)
    _, wrong = adapt_here(place, "dpr", "--output", "other", "--limit", "30")
    assert wrong.strip().splitlines()[-1].startswith("ecqg: ")
    assert "holds questions about other passages" in wrong


def test_too_few_questions_are_not_trained_on_and_another_threshold_goes_on(
    place: Path, adapted: str
) -> None:
    file = place / "study/params.yaml"
    before = file.read_text(encoding="utf-8")
    strict, count = re.subn(r"reader_threshold: \S+", "reader_threshold: 1.0", before)
    assert count == 1
    shutil.copytree(place / "out.work", place / "few.work", symlinks=True)
    arguments = ("dpr", "--questions", "uniform.qa.tsv", "--output", "few")
    try:
        file.write_text(strict, encoding="utf-8")
        _, wrong = adapt_here(place, *arguments)
    finally:
        file.write_text(before, encoding="utf-8")
    assert "questions about entities, less than half a batch of 8" in wrong
    assert "lower filter.reader_threshold (1.0)" in wrong and not (place / "few").exists()
    said, _ = adapt_here(place, *arguments, "--dry-run")
    assert "2 of 29 steps are left" in said  # both filters


def test_means_of_length_one_stay_so_without_questions_to_measure(place: Path) -> None:
    given = ("mean", "--passages", "bad.jsonl", "--max-tokens", "60", "--output")
    said, _ = adapt(place, *given, "mean2", "--skip-bad", "out.jsonl")
    assert "Without questions nobody knows" in said and "BM25" not in said
    assert "\n2 rows are left out: out.jsonl\n" in f"\n{said}"
    left_out = [json.loads(line)["line"] for line in (place / "out.jsonl").open()]
    assert left_out == [3, 7]
    (place / "mean2.work").rename(place / "mean3.work")
    again, _ = adapt_here(place, *given, "mean3", "--skip-bad", "out.jsonl", "--dry-run")
    assert "2 rows are left out: out.jsonl" in again and "None of 18 steps is left" in again
    again, _ = adapt_here(place, *given, "mean3", "--dry-run")
    assert "2 rows are left out: mean3.work/bad.jsonl" in again
    (place / "out.jsonl").write_text("")
    _, wrong = adapt_here(place, *given, "mean3", "--skip-bad", "out.jsonl")
    assert "out.jsonl: is there already" in wrong
    model = SentenceTransformer(str(place / "mean2"), device="cpu")
    (vector,) = model.encode_document([("river", "the king built the bridge")])
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert [type(m).__name__ for m in model[0].sub_modules["document"]] == [
        "Transformer",
        "Pooling",
        "Normalize",
    ]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["dpr", "--output", "x", "--study", "."], "params.yaml: no such file"),
        (["dpr", "--output", "dpr"], "dpr: exists already; name a new folder"),
        (["dpr", "--output", "x", "--qrels", "q"], "--qrels judge --questions; give both"),
        (["dpr", "--output", "x", "--questions", "q.tsv"], "q.tsv: no such file; check the path"),
        (
            ["dpr", "--output", "x", "--questions", "uniform.qa.tsv", "--qrels", "q.qrels"],
            "q.qrels:2: no passage has the id 'nothing' (2 rows are bad); take ids of passages.tsv",
        ),
        (["dpr", "--output", "x", "--passages", "bad.jsonl"], "bad.jsonl:3: an id that is missing"),
        (["dpr", "--output", "x", "--passages", "swapped.tsv"], "titles are longer than their"),
        (["nothing", "--output", "x"], "nothing: no such folder"),
        (["tasb", "--output", "x"], "has a head with weights, which is not trained"),
    ],
)
def test_what_is_wrong_is_one_line(place: Path, arguments: list[str], wrong: str) -> None:
    if arguments[0] == "tasb" and not (place / "tasb").exists():
        public.make_sentence_transformer(place / "tasb", "bert", "mean")
    last = adapt_here(place, *arguments)[1].strip().splitlines()[-1]
    assert last.startswith("ecqg: ") and wrong in last
    assert not (place / "x").exists()
