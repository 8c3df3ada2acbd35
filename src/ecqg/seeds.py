"""Random streams derived from a seed and a name, never from global state."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy


def derive(seed: int, *names: object) -> int:
    """A 63-bit seed for the stream that `names` (stage, epoch, ...) call for.

    Streams of different names are independent, so one stage's draws never shift another's.
    """
    text = "/".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def python_rng(seed: int, *names: object) -> random.Random:
    """A `random.Random` of its own."""
    return random.Random(derive(seed, *names))


def numpy_rng(seed: int, *names: object) -> numpy.random.Generator:
    """A NumPy generator of its own."""
    import numpy

    return numpy.random.default_rng(derive(seed, *names))
