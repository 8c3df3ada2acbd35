"""Overlap of dev questions with gold passages, of those found and missed (thesis tab. 4.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.analysis.overlap import Overlap, write_overlaps
from ecqg.corpus.examples import read_examples
from ecqg.corpus.gold import sentence_overlap
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import QUESTION
from ecqg.encoder.vector_file import read_vectors
from ecqg.items import Dense
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.search.index import Index


def run(params: Params, system: Dense) -> None:
    """Write paths.overlap_per_question; without dev questions it is empty.

    A question's gold passage is its first positive one. Resumes where it was killed, with an
    approximate index as it was last written.
    """
    passages = Passages(paths.collection() / PASSAGES)
    examples = list(read_examples(paths.gold("dev"), passages))
    if not examples:
        write_overlaps(paths.overlap_per_question(system), [])
        return
    gold = [example.positives[0] for example in examples]
    inputs = [paths.embeddings(system), paths.retriever(system) / QUESTION, paths.gold("dev")]
    vectors = read_vectors(inputs[0], f"ecqg encode {system}", len(passages))
    encoder = Encoding(inputs[1], params.encoder)
    questions = [example.question for example in examples]
    depth = params.analysis.gold_depth
    settings = (params.retrieval.index, params.seed, depth, params.encoder)
    with resumable(__name__, f"overlap-{system}", inputs, *settings) as resume_dir:
        queries = encoder.questions(questions, resume_dir / "questions")
        index = Index(vectors, params.retrieval.index, params.seed, resume_dir)
        # Scores are these products times a factor that changes no ranking.
        hits = index.search(queries, depth, resume_dir / "found")
        retrieved = [row in rows for row, (rows, _) in zip(gold, hits, strict=True)]
    own = [passages[row] for row in gold]
    overlaps = (
        Overlap(found, len(p.sentence_starts), sentence_overlap(example.question, p))
        for example, p, found in zip(examples, own, retrieved, strict=True)
    )
    write_overlaps(paths.overlap_per_question(system), overlaps)
