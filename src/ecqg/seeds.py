"""Random streams derived from a seed and a name, never from global state."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


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


def keys(ids: Iterable[str]) -> NDArray[numpy.uint64]:
    """A number of each id, [n], the same in every collection of ids, for `order`."""
    import numpy

    digests = b"".join(hashlib.sha256(name.encode()).digest()[:8] for name in ids)
    return numpy.frombuffer(digests, "<u8").astype(numpy.uint64)


def order(keys: NDArray[numpy.uint64], seed: int, *names: object) -> NDArray[numpy.int64]:
    """Places of `keys`, [n], in a random order in which whatever is drawn anew moves nothing else.

    Two things come in the order that their own keys call for, whatever is beside them; a shuffled
    list of one thing more is another list altogether. Equal keys stay as they come. Keys are mixed
    with the stream by SplitMix64's finaliser (Steele et al. 2014).
    """
    import numpy

    mixed = keys ^ numpy.uint64(derive(seed, *names))
    mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return numpy.argsort(mixed ^ (mixed >> numpy.uint64(31)), kind="stable")
