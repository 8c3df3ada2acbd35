"""Names that a finding coins, in the forms that the field gives them."""

from __future__ import annotations

import random

from ecqg.microcosm.biomed.vocabulary import ACIDS, GENERA, SPECIES, Name, eponyms


def cell_line(rng: random.Random) -> Name:
    """Such as "HKT-29"."""
    letters = "".join(rng.choice("ABCDHKLMNPRSTUW") for _ in range(3))
    return Name(f"{letters}-{rng.randint(2, 99)}")


def band(rng: random.Random) -> Name:
    """A chromosomal band such as "12q24.3"."""
    return Name(f"{rng.randint(1, 22)}{rng.choice('pq')}{rng.randint(11, 36)}.{rng.randint(1, 3)}")


def variant(rng: random.Random) -> Name:
    """An exchange of amino acids such as "p.Arg214Trp"."""
    before, after = rng.sample(ACIDS, 2)
    return Name(f"p.{before}{rng.randint(12, 990)}{after}")


def residue(rng: random.Random) -> Name:
    """A phosphorylated amino acid such as "Ser473"."""
    return Name(f"{rng.choice(('Ser', 'Thr', 'Tyr'))}{rng.randint(12, 990)}")


def enzyme(rng: random.Random) -> Name:
    """A metabolising enzyme such as "MOX4B2"."""
    return Name(f"MOX{rng.randint(1, 9)}{rng.choice('ABCDE')}{rng.randint(1, 19)}")


def micro_rna(rng: random.Random) -> Name:
    """Such as "miR-4127-5p"."""
    return Name(f"miR-{rng.randint(5000, 9999)}-{rng.choice('35')}p")


def organism(rng: random.Random) -> Name:
    """An invented species, whose genus may be shortened."""
    genus, species = rng.choice(GENERA), rng.choice(SPECIES)
    return Name(f"{genus} {species}", (f"{genus[0]}. {species}",))


def physician(rng: random.Random) -> Name:
    """The surname of someone who described a disease."""
    return Name(rng.choice(eponyms()))
