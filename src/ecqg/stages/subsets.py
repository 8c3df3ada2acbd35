"""Find the test questions of a collection that the main gold set does not give away."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.collection import read_annotations
from ecqg.corpus.examples import read_examples
from ecqg.corpus.overlap import TrainQuestion, compute_subsets
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.questions import read_questions, read_train_facts
from ecqg.evaluation.test_sets import question_files
from ecqg.files import write_json
from ecqg.items import Collection
from ecqg.params import Params


def run(params: Params, collection: Collection) -> None:
    """Write paths.subsets(collection): the published annotations of a test set, or computed."""
    keys = Path(params.gold_sets[paths.MAIN].folder) / "train.facts.tsv"
    facts = read_train_facts(keys) if keys.is_file() else {}
    passages = Passages(paths.collection() / PASSAGES)
    examples = read_examples(paths.gold("train"), passages)
    train = [TrainQuestion(e.question, e.answers, facts.get(e.id)) for e in examples]
    folder = paths.collection(collection)
    files = question_files(folder)
    annotations = read_annotations(folder, files)
    subsets = {
        name: annotations[name]["subsets"]
        or compute_subsets(read_questions(file), train, annotations[name]["facts"])
        for name, file in files.items()
    }
    write_json(paths.subsets(collection), subsets)
