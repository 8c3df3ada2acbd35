"""The collection, gold pairs, reading examples and test sets of a study, from its data folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from ecqg.corpus.examples import write_examples
from ecqg.corpus.folder import DataFolder, Split, TestSet
from ecqg.corpus.gold import GoldPair, answer_sentence, gold_examples, pair_up
from ecqg.corpus.ingest import ingest_passages
from ecqg.corpus.judgements import SUFFIX, judge, renumbered, write_qrels
from ecqg.corpus.overlap import Asked, compute_subsets
from ecqg.corpus.passages import Passage, Passages, write_passages
from ecqg.corpus.position import SentenceShare, question_position
from ecqg.corpus.questions import Question, write_questions
from ecqg.corpus.reading import write_reading
from ecqg.corpus.unanswerable import with_unanswerable
from ecqg.errors import InputError
from ecqg.files import write_json
from ecqg.params import Corpus
from ecqg.resume import digest
from ecqg.seeds import python_rng

T = TypeVar("T")
PASSAGES = "passages.arrow"


@dataclass(frozen=True)
class Targets:
    """The folders that a study's data are written to."""

    collection: Path
    gold: Path
    reading: Path
    judgements: Path  # there already; stays empty where nothing is judged


@dataclass
class Tally:
    """Counts of passages by source, and sums over all of them."""

    passages: dict[str, int] = field(default_factory=dict)
    words: int = 0
    sentences: int = 0

    def count(self, source: str, passages: Iterable[Passage]) -> Iterator[Passage]:
        """Pass the passages of a source through."""
        self.passages[source] = 0
        for passage in passages:
            self.passages[source] += 1
            self.words += len(passage.text.split())
            self.sentences += len(passage.sentence_starts)
            yield passage

    def metrics(self) -> dict[str, Any]:
        """Numbers of passages, and means."""
        total = sum(self.passages.values())
        means = {"words_mean": self.words / total, "sentences_mean": self.sentences / total}
        return {"total": total, **means, "by_source": self.passages}


def build_corpus(
    folder: DataFolder,
    distractors: Mapping[str, Passages],
    settings: Corpus,
    seed: int,
    targets: Targets,
    kept: Path | None = None,
) -> tuple[dict[str, Any], list[SentenceShare]]:
    """Write everything to `targets`; return counts for people and the table of question positions.

    The collection holds the training folder's passages, then those of the distractors, in the
    order of `distractors`. What takes long is kept in the folder `kept`, where there is one
    (`ingest_passages`, `gold_pairs`). Raises InputError for malformed files, and where no gold
    question of a split leads to a passage.
    """
    tally = Tally()
    store = targets.collection / PASSAGES
    own = tally.count("train_set", ingest_passages(folder.path, kept=kept))
    others = (tally.count(name, passages) for name, passages in distractors.items())
    write_passages(store, chain(own, *others))
    passages = Passages(store)

    located = kept and kept / digest([store])
    train, train_dropped = gold_pairs(folder, folder.train, passages, located)
    if settings.train_answer_sentences is not None:
        train, late = _early(train, passages, settings.train_answer_sentences)
        train_dropped["answer_too_late"] = late
    train = sample(train, settings.max_train_questions, seed, "train")
    dev, dev_dropped = gold_pairs(folder, folder.dev, passages, located)
    dev = sample(dev, settings.max_dev_questions, seed, "dev")
    for name, pairs in (("train", train), ("dev", dev)):
        write_examples(targets.gold / f"{name}.json", gold_examples(pairs, passages))

    reading: dict[str, dict[str, int]] = {}
    for name, split in (("train", folder.train), ("dev", folder.dev)):
        examples = with_unanswerable(
            split.reading,
            settings.min_unanswerable_share,
            python_rng(seed, "corpus", "unanswerable", name),
        )
        examples = sample(examples, settings.max_reading_examples, seed, f"reading-{name}")
        write_reading(targets.reading / f"{name}.json", examples)
        answerable = sum(bool(example.answers) for example in examples)
        reading[name] = {"answerable": answerable, "unanswerable": len(examples) - answerable}
        if split.unread is not None:
            reading[name]["answer_not_found"] = split.unread

    asked = [Asked(p.question, p.answers, folder.train_facts.get(p.id)) for p in train]
    subsets: dict[str, dict[str, list[str]]] = {}
    tests: dict[str, dict[str, int]] = {}
    for name, test_set in folder.test_sets.items():
        rows = sample(
            range(len(test_set.questions)), settings.max_test_questions, seed, f"test-{name}"
        )
        chosen = _at(test_set, rows)
        write_questions(targets.collection / "questions" / f"{name}.qa.tsv", chosen.questions)
        subsets[name] = _subsets(chosen, asked)
        tests[name] = {"questions": len(chosen.questions)}
        tests[name] |= {subset: len(ids) for subset, ids in subsets[name].items()}
        judged = judge(folder.path, settings.test_sets[name], passages)
        if judged is not None:
            write_qrels(targets.judgements / f"{name}{SUFFIX}", renumbered(judged, rows))
    write_json(targets.collection / "subsets.json", subsets)

    shares = question_position(train, passages)
    metrics = {
        "passages": tally.metrics(),
        "gold": {
            "train": {"questions": len(train), **train_dropped},
            "dev": {"questions": len(dev), **dev_dropped},
        },
        "reading": reading,
        "test": tests,
    }
    return metrics, shares


