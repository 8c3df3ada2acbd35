"""Which passages are looked at: seeded samples of a collection."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np

from ecqg.seeds import numpy_rng

SELECT, REPORT, QUESTIONS = "select", "attention-report", "entity-questions"  # random streams


def sample_rows(collection: int, size: int, seed: int, *names: object) -> list[int]:
    """`size` rows of a collection of that many passages, drawn without replacement and sorted.

    All rows where there are fewer. `names` names the random stream.
    """
    if size >= collection:
        return list(range(collection))
    drawn = numpy_rng(seed, *names).choice(collection, size, replace=False, shuffle=False)
    rows: list[int] = np.sort(drawn).tolist()
    return rows


def all_sampled_rows(collection: int, sizes: Mapping[str, int], seed: int) -> list[int]:
    """The rows in any of several samples, sorted; `sizes` are theirs, by random stream."""
    samples = (sample_rows(collection, size, seed, stream) for stream, size in sizes.items())
    return sorted(set(chain.from_iterable(samples)))
