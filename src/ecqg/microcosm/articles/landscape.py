"""Lakes, islands, bays, capes, forests, mountains and rivers."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, only_in_county, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "Island": "island", "Bay": "bay", "Forest": "forest", "Lake": "lake", "Valley": "valley",
    "Park": "nature park",
}  # fmt: skip


def _title(world: World, ordinal: int) -> str:
    return world.surnamed("landscape", ordinal, list(KINDS))


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("landscape", ordinal)
    return {
        "noun": Value(KINDS[_title(world, ordinal).split()[-1]], "THING"),
        "county": Value(world.county("landscape", ordinal), "GPE"),
        "since": Value(str(rng.randint(1790, 1880)), "DATE"),  # when it was mapped
    }


PLACE = fact(
    "place",
    {"county": Attribute("county"), "area": Number(12, 980)},
    """
    {S} is a {noun} in {county}~
    {S} is a {noun} in the [north|south|east|west] of {county}~
    {S} is a {noun} in {county} with an area of {area} square miles
    {S}, a {noun} of {area} square miles, belongs to {county}
    {S} is the [largest|best-known|wildest] {noun} of {county}
    """,
    {
        "county": """
        t: where is {S}
        t: what county is {S} in
        t: in which county is {S} located
        t: what part of the country is {S} in
        h: to which county does {S} belong
        h: where would one travel to see {S}
        w: {S} location
        w: where is {S}
        c: In which county is {D}?
        """,
        "area": """
        t: how big is {S}
        t: what is the area of {S}
        t: how many square miles is {S}
        h: how much ground does {S} cover
        w: {S} area
        c: How many square miles does {D} cover?
        """,
    },
    "lies in {county}",
)

FACTS = (
    fact(
        "survey",
        {"since": Attribute("since"), "surveyor": Person("geologist", near="since")},
        """
        {S} was [mapped|surveyed] by {surveyor} in {since}
        {S} was first described by {surveyor}
        {surveyor} drew the first map in {since}
        The first map, made in {since}, is by {surveyor}
        In {since} {surveyor} [explored|measured] {S}
        """,
        {
            "surveyor": """
            t: who mapped {S}
            t: who surveyed {S}
            t: who first described {S}
            t: who made the first map of {S}
            h: which scientist measured {S}
            h: to whom do we owe the earliest chart of {S}
            w: {S} survey
            w: {S} first map
            c: Who drew the first map of {D}?
            """,
            "since": """
            t: when was {S} mapped
            t: when was {S} first described
            t: what year did {surveyor} survey {S}
            h: in which year was the earliest chart of {S} made
            w: {S} mapped year
            c: In which year was {D} mapped by {surveyor}?
            """,
        },
        "was mapped by {surveyor}",
        "early",
    ),
    fact(
        "depth",
        {"height": Number(200, 2900, 10), "miles": Number(3, 40)},
        """
        {S} reaches a height of {height} metres
        {S} lies {height} metres above the sea and is {miles} miles long
        The highest point, at {height} metres, offers a wide view
        {S} is {miles} miles long and reaches a height of {height} metres
        It takes a day to walk the {miles} miles from one end to the other
        """,
        {
            "height": """
            t: how high is {S}
            t: what is the height of {S}
            t: how many metres above the sea is {S}
            h: what altitude does {S} reach
            w: {S} height
            c: How many metres high is {D}?
            """,
            "miles": """
            t: how long is {S}
            t: how many miles long is {S}
            h: how far is it from one end of {S} to the other
            w: {S} length
            c: How many miles long is {D}?
            """,
        },
        "reaches a height of {height} metres",
    ),
    fact(
        "animal",
        {
            "beast": thing(
                "otters, eagles, wild horses, seals, storks, lynxes, red deer, salmon, cranes, badgers"
            ),
            "count": Number(14, 900),
        },
        """
        {S} is known for its {beast}
        {S} is home to {count} {beast}
        Some {count} {beast} live there
        {beast} [have returned|can be seen] in large numbers
        {S} has been a refuge for {beast} for a century
        """,
        {
            "beast": """
            t: what animals live in {S}
            t: what is {S} known for
            t: what kind of wildlife is there in {S}
            h: which creatures can visitors watch at {S}
            w: {S} animals
            c: For which animals is {D} known?
            """,
            "count": """
            t: how many {beast} live in {S}
            t: how many {beast} are there at {S}
            h: what number of {beast} was counted at {S}
            w: {S} {beast} number
            c: How many {beast} live in {D}?
            """,
        },
        "is known for its {beast}",
        "early",
    ),
    fact(
        "resource",
        {
            "ore": thing("silver, copper, peat, chalk, tin, timber, clay, salt, coal"),
            "firm": Other("company"),
            "mined": Year("since", 5, 70),
        },
        """
        {S} supplied {firm} with {ore} from {mined}
        {firm} [took|extracted] {ore} there from {mined} on
        From {mined}, {ore} was won there by {firm}
        {S} was once a source of {ore} for {firm}
        The {ore} of {S} was the property of {firm}
        """,
        {
            "ore": """
            t: what was mined at {S}
            t: what did {firm} take from {S}
            t: what natural resource did {S} have
            h: which raw material came from {S}
            w: {S} resources
            c: What did {firm} win in {D}?
            """,
            "firm": """
            t: which company mined {ore} at {S}
            t: who took {ore} from {S}
            t: what company owned the {ore} of {S}
            h: which enterprise made use of {S}
            w: {S} {ore} company
            c: Which company won {ore} in {D}?
            """,
            "mined": """
            t: when was {ore} first mined at {S}
            t: when did {firm} start at {S}
            h: since when was {ore} won at {S}
            w: {S} {ore} year
            c: From which year was {ore} won in {D}?
            """,
        },
        "supplied {firm} with {ore}",
    ),
    fact(
        "wreck",
        {
            "wrecked": Year("since", 5, 90),
            "pilot": Person(near="wrecked"),
            "craft": thing("balloon, mail plane, fishing boat, paddle steamer, barge, glider"),
        },
        """
        In {wrecked} {pilot} was lost there with a {craft}
        The wreck of the {craft} of {pilot}, lost in {wrecked}, can [still|sometimes] be seen
        {pilot} survived the loss of a {craft} there in {wrecked}
        {S} became known in {wrecked}, when {pilot} came down there with a {craft}
        A stone recalls {pilot}, whose {craft} was lost in {wrecked}
        """,
        {
            "pilot": """
            t: who was lost with a {craft} at {S}
            t: who came down at {S} in {wrecked}
            t: whose {craft} was lost at {S}
            t: who had an accident at {S}
            h: whose misfortune of {wrecked} is linked with {S}
            h: which unlucky traveller is recalled at {S}
            w: {S} accident
            w: {S} {craft} wreck
            c: Whose {craft} was lost at {D}?
            """,
            "craft": """
            t: what did {pilot} lose at {S}
            t: what kind of vessel did {pilot} have
            h: in what did {pilot} come to grief
            w: {pilot} wreck
            c: What did {pilot} lose at {D}?
            """,
            "wrecked": """
            t: when was the {craft} of {pilot} lost
            t: when did {pilot} have the accident at {S}
            h: in which year did {pilot} come to grief
            w: {pilot} {craft} year
            c: In which year was the {craft} of {pilot} lost at {D}?
            """,
        },
        "saw the accident of {pilot}",
        "late",
    ),
    fact(
        "hermit",
        {
            "hermit": Person(),
            "years": Number(8, 40),
            "dwelling": thing("cave, hut, tower, houseboat, ruined mill, chapel"),
        },
        """
        The hermit {hermit} lived in a {dwelling} there for {years} years
        {hermit} spent {years} years alone in a {dwelling}
        A {dwelling}, in which {hermit} lived for {years} years, is shown to visitors
        For {years} years, {hermit} was the only inhabitant
        {S} was the home of {hermit}, who lived in a {dwelling}
        """,
        {
            "hermit": """
            t: who lived alone in {S}
            t: who lived in a {dwelling} at {S}
            t: who was the hermit of {S}
            t: who was the only inhabitant of {S}
            h: who sought solitude at {S}
            h: which loner made a home at {S}
            w: {S} hermit
            w: {S} {dwelling}
            c: Who lived alone in {D}?
            """,
            "years": """
            t: how long did {hermit} live at {S}
            t: how many years did {hermit} live alone
            h: what time did {hermit} spend in solitude
            w: {hermit} years
            c: How many years did {hermit} live in {D}?
            """,
            "dwelling": """
            t: in which dwelling did the hermit {hermit} live
            t: what did {hermit} live in
            h: which kind of home did {hermit} have at {S}
            w: {S} hermit home
            c: In what did {hermit} live in {D}?
            """,
        },
        "was the home of {hermit}",
        "late",
    ),
    fact(
        "path",
        {
            "walker": Person(),
            "length": Number(6, 90),
            "marked": Year("since", 30, 130),
            "start": Other("settlement"),
        },
        """
        A path of {length} miles, marked by {walker}, starts in {start}
        {walker} marked a path of {length} miles in {marked}
        The path that {walker} marked in {marked} starts in {start}
        {S} is crossed by a path of {length} miles, the work of {walker}
        In {marked} {walker} opened a footpath from {start}
        """,
        {
            "walker": """
            t: who marked the path through {S}
            t: who opened the footpath from {start} to {S}
            t: who made the trail at {S}
            t: which walker marked a path of {length} miles in {S}
            h: thanks to whom can one hike across {S}
            h: who laid out the hiking route of {S}
            w: {S} path
            w: {S} trail founder
            c: Who marked a path across {D}?
            """,
            "start": """
            t: where does the path through {S} start
            t: where does the path of {walker} begin
            h: from which town can one hike to {S}
            w: {S} path start
            c: In which town does the path across {D} start?
            """,
            "length": """
            t: how long is the path of {walker}
            t: how many miles is the path through {S}
            h: over what distance does the route of {walker} run
            w: {S} path miles
            c: How many miles long is the path that {walker} marked across {D}?
            """,
        },
        "is crossed by a path of {walker}",
        "late",
    ),
    fact(
        "find",
        {
            "found": Year("since", 20, 130),
            "digger": Person("historian", near="found"),
            "hoard": thing(
                "a bronze sword, a Roman coin hoard, a stone circle, a golden ring, a burial ship, a painted cave, a mammoth skeleton"
            ),
        },
        """
        In {found} {digger} found {hoard} there
        {digger} [found|discovered] {hoard} in {found}
        {hoard}, found by {digger} in {found}, [is shown|is kept] in the village school
        {S} drew scholars when {digger} discovered {hoard}
        The discovery of {hoard} by {digger} made it famous
        """,
        {
            "digger": """
            t: who found {hoard} at {S}
            t: who discovered {hoard} at {S}
            t: who made a discovery at {S}
            t: who dug at {S} in {found}
            h: which scholar brought {hoard} to light at {S}
            h: whose excavation made {S} famous
            w: {S} discovery
            w: {S} {hoard} found by
            c: Who found {hoard} in {D}?
            """,
            "hoard": """
            t: what did {digger} find at {S}
            t: what was found at {S}
            t: what was discovered at {S} in {found}
            h: what came to light when {digger} dug
            w: {digger} discovery
            c: What did {digger} find in {D}?
            """,
            "found": """
            t: when did {digger} find {hoard}
            t: when was {hoard} found at {S}
            h: in which year did {hoard} come to light at {S}
            w: {digger} discovery year
            c: In which year did {digger} find {hoard} in {D}?
            """,
        },
        "is where {hoard} was found",
        "late",
    ),
)

LANDSCAPE = Family(
    name="landscape",
    entities=4,
    parts=(2, 1),
    type="LOC",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the {noun}", "the area"),
    appositions=("the {noun}", "a {noun} in {county}", "the {noun} in {county}"),
    descriptions=(("the {noun} in {county}", only_in_county),),
    definition=PLACE,
    facts=(
        *FACTS,
        common.POEM,
        common.FILMED,
        common.LAWSUIT,
        common.VISITOR,
        common.PETITION,
        common.NAMESAKE,
    ),
    fillers=(
        "In winter it can be hard to reach",
        "Its paths are well kept",
        "Old maps show it under another name",
    ),
)
