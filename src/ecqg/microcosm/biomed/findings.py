"""What the abstracts' writer fills in: studies and kinds of finding, as data."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ecqg.microcosm.biomed.vocabulary import GENERA, SPECIES, Name
from ecqg.microcosm.facts import lines
from ecqg.microcosm.names import words

if TYPE_CHECKING:
    from ecqg.microcosm.biomed.field import Field

ACIDS = words("Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr Val")
Draw: TypeAlias = "Callable[[Field, random.Random], Name]"


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind of finding: what it holds, sentences that state it, and questions for its slots."""

    name: str
    draws: Mapping[str, Draw]
    says: tuple[str, ...]
    asks: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Study:
    """A type of abstract. The first finding follows the opening; the others come in any order."""

    name: str
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    findings: tuple[Finding, ...]
    closings: tuple[str, ...]


def finding(name: str, draws: Mapping[str, Draw], says: str, asks: Mapping[str, str]) -> Finding:
    """A kind of finding from text blocks, a template a line."""
    return Finding(name, draws, lines(says), {slot: lines(text) for slot, text in asks.items()})


def study(
    name: str, titles: str, openings: str, findings: tuple[Finding, ...], closings: str
) -> Study:
    """A type of abstract from text blocks, a template a line."""
    return Study(name, lines(titles), lines(openings), findings, lines(closings))


def pick(options: str) -> Draw:
    """One of several terms, separated by commas."""
    names = [Name(option.strip()) for option in options.split(",")]
    return lambda field, rng: rng.choice(names)


def number(low: int, high: int, form: str = "{}", scale: int = 1) -> Draw:
    """A number as `form` writes it; with a scale of 10 it has one decimal."""

    def draw(field: Field, rng: random.Random) -> Name:
        value = rng.randint(low, high)
        return Name(form.format(value if scale == 1 else value / scale))

    return draw


def other(kind: str) -> Draw:
    """Any gene, drug or disease of the field."""
    return lambda field, rng: rng.choice(field.names(kind))


def cell_line(field: Field, rng: random.Random) -> Name:
    """Such as "HKT-29"."""
    letters = "".join(rng.choice("ABCDHKLMNPRSTUW") for _ in range(3))
    return Name(f"{letters}-{rng.randint(2, 99)}")


def band(field: Field, rng: random.Random) -> Name:
    """A chromosomal band such as "12q24.3"."""
    return Name(f"{rng.randint(1, 22)}{rng.choice('pq')}{rng.randint(11, 36)}.{rng.randint(1, 3)}")


def variant(field: Field, rng: random.Random) -> Name:
    """An exchange of amino acids such as "p.Arg214Trp"."""
    before, after = rng.sample(ACIDS, 2)
    return Name(f"p.{before}{rng.randint(12, 990)}{after}")


def residue(field: Field, rng: random.Random) -> Name:
    """A phosphorylated amino acid such as "Ser473"."""
    return Name(f"{rng.choice(('Ser', 'Thr', 'Tyr'))}{rng.randint(12, 990)}")


def enzyme(field: Field, rng: random.Random) -> Name:
    """A metabolising enzyme such as "MOX4B2"."""
    return Name(f"MOX{rng.randint(1, 9)}{rng.choice('ABCDE')}{rng.randint(1, 19)}")


def micro_rna(field: Field, rng: random.Random) -> Name:
    """Such as "miR-4127-5p"."""
    return Name(f"miR-{rng.randint(5000, 9999)}-{rng.choice('35')}p")


def organism(field: Field, rng: random.Random) -> Name:
    """An invented species, whose genus may be shortened."""
    genus, species = rng.choice(GENERA), rng.choice(SPECIES)
    return Name(f"{genus} {species}", (f"{genus[0]}. {species}",))


def physician(field: Field, rng: random.Random) -> Name:
    """The surname of someone who described a disease."""
    return Name(rng.choice(field.physicians))
