"""Top-k of BM25 and of a system on gold development questions, and where the system looks.

    python bench/dev.py [--system dpr] [--ks 1 5 20]

What the embedded study is calibrated on (docs/microcosm.md): no test question is read. Of the
study it needs `dvc repro encode@dpr-main attention@dpr`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ecqg import numerics, paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import QUESTION
from ecqg.encoder.vector_file import read_vectors
from ecqg.evaluation.answers import AnswerMatcher
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.params import load_params
from ecqg.search.index import Index
from ecqg.tables import read_values


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--system", default="dpr")
    parser.add_argument("--ks", type=int, nargs="+", default=[1, 5, 20])
    options = parser.parse_args()
    params, system = load_params(), options.system
    store = paths.collection() / PASSAGES
    passages = Passages(store)
    examples = list(read_examples(paths.gold("dev"), passages))
    questions, depth = [example.question for example in examples], max(options.ks)
    matcher = AnswerMatcher(passages)

    def show(name: str, found: Iterator[list[int]]) -> None:
        ranks = [
            matcher.first_hit(example.answers, rows)
            for example, rows in zip(examples, found, strict=True)
        ]
        shares = (f"{100 * sum(0 < r <= k for r in ranks) / len(ranks):.1f}" for k in options.ks)
        print(f"{name}: top-{'/'.join(map(str, options.ks))} {' / '.join(shares)}")

    bm25 = BM25(lucene_index(store), k1=params.bm25.k1, b=params.bm25.b)
    show("bm25", (rows.tolist() for rows, _ in bm25.search(questions, depth)))
    vectors = read_vectors(paths.embeddings(system), f"ecqg encode {system}", len(passages))
    encoder = Encoding(paths.retriever(system) / QUESTION, params.encoder)
    index = Index(vectors, params.retrieval.index, params.seed)
    hits = index.search(encoder.questions(questions), depth)
    show(system, (rows.tolist() for rows, _ in hits))
    measured = read_values(paths.attention_means(system))
    for name in ("normalised_entropy", "highest_first_half", "lowest_second_half"):
        print(f"{name} {measured[name]:.3f}")


if __name__ == "__main__":
    numerics.fix()
    main()
