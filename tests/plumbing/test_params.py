"""The strict parameter schema and the profiles."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from ecqg import checking, profiles
from ecqg.checking import parse_yaml, read_yaml
from ecqg.errors import InputError
from ecqg.items import ITEMS
from ecqg.params import (
    Collection,
    Dense,
    GeneratorKind,
    GoldSet,
    QuestionSet,
    ReadingSet,
    Systems,
    load_params,
)
from ecqg.profiles import FOLDER, use, whole
from ecqg.synthesis.select import CHOICES
from ecqg.systems import LEXICAL, evaluated, references

DEFAULT = (FOLDER / "microcosm.yaml").read_text(encoding="utf-8")
GONE = object()
RANDOM_GENERATOR = read_yaml(FOLDER / "microcosm.yaml")["init_generator"]
RANDOM_GENERATOR |= {"source": "random", "name": "", "layers": 2}
RANDOM_ENCODER = read_yaml(FOLDER / "microcosm.yaml")["init_encoder"]
RANDOM_ENCODER |= {"source": "random", "name": "", "layers": 2, "hidden": 256, "heads": 8}
# Entries of sections, as a user might add them.
NIGHT = parse_yaml(whole("microcosm-night"), "microcosm-night")
PUBLIC = {"source": "folder", "question": "q", "passage": "p"}
ASKED = {"generator": "conditioned", "entities": "lowest", "passages": 9, "questions": 1}
ASKED |= {"filters": [], "wrong_passage": 0.0}
FOLDERS = {"folder": "data/raw/a", "test_sets": {}}


@cache
def shipped(name: str) -> str:
    return whole(name)


@pytest.fixture(autouse=True)
def read_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written as JSON here is read as JSON, and a profile of ours put together once."""
    parse = checking.parse_yaml

    def parse_json(text: str, path: str | Path) -> Any:
        return json.loads(text) if text.startswith("{") else parse(text, path)

    def whole_once(name: str, text: str | None = None) -> str:
        ours = text is None and (FOLDER / f"{name}.yaml").is_file()
        return shipped(name) if ours else whole(name, text)

    monkeypatch.setattr(checking, "parse_yaml", parse_json)
    monkeypatch.setattr(profiles, "whole", whole_once)


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert DEFAULT.count(old) == 1, old
    path = tmp_path / "params.yaml"
    path.write_text(DEFAULT.replace(old, new), encoding="utf-8")
    return path


