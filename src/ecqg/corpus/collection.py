"""A collection on disk: its passages, its test questions and what its folder says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypedDict

from ecqg.corpus.folder import read_test_set, sample
from ecqg.corpus.passages import PASSAGES, Passage, Passages, write_passages
from ecqg.corpus.qrels import SUFFIX, check_measurable, judge, renumbered, write_qrels
from ecqg.corpus.questions import IDS, QA, write_questions
from ecqg.corpus.sentences import ingest_passages
from ecqg.errors import InputError
from ecqg.files import read_as, write_json, write_text
from ecqg.params import Collection

ANNOTATIONS = "annotations.json"  # Annotations by test set
OWN = "folder"  # the source of passages that are no distractors


class Annotations(TypedDict):
    """What a folder says of the questions of a test set."""

    subsets: dict[str, list[str]] | None  # their ids
    facts: dict[str, str] | None  # keys by id


def build_collection(
    settings: Collection,
    distractors: Mapping[str, Passages],
    seed: int,
    collection: Path,
    qrels: Path,
    resume_dir: Path | None = None,
) -> dict[str, Any]:
    """Write the folders `collection` and `qrels`, which are there already; return counts.

    The folder's passages come first, then those of the distractors, in the order of `distractors`.
    `qrels` stays empty where nothing is judged. Raises InputError for malformed files, and for a
    question with neither answers nor a relevant passage.
    """
    test_sets = {n: read_test_set(settings.folder, f) for n, f in settings.test_sets.items()}
    by_source: Counter[str] = Counter()
    sums = Counter(words=0, sentences=0)

    def counted(source: str, passages: Iterable[Passage]) -> Iterator[Passage]:
        by_source[source] = 0
        for passage in passages:
            by_source[source] += 1
            sums["words"] += len(passage.text.split())
            sums["sentences"] += len(passage.sentence_starts)
            yield passage

    own = counted(OWN, ingest_passages(settings.folder, resume_dir=resume_dir))
    others = (counted(name, passages) for name, passages in distractors.items())
    write_passages(collection / PASSAGES, chain(own, *others))
    passages = Passages(collection / PASSAGES)
    annotations: dict[str, Annotations] = {}
    tests: dict[str, dict[str, int]] = {}
    for name, test_set in test_sets.items():
        questions, facts = test_set.questions, test_set.facts
        file = settings.test_sets[name]
        rows = sample(range(len(questions)), settings.max_test_questions, seed, f"test-{name}")
        # Numbered anew, as their lines in the file will be.
        new = {questions[row].id: str(i) for i, row in enumerate(rows)}
        chosen = (replace(questions[row], id=str(i)) for i, row in enumerate(rows))
        write_questions(collection / "questions" / f"{name}{QA}", chosen)
        tests[name] = {"questions": len(rows)}
        subsets = test_set.annotations and {
            subset: [new[i] for i in ids if i in new]
            for subset, ids in test_set.annotations.items()
        }
        numbered = {str(i): facts[row] for i, row in enumerate(rows)} if facts else None
        annotations[name] = {"subsets": subsets, "facts": numbered}
        if test_set.ids:
            kept = "".join(f"{test_set.ids[row]}\n" for row in rows)
            write_text(collection / "questions" / f"{name}{IDS}", kept)
        judged = judge(Path(settings.folder), file, passages)
        check_measurable(Path(settings.folder, file), questions, judged or {})
        if judged is not None:
            write_qrels(qrels / f"{name}{SUFFIX}", renumbered(judged, rows))
    write_json(collection / ANNOTATIONS, annotations)
    total = by_source.total()
    means = {f"{name}_mean": of / total for name, of in sums.items()}
    return {"passages": {"total": total, **means, "by_source": by_source}, "test": tests}


def read_annotations(collection: Path, test_sets: Iterable[str]) -> dict[str, Annotations]:
    """ANNOTATIONS of a collection's folder, which has these test sets.

    Raises InputError where it is malformed or lacks one.
    """
    path, remedy = collection / ANNOTATIONS, "make it again with 'dvc repro'"
    found = read_as(path, dict[str, Annotations], "no annotations by test set", remedy)
    for name in test_sets:
        if name not in found:
            raise InputError(f"no annotations of {name}", file=path, remedy=remedy)
    return found
