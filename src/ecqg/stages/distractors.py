"""Read a folder of passages that join the main collection."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, write_passages
from ecqg.corpus.sentences import ingest_passages, passage_file
from ecqg.files import atomic
from ecqg.items import Distractors
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, name: Distractors) -> None:
    """Write paths.distractors(name), the name put before every id; resumes where it was killed."""
    folder = params.distractors[name]
    with (
        resumable(__name__, f"distractors-{name}", [passage_file(folder)]) as resume_dir,
        atomic(paths.distractors(name)) as out,
    ):
        write_passages(out / PASSAGES, ingest_passages(folder, f"{name}:", resume_dir=resume_dir))