def with_values(tmp_path: Path, values: dict[str, Any]) -> Path:
    """The night's with other values of keys, which may be new; without those that are GONE.

    It has all kinds of systems.
    """
    tree = deepcopy(NIGHT)
    for key, value in values.items():
        *sections, name = key.split(".")
        section = tree
        for part in sections:
            section = section[part]
        if value is GONE:
            del section[name]
        else:
            section[name] = value
    path = tmp_path / "params.yaml"
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_params(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message.removeprefix(f"{path}: ")


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
        ("  ks:\n", "  ks:\n  - 1\n", "it must be one or more, all different"),
        ("source: microcosm", "source: web", "it must be one of microcosm, squad, folder"),
        ("bm25:\n  k1: 0.9\n  b: 0.4", "bm25: 3", "bm25 is no mapping"),
        ("public: {}", "public:\n  3: 4", "public has the name 3; write a small letter"),
    ],
)
def test_mistakes_are_fatal_and_say_what_would_be_right(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert message in refused(changed(tmp_path, old, new))


@pytest.mark.parametrize(
    "name", ["../../src", "a/b", "x; touch y", "$(touch y)", "A", "_a", "", "ä", "a" * 42]
)
@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("collections", FOLDERS),
        ("collections.main.test_sets", "tail.qa.tsv"),
        ("distractors", "data/raw/a"),
        ("gold_sets", {"folder": "data/raw/a", "collection": "main"}),
        ("reading_sets", {"folder": "data/raw/a"}),
        ("question_sets", ASKED),
        ("public", PUBLIC),
        ("pretrained", {"start": "init", "questions": {"conditioned": 1.0}}),
        ("pretrained.mixed.questions", 0.5),
        ("systems.dense", {"start": "init", "gold": "main"}),
    ],
)
def test_names_are_those_of_files_and_stages(
    tmp_path: Path, section: str, entry: Any, name: str
) -> None:
    said = refused(with_values(tmp_path, {section: {name: entry}}))
    small = "write a small letter, then up to 40 small letters, digits, '_' or '-'"
    assert said == f"{section} has the name {name!r}; {small}"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("reading_sets", ["a"], "it must be a mapping from names, each to a section"),
        *(
            (f"{section}.main", GONE, f"{section} has no main; add it: the study's own")
            for section in ("collections", "gold_sets", "reading_sets")
        ),
        ("gold_sets.main.collection", "movies_like", "gold_sets.main.collection is another; it"),
        (
            "gold_sets.webq_like.collection",
            "web",
            "gold_sets.webq_like.collection names web; it must be one of main, movies_like,",
        ),
        (
            "collections.biomed_like.test_sets",
            {"tail": "test.qa.tsv"},
            "collections.main and collections.biomed_like both have a test set tail; rename one",
        ),
        ("gold_sets.main.size", 3, "unknown parameter gold_sets.main.size; known: folder,"),
        ("gold_sets.main.folder", GONE, "parameter gold_sets.main.folder is missing; add it (a"),
        (
            "reader.phases",
            [{"examples": "quac", "lr": 1, "epochs": 1, "batch_size": 1, "max_tokens": 1}
             | {"max_question_tokens": 1, "stride": 1}],
            "reader.phases[0].examples names quac; it must be one of main",
        ),
        # --- question sets
        ("question_sets", {}, "question_sets is empty, and pretrained is not; name a question set"),
        (
            "gold_sets.main.max_train_questions",
            0,
            "gold_sets.main.max_train_questions is 0, and systems.dense.dpr is trained; set its",
        ),
        (
            "question_sets.unconditioned.entities",
            "lowest",
            "question_sets.unconditioned.entities is lowest; the unconditioned generator asks "
            "about none: null",
        ),
        (
            "question_sets.conditioned.entities",
            None,
            "question_sets.conditioned.entities is null; say which the conditioned generator asks",
        ),
        (
            "question_sets.conditioned.entities",
            "first",
            "question_sets.conditioned.entities is 'first'; it must be one of lowest, highest, "
            "random, last_sentence",
        ),
        (
            "question_sets.conditioned.wrong_passage",
            GONE,
            "parameter question_sets.conditioned.wrong_passage is missing; add it (a number from 0",
        ),
        (
            "question_sets.unconditioned.wrong_passage",
            20,
            "question_sets.unconditioned.wrong_passage is 20; it must be a number from 0 to 1",
        ),
        (
            "question_sets.unconditioned.generator",
            "word",
            "question_sets.unconditioned.generator is 'word'; it must be one of unconditioned, "
            "conditioned, answer_sentence, world",
        ),
        (
            "question_sets.conditioned.passages",
            18001,
            "question_sets.conditioned.passages is 18001; entities are looked for in "
            "select.passages, 18000",
        ),
        (
            "question_sets.conditioned.filters",
            ["hard", "hard"],
            "question_sets.conditioned.filters is ['hard', 'hard']; it must be a list without "
            "repetition",
        ),
        (
            "question_sets.conditioned.filters",
            ["short"],
            "question_sets.conditioned.filters[0] is 'short'; it must be one of reader, hard",
        ),
        (
            "generator.kinds",
            ["unconditioned", "conditioned"],
            "question_sets.answer_sentence.generator names answer_sentence; it must be one of "
            "unconditioned, conditioned",
        ),
        # --- what encoders start from and are trained on
        (
            "systems.dense.uncon.start",
            "unkon",
            "systems.dense.uncon.start names unkon; it must be one of init, uncon, mixed, aug",
        ),
        (
            "pretrained.mixed.start",
            "colbert",
            "pretrained.mixed.start names colbert; it must be one of init, uncon, mixed, aug",
        ),
        (
            "pretrained.mixed.start",
            "mixed",
            "a cycle: pretrained.mixed starts from itself; start from init",
        ),
        ("public.uncon", PUBLIC, "public and pretrained have two of the name uncon; take another"),
        ("public.init", PUBLIC, "public and pretrained have two of the name init; take another"),
        (
            "public.tas_b",
            PUBLIC | {"passage": ""},
            "public.tas_b.passage is empty; name a folder",
        ),
        (
            "public.tas_b",
            PUBLIC | {"source": "random"},
            "public.tas_b.source is 'random'; it must be one of folder, package, hub",
        ),
        (
            "pretrained.mixed.questions",
            {"unconditioned": 0.5, "conditioned": 0.4},
            "the shares of pretrained.mixed.questions add up to 0.9; they must give 1",
        ),
        (
            "pretrained.mixed.questions",
            {"conditioned": 1.5},
            "pretrained.mixed.questions.conditioned is 1.5; it must be a number from 0 to 1",
        ),
        (
            "pretrained.mixed.questions",
            {"conditional": 1.0},
            "pretrained.mixed.questions names conditional; it must be one of unconditioned, cond",
        ),
        ("pretrained.mixed.questions", {}, "pretrained.mixed.questions is {}; it must be one or"),
        # --- systems
        ("systems.dense", {}, "systems.dense is empty; name a dual encoder"),
        ("systems.dense.my-own", {"start": "init", "gold": "main"},
         "systems.dense.my-own has a name with '-'; write '_'"),
        ("systems.dense.a_reranked", {"start": "init", "gold": "main"},
         "systems.dense.a_reranked has a name that is taken; take another one"),
        ("systems.dense.bm25", {"start": "init", "gold": "main"},
         "systems.dense.bm25 has a name that is taken; take another one"),
        ("systems.dense.dpr.gold", "web", "systems.dense.dpr.gold names web; it must be one of"),
        ("systems.dense.dpr.gold", GONE, "parameter systems.dense.dpr.gold is missing; add it (a"),
        ("systems.dense.dpr.begin", "init", "unknown parameter systems.dense.dpr.begin; known:"),
        ("systems.sparse", ["bm25"], "unknown parameter systems.sparse; known: lexical, dense,"),
        ("systems.lexical", ["bm52"], "systems.lexical[0] is 'bm52'; it must be one of tfidf,"),
        ("systems.lexical", ["tfidf"], "systems.lexical lacks bm25; add it: the analysis of"),
        (
            "systems.reranked",
            ["bm25", "bm25"],
            "systems.reranked is ['bm25', 'bm25']; it must be a list without repetition",
        ),
        (
            "systems.reranked",
            ["bm52"],
            "systems.reranked names bm52; it must be one of tfidf, bm25, dpr, uncon,",
        ),
        (
            "analysis.systems",
            ["bm25"],
            "analysis.systems names bm25; it must be one of dpr, uncon,",
        ),
        ("analysis.systems", [], "analysis.systems is []; it must be one or more, all different"),
        (
            "select.system",
            "colbert",
            "select.system names colbert; it must be one of dpr, uncon,",
        ),
        (
            "select.system",
            "uncon",
            "a cycle: select.system uncon is pre-trained on unconditioned, which exist only once "
            "it has selected entities and scored questions; name a system that starts from init",
        ),
        # --- training and weights
        (
            "pretrain.accumulation",
            3,
            "pretrain.batch_size 64 is no multiple of its accumulation 3; batch_size counts",
        ),
        (
            "pretrained.aug.training.accumulation",
            3,
            "pretrained.aug.training.batch_size 64 is no multiple of its accumulation 3;",
        ),
        (
            "systems.dense.dpr.training",
            {"batch_size": 3, "accumulation": 2},
            "systems.dense.dpr.training.batch_size 3 is no multiple of its accumulation 2;",
        ),
        (
            "systems.dense.dpr.training",
            {"epoch": 3},
            "unknown parameter systems.dense.dpr.training.epoch; did you mean "
            "systems.dense.dpr.training.epochs?",
        ),
        (
            "systems.dense.dpr.training",
            {"examples": 3},
            "unknown parameter systems.dense.dpr.training.examples; known: lr,",
        ),
        (
            "pretrained.aug.training.lr",
            0,
            "pretrained.aug.training.lr is 0; it must be a number above 0",
        ),
        ("pretrained.aug.training", [3], "pretrained.aug.training is no mapping; write"),
        (
            "init_encoder",
            RANDOM_ENCODER | {"layers": None},
            "init_encoder.layers is null; random weights need it",
        ),
        (
            "init_encoder",
            RANDOM_ENCODER | {"heads": 7},
            "init_encoder.hidden 256 is no multiple of its heads 7; change one of them",
        ),
        (
            "init_encoder",
            RANDOM_ENCODER | {"source": "hub"},
            "init_encoder.name is empty; name a hub",
        ),
        (
            "init_generator",
            RANDOM_GENERATOR | {"heads": 2},
            "init_generator has 2 heads for 128 hidden units; give at least 4 heads, each with",
        ),
        (
            "init_generator",
            RANDOM_GENERATOR | {"layers": None},
            "init_generator.layers is null; random weights need it",
        ),
        (
            "evaluation.ks",
            [1, 101],
            "evaluation.ks asks for the top 101 of 100 passages; raise retrieval.depth or lower",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_one_line(
    tmp_path: Path, key: str, value: Any, message: str
) -> None:
    assert message in refused(with_values(tmp_path, {key: value}))


@pytest.mark.parametrize(
    "elsewhere", [{"source": "folder"}, {"distractors": {"more": "data/raw/a"}}]
)
def test_only_the_world_s_own_passages_are_asked_about_by_it(
    tmp_path: Path, elsewhere: dict[str, Any]
) -> None:
    asked = {
        "question_sets.perfect": ASKED | {"generator": "world"},
        "question_sets.free": ASKED | {"generator": "world", "entities": None},
    }
    sets = load_params(with_values(tmp_path, asked)).question_sets
    assert (sets["perfect"].entities, sets["free"].entities) == ("lowest", None)
    said = refused(with_values(tmp_path, asked | elsewhere))
    assert said == (
        "question_sets.perfect.generator is world, which asks about its own passages alone; "
        "it needs source: microcosm and no distractors; name one that is trained"
    )


def test_names_in_params_are_those_of_the_code() -> None:
    lexical, _ = get_args(get_type_hints(Systems, include_extras=True)["lexical"])
    assert get_args(get_args(lexical)[0]) == LEXICAL
    chosen, _ = get_args(get_type_hints(QuestionSet)["entities"])
    assert get_args(chosen) == tuple(CHOICES)
    assert get_args(GeneratorKind) == ITEMS["GeneratorKind"].known


def test_a_cycle_of_several_is_found(tmp_path: Path) -> None:
    starts = {"uncon": "mixed", "mixed": "aug", "aug": "mixed"}
    values = {f"pretrained.{name}.start": start for name, start in starts.items()}
    said = refused(with_values(tmp_path, values))
    assert said == "a cycle: pretrained.mixed starts from itself; start from init"


def test_the_conditioned_generator_is_always_trained(tmp_path: Path) -> None:
    values = {"question_sets.conditioned": GONE, "generator.kinds": ["unconditioned"]}
    values |= {"question_sets.answer_sentence": GONE, "pretrained": {}, "select.system": "dpr"}
    values |= {f"systems.dense.{name}": GONE for name in ("uncon", "mixed", "aug")}
    values |= {"systems.reranked": [], "analysis.systems": ["dpr"]}
    said = refused(with_values(tmp_path, values))
    assert said.startswith("generator.kinds lacks conditioned; add it")
    values["generator.kinds"] = ["unconditioned", "conditioned"]
    assert load_params(with_values(tmp_path, values)).pretrained == {}


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    params = load_params(with_values(tmp_path, {"collections.main": FOLDERS}))
    assert params.collections["main"] == Collection("data/raw/a", {}, max_test_questions=None)
    main = GoldSet("data/raw/microcosm", "main", None, None, None)
    assert params.gold_sets["main"] == main
    assert params.reading_sets == {"main": ReadingSet("data/raw/microcosm", None, 0.0)}
    assert params.systems.dense["dpr"] == Dense("init", "main", {})
    assert params.pretrained["aug"].training == {
        "epochs": 6, "examples": None, "one_per_passage": True,
    }  # fmt: skip


def test_systems_are_what_params_name(tmp_path: Path) -> None:
    values = {
        "public.tas_b": PUBLIC,
        "question_sets.random": ASKED | {"entities": "random"},
        "pretrained.random": {"start": "tas_b", "questions": {"random": 1.0}},
        "systems.dense.random": {"start": "random", "gold": "main", "training": {"epochs": 0}},
        "systems.dense.tas_b": {"start": "tas_b", "gold": "webq_like"},
        "systems.lexical": ["bm25"],
        "systems.reranked": ["random"],
        "analysis.systems": ["tas_b", "random"],
        "select.system": "tas_b",
    }
    systems = load_params(with_values(tmp_path, values)).systems
    own = ["dpr", "uncon", "mixed", "aug"]
    others = ["dpr_webq_like", "dpr_trivia_like"]
    assert evaluated(systems) == ["bm25", *own, *others, "random", "tas_b", "random_reranked"]
    assert references(systems) == [*others, "tas_b"]
    assert systems.dense["random"] == Dense("random", "main", {"epochs": 0})


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
    """SIGIR sec. 3, thesis tabs. 4.5 to 4.7; AugDPR, appendix."""
    paper = load_params(FOLDER / "paper.yaml")
    pre, fine = paper.pretrain, paper.finetune
    assert (pre.lr, pre.epochs, pre.batch_size, pre.accumulation) == (1e-5, 10, 512, 8)
    assert (fine.lr, fine.epochs, fine.batch_size, fine.accumulation) == (2e-5, 40, 64, 1)
    assert fine.hard_negatives == pre.hard_negatives == 1
    assert paper.encoder.max_passage_tokens == paper.encoder.max_question_tokens == 256
    assert paper.init_encoder.name == "bert-base-uncased@"  # the user adds the commit
    assert paper.init_generator.name.startswith("facebook/bart")
    generator = paper.generator
    assert (generator.lr, generator.epochs, generator.batch_size) == (3e-5, 3, 24)
    assert generator.max_source_tokens == 1024
    assert (paper.generate.top_p, paper.generate.top_k) == (0.95, 10)
    aug = paper.question_sets["answer_sentence"]  # AugDPR sec. 3 and appendix
    assert (aug.passages, aug.questions, aug.filters) == (2_000_000, 4, ())
    pre = replace(pre, **paper.pretrained["aug"].training)
    fine = replace(fine, **paper.systems.dense["aug"].training)
    assert (pre.lr, pre.epochs, pre.batch_size, pre.accumulation) == (1e-5, 6, 1024, 8)
    assert (pre.examples, pre.one_per_passage) == (None, True)
    assert (fine.lr, fine.epochs, fine.batch_size, fine.accumulation) == (1e-5, 20, 128, 1)
    squad, nq = paper.reader.phases
    assert (squad.examples, nq.examples) == ("squad", "main")
    assert paper.reading_sets.keys() == {"main", "squad"}
    assert list(paper.collections["main"].test_sets) == ["nq", "webq", "trivia", "wikimovies"]
    assert (squad.lr, squad.epochs, squad.batch_size, squad.max_tokens) == (3e-5, 3, 8, 384)
    assert (squad.max_question_tokens, squad.stride) == (64, 128)
    assert (nq.lr, nq.epochs, nq.batch_size, nq.max_tokens) == (2e-5, 1, 48, 512)
    assert (nq.max_question_tokens, nq.stride) == (18, 192)
    assert (paper.pretrain.examples, paper.pretrain.one_per_passage) == (1_000_000, False)
    assert paper.pretrained["uncon"].questions == {"unconditioned": 1.0}
    assert paper.pretrained["mixed"].questions == {"unconditioned": 0.5, "conditioned": 0.5}
    assert (paper.bm25.k1, paper.bm25.b) == (0.9, 0.4)  # Pyserini's settings for DPR passages
    assert paper.attention_statistics.passages == 10_000
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


def test_a_profile_that_extends_another_is_written_out_whole(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    use("microcosm-night", target=target)
    text = target.read_text(encoding="utf-8")
    assert text.startswith("# The default at a size nearer to the papers' premises")
    assert "extends" not in text and "The embedded default" not in text
    night, default = load_params(target), load_params(FOLDER / "microcosm.yaml")
    assert night.profile == "microcosm-night"
    assert (night.microcosm.passages, night.microcosm.gold_share) == (30_000, 0.1)
    assert night.microcosm.families == default.microcosm.families
    assert {*default.systems.dense} < {*night.systems.dense}
    assert night.entities == default.entities
    # What is merged is known, so that using another profile keeps no copy.
    use("microcosm-controls", target=target)
    assert not (tmp_path / "params.yaml.bak").exists()
    assert target.read_text(encoding="utf-8") == whole("microcosm-controls")


def test_controls_differ_in_one_thing_each(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    use("microcosm-controls", target=target)
    params = load_params(target)
    assert {"uncon", "mixed"} < {*params.pretrained}
    assert {*params.pretrained} <= {*params.systems.dense}
    sets, conditioned = params.question_sets, params.question_sets["conditioned"]
    changed = {
        name: {f for f in vars(of) if getattr(of, f) != getattr(conditioned, f)}
        for name, of in sets.items()
        if of.generator == "conditioned"
    }
    assert changed.pop("conditioned") == set()
    # But for how many are asked, where fewer pass the filters or more are needed.
    assert changed.pop("conditioned_alone") == {"questions"}
    changed["highest"].remove("questions")
    entities = {"highest", "random", "last_sentence"}
    assert changed == {n: {"entities"} if n in entities else {"filters"} for n in changed}
    assert {sets[name].entities for name in changed} == entities | {"lowest"}
    assert {sets[name].filters for name in changed} == {
        (), ("reader",), ("hard",), ("reader", "hard"),
    }  # fmt: skip
    wrong = {of.wrong_passage for of in sets.values() if of.generator == "world"}
    assert wrong == {0.0, 0.2, 0.5}
    # All see as much as UnCon-DPR and Mixed-DPR.
    assert not any(of.training for of in params.pretrained.values())


def test_the_lean_profile_has_less_of_the_default_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    use("microcosm-lean", target=target)
    lean, default = load_params(target), load_params(FOLDER / "microcosm.yaml")
    taken = {"collections", "question_sets", "pretrained", "systems"}
    default = replace(default, generator=replace(default.generator, kinds=lean.generator.kinds))
    assert {*lean.generator.kinds} == {of.generator for of in lean.question_sets.values()}
    for name, own in vars(lean).items():
        if name not in taken | {"profile"}:
            assert own == getattr(default, name), name
    for name in ("collections", "question_sets", "pretrained"):
        assert getattr(lean, name).items() < getattr(default, name).items(), name
    assert lean.systems.dense.items() < default.systems.dense.items()
    assert [*lean.systems.dense] == ["dpr", "uncon", "mixed"]


def test_a_profile_takes_its_data_from_a_folder(tmp_path: Path) -> None:
    for name in ("squad", "covid-qa"):
        (tmp_path / "data" / name).mkdir(parents=True)
    target = tmp_path / "params.yaml"
    use("squad", data=tmp_path / "data", target=target)
    own = load_params(target).systems.dense
    assert references(load_params(target).systems) == []  # covid-qa has no training questions
    (tmp_path / "data/covid-qa/squad-train.json").touch()
    use("squad", data=tmp_path / "data", target=target)
    params = load_params(target)
    covid = (tmp_path / "data/covid-qa").as_posix()
    squad = (tmp_path / "data/squad").as_posix()
    assert params.source == "folder"
    assert params.collections["main"].folder == squad
    assert params.collections["covid-qa"] == Collection(covid, {"covid-qa": "test.qa.tsv"})
    assert params.distractors == {}  # squad-extra is not there
    assert params.gold_sets["main"].folder == params.reading_sets["main"].folder == squad
    assert params.gold_sets["covid-qa"] == GoldSet(covid, "covid-qa")
    reference = Dense("init", "covid-qa", {"epochs": 10})
    assert params.systems.dense == own | {"dpr_covid_qa": reference}
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
    nq, webq, bioasq, squad = ((data / n).as_posix() for n in ("nq", "webq", "bioasq", "squad"))
    tests = {"nq": "test.qa.tsv", "webq": "webq.qa.tsv", "trivia": "trivia.qa.tsv"}
    assert params.collections == {
        "main": Collection(nq, tests),
        "bioasq": Collection(bioasq, {"bioasq": "test.qa.tsv"}),
    }
    # Of wikimovies there are no test questions, of trivia none to train with.
    assert params.gold_sets == {"main": GoldSet(nq, "main"), "webq": GoldSet(webq, "main")}
    assert references(params.systems) == ["dpr_webq"]
    assert params.systems.dense["dpr_webq"] == Dense("init", "webq", {"epochs": 100})
    assert params.reading_sets == {"main": ReadingSet(nq), "squad": ReadingSet(squad)}
    # Where none of them is there, what must be is still asked for.
    (data / "nq/test.qa.tsv").unlink()
    use("paper", data=data, target=target)
    assert "nq" in load_params(target).collections["main"].test_sets


def test_unknown_profile_and_missing_data(tmp_path: Path) -> None:
    target = tmp_path / "params.yaml"
    with pytest.raises(
        InputError,
        match="choose one of microcosm, microcosm-controls, microcosm-lean, microcosm-night, paper",
    ):
        use("squat", target=target)
    with pytest.raises(InputError, match="no such folder"):
        use("squad", data=tmp_path, target=target)
    assert not target.exists()
