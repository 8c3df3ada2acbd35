"""Universities."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Source, Year, thing
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
        "since": Value(str(rng.randint(1640, 1860)), "DATE"),
        "county": world.attributes("settlement", _town(world, ordinal))["county"],
    }


ORIGIN = fact(
    "origin",
    {"since": Attribute("since"), "county": Attribute("county")},
    """
    {S} is a university in {county}~
    {S}, founded in {since}, is a university in {county}~
    {S} is a university that was founded in {since}
    {S} is [among|one of] the oldest universities of {county}
    {S} has existed since {since} and is the [pride|only university] of {county}
    """,
    {
        "since": """
        t: when was {S} founded
        t: how old is {S}
        t: when did {S} open
        t: what year was {S} established
        h: with which year does the story of {S} begin
        h: since when can one study at {S}
        w: {S} founded
        c: In which year was {D} founded?
        """,
        "county": """
        t: in what county is {S}
        t: which county is {S} located in
        t: where is {S}
        h: {S} lies in which part of the country
        w: {S} county
        c: In which county is {D}?
        """,
    },
    "was founded in {since}\nlies in {county}",
)

FACTS = (
    fact(
        "founder",
        {"founder": Person()},
        """
        {S} goes back to a gift of {founder}
        {S} was [founded|endowed] by {founder}
        {founder} gave the land and the money for {S}
        It was {founder} who persuaded the crown to found {S}
        """,
        {
            "founder": """
            t: who founded {S}
            t: who started {S}
            t: who was the founder of {S}
            h: whose gift made {S} possible
            h: to whom does {S} owe its existence
            w: {S} founder
            c: To whom does {D} owe its foundation?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "students",
        {"students": Number(900, 28000, 100), "faculties": Number(4, 12)},
        """
        {S} has {students} students [in|and] {faculties} faculties
        {S} has about {students} students
        Some {students} students are enrolled in {faculties} faculties
        {S} teaches {students} students
        """,
        {
            "students": """
            t: how many students does {S} have
            t: how many people study at {S}
            t: how many students go to {S}
            h: how big is the student body of {S}
            w: {S} number of students
            c: How many students are enrolled at {D}?
            """,
            "faculties": """
            t: how many faculties does {S} have
            h: into how many faculties is {S} divided
            w: {S} faculties
            c: How many faculties has {D}?
            """,
        },
        "has {students} students",
    ),
    fact(
        "graduate",
        {"graduate": Source("alma", "person")},
        """
        {S} counts {graduate} among its former students
        {graduate} is among the best-known graduates
        Its most famous student was {graduate}
        {S} [is proud of|likes to recall] its student {graduate}
        {S} was attended by {graduate}
        """,
        {
            "graduate": """
            t: who is a famous graduate of {S}
            t: who studied at {S}
            t: who went to {S}
            t: who is the most famous student of {S}
            h: name a well known former student of {S}
            h: which celebrity was educated at {S}
            w: {S} famous alumni
            w: {S} graduates
            c: Who was the best-known student of {D}?
            """,
        },
        "was attended by {graduate}",
    ),
    fact(
        "colours",
        {
            "colours": thing(
                "blue and white, red and gold, green and black, purple and silver, black and yellow"
            ),
            "motto": thing(
                "Truth above all, Light and learning, Work and hope, Courage and reason, Peace through knowledge"
            ),
        },
        """
        {S's} colours are {colours}[| and its motto is "{motto}"]
        {S} has {colours} as its colours
        {S} took the motto "{motto}" and the colours {colours}
        The students wear {colours}
        """,
        {
            "colours": """
            t: what are the colours of {S}
            t: what colours do the students of {S} wear
            h: by which colours does one know the people of {S}
            w: {S} colours
            c: What are the colours of {D}?
            """,
            "motto": """
            t: what is the motto of {S}
            t: what is the slogan of {S}
            h: which words guide {S}
            w: {S} motto
            c: What is the motto of {D}?
            """,
        },
        "has the colours {colours}",
    ),
    fact(
        "library",
        {
            "burned": Year("since", 60, 150),
            "librarian": Person("historian"),
            "books": Number(40, 900, 10),
        },
        """
        Its library, [rebuilt|reorganised] by {librarian} after a fire in {burned}, is the pride of the town
        The library of {books} rooms was catalogued by {librarian}
        {librarian} rebuilt the library when it had burned down in {burned}
        After the fire of {burned}, {librarian} bought new books for the library
        {S} owes its library to {librarian}
        """,
        {
            "librarian": """
            t: who rebuilt the library of {S}
            t: who was the librarian of {S}
            t: who is behind the library of {S}
            t: who restored the library of {S} after the fire
            h: who looked after the books of {S}
            h: whose labours gave {S} its book collection
            w: {S} librarian
            w: {S} library
            c: Who was responsible for the library of {D}?
            """,
            "burned": """
            t: when did the library of {S} burn down
            t: what year was the fire in the library of {S}
            h: when did {S} lose its books
            w: {S} library fire
            c: In which year did the library of {D} burn down?
            """,
        },
        "owes its library to {librarian}",
        "late",
    ),
    fact(
        "gift",
        {
            "given": Year("since", 30, 140),
            "donor": Person(near="given"),
            "plant": thing(
                "botanical garden, observatory, chapel, boat house, music hall, swimming pool, clock tower"
            ),
        },
        """
        The {plant}, a gift of {donor}, was opened in {given}
        {donor} paid for the {plant}, which was opened in {given}
        In {given} {donor} gave the university a {plant}
        {S} received its {plant} from {donor}[| in {given}]
        """,
        {
            "donor": """
            t: who paid for the {plant} of {S}
            t: who gave {S} its {plant}
            t: who donated the {plant} of {S}
            h: who was the donor of the {plant} at {S}
            h: thanks to whose money did {S} get a {plant}
            w: {S} {plant} donor
            w: {S} donor
            c: Who gave {D} its {plant}?
            """,
            "plant": """
            t: what did {donor} give to {S}
            t: which part of {S} was a gift of {donor}
            t: what did {donor} pay for
            h: what was opened at {S} thanks to {donor}
            w: {donor} {S} gift
            c: What did {donor} give to {D}?
            """,
            "given": """
            t: when was the {plant} of {S} opened
            t: when did {donor} give {S} a {plant}
            h: since when has {S} had a {plant}
            w: {S} {plant} opened
            c: In which year was the {plant} of {D} opened?
            """,
        },
        "received a {plant} from {donor}",
        "late",
    ),
    fact(
        "chair",
        {
            "subject": thing(
                "botany, astronomy, law, music, surgery, geography, chemistry, philosophy, history"
            ),
            "first": Person(),
            "made": Year("since", 40, 140),
        },
        """
        The chair of {subject} was created for {first} in {made}
        {first} was the first professor of {subject}
        In {made} {first} was called to the new chair of {subject}
        {S} made {first} its first professor of {subject}[| in {made}]
        The teaching of {subject} began with {first}[| in {made}]
        """,
        {
            "first": """
            t: who was the first professor of {subject} at {S}
            t: who taught {subject} at {S}
            t: who was called to {S} in {made}
            t: who was the professor of {subject} at {S}
            h: with whom did the teaching of {subject} at {S} begin
            h: for whom did {S} create a chair
            w: {S} professor of {subject}
            c: Who was the first to teach {subject} at {D}?
            """,
            "subject": """
            t: what did {first} teach
            t: what did {first} teach at {S}
            t: {first} was a professor of what
            h: for which subject did {S} call {first}
            w: {first} {S} subject
            c: Which subject did {first} teach at {D}?
            """,
            "made": """
            t: when did {first} become a professor
            t: when was the chair of {subject} at {S} created
            h: since when can one study {subject} at {S}
            w: {S} {subject} year
            c: In which year did {first} come to {D}?
            """,
        },
        "had {first} as its first professor of {subject}",
        "late",
    ),
    fact(
        "protest",
        {
            "held": Year("since", 100, 160),
            "leader": Person(),
            "cause": thing(
                "high fees, bad food, an unfair examination, the closing of a faculty, a dismissed teacher"
            ),
        },
        """
        In {held} {leader} led the students in a protest against {cause}
        A protest of students against {cause}, led by {leader}, took place in {held}
        {leader} was sent down in {held} for a protest against {cause}
        {S} was closed for a month when {leader} led a protest against {cause}
        The protest against {cause} made the student {leader} famous
        """,
        {
            "leader": """
            t: who led the students of {S} in {held}
            t: who led the protest at {S}
            t: which student led the protest against {cause} at {S}
            t: who protested against {cause} at {S}
            h: who stirred up the students of {S}
            h: which rebel brought {S} into the newspapers
            w: {S} student protest leader
            w: {S} protest
            c: Who led a protest of the students of {D}?
            """,
            "cause": """
            t: what was the protest of {leader} about
            t: what did the students of {S} protest against
            h: what made {leader} angry in {held}
            w: {S} protest cause
            c: Against what did {leader} protest at {D}?
            """,
            "held": """
            t: when was the protest at {S}
            t: when did {leader} lead a protest
            h: in which year did the students of {S} rise
            w: {leader} protest year
            c: In which year did {leader} lead the students of {D}?
            """,
        },
        "saw a protest led by {leader}",
        "late",
    ),
    fact(
        "exchange",
        {"partner": Other("university"), "friend": Person(), "signed": Year("since", 120, 200)},
        """
        An exchange with the {partner} was agreed by {friend} in {signed}
        {friend} began the exchange with the {partner}
        In {signed} {friend} arranged an exchange of students with the {partner}
        {S} has exchanged students with the {partner} since {signed}
        Thanks to {friend}, students may spend a year at the {partner}
        """,
        {
            "friend": """
            t: who arranged the exchange between {S} and the {partner}
            t: who started the student exchange of {S}
            t: who agreed the student exchange between {S} and the {partner}
            h: thanks to whom can students of {S} spend a year elsewhere
            w: {S} exchange founder
            c: Who began the exchange of students between {D} and the {partner}?
            """,
            "partner": """
            t: which university does {S} exchange students with
            t: what is the partner university of {S}
            t: with which university did {friend} arrange an exchange
            h: where may students of {S} spend a year
            w: {S} partner university
            c: With which university does {D} exchange students?
            """,
        },
        "exchanges students with the {partner}",
        "late",
    ),
)

UNIVERSITY = Family(
    name="university",
    entities=2,
    parts=(2,),
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the university", "the university", "the school"),
    appositions=("the university", "a university in {county}"),
    descriptions=(),
    definition=ORIGIN,
    facts=(*FACTS, *common.ABOUT_BODIES),
    fillers=(
        "Its statutes have been revised several times",
        "Lectures were given in Latin at first",
        "Most of the old buildings have survived",
    ),
    frame="the {}",
)
