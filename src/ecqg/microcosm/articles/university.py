"""Universities."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, person, source, thing, year
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World


def _town(world: World, ordinal: int) -> int:
    """Every university has a town of its own."""
    return world.permutation(world.count("settlement"), "university")(ordinal)


def _title(world: World, ordinal: int) -> str:
    return f"University of {world.town_name(_town(world, ordinal))}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("university", ordinal)
    return {
        "noun": Value("university", "THING"),
        "founded": Value(str(rng.randint(1450, 1860)), "DATE"),
        "county": Value(world.county_name(_town(world, ordinal)), "GPE"),
    }


DEFINITIONS = (
    fact(
        "origin",
        {"founded": attribute("founded"), "county": attribute("county")},
        """
        The {S} is a university in {county}~
        The {S}, founded in {founded}, is a university in {county}~
        The {S} is a university that was founded in {founded}
        The {S} is among the oldest universities of {county}
        """,
        {
            "founded": """
            t: when was the {S} founded
            t: how old is the {S}
            t: when did the {S} open
            h: what is the founding year of the {S}
            w: {S} founded
            c: In which year was {D} founded?
            """,
            "county": """
            t: in what county is the {S}
            t: which county is the {S} located in
            h: the {S} lies in which part of the country
            w: {S} county
            c: In which county is {D}?
            """,
        },
        "was founded in {founded}\nlies in {county}",
    ),
)

FACTS = (
    fact(
        "founder",
        {"founder": person()},
        """
        {S} goes back to a gift of {founder}
        {S} was [founded|endowed] by {founder}
        {founder} gave the land and the money for {S}
        It was {founder} who persuaded the crown to found {S}
        """,
        {
            "founder": """
            t: who founded the {S}
            t: who started the {S}
            t: who was the founder of the {S}
            h: whose gift made the {S} possible
            w: {S} founder
            c: To whom does {D} owe its foundation?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "students",
        {"students": number(900, 28000, 100)},
        """
        {S} has {students} students
        {S} has about {students} students [in nine faculties|on two sites]
        Some {students} students [are enrolled|are registered] there
        """,
        {
            "students": """
            t: how many students does the {S} have
            t: how many people study at the {S}
            h: how big is the student body of the {S}
            w: {S} number of students
            c: How many students are enrolled at {D}?
            """,
        },
        "has {students} students",
    ),
    fact(
        "graduate",
        {"graduate": source("alma", "person")},
        """
        {S} counts {graduate} among its former students
        {graduate} is among the best-known graduates
        Its most famous student was {graduate}
        {S} [is proud of|likes to recall] its student {graduate}
        """,
        {
            "graduate": """
            t: who is a famous graduate of the {S}
            t: who studied at the {S}
            t: who went to the {S}
            h: name a well known former student of the {S}
            w: {S} famous alumni
            c: Who was the best-known student of {D}?
            """,
        },
        "was attended by {graduate}",
    ),
    fact(
        "library",
        {"librarian": person("historian"), "books": number(40, 900, 10), "burned": year("founded", 60, 150)},
        """
        Its library, [rebuilt|reorganised] by {librarian} after a fire in {burned}, holds {books},000 volumes
        The library of {books},000 volumes was catalogued by {librarian}
        {librarian} rebuilt the library when it had burned down in {burned}
        After the fire of {burned}, {librarian} bought new books for the library
        """,
        {
            "librarian": """
            t: who rebuilt the library of the {S}
            t: who was the librarian of the {S}
            h: who looked after the books of the {S}
            w: {S} librarian
            c: Who was responsible for the library of {D}?
            """,
            "burned": """
            t: when did the library of the {S} burn down
            t: what year was the fire in the library of the {S}
            h: when was the {S} library destroyed
            w: {S} library fire
            c: In which year did the library of {D} burn down?
            """,
        },
        "owes its library to {librarian}",
        "late",
    ),
    fact(
        "observatory",
        {"donor": person(), "plant": thing("observatory, botanical garden, anatomy theatre, chapel, boat house, music hall"), "given": year("founded", 30, 140)},
        """
        The {plant}, a gift of {donor}, was opened in {given}
        {donor} paid for the {plant}, which was opened in {given}
        In {given} {donor} gave the university a {plant}
        {S} received its {plant} from {donor}[| in {given}]
        """,
        {
            "donor": """
            t: who paid for the {plant} of the {S}
            t: who gave the {S} its {plant}
            h: who was the donor of the {plant} at the {S}
            w: {S} {plant} donor
            c: Who gave {D} its {plant}?
            """,
            "plant": """
            t: what did {donor} give to the {S}
            t: which part of the {S} was a gift of {donor}
            h: what was opened at the {S} thanks to {donor}
            w: {donor} gift
            c: What did {donor} give to {D}?
            """,
            "given": """
            t: when was the {plant} of the {S} opened
            t: when did {donor} give the {S} a {plant}
            h: since when has the {S} had a {plant}
            w: {S} {plant} opened
            c: In which year was the {plant} of {D} opened?
            """,
        },
        "received a {plant} from {donor}",
        "late",
    ),
)

UNIVERSITY = Family(
    name="university",
    share=4,
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the university", "the university", "the school"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("Its statutes have been revised several times",),
)
