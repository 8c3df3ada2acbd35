"""All passages of a collection as vectors, by one system's passage encoder."""

from __future__ import annotations

import numpy as np

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.encoder.encode import Encoding
from ecqg.encoder.model import PASSAGE
from ecqg.files import atomic
from ecqg.params import Params


def run(params: Params, system: str, collection: str = paths.MAIN) -> None:
    """Write float32 [passages, hidden], row by row."""
    passages = Passages(paths.collection(collection) / "passages.arrow")
    encoding = Encoding(paths.retriever(system) / PASSAGE, params.encoder)
    with atomic(paths.embeddings(system, collection)) as aside:
        shape = (len(passages), encoding.hidden)
        out = np.lib.format.open_memmap(aside, mode="w+", dtype=np.float32, shape=shape)
        encoding.passages(passages, out)
        out.flush()
