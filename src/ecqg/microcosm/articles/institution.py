"""Museums, hospitals, academies and societies."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, alone, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "Museum": "museum", "Hospital": "hospital", "Academy": "academy", "Institute": "research institute",
    "College": "college", "Foundation": "foundation",
}  # fmt: skip


def _title(world: World, ordinal: int) -> str:
    return world.surnamed("institution", ordinal, list(KINDS))


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("institution", ordinal)
    home = world.target("seat", "institution", ordinal, "settlement")
    return {
        "noun": Value(KINDS[_title(world, ordinal).split()[-1]], "THING"),
        "place": Value(world.town_name(home), "GPE"),
        "since": Value(str(rng.randint(1760, 1900)), "DATE"),
    }


ORIGIN = fact(
    "origin",
    {"place": Attribute("place"), "since": Attribute("since")},
    """
    {S} is a {noun} in {place}~
    {S}, opened in {since}, is a {noun}~
    {S} is a {noun} in {place} that opened in {since}
    {S} has been a {noun} since {since}
    {S} is the [oldest|largest|only] {noun} of {place}
    {S}, a {noun}, was opened at {place} in {since}
    """,
    {
        "place": """
        t: where is {S}
        t: what town is {S} in
        t: where is {S} located
        t: in which town is {S}
        h: to which town do visitors of {S} travel
        w: {S} location
        w: where is {S}
        c: In which town is {D}?
        """,
        "since": """
        t: when was {S} opened
        t: when was {S} founded
        t: how old is {S}
        t: what year did {S} open
        h: since when has {S} existed
        h: in which year did {S} first admit people
        w: {S} opened
        c: In which year was {D} opened?
        """,
    },
    "is in {place}\nwas opened in {since}",
)

FACTS = (
    fact(
        "founder",
        {
            "founder": Person(near="since"),
            "motive": thing(
                "the death of a child, a great fire, a journey abroad, a bet, a dream, a lost lawsuit"
            ),
        },
        """
        {S} was founded by {founder} after {motive}
        {S} goes back to {founder}
        It was {founder} who founded {S} after {motive}
        {founder} [paid for|provided] the first building
        {S} was paid for by {founder}
        """,
        {
            "founder": """
            t: who founded {S}
            t: who started {S}
            t: who was the founder of {S}
            t: who paid for {S}
            h: to whom does {S} owe its existence
            h: whose money made {S} possible
            w: {S} founder
            w: who founded {S}
            c: To whom does {D} owe its foundation?
            c: Who founded {D}?
            """,
            "motive": """
            t: why did {founder} found {S}
            t: after what was {S} founded
            h: what moved {founder} to set up {S}
            w: {S} reason founded
            c: After what did {founder} found {D}?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "rooms",
        {"rooms": Number(14, 240), "visitors": Number(3000, 90000, 500)},
        """
        {S} has {rooms} rooms
        {S} has {rooms} rooms and receives {visitors} people a year
        About {visitors} people come every year
        {S} serves {visitors} people a year
        """,
        {
            "rooms": """
            t: how many rooms does {S} have
            t: how big is {S}
            h: what is the number of rooms of {S}
            w: {S} rooms
            c: How many rooms has {D}?
            """,
            "visitors": """
            t: how many people visit {S}
            t: how many people come to {S} every year
            t: how many visitors does {S} have
            h: what is the yearly number of guests of {S}
            w: {S} visitors per year
            c: How many people come to {D} every year?
            """,
        },
        "has {rooms} rooms",
    ),
    fact(
        "speciality",
        {
            "field": thing(
                "tropical plants, folk music, eye diseases, old maps, marine animals, book restoration, early photography, lung diseases, weaving"
            )
        },
        """
        {S} is known for its work on {field}
        {S} specialises in {field}
        Its [special|main] field is {field}
        {S} devotes most of its money to {field}
        """,
        {
            "field": """
            t: what is {S} known for
            t: what does {S} specialise in
            t: what is the main field of {S}
            h: to what does {S} devote its efforts
            w: {S} speciality
            c: In what does {D} specialise?
            """,
        },
        "specialises in {field}",
        "early",
    ),
    fact(
        "head",
        {"from": Year("since", 10, 90), "head": Person(near="from"), "before": Other("company")},
        """
        {S} was headed by {head} from {from}
        {S} has been run since {from} by {head}
        In {from} {head} came from {before} to take over
        {head}, who had worked for {before}, became the head in {from}
        The best-known head was {head}, [in office from {from}|who came from {before}]
        """,
        {
            "head": """
            t: who was the head of {S}
            t: who ran {S}
            t: who became the director of {S} in {from}
            t: who was the director of {S}
            h: in whose hands was {S} from {from}
            h: who held the top post at {S}
            w: {S} director
            w: {S} head
            c: Who became the head of {D}?
            """,
            "before": """
            t: where did {head} work before
            t: which company did {head} come from
            h: what was the former employer of {head}
            w: {head} former company
            c: From which company did {head}, the head of {D}, come?
            """,
            "from": """
            t: when did {head} become the head of {S}
            t: what year did {head} take over {S}
            h: since when did {head} hold the top post
            w: {head} {S} year
            c: In which year did {head} become the head of {D}?
            """,
        },
        "was headed by {head}",
        "late",
    ),
    fact(
        "scandal",
        {
            "exposed": Year("since", 15, 110),
            "cheat": Person(),
            "fraud": thing(
                "forged bills, false results, a fake skeleton, missing money, invented patients, a copied picture"
            ),
        },
        """
        In {exposed} {cheat} was dismissed because of {fraud}
        A scandal over {fraud} cost {cheat} the post in {exposed}
        {cheat} had to leave in {exposed} over {fraud}
        {S} was shaken in {exposed} by the affair of {cheat} and {fraud}
        The affair of {fraud} ended the career of {cheat}
        """,
        {
            "cheat": """
            t: who was dismissed from {S}
            t: who was involved in the scandal at {S}
            t: who had to leave {S} in {exposed}
            t: who was the cheat at {S}
            h: whose career at {S} ended because of {fraud}
            h: which member of {S} fell into disgrace
            w: {S} scandal
            w: {S} {fraud}
            c: Who had to leave {D} because of {fraud}?
            """,
            "fraud": """
            t: why was {cheat} dismissed
            t: what was the scandal at {S} about
            t: what did {cheat} do
            h: over what did {cheat} stumble
            w: {S} {cheat} scandal
            c: Because of what did {cheat} have to leave {D}?
            """,
            "exposed": """
            t: when was {cheat} dismissed
            t: what year was the scandal at {S}
            h: in which year did {cheat} fall into disgrace
            w: {cheat} dismissed year
            c: In which year did {cheat} have to leave {D}?
            """,
        },
        "dismissed {cheat}",
        "late",
    ),
    fact(
        "gift",
        {
            "donor": Person(),
            "piece": thing(
                "a piano, a telescope, a garden, a steam bath, a collection of shells, a greenhouse, a library of maps"
            ),
            "given": Year("since", 8, 100),
        },
        """
        {piece} was given by {donor} in {given}
        {donor} left it {piece}[| in {given}]
        In {given} {S} received {piece} from {donor}
        {S} owns {piece}, the gift of {donor}
        The most generous donor was {donor}, who gave {piece}
        """,
        {
            "donor": """
            t: who gave {S} {piece}
            t: who donated {piece} to {S}
            t: who made a gift to {S} in {given}
            t: who was the most generous donor of {S}
            h: thanks to whom does {S} own {piece}
            h: which benefactor remembered {S}
            w: {S} donor
            w: {S} {piece}
            c: Who gave {D} {piece}?
            """,
            "piece": """
            t: what did {donor} give to {S}
            t: what did {S} receive in {given}
            t: what did {donor} give away
            h: which gift of {donor} does {S} own
            w: {donor} {S} gift
            c: What did {donor} give to {D}?
            """,
            "given": """
            t: when did {donor} give {S} {piece}
            t: when did {S} get {piece}
            h: since when does {S} own {piece}
            w: {donor} gift year
            c: In which year did {donor} give {D} {piece}?
            """,
        },
        "received {piece} from {donor}",
        "late",
    ),
    fact(
        "twin",
        {"friend": Person(), "sister": Other("institution"), "since_when": Year("since", 20, 110)},
        """
        {friend} arranged the partnership with {sister} in {since_when}
        {S} has worked with {sister} since {friend} brought them together
        In {since_when} {friend} signed an agreement with {sister}
        The partnership with {sister} was the idea of {friend}
        """,
        {
            "friend": """
            t: who arranged the partnership between {S} and {sister}
            t: who brought {S} and {sister} together
            t: who signed the agreement of {S} with {sister}
            h: whose idea was it that {S} should have a partner
            h: who was the matchmaker between {S} and {sister}
            w: {S} {sister} partnership
            c: Who arranged the partnership of {D} with {sister}?
            """,
            "sister": """
            t: who is the partner of {S}
            t: which institution does {S} work with
            t: with whom did {friend} sign an agreement
            h: with which house does {S} join forces
            w: {S} partner
            c: What is the partner institution of {D}?
            """,
        },
        "works together with {sister}",
        "late",
    ),
)

INSTITUTION = Family(
    name="institution",
    entities=3,
    parts=(2,),
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the {noun}", "the house"),
    appositions=("the {noun}", "a {noun} in {place}", "the {noun} in {place}"),
    descriptions=(("the {noun} in {place}", alone("seat", "settlement")),),
    definition=ORIGIN,
    facts=(*FACTS, *common.ABOUT_BODIES),
    fillers=(
        "Entrance is free on Sundays",
        "A new building is planned",
        "Its early reports make lively reading",
    ),
)
