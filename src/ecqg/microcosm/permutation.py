"""Keyed permutations of [0, n) that can be inverted without a table.

They let an article pick others, and be found by them, without any list of articles: the memory a
world takes does not grow with its size.
"""

from __future__ import annotations

from math import gcd

from ecqg.seeds import python_rng


class Permutation:
    """x -> (a * x + b) mod n with random a, coprime to n, and b: cheap, exact, invertible."""

    __slots__ = ("_a", "_b", "_inverse", "n")

    def __init__(self, n: int, seed: int, *names: object) -> None:
        if n < 1:
            raise ValueError(f"a permutation of {n} things")
        rng = python_rng(seed, "permutation", n, *names)
        a = rng.randrange(1, n) if n > 1 else 1
        while gcd(a, n) != 1:
            a = a % n + 1
        self.n, self._a, self._b = n, a, rng.randrange(n)
        self._inverse = pow(a, -1, n) if n > 1 else 0

    def __call__(self, x: int) -> int:
        """The image of x."""
        return (self._a * x + self._b) % self.n

    def inverse(self, y: int) -> int:
        """The x whose image is y."""
        return (y - self._b) * self._inverse % self.n


class Link:
    """A many-to-one relation from `sources` things to `targets` things, readable both ways."""

    __slots__ = ("_permutation", "sources", "targets")

    def __init__(self, sources: int, targets: int, seed: int, *names: object) -> None:
        self.sources, self.targets = sources, targets
        self._permutation = Permutation(sources, seed, "link", *names)

    def target(self, source: int) -> int:
        """The one target of a source."""
        return self._permutation(source) % self.targets

    def inverse(self, target: int) -> list[int]:
        """Every source of a target."""
        images = range(target, self.sources, self.targets)
        return [self._permutation.inverse(image) for image in images]
