"""The stage that searches, against transformers and a matrix product."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from ecqg import paths, resume
from ecqg.corpus.passages import Passage, write_passages
from ecqg.corpus.questions import Question, read_questions, write_questions
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.errors import InputError
from ecqg.evaluation.runs import read_run
from ecqg.files import read_json
from ecqg.params import Params, load_params
from ecqg.stages import encode, retrieve

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
WORDS = ["river", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship", "sails"]


def texts(count: int, words: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, words)) for _ in range(count)]


QUESTIONS = {"one": texts(23, 4, 1), "two": texts(3, 6, 2)}
PASSAGES = [*texts(40, 12, 3), *texts(5, 12, 3)]  # the last five say what the first five say


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """A random dual encoder, 45 passages and two test sets."""
    from transformers import BertConfig, BertModel

    from ecqg.training.wordpiece import train_tokenizer

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    tokenizer = train_tokenizer([" ".join(WORDS)] * 3, 120)
    for number, half in enumerate((QUESTION, PASSAGE)):
        torch.manual_seed(number)
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=256,
            initializer_range=0.5,
        )
        BertModel(config, add_pooling_layer=False).save_pretrained(paths.retriever("dpr") / half)
        tokenizer.save_pretrained(paths.retriever("dpr") / half)
    folder = paths.collection()
    store = [Passage(i, f"p{i}", "king", text, (0,)) for i, text in enumerate(PASSAGES)]
    write_passages(folder / "passages.arrow", store)
    for name, asked in QUESTIONS.items():
        questions = [Question(str(i), text, ("x",)) for i, text in enumerate(asked)]
        write_questions(folder / "questions" / f"{name}.qa.tsv", questions)
    settings = load_params(PROFILE)
    return replace(settings, retrieval=replace(settings.retrieval, depth=12))


def cls(half: str, batch: list[list[str]]) -> np.ndarray:
    """[CLS] vectors by transformers alone, text by text."""
    from transformers import AutoModel, AutoTokenizer

    folder = paths.retriever("dpr") / half
    model, tokenizer = (
        AutoModel.from_pretrained(folder).eval(),
        AutoTokenizer.from_pretrained(folder),
    )
    with torch.no_grad():
        vectors = [model(**tokenizer(*t, return_tensors="pt")).last_hidden_state for t in batch]
    return np.stack([v[0, 0].numpy() for v in vectors]).astype(np.float64)


def test_runs_are_those_of_a_matrix_product(params: Params) -> None:
    encode.run(params, "dpr")
    retrieve.run(params, "dpr")
    passages = cls(PASSAGE, [["king", text] for text in PASSAGES])
    vectors = np.load(paths.embeddings("dpr"))
    files = sorted(paths.runs("dpr").iterdir())
    assert [file.name for file in files] == ["one.trec", "two.trec"]
    for file, asked in zip(files, QUESTIONS.values(), strict=True):
        products = cls(QUESTION, [[text] for text in asked]) @ passages.T / 4  # sqrt(16)
        rankings = list(read_run(file, {f"p{i}": i for i in range(45)}))
        assert [r.question_id for r in rankings] == [str(i) for i in range(len(asked))]
        for ranking, expected in zip(rankings, products, strict=True):
            rows = [int(name[1:]) for name in ranking.passage_ids]
            assert len(rows) == 12
            assert ranking.scores == pytest.approx(expected[rows], abs=1e-4)
            assert ranking.scores == pytest.approx(np.sort(expected)[::-1][:12], abs=1e-4)
            # The same text may have another vector in another batch, by rounding.
            twins = [r for r in rows if r >= 40 and np.array_equal(vectors[r], vectors[r - 40])]
            assert all(row - 40 in rows[: rows.index(row)] for row in twins)


def test_the_same_bytes_again(params: Params) -> None:
    encode.run(params, "dpr")
    found = []
    for _ in range(2):
        retrieve.run(params, "dpr")
        found.append([file.read_bytes() for file in sorted(paths.runs("dpr").iterdir())])
    assert found[0] == found[1]


def test_an_approximate_index_tells_its_recall_and_a_flat_one_has_none(params: Params) -> None:
    encode.run(params, "dpr")
    retrieve.run(params, "dpr")
    exact = {file.stem: list(read_run(file)) for file in paths.runs("dpr").iterdir()}
    assert exact.keys() == QUESTIONS.keys()  # and nothing beside the runs
    settings = replace(params.retrieval, index="IVF9,Flat nprobe=1", depth=10)
    retrieve.run(replace(params, retrieval=settings), "dpr")
    recalls = read_json(paths.runs("dpr") / paths.INDEX_RECALL)
    for name, best in exact.items():
        found = {r.question_id: r.passage_ids for r in read_run(paths.runs("dpr") / f"{name}.trec")}
        for k in (1, 10):
            shares = [
                len(set(r.passage_ids[:k]) & set(found.get(r.question_id, ())[:k])) / k
                for r in best
            ]
            assert recalls[name][f"recall@{k}"] == pytest.approx(100 * np.mean(shares))
    assert recalls["one"]["recall@10"] < 100


@pytest.mark.parametrize("spec", ["Flat", "IVF9,Flat nprobe=2"])
def test_goes_on_after_the_last_whole_run(
    params: Params, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = replace(params, retrieval=replace(params.retrieval, index=spec))
    encode.run(params, "dpr")
    retrieve.run(params, "dpr")
    expected = {file.name: file.read_bytes() for file in paths.runs("dpr").iterdir()}
    assert (paths.INDEX_RECALL in expected) == (spec != "Flat")
    shutil.rmtree(paths.runs("dpr"))

    asked = []

    def read(file: Path):
        asked.append(file.name)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return read_questions(file)

    monkeypatch.setattr(retrieve, "read_questions", read)
    with pytest.raises(KeyboardInterrupt):
        retrieve.run(params, "dpr")
    assert not paths.runs("dpr").exists()
    (first,) = resume.FOLDER.glob("*/*/runs/one/run-*.trec")
    whole = first.read_bytes()
    first.write_bytes(whole[:-1])
    with pytest.raises(InputError, match="delete it to search these questions anew"):
        retrieve.run(params, "dpr")
    first.write_bytes(whole)
    retrieve.run(params, "dpr")
    assert asked == ["one.qa.tsv", "two.qa.tsv", "two.qa.tsv"]
    assert {file.name: file.read_bytes() for file in paths.runs("dpr").iterdir()} == expected
    assert not list(resume.FOLDER.glob("*/*"))


def test_vectors_of_another_collection_are_refused(params: Params) -> None:
    encode.run(params, "dpr")
    vectors = np.load(paths.embeddings("dpr"))
    np.save(paths.embeddings("dpr"), vectors[:-1])
    with pytest.raises(InputError, match=r"dpr\.npy: 44 vectors for 45 passages; make it again"):
        retrieve.run(params, "dpr")
    assert not paths.runs("dpr").exists()
