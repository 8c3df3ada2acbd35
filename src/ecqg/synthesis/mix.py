"""Synthetic training sets of one size: unconditioned alone, and mixed with conditioned (sec. 3.3).

Both sets have the same number of examples, so that UnCon-DPR and Mixed-DPR differ in what they
see and not in how much. Where the questions that passed the filters do not reach `mix.size`, both
sets shrink to the largest size that both can have. The unconditioned part of the mixed set is drawn
from the unconditioned set: the two differ only where conditioned questions took a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ecqg import seeds
from ecqg.errors import InputError
from ecqg.params import Mix

T = TypeVar("T")


@dataclass(frozen=True)
class Sizes:
    """Numbers of examples; `total` is the size of either set."""

    total: int
    conditioned: int

    @property
    def unconditioned(self) -> int:
        """How many unconditioned examples the mixed set has."""
        return self.total - self.conditioned


def common_size(unconditioned: int, conditioned: int, settings: Mix) -> Sizes:
    """The largest size, at most `settings.size`, for which both sets find enough examples.

    `unconditioned` and `conditioned` count what passed the filters. The conditioned share is the
    nearest whole number to `conditioned_fraction` of the size (half to even). Raises InputError
    where a set would be empty or the fraction is none.
    """
    fraction = settings.conditioned_fraction
    if not 0 <= fraction <= 1:
        raise InputError(
            f"mix.conditioned_fraction is {fraction}", remedy="it must lie between 0 and 1"
        )
    total = min(settings.size, unconditioned)
    while total > 0 and round(total * fraction) > conditioned:
        # the largest size whose rounded share might fit; at most a few steps
        total = min(total - 1, int((conditioned + 0.5) / fraction))
    if total < 1 or (fraction > 0 and conditioned == 0):
        raise InputError(
            f"no synthetic training set from {unconditioned} unconditioned and {conditioned} "
            "conditioned questions",
            remedy="lower filter.reader_threshold, raise filter.hard_cut, or generate more",
        )
    return Sizes(total, round(total * fraction))


def draw(
    unconditioned: Sequence[T], conditioned: Sequence[T], settings: Mix, seed: int
) -> tuple[list[T], list[T]]:
    """The unconditioned set and the mixed set, each in the order of the inputs.

    In the mixed set the conditioned examples come last.
    """
    sizes = common_size(len(unconditioned), len(conditioned), settings)
    plain = _permutation(len(unconditioned), seed, "unconditioned")
    about = _permutation(len(conditioned), seed, "conditioned")
    uncon = [unconditioned[i] for i in sorted(plain[: sizes.total])]
    mixed = [unconditioned[i] for i in sorted(plain[: sizes.unconditioned])]
    mixed += [conditioned[i] for i in sorted(about[: sizes.conditioned])]
    return uncon, mixed


def _permutation(size: int, seed: int, kind: str) -> list[int]:
    order = list(range(size))
    seeds.python_rng(seed, "mix", kind).shuffle(order)
    return order
