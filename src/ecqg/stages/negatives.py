"""Stage `negatives`: BM25 hard negatives for training examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ecqg import paths
from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.lines import open_text
from ecqg.corpus.passages import Passages
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.negatives import add_negatives
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable


def run(params: Params, name: str, collection: str = paths.MAIN) -> None:
    """Add hard negatives of the collection to examples.

    `name` is gold, a system with a synthetic set, or a supervised system.
    Goes on where it was killed.
    """
    store = paths.collection(collection) / "passages.arrow"
    passages = Passages(store)
    searcher = BM25(lucene_index(store), k1=params.bm25.k1, b=params.bm25.b)
    if name == "gold":
        jobs = [(paths.gold(s), paths.negatives(f"gold-{s}")) for s in ("train", "dev")]
    elif test_set := paths.supervised_set(name):
        folder = paths.supervised_gold(test_set)
        jobs = [
            (folder / f"{split}.json", paths.negatives(f"{name}-{split}"))
            for split in ("train", "dev")
        ]
    else:
        jobs = [(paths.synthetic(name), paths.negatives(name))]
    settings = (params.negatives, params.bm25)
    for source, target in jobs:
        work = f"negatives-{target.stem}@{collection}"
        with resumable(work, [store, source], *settings) as kept:
            examples = add_negatives(
                read_examples(source),
                passages,
                searcher.search,
                depth=params.negatives.depth,
                per_question=params.negatives.per_question,
                kept=kept,
            )
            with open_text(source) as lines:
                total = sum(1 for _ in lines) - 2  # a line each, and the brackets
            counts: Counter[int] = Counter()
            bar = track(examples, f"negatives {target.stem}", total=total, unit="question")
            write_examples(target, _counted(bar, counts))
        print(f"{target}: {counts.total()} questions, {counts[0]} without a hard negative")


def _counted(examples: Iterable[Example], counts: Counter[int]) -> Iterator[Example]:
    for example in examples:
        counts[len(example.hard_negatives)] += 1
        yield example
