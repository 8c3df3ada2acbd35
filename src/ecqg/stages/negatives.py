"""Add BM25 hard negatives to training examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ecqg import paths
from ecqg.corpus.examples import Example, read_examples, write_examples
from ecqg.corpus.lines import open_text
from ecqg.corpus.passages import Passages
from ecqg.items import Collection, Examples
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.negatives import add_negatives
from ecqg.params import Params
from ecqg.progress import track
from ecqg.resume import resumable
from ecqg.synthesis.examples import synthetic_examples
from ecqg.synthesis.records import read_generated


def run(params: Params, name: Examples, collection: Collection = paths.MAIN) -> None:
    """Add hard negatives of the collection to examples.

    `name` is gold, a system with synthetic questions, or a supervised system. AugDPR's are all
    that were generated, as they were generated.
    Goes on where it was killed.
    """
    store = paths.collection(collection) / "passages.arrow"
    passages = Passages(store)
    rows = passages.rows_by_id()
    searcher = BM25(lucene_index(store), k1=params.bm25.k1, b=params.bm25.b)
    drawn = params.negatives.synthetic == "drawn" and _is_synthetic(name)
    seed = params.seed if drawn else None
    settings = (params.negatives, params.bm25, seed)
    for source, target in _jobs(name):
        work = f"negatives-{target.stem}@{collection}"
        generated = source.suffix == ".jsonl"
        with resumable(work, [store, source], *settings) as kept:
            examples = add_negatives(
                synthetic_examples(read_generated(source, rows), passages)
                if generated
                else read_examples(source),
                passages,
                searcher.search,
                depth=params.negatives.depth,
                per_question=params.negatives.per_question,
                seed=seed,
                kept=kept,
            )
            with open_text(source) as lines:  # a line each, and the brackets of an array
                total = sum(1 for _ in lines) - (0 if generated else 2)
            counts: Counter[int] = Counter()
            bar = track(examples, f"negatives {target.stem}", total=total, unit="question")
            write_examples(target, _counted(bar, counts))
        print(f"{target}: {counts.total()} questions, {counts[0]} without a hard negative")


def _is_synthetic(name: str) -> bool:
    return name != "gold" and paths.supervised_set(name) is None


def _jobs(name: str) -> list[tuple[Path, Path]]:
    """What is read and what is written."""
    if name == "aug":
        return [(paths.generated("answer_sentence"), paths.negatives(name))]
    if name == "gold":
        return [(paths.gold(s), paths.negatives(f"gold-{s}")) for s in ("train", "dev")]
    if test_set := paths.supervised_set(name):
        folder = paths.supervised_gold(test_set)
        return [
            (folder / f"{split}.json", paths.negatives(f"{name}-{split}"))
            for split in ("train", "dev")
        ]
    return [(paths.synthetic(name), paths.negatives(name))]


def _counted(examples: Iterable[Example], counts: Counter[int]) -> Iterator[Example]:
    for example in examples:
        counts[len(example.hard_negatives)] += 1
        yield example
