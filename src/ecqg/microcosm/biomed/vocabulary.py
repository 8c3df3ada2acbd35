"""The invented names of the far domain: genes, compounds, diseases, trials and what studies use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import TypeVar

from ecqg.microcosm.names import words
from ecqg.seeds import python_rng

T = TypeVar("T")

# No two stems begin with the same two letters, nor do two endings: gene symbols are made of these.
GENE_STEMS = words(
    """
ban bel bir bol cal cer cor dan del dor fal fen gal gor hel hur jan kel kir lor lum mal mer nar
nef orb pal per qual ral rin sar sel tal ter ulm vad ver wen xan yor zel zin
"""
)
GENE_ENDINGS = words(
    """
basin cordin dulin fasin gorin hexin kerin lectin mosin nexin pakin ridin santin tubin vorin
zapin
"""
)
DRUG_STEMS = words(
    """
ab am be bo ca ce da de do e fa fi ga i ka ke la le lo ma me mo na ne o pa pe ra ri ro sa se so ta
te to u va ve vo xi za ze
"""
)
DRUG_MIDDLES = words("bre cli dro fla gra lu mi no pri ra sti tu va xo zi")
DRUG_CLASSES = words(
    "tinib limab prazole gliptin statin sartan buvir degib parib ciclib fenac zepam"
)
DISEASE_PREFIXES = words(
    """
acro angio arthro cardio chondro dermo dys entero fibro glio hemo hepato hyper hypo kerato leuko
lympho melano micro myelo myo nephro neuro osteo pan poly pneumo spleno tricho vasculo
"""
)
DISEASE_ROOTS = words(
    "blast calc cyt desm fer gran lip mal melan phag plas scler sten thromb troph"
)
DISEASE_ENDINGS = words("osis itis opathy emia asia uria")
DISEASE_KINDS = words(
    "familial juvenile paroxysmal progressive congenital late-onset sporadic refractory idiopathic"
)
EPONYM_STEMS = words(
    """
Aagen Brusk Corval Dzier Eszter Fugl Giord Hjelm Imanis Jarno Kostrz Lindqv Mavrog Nakaz Oyel
Pfann Quist Rostock Szabol Tverd Ueno Vasque Wojt Yilmaz Zbir
"""
)
EPONYM_ENDINGS = words("ard berg elli er ian ides ist ov sen ska")
TRIAL_STEMS = words(
    "ALVE BREN CORDI DELTA ELARI FORTI GALEN HELI INVO KALI LUMI MERI NOVA ORVE PRIMA"
)
TRIAL_ENDINGS = words("CURA DEM GUARD LINK MARK NETIX PACE RISE STEP TRACE VANT WAY")
GENERA = words(
    """
Callispora Dendrovia Fulgoria Haplomyces Lissotheca Myrtanthus Nephrosidia Ophiocaulis Phaeosira
Rhabdiscus Strobocoris Thelazomya Verticordis Xylophaena Zygomyrme
"""
)
SPECIES = words("abyssalis brevipes coerulea delicata fragilis lutea minuta nigrans robusta tenuis")


@dataclass(frozen=True, slots=True)
class Name:
    """A thing's name and the other names by which an answer may give it."""

    text: str
    synonyms: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """All names, the usual one first."""
        return (self.text, *self.synonyms)


def genes(seed: int) -> list[Name]:
    """Symbols such as DOPA7 with their product "dorpakin 7", in a random but fixed order."""
    found = [
        Name(f"{(stem[:2] + ending[:2]).upper()}{number}", (f"{stem}{ending} {number}",))
        for stem, ending, number in product(GENE_STEMS, GENE_ENDINGS, range(1, 10))
    ]
    return _shuffled(found, seed, "genes")


def drugs(seed: int) -> list[Name]:
    """Compounds such as "cabretinib" with their code names, "KV-3814"."""
    found = ["".join(parts) for parts in product(DRUG_STEMS, DRUG_MIDDLES, DRUG_CLASSES)]
    names = _shuffled(sorted(set(found)), seed, "drugs")
    rng = python_rng(seed, "biomed", "codes")
    letters = "ABDFGKLMNPRSTVWXZ"
    codes = [f"{a}{b}-{n}" for a, b, n in product(letters, letters, range(100, 1000))]
    chosen = rng.sample(codes, len(names))
    return [Name(name, (code,)) for name, code in zip(names, chosen, strict=True)]


def diseases(seed: int, count: int) -> list[Name]:
    """`count` names such as "juvenile myosclerosis" and "Hjelmberg-Ovard syndrome".

    A synonym is the abbreviation that abstracts use, different for each disease.
    """
    greek = [
        f"{kind} {''.join(parts)}"
        for kind in DISEASE_KINDS
        for parts in product(DISEASE_PREFIXES, DISEASE_ROOTS, DISEASE_ENDINGS)
    ]
    people = _shuffled(eponyms(), seed, "eponyms")
    pairs = [f"{a}-{b} {what}" for what in ("syndrome", "disease") for a, b in _neighbours(people)]
    found: list[Name] = []
    used: dict[str, int] = {}
    for name in islice(_alternate(_shuffled(greek, seed, "greek"), pairs), count):
        initials = _initials(name)
        used[initials] = used.get(initials, 0) + 1
        number = "" if used[initials] == 1 else str(used[initials])
        found.append(Name(name, (initials + number,)))
    return found


def trials(seed: int) -> list[Name]:
    """Acronyms such as "ORVELINK-3"."""
    found = [
        Name(f"{stem}{ending}-{number}")
        for stem, ending, number in product(TRIAL_STEMS, TRIAL_ENDINGS, range(1, 20))
    ]
    return _shuffled(found, seed, "trials")


@cache
def eponyms() -> list[str]:
    """Surnames of people who describe diseases."""
    return ["".join(parts) for parts in product(EPONYM_STEMS, EPONYM_ENDINGS)]


def _neighbours(people: Sequence[str]) -> list[tuple[str, str]]:
    return [(a, b) for shift in (1, 7) for a, b in zip(people, people[shift:], strict=False)]


def _alternate(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Two of the first list for one of the second, while both last."""
    found: list[str] = []
    for i, name in enumerate(second):
        found += [*first[2 * i : 2 * i + 2], name]
    return [*found, *first[2 * len(second) :]]


def _initials(name: str) -> str:
    """Of three words their first letters; of two, two more from inside the second."""
    parts = name.replace("-", " ").split()
    inside = parts[1][3] + parts[1][6] if len(parts) == 2 else ""
    return ("".join(part[0] for part in parts) + inside).upper()


def _shuffled(items: Sequence[T], seed: int, name: str) -> list[T]:
    return python_rng(seed, "biomed", name).sample(items, len(items))
