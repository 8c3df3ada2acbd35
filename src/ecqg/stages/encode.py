"""All passages of a collection as vectors, by one system's passage encoder."""

from __future__ import annotations

import shutil

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import PASSAGE
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write float32 [passages, hidden]; goes on where it was killed."""
    store = paths.collection(collection) / "passages.arrow"
    folder = paths.retriever(system) / PASSAGE
    passages = Passages(store)
    encoding = Encoding(folder, params.encoder)
    with resumable(f"encode-{system}@{collection}", [store, folder], params.encoder) as scratch:
        vectors = encoding.collection(passages, scratch)
        with atomic(paths.embeddings(system, collection)) as aside:
            shutil.move(vectors, aside)
