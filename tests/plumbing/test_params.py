"""The strict parameter schema and the profiles."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from ecqg.errors import InputError
from ecqg.params import Dual, FirstStage, Supervised, load_params
from ecqg.profiles import FOLDER, use
from ecqg.systems import DUALS, FIRST_STAGES

DEFAULT = (FOLDER / "microcosm.yaml").read_text(encoding="utf-8")

# Lists as the default has them.
SYSTEMS = "\nsystems:\n- dpr\n- uncon\n- mixed\n- aug"
ANALYSED = "\n  systems:\n  - dpr\n  - mixed"
RERANKED = "  first_stages:\n  - bm25\n  - mixed"
NAMES = "zero_shot has the name "


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert DEFAULT.count(old) == 1, old
    path = tmp_path / "params.yaml"
    path.write_text(DEFAULT.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "hash_bits",
            "hash_bit",
            "unknown parameter tfidf.hash_bit; did you mean tfidf.hash_bits?",
        ),
        ("\nseed: 1\n", "\n", "parameter seed is missing; add it (a whole number)"),
        ("  k1: 0.9", "  k1: high", "bm25.k1 is 'high'; it must be a number"),
        ("ngrams: 2", "ngrams: 2.5", "tfidf.ngrams is 2.5; it must be a whole number"),
        ("ngrams: 2", "ngrams: true", "tfidf.ngrams is True; it must be a whole number"),
        ("ngrams: 2", "ngrams: 0", "tfidf.ngrams is 0; it must be a whole number from 1 on"),
        ("  b: 0.4", "  b: 1.5", "bm25.b is 1.5; it must be a number from 0 to 1"),
        ("  b: 0.4", "  b: .nan", "bm25.b is nan; it must be a number from 0 to 1"),
        ("depth: 100", "depth: 0", "retrieval.depth is 0; it must be a whole number from 1 on"),
        ("top_p: 0.95", "top_p: 0", "generate.top_p is 0; it must be a number above 0 and up to 1"),
        (
            "  ks:\n  - 1\n",
            "  ks:\n  - 0\n",
            "evaluation.ks[0] is 0; it must be a whole number from 1 on",
        ),
        ("  ks:\n", "  ks:\n  - 1\n", "it must be a list of one or more, all different"),
        (
            RERANKED,
            "  first_stages: []",
            "rerank.first_stages is []; it must be a list of one or more, all different",
        ),
        (
            RERANKED,
            "  first_stages: [bm52]",
            "rerank.first_stages[0] is 'bm52'; it must be one of tfidf, bm25, dpr,",
        ),
        ("source: microcosm", "source: web", "it must be one of microcosm, squad, folder"),
        (
            "reading_sets: {}",
            "reading_sets: [a]",
            "it must be a mapping from names, each to a string",
        ),
        ("bm25:\n  k1: 0.9\n  b: 0.4", "bm25: 3", "bm25 is no mapping"),
        (
            SYSTEMS,
            "\nsystems: [dpr, uncon, mixed, aug, baseline]",
            "systems names baseline, which is our dpr; leave it out, or name a public retriever",
        ),
        (
            SYSTEMS,
            "\nsystems: [dpr, uncon, aug]",
            "systems lacks mixed, which analysis.systems wants; add it",
        ),
        (
            ANALYSED,
            "\n  systems: [baseline, mixed]",
            "systems lacks baseline, which analysis.systems wants; add it",
        ),
        (
            RERANKED,
            "  first_stages: [baseline]",
            "systems lacks baseline, which rerank.first_stages wants; add it",
        ),
        (
            "zero_shot:\n",
            "zero_shot:\n  ../../src: data/raw/movies\n",
            NAMES + "'../../src'; write",
        ),
        ("zero_shot:\n", "zero_shot:\n  'x; touch y': data/raw/a\n", NAMES + "'x; touch y'; write"),
        ("zero_shot:\n", "zero_shot:\n  $(touch y): data/raw/a\n", NAMES + "'$(touch y)'; write"),
        ("zero_shot:\n", "zero_shot:\n  3: data/raw/a\n", NAMES + "3; write a small letter"),
        ("zero_shot:\n", f"zero_shot:\n  {'a' * 42}: data/raw/a\n", "then up to 40 small letters"),
        ("zero_shot:\n", "zero_shot:\n  main: data/raw/a\n", "zero_shot has main; take another"),
        ("zero_shot:\n", "zero_shot:\n  tail: data/raw/a\n", "zero_shot has tail; take another"),
        ("reading_sets: {}", "reading_sets: {'a/b': c}", "reading_sets has the name 'a/b'"),
        ("    tail: tail.qa.tsv", "    ../tail: tail.qa.tsv", "test_sets has the name '../tail'"),
        ("distractors: {}", "distractors: {../x: y}", "distractors has the name '../x'"),
        (
            "webq_like\n    collection: main",
            "webq_like\n    collection: web",
            "supervised.webq_like.collection is web; it must be one of main, movies_like,",
        ),
        (
            "ks:\n  - 1\n",
            "ks:\n  - 101\n",
            "evaluation.ks asks for the top 101 of 100 passages; raise retrieval.depth or lower",
        ),
        (
            "examples: train_set",
            "examples: quac",
            "reader.phases[0].examples is quac; add it to reading_sets, or name one of train_set",
        ),
        (
            "baseline:\n  source: trained",
            "baseline:\n  source: folder",
            "baseline.question is empty; name a folder, or take trained as the source",
        ),
        (
            "random\n  name: ''\n  layers: 1",
            "random\n  name: ''\n  layers: null",
            "encoder_start.layers is null; random weights need it",
        ),
        (
            "hidden: 256\n  heads: 8",
            "hidden: 256\n  heads: 7",
            "encoder_start.hidden 256 is no multiple of its heads 7; change one of them",
        ),
        (
            "hidden: 128\n  heads: 4",
            "hidden: 128\n  heads: 2",
            "generator_start has 2 heads for 128 hidden units; give at least 4 heads, each with",
        ),
        (
            "pretrain:\n  lr: 5e-4\n  epochs: 4\n  batch_size: 64\n  accumulation: 1",
            "pretrain:\n  lr: 5e-4\n  epochs: 4\n  batch_size: 64\n  accumulation: 3",
            "pretrain.batch_size 64 is no multiple of its accumulation 3; batch_size counts",
        ),
    ],
)
def test_mistakes_are_fatal_and_say_what_would_be_right(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(InputError) as caught:
        load_params(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_parameters_name_the_systems() -> None:
    assert get_args(FirstStage) == FIRST_STAGES
    assert get_args(Dual) == DUALS


def test_systems_may_be_fewer_and_a_public_baseline_one_more(tmp_path: Path) -> None:
    text = DEFAULT
    for old, new in (
        (SYSTEMS, "\nsystems: [mixed, dpr, baseline]"),
        (ANALYSED, "\n  systems: [baseline, mixed]"),
        (
            "baseline:\n  source: trained\n  question: ''\n  passage: ''",
            "baseline:\n  source: folder\n  question: q\n  passage: p",
        ),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "params.yaml").write_text(text)
    params = load_params(tmp_path / "params.yaml")
    assert params.systems == ("mixed", "dpr", "baseline")
    assert params.analysis.systems == ("baseline", "mixed")


def test_no_system_is_wanted_that_nothing_names(tmp_path: Path) -> None:
    text = DEFAULT
    for old, new in (
        (SYSTEMS, "\nsystems: [uncon]"),
        (ANALYSED, "\n  systems: [uncon]"),
        (RERANKED, "  first_stages: [bm25]"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "params.yaml").write_text(text)
    assert load_params(tmp_path / "params.yaml").systems == ("uncon",)


def test_numbers_follow_yaml_1_2(tmp_path: Path) -> None:
    # YAML 1.1 reads 1e-5 as a string.
    assert load_params(changed(tmp_path, "  k1: 0.9", "  k1: 1e-5")).bm25.k1 == 1e-5


def test_broken_yaml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text("seed: 1\nbm25: {k1\nx: 2\n")
    with pytest.raises(InputError, match=r"params\.yaml:\d: not YAML"):
        load_params(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run from the repository's root"):
        load_params(tmp_path / "params.yaml")


def test_paper_profile_holds_the_published_hyper_parameters() -> None:
    """ACL draft, appendix tables 1 to 3; SIGIR secs. 2 and 3; method digest, section 3."""
    paper = load_params(FOLDER / "paper.yaml")
    pre, fine = paper.pretrain, paper.finetune
    assert (pre.lr, pre.epochs, pre.batch_size, pre.accumulation) == (1e-5, 10, 1024, 8)
    assert (fine.lr, fine.epochs, fine.batch_size, fine.accumulation) == (2e-5, 40, 128, 1)
    assert fine.hard_negatives == pre.hard_negatives == 1
    assert paper.encoder.max_passage_tokens == paper.encoder.max_question_tokens == 256
    assert paper.encoder_start.name == "bert-base-uncased@"  # the user adds the commit
    assert paper.generator_start.name.startswith("facebook/bart")
    generator = paper.generator
    assert (generator.lr, generator.epochs, generator.batch_size) == (3e-5, 3, 24)
    assert generator.max_source_tokens == 1024
    assert (paper.generate.top_p, paper.generate.top_k) == (0.95, 10)
    aug = paper.aug  # AugDPR sec. 3 and appendix
    assert (aug.passages, aug.per_passage) == (2_000_000, 4)
    pre, fine = aug.pretrain, aug.finetune
    assert (pre.lr, pre.epochs, pre.batch_size, pre.accumulation) == (1e-5, 6, 1024, 8)
    assert (fine.lr, fine.epochs, fine.batch_size, fine.accumulation) == (1e-5, 20, 128, 1)
    squad, nq = paper.reader.phases
    assert (squad.examples, nq.examples) == ("squad", "train_set")
    assert paper.reading_sets.keys() == {"squad"}
    assert list(paper.corpus.test_sets) == ["nq", "webq", "trivia", "wikimovies"]
    assert (squad.lr, squad.epochs, squad.batch_size, squad.max_tokens) == (3e-5, 3, 32, 384)
    assert (squad.max_question_tokens, squad.stride) == (64, 128)
    assert (nq.lr, nq.epochs, nq.batch_size, nq.max_tokens) == (2e-5, 1, 32, 512)
    assert (nq.max_question_tokens, nq.stride) == (18, 192)
    assert (paper.mix.size, paper.mix.conditioned_fraction) == (1_000_000, 0.5)
    assert (paper.bm25.k1, paper.bm25.b) == (0.9, 0.4)  # Pyserini's settings for DPR passages
    assert paper.attention_report.passages == 10_000
    assert len(paper.entities.types) == 11


def test_using_a_profile_keeps_edits_and_shows_changes(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    target.write_text(DEFAULT.replace("k1: 0.9", "k1: 0.8"), encoding="utf-8")
    lines = use("microcosm", target=target)
    assert target.read_text(encoding="utf-8") == DEFAULT
    assert "-  k1: 0.8" in lines
    assert "+  k1: 0.9" in lines
    assert "k1: 0.8" in (tmp_path / "params.yaml.bak").read_text(encoding="utf-8")
    # A second set of edits does not overwrite the first.
    target.write_text(DEFAULT.replace("k1: 0.9", "k1: 0.7"), encoding="utf-8")
    use("squad", target=target)
    assert "k1: 0.8" in (tmp_path / "params.yaml.bak").read_text(encoding="utf-8")
    assert "k1: 0.7" in (tmp_path / "params.yaml.bak2").read_text(encoding="utf-8")
    # An unedited profile needs no backup.
    use("microcosm", target=target)
    assert not (tmp_path / "params.yaml.bak3").exists()


def test_a_profile_takes_its_data_from_a_folder(tmp_path: Path) -> None:
    for name in ("squad", "covid-qa"):
        (tmp_path / "data" / name).mkdir(parents=True)
    target = tmp_path / "params.yaml"
    use("squad", data=tmp_path / "data", target=target)
    assert load_params(target).supervised == {}  # covid-qa has no training questions
    (tmp_path / "data/covid-qa/squad-train.json").touch()
    use("squad", data=tmp_path / "data", target=target)
    params = load_params(target)
    covid = (tmp_path / "data/covid-qa").as_posix()
    assert params.supervised == {"covid-qa": Supervised(covid, "covid-qa", 10)}
    assert params.corpus.source == "folder"
    assert params.corpus.train_set == (tmp_path / "data/squad").as_posix()
    assert params.corpus.distractors == {}  # squad-extra is not there
    assert params.zero_shot == {"covid-qa": (tmp_path / "data/covid-qa").as_posix()}
    assert "# Real questions" in target.read_text(encoding="utf-8")


def test_the_papers_test_sets_on_wikipedia_share_one_collection(tmp_path: Path) -> None:
    data, target = tmp_path / "data", tmp_path / "params.yaml"
    for file in (
        *("nq/test.qa.tsv", "nq/webq.qa.tsv", "nq/trivia.qa.tsv", "squad/squad-train.json"),
        *("webq/train.dpr.json", "wikimovies/train.dpr.json", "bioasq/test.qa.tsv"),
    ):
        (data / file).parent.mkdir(parents=True, exist_ok=True)
        (data / file).touch()
    use("paper", data=data, target=target)
    params = load_params(target)
    assert params.corpus.train_set == (data / "nq").as_posix()
    assert params.corpus.test_sets == {
        "nq": "test.qa.tsv",
        "webq": "webq.qa.tsv",
        "trivia": "trivia.qa.tsv",
    }
    # Of wikimovies there are no test questions, of trivia none to train with.
    assert params.supervised == {"webq": Supervised((data / "webq").as_posix(), "main", 100)}
    assert params.zero_shot == {"bioasq": (data / "bioasq").as_posix()}
    assert params.reading_sets == {"squad": (data / "squad").as_posix()}
    # Where none of them is there, what must be is still asked for.
    (data / "nq/test.qa.tsv").unlink()
    use("paper", data=data, target=target)
    assert "nq" in load_params(target).corpus.test_sets


def test_unknown_profile_and_missing_data(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    with pytest.raises(InputError, match="choose one of microcosm, paper, squad"):
        use("squat", target=target)
    with pytest.raises(InputError, match="no such folder"):
        use("squad", data=tmp_path, target=target)
    assert not target.exists()
