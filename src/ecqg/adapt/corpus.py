"""The passages that a retriever is adapted to, and questions to measure it by, as a data folder."""

from __future__ import annotations

from pathlib import Path

from ecqg.corpus.formats.own import Beir, Ids, none_left
from ecqg.corpus.formats.own_folder import write_test_set
from ecqg.corpus.formats.rows import BadRows
from ecqg.corpus.passage_file import read_passage_file, write_passage_file
from ecqg.corpus.qrels import SUFFIX, read_qrels, write_qrels
from ecqg.corpus.questions import IDS, QA, Question, read_questions, write_questions
from ecqg.files import write_text
from ecqg.probe.rows import entries, names_of, queries_of, read_squad
from ecqg.probe.texts import BEIR_SPLIT
from ecqg.progress import track
from ecqg.seeds import python_rng

TEST = "questions"  # the test set
PASSAGES = "passages.tsv"


def write_corpus(
    passages: Path, questions: Path | None, qrels: Path | None, folder: Path, bad: BadRows
) -> tuple[int, int]:
    """Write a data folder (docs/data.md); return how many passages and questions it has.

    The forms are those of a probe (`ecqg.probe.texts.read`). Raises InputError for malformed files.
    """
    folder.mkdir(parents=True)
    known = Ids()
    read = track(entries(passages, bad, known), "read", unit="passage")
    count = write_passage_file(folder / PASSAGES, read)
    none_left(count, "passages", passages, bad)
    queries = 0
    if questions is not None:
        queries = _questions(questions, qrels, folder, bad, known)
        none_left(queries, "questions", questions, bad)
    elif passages.is_dir() and (splits := Beir(passages).splits()):
        split = BEIR_SPLIT if BEIR_SPLIT in splits else splits[0]
        queries = write_test_set(folder, TEST, Beir(passages).read_queries(split, bad, known), bad)
    bad.settle()
    return count, queries


def _questions(file: Path, qrels: Path | None, folder: Path, bad: BadRows, known: Ids) -> int:
    name, target = file.name.removesuffix(".gz"), folder / f"{TEST}{QA}"
    if name.endswith(".json"):
        queries = [
            Question(str(i), e.question, tuple(dict.fromkeys(a.text for a in e.answers)))
            for i, e in enumerate(read_squad(file, qrels))
        ]
        write_questions(target, queries)
        return len(queries)
    if not name.endswith(".tsv"):
        return write_test_set(folder, TEST, queries_of(file, qrels, bad, known), bad)
    of_file = read_questions(file)
    write_questions(target, of_file)
    if qrels is not None:
        names = names_of(file, of_file)
        write_qrels(folder / f"{TEST}{SUFFIX}", read_qrels(qrels, bad, {*names}, known))
        write_text(folder / f"{TEST}{IDS}", "".join(f"{name}\n" for name in names))
    return len(of_file)


def write_sample(corpus: Path, folder: Path, count: int, seed: int) -> None:
    """Write a data folder of that many passages of a corpus, at random."""
    found = list(read_passage_file(corpus / PASSAGES))
    rows = python_rng(seed, "sample").sample(range(len(found)), min(count, len(found)))
    folder.mkdir(parents=True)
    write_passage_file(folder / PASSAGES, [found[row] for row in sorted(rows)])
