"""What a second processor gives to search, mining and matching, and to additions alone.

    python bench/cores.py [--passages 100000] [--threads 1 2] [--rounds 3] [--data FOLDER]

Each measurement is a process of its own with ECQG_THREADS set, as a stage has it, and held to as
many processors: Java's own threads, which compile and collect, else take the second one in any
case. The clock starts when it has imported and opened what it reads. Results must be the same
whatever the threads. Memory is private, of the process and its children: it must not grow with the
questions.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ecqg.corpus.examples import read_examples, write_examples
from ecqg.corpus.passages import Passages
from ecqg.corpus.questions import Question
from ecqg.evaluation.matching import Asked, Match
from ecqg.evaluation.runs import Ranking, parts, run_file, write_run
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.negatives import mine
from ecqg.lexical.tfidf import TfIdf
from ecqg.parallel.pool import run
from ecqg.parallel.task import Task
from ecqg.params import Params, load_params
from ecqg.profiles import FOLDER
from side_by_side import Measured, measure, ratios, spread
from texts import Texts, add_data_option, open_texts

DEPTH = 100
Work = Callable[[Path, int], tuple[float, str]]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--passages", type=int, default=100_000, help="where they are generated")
    parser.add_argument("--share", type=float, default=1.0, help="of the questions of COUNTS")
    parser.add_argument("--only", nargs="*", default=[work.__name__ for work in COUNTS])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with open_texts(options.data, options.passages) as texts, TemporaryDirectory() as scratch:
        prepare(texts, Path(scratch))
        print(f"{texts.name}: {len(texts.passages()):,} passages\n", flush=True)
        works = {work: n for work, n in COUNTS.items() if work.__name__ in options.only}
        counts = {work: round(count * options.share) for work, count in works.items()}
        table(Path(scratch), counts, options.threads, options.rounds)


def prepare(texts: Texts, scratch: Path) -> None:
    """What the measurements read, in `scratch`: indexes, questions, what BM25 found for them."""
    lucene_index(texts.store)
    (scratch / "collection").symlink_to(texts.store.parent)
    of_tfidf(scratch)
    write_examples(scratch / "examples.jsonl", texts.examples())
    questions = texts.questions()
    found = of_bm25(scratch).search([q.text for q in questions], DEPTH)
    ids = texts.passages().ids().to_pylist()
    with (scratch / "found.tsv").open("w", encoding="utf-8") as out:
        for question, (rows, _) in zip(questions, found, strict=True):
            names = " ".join(ids[row] for row in rows.tolist())
            out.write("\t".join([question.text, names, *question.answers]) + "\n")


def table(scratch: Path, counts: dict[Work, int], threads: Sequence[int], rounds: int) -> None:
    """Print Markdown; ends the program where results differ."""
    print(f"| what | {' | '.join(f'{n}: questions/s' for n in threads)} | times | MiB |")
    print("|---" * (len(threads) + 3) + "|", flush=True)
    granted = sorted(os.sched_getaffinity(0))
    for work, count in counts.items():
        found: dict[int, list[Measured]] = {n: [] for n in threads}
        for _ in range(rounds):
            for n in threads:
                os.environ["ECQG_THREADS"] = str(n)  # which the process inherits, and processors
                os.sched_setaffinity(0, granted[:n])
                found[n].append(measure(work, scratch, count))
        os.sched_setaffinity(0, granted)
        if len({one.result[1] for runs in found.values() for one in runs}) > 1:
            raise SystemExit(f"{work.__name__}: results differ by threads")
        rates = {n: [count / one.result[0] for one in runs] for n, runs in found.items()}
        times = spread(ratios(rates[threads[-1]], rates[threads[0]]))
        memory = [max(one.private for one in found[n]) for n in threads]
        cells = [f"{work.__name__}, {count:,}", *(spread(rates[n]) for n in threads), times]
        print(f"| {' | '.join(cells)} | {', '.join(f'{m:,.0f}' for m in memory)} |", flush=True)


def bm25(scratch: Path, count: int) -> tuple[float, str]:
    """Seconds of a search, and a digest of what was found."""
    search, questions = of_bm25(scratch).search, asked(scratch, count)
    return timed(lambda: (rows.tobytes() for rows, _ in search(questions, DEPTH)))


def tfidf(scratch: Path, count: int) -> tuple[float, str]:
    """As `bm25`."""
    search, questions = of_tfidf(scratch).search, asked(scratch, count)
    return timed(lambda: (rows.tobytes() for rows, _ in search(questions, DEPTH)))


def mining(scratch: Path, count: int) -> tuple[float, str]:
    """As stage negatives-gold, from file to file."""
    os.chdir(scratch)  # where state to resume from goes
    store, params = stored(scratch), settings()
    source, target = Path(f"asked-{count}.jsonl"), Path("mined.jsonl")
    if not source.exists():
        examples = [*read_examples("examples.jsonl", Passages(store))]
        write_examples(source, islice(cycle(examples), count))

    def work() -> Iterator[bytes]:
        mine("bench", source, target, store, params.bm25, params.negatives)
        yield target.read_bytes()

    return timed(work)


def matching(scratch: Path, count: int) -> tuple[float, str]:
    """As stage evaluate, from the run on: the same run again and again."""
    few = [line.split("\t") for line in found_lines(scratch)]
    file = run_file(scratch, "all")
    if not file.exists():
        names = (tuple(found.split()) for _, found, *_ in few)
        ranked = (Ranking(str(i), of, (*range(len(of), 0, -1),)) for i, of in enumerate(names))
        write_run(file, ranked, "bm25")
    asked = {str(i): Question(str(i), one[0], tuple(one[2:])) for i, one in enumerate(few)}
    task = Match(stored(scratch), scratch, {"all": Asked(asked, {}, {})})
    blocks = [("all", part) for part in parts(file)] * (count // len(few))
    return timed(lambda: (repr(found).encode() for found in run(task, blocks)))


@dataclass(frozen=True)
class Add(Task[int, int]):
    """What reads no memory and no file: what a second processor of this machine gives at most."""

    def start(self) -> Callable[[int], int]:
        """Nothing to open."""
        return lambda count: sum(i * i % 7 for i in range(count))


def additions(scratch: Path, count: int) -> tuple[float, str]:
    """By the interpreter, a million at a time."""
    return timed(lambda: (repr(found).encode() for found in run(Add(), [1_000_000] * count)))


COUNTS: dict[Work, int] = {
    additions: 300,
    bm25: 40_000,
    tfidf: 200_000,
    mining: 100_000,
    matching: 400_000,
}


def timed(work: Callable[[], Iterable[bytes]]) -> tuple[float, str]:
    """Seconds, and a digest of the results."""
    since = time.perf_counter()
    found = [*work()]
    seconds = time.perf_counter() - since
    return seconds, hashlib.sha256(b"".join(found)).hexdigest()


def asked(scratch: Path, count: int) -> list[str]:
    """Questions, the same again where there are too few."""
    texts = [line.partition("\t")[0] for line in found_lines(scratch)]
    return [*islice(cycle(texts), count)]


def found_lines(scratch: Path) -> list[str]:
    """What `prepare` wrote."""
    return (scratch / "found.tsv").read_text(encoding="utf-8").splitlines()


def stored(scratch: Path) -> Path:
    """The collection."""
    return scratch / "collection" / "passages.arrow"


def settings() -> Params:
    """Of the default."""
    return load_params(FOLDER / "microcosm.yaml")


def of_bm25(scratch: Path) -> BM25:
    """Opened."""
    params = settings().bm25
    return BM25(lucene_index(stored(scratch)), k1=params.k1, b=params.b)


def of_tfidf(scratch: Path) -> TfIdf:
    """Made the first time, and opened."""
    params = settings().tfidf
    texts = (f"{p.title}\n{p.text}" for p in Passages(stored(scratch)))
    folder = scratch / "tfidf"
    folder.mkdir(exist_ok=True)
    return TfIdf(texts, ngrams=params.ngrams, hash_bits=params.hash_bits, folder=folder)


if __name__ == "__main__":
    main()
