"""Hard negatives for a file of examples, from files to files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ecqg import params
from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.lines import count_lines
from ecqg.corpus.passages import Passages
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.negatives import add_negatives
from ecqg.progress import track
from ecqg.resume import resumable


def mine(
    name: str,
    source: Path,
    target: Path,
    store: Path,
    bm25: params.BM25,
    negatives: params.Negatives,
    *,
    seed: int | None = None,
) -> None:
    """Write the examples of `source`, which are of the collection `store`, with hard negatives.

    `name` is shown; with a `seed` negatives are drawn (`add_negatives`). Goes on where it was
    killed.
    """
    total = count_lines(source)
    passages = Passages(store)
    counts: Counter[int] = Counter()
    with resumable(
        __name__, f"negatives-{name}", [store, source], negatives, bm25, seed
    ) as resume_dir:
        if not total:
            write_examples(target, ())
            return
        searcher = BM25(lucene_index(store), k1=bm25.k1, b=bm25.b)
        examples = add_negatives(
            read_examples(source, passages),
            passages,
            searcher.search,
            depth=negatives.depth,
            per_question=negatives.per_question,
            seed=seed,
            resume_dir=resume_dir,
        )
        bar = track(examples, f"negatives {name}", total=total, unit="question")
        write_examples(target, _counted(bar, counts))
    print(f"negatives {name}: {counts.total()} questions, {counts[0]} without a hard negative")


def _counted(examples: Iterable[Example], counts: Counter[int]) -> Iterator[Example]:
    for example in examples:
        counts[len(example.negatives)] += 1
        yield example
