"""What a study that has generators and a reader says of how to adapt a retriever."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecqg import paths
from ecqg.adapt.corpus import TEST
from ecqg.checking import read_yaml
from ecqg.corpus.questions import QA
from ecqg.errors import InputError
from ecqg.params import Params, build_params

PARAMS = "params.yaml"
CORPUS = "corpus"  # the data folder, in the folder of the work
BASE, PLAIN, ADAPTED = "base", "unconditioned", "adapted"  # retrievers
DENSE = (BASE, PLAIN, ADAPTED)
CONDITIONED = "conditioned"
SETS = (PLAIN, CONDITIONED)  # question sets, as the study has them, and the generators of both
TRAINED = {PLAIN: {PLAIN: 1.0}, ADAPTED: {PLAIN: 0.5, CONDITIONED: 0.5}}
MADE = [paths.generator(kind) for kind in SETS] + [paths.READER]  # by the study, used as they are


@dataclass(frozen=True)
class Wishes:
    """What people may choose; the defaults change a trained encoder with care."""

    limit: int  # passages that questions are generated about
    epochs: int = 2
    lr: float = 2e-5
    batch_size: int = 32
    seed: int = 1


def check_study(study: Path) -> dict[str, Any]:
    """The parameters of a study, as a tree.

    Raises InputError where it has no question sets of the names SETS, or lacks a model.
    """
    tree = read_yaml(study / PARAMS)
    build_params(tree, study / PARAMS)
    for name in SETS:
        if tree["question_sets"].get(name, {}).get("generator") != name:
            what = f"no question set {name} by the generator of that name"
            remedy = "name another study with --study (profile microcosm or squad)"
            raise InputError(what, file=study / PARAMS, remedy=remedy)
    for folder in MADE:
        if not (study / folder).is_dir():
            remedy = f"make it there with 'ecqg repro {_stage(folder)}', or name another --study"
            raise InputError("no such folder", file=study / folder, remedy=remedy)
    return dict(tree)


def _stage(folder: Path) -> str:
    return "train-reader" if folder == paths.READER else f"train-generator@{folder.name}"


def settings(
    tree: dict[str, Any], wishes: Wishes, *, max_tokens: int, cosine: bool, tested: bool
) -> Params:
    """The parameters of the work, with the study's generation, reader and filters.

    Args:
        tree: the study's.
        wishes: what was chosen.
        max_tokens: of a passage, and of a question.
        cosine: whether vectors have length 1.
        tested: whether the corpus has a test set.
    """
    questions = {n: tree["question_sets"][n] | {"passages": wishes.limit} for n in SETS}
    training = {"lr": wishes.lr, "epochs": wishes.epochs, "batch_size": wishes.batch_size}
    own = {"accumulation": 1, "select_by": "last", "one_per_passage": False, "examples": None}
    left = {"start": BASE, "gold": paths.MAIN, "training": {"epochs": 0}}
    changes: dict[str, Any] = {
        "seed": wishes.seed,
        "source": "folder",
        "distractors": {},
        "collections": {
            paths.MAIN: {"folder": CORPUS, "test_sets": {TEST: f"{TEST}{QA}"} if tested else {}}
        },
        "gold_sets": {paths.MAIN: {"folder": CORPUS, "collection": paths.MAIN}},
        "question_sets": questions,
        "public": {BASE: {"source": "folder", "question": BASE, "passage": BASE}},
        "pretrained": {n: {"start": BASE, "questions": of} for n, of in TRAINED.items()},
        "systems": {"lexical": ["bm25"], "dense": dict.fromkeys(DENSE, left), "reranked": []},
        "select": tree["select"] | {"system": BASE, "passages": wishes.limit},
        "pretrain": tree["pretrain"] | training | own,
        "encoder": tree["encoder"]
        | {
            "max_question_tokens": max_tokens,
            "max_passage_tokens": max_tokens,
            "score_scale": "cosine" if cosine else "none",
        },
        "attention_statistics": tree["attention_statistics"] | {"passages": 1},
        "analysis": tree["analysis"] | {"systems": [BASE, ADAPTED], "entity_passages": 1},
        "published": {},
    }
    return build_params(tree | changes)
