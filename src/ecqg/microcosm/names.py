"""Names in any number: combinations of parts, addressed by a permuted ordinal, hence unique.

A supply uses as few of its parts as the world's size asks for, so that names share their parts
(people their surnames, towns their endings) to about the same degree in a small and a large world.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod

from ecqg.microcosm.permutation import Permutation
from ecqg.seeds import python_rng


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


WOMEN = words(
    """
Clara Edith Agnes Harriet Louisa Martha Eleanor Beatrice Matilda Rosalind Winifred Josephine
Helena Marian Isabel Florence Ingrid Sylvia Amelia Catherine Charlotte Constance Dorothea Emilia
Ernestine Frances Frederica Georgina Gertrude Henrietta Hilda Irene Judith Julia Katharine Laura
Lavinia Leonora Lydia Mabel Margaret Maria Mathilde Miriam Muriel Nora Olivia Ottilie Pauline
Philippa Rachel Rebecca Ruth Sarah Sophia Susanna Theodora Ursula Veronica Victoria Virginia
Wilhelmina Alice Anna Barbara Caroline Cornelia Deborah Diana Elizabeth Esther Eva
"""
)
MEN = words(
    """
Edmund Walter Arthur Frederick Julian Leopold Oswald Gilbert Hubert Rupert Conrad Theodore Bernard
Cedric Desmond Everett Felix Gregory Harold Isaac Jasper Kenneth Laurence Maurice Norman Oliver
Percival Raymond Samuel Thomas Victor Wilfred Albert Alexander Alfred Andrew Anthony Benedict
Benjamin Charles Christopher Daniel David Edgar Edward Emil Ernest Francis Frank Gabriel George
Gerald Gustav Henry Herbert Howard Hugo James Jerome John Jonathan Joseph Karl Leonard Lewis
Lionel Louis Martin Matthew Michael Nathan Nicholas Patrick Paul Peter Philip Ralph Richard Robert
Roger Roland Rudolf Sebastian Simon Stephen Timothy Valentine Vincent William
"""
)
STEMS = words(
    """
Ash Thorn Hart Lang Win Whit Brad Mar Nor Wal Stan Hal Rad Pem Sel Kel Lin Hol Har Wood Black Red
Gren Dal Cal Carl Tal War West East Oak Elm Birch Lock Merr Hamp Burn Clay Cop Craw Dun Ells Fair
Farn Gold Gran Hawk Hazel High Hill King Knight Lad Lam Leigh Long Mill Mont Moss New Old Par Pen
Pick Rams Ray Ridge Ring Rock Ros Sand Shel Sher Silver Staf Stock Stone Stra Sum Sut Sway Thur
Tilling Trent Twin Under Vern Wake Ward Wat Wel Wen Whar Wil Wins Wolver Wor Yar York
"""
)
SURNAME_ENDINGS = words(
    """
ford ley well worth man wick more son er berg field croft combe low ridge stone brook by den dale
gate house kin land mark ness pole rick shaw ster ton wood
"""
)
TOWN_STEMS = words(
    """
Ald Ash Bex Brin Brom Car Cas Chel Crow Dar Dorn Ebb Eld Fal Fen Gal Glen Had Hal Har Hex Ivel Kel
Ken Kirk Lan Led Lin Lor Lud Mal Mar Mel Mor Nor Oak Orm Pem Pol Ros Rush Sal Sax Sel Shel Stan
Stav Tam Tav Tor Tre Ulver Vale Ver Wal War Wen Wex Wick Win Wyn Yel Yor
"""
)
COUNTY_MIDDLES = words("""
ford ber land ing
""")
# Endings after which the entity recogniser knows a town even at the start of a sentence.
TOWN_ENDINGS = words(
    """
thorpe ham bury ton keld burgh ville burg mouth ford holm toft cliff bridge field berg dorf grad
"""
)
TOWN_QUALIFIERS = ["", *words("New Upper North South East West Great Little Old Lower Port Fort")]
TOWN_SUFFIXES = [
    "",
    *(
        f"{place} {end}"
        for end in ("Green", "Heath", "Park", "Cross", "Springs")
        for place in ("Abbey", "Market", "Church", "Castle", "Bishop", "King")
    ),
]
INITIALS = ["", *(f"{letter}." for letter in "ABCDEFGHJKLMNPRSTVW")]
COUNTRIES = words(
    """
Valdoria Kestria Marovia Ostland Lusania Tarenia Norrland Belmaria Carpatia Estavia
"""
)


class Supply:
    """Distinct combinations of parts, as many as `needed`, `slack` times over.

    Parts are used from the front of each list. They are taken into use list by list in the order
    of `growth`, each up to its length, until there is room for `needed * slack` combinations.
    """

    def __init__(
        self,
        parts: Sequence[Sequence[str]],
        start: Sequence[int],
        growth: Sequence[int],
        needed: int,
        slack: int,
        seed: int,
        name: str,
    ) -> None:
        sizes = [min(s, len(p)) for s, p in zip(start, parts, strict=True)]
        for place in growth:
            others = prod(sizes) // sizes[place]
            wanted = -(-needed * slack // others)
            sizes[place] = max(sizes[place], min(len(parts[place]), wanted))
        if prod(sizes) < needed:
            raise ValueError(f"{prod(sizes)} combinations for {needed} names ({name})")
        self.parts, self.sizes = parts, sizes
        self._permutation = Permutation(prod(sizes), seed, "names", name)

    def __call__(self, ordinal: int) -> list[str]:
        """The parts of one name."""
        return self.at(self.places(ordinal))

    def places(self, ordinal: int) -> list[int]:
        """Where in the lists of parts a name's parts stand."""
        code = self._permutation(ordinal)
        places = []
        for size in self.sizes:
            code, place = divmod(code, size)
            places.append(place)
        return places

    def ordinal(self, places: Sequence[int]) -> int:
        """The ordinal of the name with these parts; it may exceed the ordinals in use."""
        code = 0
        for size, place in zip(reversed(self.sizes), reversed(places), strict=True):
            code = code * size + place
        return self._permutation.inverse(code)

    def at(self, places: Sequence[int]) -> list[str]:
        """The parts at these places."""
        return [part[place] for part, place in zip(self.parts, places, strict=True)]


def mixed(seed: int, name: str, *lists: Sequence[str]) -> list[str]:
    """All concatenations of one part of each list, in a random but fixed order.

    Those with three equal letters in a row ("Merrrick") are left out.
    """
    joined = {"".join(parts) for parts in product(*lists)}
    combinations = sorted(name for name in joined if not re.search(r"(.)\1\1", name.lower()))
    python_rng(seed, "names", name).shuffle(combinations)
    return combinations


def surnames(seed: int) -> list[str]:
    """Surnames, none of which is a first name too ("Norman"), in a random but fixed order."""
    first = set(first_names())
    return [name for name in mixed(seed, "surnames", STEMS, SURNAME_ENDINGS) if name not in first]


def first_names() -> list[str]:
    """Women's and men's first names, alternating in a fixed order."""
    return [name for pair in zip(WOMEN, MEN, strict=False) for name in pair]


FEMALE = frozenset(WOMEN)
