"""All passages of a collection as vectors, by one system's passage encoder."""

from __future__ import annotations

import os
import shutil

from ecqg import paths
from ecqg.corpus.passages import PASSAGES
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import PASSAGE
from ecqg.files import atomic
from ecqg.items import Collection, Dense
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, system: Dense, collection: Collection = paths.MAIN) -> None:
    """Write [passages, hidden]; resumes where it was killed."""
    store = paths.collection(collection) / PASSAGES
    folder = paths.retriever(system) / PASSAGE
    encoding = Encoding(folder, params.encoder)
    stored = params.retrieval.vectors
    work = f"encode-{system}@{collection}"
    with resumable(__name__, work, [store, folder], params.encoder, stored) as scratch:
        vectors = encoding.on_disk(encoding.tokens_of(store), scratch, stored)
        with atomic(paths.embeddings(system, collection)) as aside:
            # Not moved: who is stopped here must find the vectors again.
            try:
                os.link(vectors, aside)
            except OSError:  # another file system
                shutil.copyfile(vectors, aside)
