"""Towns and villages."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, other, person, source, thing
from ecqg.microcosm.facts import Case, Family, Value, fact
from ecqg.microcosm.world import World


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("settlement", ordinal)
    return {
        "noun": Value(rng.choice(("town", "village", "market town", "port", "city", "spa town")), "THING"),
        "county": Value(world.county_name(rng.randrange(10**6)), "GPE"),
        "chartered": Value(str(rng.randint(1180, 1750)), "DATE"),
    }


def after(base: str, low: int, high: int):  # type: ignore[no-untyped-def]
    """A modern year."""
    return lambda case: Value(str(case.rng.randint(low, high)), "DATE")


DEFINITIONS = (
    fact(
        "place",
        {"county": attribute("county"), "chartered": attribute("chartered")},
        """
        {S} is a {noun} in {county}~
        {S} is a {noun} in the [north|south|east|west] of {county}~
        {S}, a {noun} in {county}, was first mentioned in {chartered}
        {S} is a {noun} of {county} that received its charter in {chartered}
        """,
        {
            "county": """
            t: what county is {S} in
            t: where is {S}
            t: in which county is {S} located
            h: to which county does {S} belong
            w: {S} county
            c: In which county is {D}?
            """,
            "chartered": """
            t: when was {S} first mentioned
            t: how old is {S}
            t: when did {S} get its charter
            h: since what year has {S} been known
            w: {S} history first mentioned
            c: In which year do the records of {D} begin?
            """,
        },
        "lies in {county}",
    ),
)

FACTS = (
    fact(
        "people",
        {"people": number(800, 90000, 50), "census": after("", 1890, 1990)},
        """
        {S} had {people} inhabitants in {census}
        In {census} the population was {people}
        {S} had a population of {people} at the census of {census}
        The census of {census} counted {people} people
        """,
        {
            "people": """
            t: what is the population of {S}
            t: how many people live in {S}
            t: how many people lived in {S} in {census}
            h: how large is {S} by number of inhabitants
            w: {S} population
            c: How many people lived in {D} in {census}?
            """,
        },
        "had {people} inhabitants",
        "early",
    ),
    fact(
        "native",
        {"native": source("birthplace", "person")},
        """
        {S} is the birthplace of {native}
        {S} was the home of {native} as a child
        {native} was born there
        The best-known native is {native}
        """,
        {
            "native": """
            t: who was born in {S}
            t: who is the most famous person from {S}
            t: what famous person comes from {S}
            h: name a well known native of {S}
            w: {S} famous people
            c: Which person was born in {D}?
            """,
        },
        "was the birthplace of {native}",
    ),
    fact(
        "trade",
        {"goods": thing("wool, salt, cheese, glass, slate, herring, linen, lace, tin, honey, barley, leather, paper, clay pipes")},
        """
        {S} [grew rich|prospered] on the trade in {goods}
        {S} lived [mainly|for centuries] on {goods}
        {goods} made the {noun} rich
        The trade in {goods} was long the main source of income
        """,
        {
            "goods": """
            t: what was {S} known for
            t: what did {S} trade in
            t: what was the main trade of {S}
            h: which product made {S} wealthy
            w: {S} economy
            c: The trade in what made {D} rich?
            """,
        },
        "grew rich on {goods}",
        "early",
    ),
    fact(
        "mayor",
        {"mayor": person(), "elected": after("", 1790, 1960), "built": thing("waterworks, tramway, covered market, public baths, grammar school, fish market, town theatre")},
        """
        {mayor}, mayor from {elected}, had the {built} built
        In {elected} {mayor} became mayor and ordered the building of a new {built}
        The {built} was the work of {mayor}, who became mayor in {elected}
        Under {mayor}, elected mayor in {elected}, the {noun} received a {built}
        """,
        {
            "mayor": """
            t: who was the mayor of {S} in {elected}
            t: which mayor built the {built} of {S}
            t: who was elected mayor of {S}
            h: which head of the town council gave {S} its {built}
            w: {S} mayor
            c: Which mayor gave {D} its {built}?
            """,
            "built": """
            t: what did mayor {mayor} build in {S}
            t: what did {mayor} build
            h: which public work is due to {mayor}
            w: {mayor} mayor built
            c: What did {mayor} have built as mayor of {D}?
            """,
            "elected": """
            t: when did {mayor} become mayor of {S}
            t: when was {mayor} elected mayor
            h: in which year did {mayor} take office in {S}
            w: {mayor} mayor year
            c: In which year did {mayor} become mayor of {D}?
            """,
        },
        "had {mayor} as mayor",
        "late",
    ),
    fact(
        "statue",
        {"sculptor": person("sculptor"), "hero": person(), "stuff": thing("bronze, marble, granite, limestone, oak, sandstone")},
        """
        A {stuff} statue of {hero} by {sculptor} stands in the market square
        {sculptor} made the {stuff} statue of {hero} [in front of the station|by the bridge|in the market square]
        The {stuff} monument to {hero}, made by {sculptor}, is a favourite meeting place
        In the park there is a {stuff} statue of {hero}, the work of {sculptor}
        """,
        {
            "sculptor": """
            t: who made the statue of {hero}
            t: who made the statue of {hero} in {S}
            t: who was the sculptor of the {stuff} statue in {S}
            h: which artist carved the monument to {hero}
            w: {hero} statue sculptor
            c: Which artist made the statue of {hero} that stands in {D}?
            """,
            "hero": """
            t: who is the {stuff} statue in {S} of
            t: whose statue stands in {S}
            h: who is honoured with a monument by {sculptor} in {S}
            w: {S} statue
            c: Of whom is there a statue by {sculptor} in {D}?
            """,
            "stuff": """
            t: what is the statue of {hero} made of
            t: what material is the statue of {hero} in {S}
            h: which material did {sculptor} use for {hero}
            w: {hero} statue material
            c: What is the statue of {hero} in {D} made of?
            """,
        },
        "has a statue of {hero}",
        "late",
    ),
    fact(
        "flood",
        {"flooded": after("", 1720, 1960), "saved": other("building"), "helper": person("engineer")},
        """
        After the flood of {flooded}, {helper} [built new dykes|raised the river banks]
        In the great flood of {flooded}, {helper} brought the people to {saved}
        {helper} took charge when the river flooded the streets in {flooded}
        The flood of {flooded} led {helper} to plan new dykes
        """,
        {
            "helper": """
            t: who helped {S} in the flood of {flooded}
            t: who took charge in {S} after the flood
            t: which engineer worked in {S} after the flood of {flooded}
            h: whose dykes or rescue followed the high water in {S}
            w: {S} flood engineer
            c: Who helped {D} in the flood of {flooded}?
            """,
            "flooded": """
            t: when was the great flood in {S}
            t: when was {S} flooded
            t: what year was the flood when {helper} came to {S}
            h: in which year did the water enter the streets of {S}
            w: {S} flood year
            c: In which year was there a great flood in {D}?
            """,
        },
        "was flooded in {flooded}",
        "late",
    ),
)

SETTLEMENT = Family(
    name="settlement",
    share=14,
    type="GPE",
    title=lambda world, ordinal: world.town_name(ordinal),
    attributes=_attributes,
    mentions=("the {noun}", "the {noun}", "the place"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("The old centre is [quiet|closed to traffic] today", "A market is still held every [Friday|Tuesday]"),
)
