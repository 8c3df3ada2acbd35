"""BM25 hard negatives against a loop that asks Pyserini one question after the other.

    python bench/mine.py [--questions 2000] [--memory 2000 20000] [--rounds 5] [--data FOLDER]

Both sides search `--depth` passages for each question and keep the best that is no positive and
holds no answer; the loop searches with `LuceneSearcher.search` and matches with `has_answers`.
Hits, scores and negatives must agree. The floor is Lucene's own search on all cores, its results
left where they are. The second table is the peak memory of our side, in a process of its own, at
two numbers of questions: it does not grow with them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.passages import Passages
from ecqg.lexical.bm25 import BM25, SEARCH_BLOCK, lucene_index
from ecqg.lexical.java import java_class
from ecqg.lexical.negatives import add_negatives
from side_by_side import alternate, counted, measure, peer, table
from texts import Texts, add_data_option, open_texts

K1, B = 0.9, 0.4


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--depth", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", type=int, nargs="+", default=[2_000, 20_000])
    options = parser.parse_args()
    with open_texts(options.data) as texts:
        examples = texts.examples()[: options.questions]
        index = lucene_index(texts.store)
        print(f"{texts.name}: {len(texts.passages()):,} passages, {len(examples):,} questions\n")
        print(speed(texts, index, examples, options.depth, options.rounds), "\n")
        print(memory(texts, index, options.memory, options.depth))


def speed(texts: Texts, index: Path, examples: list[Example], depth: int, rounds: int) -> str:
    """Markdown; ends the program where hits or negatives differ."""
    passages = texts.passages()
    ours = BM25(index, k1=K1, b=B)
    theirs = loop_searcher(index)
    questions = [example.question for example in examples]
    for question, (rows, scores) in zip(questions, ours.search(questions, depth), strict=True):
        hits = theirs.search(question, k=depth)
        if [(int(h.docid), h.score) for h in hits] != list(
            zip(rows.tolist(), scores.tolist(), strict=True)
        ):
            sys.exit(f"hits differ: {question!r}")

    def mine() -> list[Example]:
        found = add_negatives(examples, passages, ours.search, depth=depth, per_question=1)
        return list(found)

    ids, bodies = passages.ids().to_pylist(), [passage.text for passage in passages]

    def loop() -> list[str]:
        return list(loop_negatives(theirs, examples, ids, bodies, depth))

    if ["".join(ids[row] for row in example.negatives) for example in mine()] != loop():
        sys.exit("negatives differ")
    rates = alternate(
        {
            "ours": counted(mine, len(examples)),
            "Pyserini, one by one": counted(loop, len(examples)),
        },
        rounds,
    )
    floor = ("Lucene alone, all cores", search_rate(index, questions, depth))
    return table(rates, "questions/s", floor=floor)


def loop_searcher(index: Path) -> Any:
    """Pyserini's searcher, with our parameters."""
    os.environ.setdefault("OPENAI_API_KEY", "none")  # it builds a client when it is imported
    java_class("java.lang.String")  # the machine must run before Pyserini is imported
    searcher = peer("pyserini.search.lucene").LuceneSearcher(str(index))
    searcher.set_bm25(K1, B)
    return searcher


def loop_negatives(
    searcher: Any, examples: Iterable[Example], ids: list[str], bodies: list[str], depth: int
) -> Iterator[str]:
    """The id of each question's negative, empty where it has none."""
    pyserini = peer("pyserini.eval.evaluate_dpr_retrieval")
    tokenizer = pyserini.SimpleTokenizer()
    for example in examples:
        rows = (int(hit.docid) for hit in searcher.search(example.question, k=depth))
        yield next(
            (
                ids[row]
                for row in rows
                if row not in example.positives
                and not pyserini.has_answers(bodies[row], example.answers, tokenizer)
            ),
            "",
        )


def search_rate(index: Path, questions: list[str], depth: int) -> float:
    """Questions a second of Lucene's search in blocks, on all cores, without a look at results."""
    searcher = java_class("io.anserini.search.SimpleSearcher")(str(index.resolve()))
    searcher.set_bm25(K1, B)
    strings = java_class("java.util.ArrayList")
    since = time.perf_counter()
    for start in range(0, len(questions), SEARCH_BLOCK):
        texts, keys = strings(), strings()
        for key, text in enumerate(questions[start : start + SEARCH_BLOCK]):
            texts.add(text)
            keys.add(str(key))
        searcher.batch_search(texts, keys, depth, os.cpu_count() or 1)
    return len(questions) / (time.perf_counter() - since)


def memory(texts: Texts, index: Path, sizes: list[int], depth: int) -> str:
    """Markdown: peak memory by number of questions."""
    source, examples = texts.store.with_name("examples.json"), texts.examples()
    lines = ["| questions | questions/s | peak MiB | of it private |", "|---|---|---|---|"]
    for size in sizes:
        write_examples(source, islice(cycle(examples), size))
        found = measure(mine_file, texts.store, index, source, depth)
        rate = size / found.seconds
        lines.append(f"| {size:,} | {rate:,.0f} | {found.peak:,.0f} | {found.private:,.0f} |")
    return "\n".join(lines)


def mine_file(store: Path, index: Path, source: Path, depth: int) -> None:
    """As stage `negatives` does."""
    search = BM25(index, k1=K1, b=B).search
    passages = Passages(store)
    with TemporaryDirectory(dir=source.parent) as folder:
        found = add_negatives(
            read_examples(source, passages),
            passages,
            search,
            depth=depth,
            per_question=1,
            resume_dir=Path(folder),
        )
        write_examples(source.with_name("mined.json"), found)


if __name__ == "__main__":
    main()
