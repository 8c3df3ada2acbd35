"""Build a collection: its passages, its test sets and which passages are known to answer them."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.collection import build_collection
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.corpus.sentences import passage_file
from ecqg.files import atomic
from ecqg.items import Collection
from ecqg.params import Params
from ecqg.resume import resumable
from ecqg.tables import write_values


def run(params: Params, name: Collection) -> None:
    """Write paths.collection(name), paths.qrels(name), counts; distractors join main. Resumes."""
    settings = params.collections[name]
    joining = params.distractors if name == paths.MAIN else ()
    distractors = {other: Passages(paths.distractors(other) / PASSAGES) for other in joining}
    with (
        resumable(__name__, f"collection-{name}", [passage_file(settings.folder)]) as resume_dir,
        atomic(paths.collection(name)) as collection,
        atomic(paths.qrels(name)) as qrels,
    ):
        collection.mkdir()
        qrels.mkdir()
        counts = build_collection(settings, distractors, params.seed, collection, qrels, resume_dir)
    write_values(paths.collection_metrics(name), counts)
