"""Which passages are looked at: seeded samples of a collection."""

from __future__ import annotations

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
