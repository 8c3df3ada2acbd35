"""The stages overlap, coverage, vocabulary and examples, on passages written here."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

import ecqg
from ecqg import paths, shards
from ecqg.analysis.overlap import read_overlaps, summarise_overlap
from ecqg.attention.aggregate import Aggregated
from ecqg.attention.entities import Entity, write_entities, write_entity_attention
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.corpus.questions import Question, write_questions
from ecqg.corpus.words import words
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.errors import InputError
from ecqg.evaluation.runs import Ranking, write_run
from ecqg.files import write_json, write_jsonl, write_text
from ecqg.params import Params, QuestionSet, load_params
from ecqg.stages import coverage, examples, overlap, vocabulary
from ecqg.tables import read_values

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
WORDS = ["river", "bridge", "mill", "king", "castle", "hill", "queen", "song", "ship", "sails"]
FIRST = "Ada Holt built the {}. "


def passage(row: int) -> Passage:
    first = FIRST.format(WORDS[row % 10])
    return Passage(
        row, f"p{row}", "King" if row % 2 else "", f"{first}It is by Wend.", (0, len(first))
    )


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """30 passages, 12 dev questions, two random dual encoders and their vectors."""
    from transformers import BertConfig, BertModel

    from ecqg.training.wordpiece import train_tokenizer

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    params = load_params(PROFILE)
    passages = [passage(row) for row in range(30)]
    write_passages(paths.collection() / PASSAGES, passages)
    dev = [Example(f"d{i}", f"who built {WORDS[i % 10]} {i}", ("Holt",), (i,)) for i in range(12)]
    write_examples(paths.gold("dev"), dev)
    write_examples(paths.gold("train"), [Example("t", "where is it", ("Wend",), (20,))])
    tokenizer = train_tokenizer([" ".join(WORDS) + " ada holt built by wend"] * 3, 120)
    for system in ("dpr", "mixed"):
        for number, half in enumerate((QUESTION, PASSAGE)):
            torch.manual_seed(number + (system == "dpr"))
            config = BertConfig(
                vocab_size=len(tokenizer),
                hidden_size=16,
                num_hidden_layers=1,
                num_attention_heads=2,
                intermediate_size=32,
                max_position_embeddings=256,
                initializer_range=0.5,
            )
            folder = paths.retriever(system) / half
            BertModel(config, add_pooling_layer=False).save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        vectors = Encoding(paths.retriever(system) / PASSAGE, params.encoder).passages(passages)
        paths.embeddings(system).parent.mkdir(parents=True, exist_ok=True)
        np.save(paths.embeddings(system), vectors)
    return dataclasses.replace(
        params,
        analysis=dataclasses.replace(params.analysis, gold_depth=8, examples=2),
        question_sets={
            "plain": QuestionSet("unconditioned", None, 30, 1, (), 0.0),
            "about": QuestionSet("conditioned", "lowest", 30, 1, ("reader",), 0.0),
            "control": QuestionSet("conditioned", "random", 30, 1, (), 0.0),
        },
    )


def test_overlap_by_a_brute_force_search(params: Params) -> None:
    overlap.run(params, "dpr")
    overlaps = read_overlaps(paths.overlap_per_question("dpr"))
    metrics = summarise_overlap(overlaps, 100, 0.95, np.random.default_rng(1))
    texts = [f"who built {WORDS[i % 10]} {i}" for i in range(12)]
    queries = Encoding(paths.retriever("dpr") / QUESTION, params.encoder).questions(texts)
    scores = queries @ np.load(paths.embeddings("dpr")).T
    better = (scores > scores[np.arange(12), np.arange(12)][:, None] + 1e-5).sum(1)
    found = better < 8
    assert 0 < found.sum() < 12
    assert metrics["found"] == pytest.approx(100 * found.mean())
    assert overlaps["found"].tolist() == found.tolist()
    assert (metrics["questions"], metrics["sentences_mean"]) == (12, 2)
    # content words: built, the thing, a number; two of three stand in sentence 1, none in 2
    row = metrics["sentence_1"]
    assert row["found"] == row["missed"] == pytest.approx(200 / 3)
    assert (row["found_questions"], row["missed_questions"]) == (found.sum(), 12 - found.sum())
    assert metrics["sentence_2"]["found"] == 0
    assert metrics["sentence_3"]["found"] is None
    before = paths.overlap_per_question("dpr").read_bytes()
    overlap.run(params, "dpr")
    assert paths.overlap_per_question("dpr").read_bytes() == before


def test_vectors_of_other_passages_are_refused(params: Params) -> None:
    np.save(paths.embeddings("dpr"), np.zeros((7, 16), np.float32))
    with pytest.raises(InputError, match="7 vectors for 30 passages; make it again with 'ecqg en"):
        overlap.run(params, "dpr")
    write_examples(paths.gold("dev"), [])  # one's own data may have none
    overlap.run(params, "dpr")
    assert len(read_overlaps(paths.overlap_per_question("dpr"))) == 0


def test_coverage_of_main_and_of_another_collection(params: Params) -> None:
    for name in (paths.MAIN, "far"):
        folder = paths.collection(name)
        if name == "far":
            write_passages(folder / PASSAGES, [Passage(0, "f", "Oak", "An elm.", (0,))])
        asked = [Question("0", "the oak", ("elm",)), Question("1", "who", ("Nobody",))]
        write_questions(folder / "questions" / "far.qa.tsv", asked)
        run = [Ranking(q.id, ("f" if name == "far" else "p1",), (1.0,)) for q in asked]
        write_run(paths.runs("bm25", name) / "far.trec", run, "bm25")
        write_json(paths.subsets(name), {})
    coverage.run(params, "far")
    found = {"questions": 1, "words": 50, "content_words": 100, "judged": 0, "without_passage": 1}
    assert read_values(paths.coverage_metrics("far")) == {"far": found}
    write_text(paths.qrels("far") / "far.qrels", "1 0 f 1\n")
    coverage.run(params, "far")
    # who is not in the judged passage of the other question
    found |= {"words": 0, "content_words": None, "judged": 1}
    assert read_values(paths.coverage_metrics("far")) == {"far": found}
    coverage.run(params)
    found = read_values(paths.coverage_metrics())
    # where, is, it against "It is by Wend": is, it
    assert found["gold_train"]["words"] == pytest.approx(200 / 3)
    assert found["gold_dev"]["content_words"] == pytest.approx(200 / 3)
    assert found["far"] == {
        "questions": 0, "words": None, "content_words": None, "judged": 0, "without_passage": 2,
    }  # fmt: skip


def test_vocabulary_of_another_collection(params: Params) -> None:
    texts = ["The river, the mill and the oak.", "The river and an elm."]
    far = [Passage(i, f"f{i}", "king", text, (0,)) for i, text in enumerate(texts)]
    write_passages(paths.collection("far") / PASSAGES, far)
    vocabulary.run(params, "far")
    metrics = read_values(paths.vocabulary_metrics("far"))
    # main: ada, built, holt, wend (30 times each), then bridge, ... by the alphabet; far has 4
    assert metrics == {
        "overlap": 0, "words": 4, "passages": 2, "main_passages": 30, "by_words": {"4": 0},
    }  # fmt: skip
    section = dataclasses.replace(params.analysis, vocabulary_passages=5)
    vocabulary.run(dataclasses.replace(params, analysis=section), "far")
    assert read_values(paths.vocabulary_metrics("far"))["main_passages"] == 5
    write_passages(paths.collection("far") / PASSAGES, [Passage(0, "f", "", "the", (0,))])
    with pytest.raises(InputError, match="no words but stop words"):
        vocabulary.run(params, "far")


def test_vocabulary_of_the_main_collection_is_its_own(params: Params) -> None:
    vocabulary.run(params, paths.MAIN)
    assert read_values(paths.vocabulary_metrics(paths.MAIN))["overlap"] == 100


def test_counting_that_was_stopped_goes_on(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["The river, the mill and the oak.", "The river and an elm.", "Ada built an oak."]
    far = [Passage(i, f"f{i}", "king", text, (0,)) for i, text in enumerate(texts)]
    write_passages(paths.collection("far") / PASSAGES, far)
    vocabulary.run(params, "far")
    whole = paths.vocabulary_metrics("far").read_bytes()
    paths.vocabulary_metrics("far").unlink()
    counted: list[str] = []

    def until_stopped(text: str) -> list[str]:
        if len(counted) == 31:
            counted.append("stopped")
            raise KeyboardInterrupt
        counted.append(text)
        return words(text)

    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(vocabulary, "words", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        vocabulary.run(params, "far")
    assert not paths.vocabulary_metrics("far").exists()
    vocabulary.run(params, "far")
    assert counted[30:] == [texts[0], "stopped", *texts[1:]]
    assert paths.vocabulary_metrics("far").read_bytes() == whole


def write_synthetic() -> None:
    """Attention of the system that selects, and questions about all passages, three sets of them.

    Of the passages with gold questions (0 to 11, and 20) 5 and 20 have one of the first set about
    entities that passed the filters.
    """
    write_entities(paths.ENTITIES, [Entity(row, 0, 8, "PERSON", "Ada Holt") for row in range(30)])
    sums, pieces = np.full(30, 0.25, np.float32), np.full(30, 2, np.int16)
    write_entity_attention(paths.ENTITY_ATTENTION, [Aggregated(sums, pieces)])
    rows = {"plain": range(30), "about": range(30), "control": (5, 6)}
    kept = {"plain": {"20"}, "about": {"5", "20", "25"}, "control": {"5", "6"}}
    for name, asked in rows.items():
        entity = None if name == "plain" else "Ada Holt"
        made = [
            {"id": f"{row}", "passage_id": f"p{row}", "row": row, "entity": entity, "start": 0,
             "question": f"{name} {WORDS[row % 10]}", "answer": "x"}
            for row in asked
        ]  # fmt: skip
        write_jsonl(paths.generated(name), made)
        answers = [
            {"id": r["id"], "answer": f"read {r['id']}", "start": 0, "confidence": 0.5}
            for r in made
        ]
        write_jsonl(paths.read(name), answers)
        write_jsonl(paths.filtered(name), [r for r in made if r["id"] in kept[name]])


def test_examples_of_eligible_passages(params: Params) -> None:
    passages = Passages(paths.collection() / PASSAGES)
    write_synthetic()
    examples.run(params)
    page = paths.EXAMPLES_MARKDOWN.read_text()
    rows = [line for line in page.splitlines() if line.startswith("|") and "type" not in line]
    rows = [line.split(" | ") for line in rows if "---" not in line]
    assert [(r[0], r[3], r[4], r[6]) for r in rows] == [
        ("| gold", "Holt", "", ""),
        ("| plain", "x", "read 5", "filtered out"),
        ("| about", "x", "read 5", "kept"),
        ("| control", "x", "read 5", "kept"),
        ("| gold", "Wend", "", ""),
        ("| plain", "x", "read 20", "kept"),
        ("| about", "x", "read 20", "kept"),
    ]
    means = read_values(paths.EXAMPLE_METRICS)
    assert (means["passages"], means["questions"]) == (2, 7)
    for column, system in ((7, "dpr"), (8, "mixed")):
        folder = paths.retriever(system)
        asked = ["who built hill 5", "where is it"]
        gold = Encoding(folder / QUESTION, params.encoder).questions(asked)
        own = Encoding(folder / PASSAGE, params.encoder).passages([passages[5], passages[20]])
        scores = (gold * own).sum(1) / 4  # score_scale is sqrt_hidden
        assert means[system]["gold"] == pytest.approx(scores.mean(), abs=1e-4)
        shown = [float(r[column].strip(" |")) for r in (rows[0], rows[4])]
        assert shown == pytest.approx(scores, abs=0.051)
    assert paths.EXAMPLES_HTML.read_text().count('"entity chosen"') == 2
    before = paths.EXAMPLES_HTML.read_bytes()
    examples.run(params)
    assert paths.EXAMPLES_HTML.read_bytes() == before
    without = {"plain": params.question_sets["plain"]}  # no question is about an entity
    examples.run(dataclasses.replace(params, question_sets=without))
    assert read_values(paths.EXAMPLE_METRICS) == {"passages": 0, "questions": 0}


@pytest.mark.parametrize(
    ("systems", "selecting", "expected"),
    [
        (("other", "mixed"), "other", {"other": "other", "mixed": "Mixed-DPR"}),
        (("dpr", "uncon"), "dpr", {"dpr": "DPR", "uncon": "UnCon-DPR"}),
        (("mixed",), "dpr", {"mixed": "Mixed-DPR", "dpr": "DPR"}),  # dpr's scores filter
        (("dpr",), "other", {"dpr": "DPR", "other": "other"}),
    ],
)
def test_examples_have_scores_of_the_systems_analysed_and_of_what_filters(
    params: Params, systems: tuple[str, ...], selecting: str, expected: dict[str, str]
) -> None:
    write_synthetic()
    twin = {"other": "mixed", "uncon": "dpr"}
    for copy, of in twin.items():
        shutil.copytree(paths.retriever(of), paths.retriever(copy))
    examples.run(params)
    default = read_values(paths.EXAMPLE_METRICS)
    section = dataclasses.replace(params.analysis, systems=systems)
    select = dataclasses.replace(params.select, system=selecting)
    examples.run(dataclasses.replace(params, analysis=section, select=select))
    means = read_values(paths.EXAMPLE_METRICS)
    assert {s: means[s] for s in means if isinstance(means[s], dict)} == {
        system: default[twin.get(system, system)] for system in expected
    }
    header = paths.EXAMPLES_MARKDOWN.read_text().split("| filter | ")[1].split(" |\n")[0]
    assert header.split(" | ") == list(expected.values())
    for name in expected.values():
        assert f"<th class=n>{name.replace(' ', '<br>')}</th>" in paths.EXAMPLES_HTML.read_text()
