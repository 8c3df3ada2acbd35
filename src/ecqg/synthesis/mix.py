"""What a system is pre-trained on: a share of each of its question sets (SIGIR sec. 3.3).

UnCon-DPR and Mixed-DPR are to differ in what they see and not in how much: both have
`pretrain.examples`, and the unconditioned questions of the one are among those of the other. Where
too few questions passed the filters, a system has fewer; the report says how many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ecqg import seeds
from ecqg.errors import InputError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


def compose(
    keys: Mapping[str, NDArray[numpy.uint64]],
    shares: Mapping[str, float],
    most: int | None,
    seed: int,
) -> dict[str, list[int]]:
    """For each question set the numbers of the questions that are taken, ascending.

    `keys` has those of each set's questions (`ecqg.seeds.keys`), by which they are drawn, so that
    a question more does not draw others; `shares` says what part of the examples the set is to
    be. There are `most` examples, or, without that, as many as there can be. Raises InputError
    where a set has no question.
    """
    available = {name: len(of) for name, of in keys.items()}
    # In an order that all systems share: a smaller share is part of a larger one.
    return {
        name: sorted(seeds.order(keys[name], seed, "mix", name)[:count].tolist())
        for name, count in sizes(available, shares, most).items()
    }


def sizes(
    available: Mapping[str, int], shares: Mapping[str, float], most: int | None
) -> dict[str, int]:
    """How many questions are taken of each set; see `compose`.

    The largest numbers for which no set has too few; none differs by more than 1 from its share.
    """
    shares = {name: share for name, share in shares.items() if share > 0}
    for name in shares:
        if not available[name]:
            raise InputError(
                f"no question of {name} is left to pre-train on",
                remedy="lower filter.reader_threshold, raise filter.hard_cut, or generate more",
            )
    total = min(int((available[name] + 1) / share) for name, share in shares.items())
    total = total if most is None else min(most, total)
    while True:  # a few steps: what is rounded up may be one too many
        counts = _rounded(shares, total)
        if all(count <= available[name] for name, count in counts.items()):
            return counts
        total -= 1


def _rounded(shares: Mapping[str, float], total: int) -> dict[str, int]:
    """Each set's part of `total`: from the last set on, sums of shares are rounded half to even."""
    upto, end, counts = 0.0, 0, dict.fromkeys(shares, total)
    first, *others = shares
    for name in reversed(others):
        upto += shares[name]
        begin, end = end, round(total * upto)
        counts[name] = end - begin
    counts[first] = total - end
    return counts
