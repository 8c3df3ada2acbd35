"""Read a folder of passages that join the collection."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.build import PASSAGES
from ecqg.corpus.ingest import ingest_passages, passage_file
from ecqg.corpus.passages import write_passages
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.items import Name
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, name: Name) -> None:
    """Write paths.distractors(name), the name put before every id; goes on where it was killed."""
    if name not in params.corpus.distractors:
        raise InputError(
            f"corpus.distractors has no {name}",
            file="params.yaml",
            remedy="add 'name: folder' there",
        )
    folder = params.corpus.distractors[name]
    with (
        resumable(f"distractors-{name}", [passage_file(folder)]) as kept,
        atomic(paths.distractors(name)) as out,
    ):
        write_passages(out / PASSAGES, ingest_passages(folder, f"{name}:", kept=kept))
