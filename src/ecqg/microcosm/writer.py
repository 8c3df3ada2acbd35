"""The generated world as a folder of files in the formats of docs/data.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ecqg.corpus.passage_file import Entry, write_passage_file
from ecqg.corpus.questions import QA, write_questions
from ecqg.corpus.questions import Question as TestQuestion
from ecqg.files import atomic, write_json
from ecqg.microcosm.testsets import (
    Drawer,
    Question,
    Unanswerable,
    is_tail,
    keys,
    nq_like,
)
from ecqg.microcosm.world import World
from ecqg.params import Microcosm
from ecqg.progress import track
from ecqg.seeds import python_rng
from ecqg.shards import map_blocks

SUPERVISED = ("webq_like", "trivia_like")  # as AugDPR's table 4 has them
REGISTERS = {  # wordings of a test set's questions, as Asker.write has them
    "webq_like": "keyword",
    "trivia_like": "clue",
    "uniform": "train held",
    "tail": "train_about held_about",
}


def write_microcosm(
    folder: Path, settings: Microcosm, seed: int, resume_dir: Path | None = None
) -> None:
    """Write a world's passages, questions, reading examples and facts.

    The world follows from `settings.world_seed`, the questions drawn about it from `seed`. Articles
    go to the folder `resume_dir`, where there is one (`map_blocks`). Raises InputError where the
    world is too small for the questions asked for.
    """
    drawer = Drawer(World(settings.world_seed, settings.passages, settings.families), seed)
    with atomic(folder) as aside:
        aside.mkdir()
        _write_passages(aside, drawer, resume_dir)
        _write_questions(aside, drawer, settings, seed)


def _write_passages(folder: Path, drawer: Drawer, resume_dir: Path | None) -> None:
    """passages.tsv, sentences.jsonl and facts.jsonl in one pass, an article at a time."""
    with (
        (folder / "sentences.jsonl").open("w", encoding="utf-8", newline="\n") as sentences,
        (folder / "facts.jsonl").open("w", encoding="utf-8", newline="\n") as facts,
    ):
        total = drawer.world.passages
        written = map_blocks(resume_dir, range(total), partial(_article, drawer))

        def entries() -> Iterator[Entry]:
            bar = track(written, "passages", total=total, unit="passage")
            for row, starts, records in bar:
                yield Entry(*row)
                sentences.write(json.dumps({"id": row[0], "starts": starts}) + "\n")
                for record in records:
                    facts.write(json.dumps(record, ensure_ascii=False) + "\n")

        write_passage_file(folder / "passages.tsv", entries())


def _article(drawer: Drawer, index: int) -> list[Any]:
    """Its fields as passages.tsv has them, where its sentences start, and what it states."""
    article = drawer.article(index)
    facts = [
        {
            "passage_id": article.id,
            "sentence": statement.sentence,
            "key": article.key(statement.fact, slot),
            "subject": article.title,
            "relation": f"{article.family}.{statement.fact.name}.{slot}",
            "object": article.text[start:end],
            "start": start,
            "kind": statement.values[slot].type,
        }
        for statement in article.statements
        for slot, (start, end) in statement.spans.items()
        if slot in statement.values
    ]
    return [[article.id, article.text, article.title], list(article.starts), facts]


def _write_questions(folder: Path, drawer: Drawer, settings: Microcosm, seed: int) -> None:
    passages = drawer.world.passages
    bias, size = settings.sentence_bias, settings.test_questions
    # People ask about a small part of a large collection, and training data covers no more.
    known = python_rng(seed, "microcosm", "gold passages").sample(
        range(passages), round(passages * settings.gold_share)
    )
    count = settings.train_questions
    train = drawer.by_sentence("train", count, bias, "train", set(), among=known)
    gold = keys(train)
    dev = drawer.by_sentence("dev", settings.dev_questions, bias, "train", gold)
    sets = {"nq_like": nq_like(drawer, train, size, bias, keys(dev))}
    for name, registers in REGISTERS.items():
        weights, refused = bias if name in SUPERVISED else None, gold | keys(dev)
        accept = is_tail if name == "tail" else None
        sets[name] = drawer.by_sentence(name, size, weights, registers, refused, accept)
    for name, questions in sets.items():
        of_set = (
            TestQuestion(str(i), one.text, (one.ask.answer,)) for i, one in enumerate(questions)
        )
        write_questions(folder / f"{name}{QA}", of_set)
        _write_lines(folder / f"{name}.facts.tsv", (one.ask.key for one in questions))
    # A test set's own training and dev questions, for a reference system. They are worded as the
    # test set's are, on any passage: who annotates for a test set knows its collection.
    for name in SUPERVISED:
        (folder / name).mkdir()
        refused = keys(sets[name])
        for split, count in (("train", settings.train_questions), ("dev", settings.dev_questions)):
            questions = drawer.by_sentence(f"{name}/{split}", count, bias, REGISTERS[name], refused)
            refused |= keys(questions)
            _write_squad(folder / name / f"squad-{split}.json", questions)
    _write_squad(folder / "squad-train.json", train)
    _write_squad(folder / "squad-dev.json", dev)
    numbered = (f"{number}\t{one.ask.key}" for number, one in enumerate(train))
    _write_lines(folder / "train.facts.tsv", numbered)
    tested = set[str]().union(*(keys(questions) for questions in sets.values())) - gold
    for split, count in (
        ("train", settings.reading_questions),
        ("dev", settings.reading_questions // 10),
    ):
        answered = drawer.by_sentence(f"reading-{split}", count, None, "train", tested)
        tested |= keys(answered)
        examples: list[Question | Unanswerable] = [
            *answered,
            *drawer.unanswerable(f"reading-{split}/unanswerable", count),
        ]
        python_rng(seed, "microcosm", split, "order").shuffle(examples)
        _write_squad(folder / f"reading-{split}.json", examples)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in lines)


def _write_squad(path: Path, questions: Sequence[Question | Unanswerable]) -> None:
    """SQuAD v2 JSON: one paragraph per passage, questions numbered in the order drawn."""
    data: dict[int, dict[str, Any]] = {}  # by the article's index
    for number, one in enumerate(questions):
        article = one.ask.article if isinstance(one, Question) else one.article
        paragraph = {"context": article.text, "qas": []}
        of_article = data.setdefault(
            article.index, {"title": article.title, "paragraphs": [paragraph]}
        )
        answers = []
        if isinstance(one, Question):
            answers = [{"text": one.ask.answer, "answer_start": one.ask.start}]
        of_article["paragraphs"][0]["qas"].append(
            {
                "id": str(number),
                "question": one.text,
                "is_impossible": not answers,
                "answers": answers,
            }
        )
    write_json(path, {"version": "v2.0", "data": [data[index] for index in sorted(data)]})