def sample(items: Sequence[T], most: int | None, seed: int, name: str) -> list[T]:
    """At most `most` items, drawn at random, in their old order."""
    if most is None or most >= len(items):
        return list(items)
    rows = python_rng(seed, "corpus", name).sample(range(len(items)), most)
    return [items[row] for row in sorted(rows)]


def gold_pairs(
    folder: DataFolder, split: Split, passages: Passages, kept: Path | None = None
) -> tuple[list[GoldPair], dict[str, int]]:
    """A split's gold pairs, and how many candidates were dropped; none at all is an InputError.

    Goes on with what the folder `kept`, one for these passages, holds of the same questions.
    """
    if kept is not None:
        kept /= digest([], [candidate.context for candidate in split.candidates])
    pairs, dropped = pair_up(split.candidates, passages, kept)
    if not pairs:
        raise InputError(
            f"none of {len(split.candidates)} gold questions leads to a passage",
            file=folder.path,
            remedy="contexts must be texts of passages.tsv (docs/data.md)",
        )
    return pairs, dropped


def _early(
    pairs: Sequence[GoldPair], passages: Passages, sentences: int
) -> tuple[list[GoldPair], int]:
    """Pairs whose answer starts in the first `sentences` sentences, and how many do not."""
    kept = []
    for pair in pairs:
        sentence = answer_sentence(pair, passages)
        if sentence is not None and sentence < sentences:
            kept.append(pair)
    return kept, len(pairs) - len(kept)


def _at(test_set: TestSet, rows: Sequence[int]) -> TestSet:
    """A part of a test set, its questions numbered anew as their lines in the file will be."""
    new = {test_set.questions[row].id: str(i) for i, row in enumerate(rows)}
    questions: list[Question] = []
    for row in rows:
        question = test_set.questions[row]
        questions.append(replace(question, id=new[question.id]))
    annotations = test_set.annotations and {
        subset: [new[i] for i in ids if i in new] for subset, ids in test_set.annotations.items()
    }
    facts = test_set.facts and [test_set.facts[row] for row in rows]
    return TestSet(questions, annotations, facts)


def _subsets(test_set: TestSet, train: Sequence[Asked]) -> dict[str, list[str]]:
    if test_set.annotations is not None:
        return test_set.annotations
    ids = [question.id for question in test_set.questions]
    facts = dict(zip(ids, test_set.facts, strict=True)) if test_set.facts else None
    return compute_subsets(test_set.questions, train, facts)
