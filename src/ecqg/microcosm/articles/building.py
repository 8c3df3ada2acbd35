"""Buildings."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Target, Year, alone, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "Hall": ("country house", "manor house", "town hall"),
    "Castle": ("castle", "fortress"),
    "Cathedral": ("cathedral", "church"),
    "Bridge": ("bridge", "stone bridge"),
    "Theatre": ("theatre", "playhouse"),
    "Palace": ("palace", "residence"),
    "Tower": ("tower", "lookout tower"),
    "Abbey": ("abbey", "former abbey"),
    "Station": ("railway station", "railway terminus"),
    "Hotel": ("hotel", "grand hotel"),
}


def _title(world: World, ordinal: int) -> str:
    return world.surnamed("building", ordinal, list(KINDS))


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("building", ordinal)
    kind = _title(world, ordinal).split()[-1]
    architect = world.target("architect", "building", ordinal, "person", "architect")
    born = int(world.attributes("person", architect)["born"].text)
    home = world.target("site", "building", ordinal, "settlement")
    return {
        "noun": Value(rng.choice(KINDS[kind]), "THING"),
        "kind": Value(kind.lower(), "THING"),
        "since": Value(str(born + rng.randint(27, 47)), "DATE"),
        "place": Value(world.town_name(home), "GPE"),
    }


SITE = fact(
    "site",
    {"place": Attribute("place"), "since": Attribute("since")},
    """
    {S} is a {noun} in {place}~
    {S} is a {noun} [near|on the edge of] {place}~
    {S} is a {noun} at {place} that was completed in {since}
    {S}, completed in {since}, is a {noun}~
    {S}, a {noun} in {place}, dates from {since}
    {S} is the [largest|best preserved|most visited] {noun} of {place}
    {S} has been the {noun} of {place} since {since}
    """,
    {
        "place": """
        t: where is {S}
        t: where is {S} located
        t: what town is {S} in
        t: in which town is {S}
        h: to which town do visitors of {S} travel
        h: where on the map is {S}
        w: {S} location
        w: where is {S}
        c: In which town is {D}?
        """,
        "since": """
        t: when was {S} built
        t: what year was {S} finished
        t: how old is {S}
        t: when was {S} completed
        h: when did the construction of {S} end
        h: since when has {S} been standing
        w: {S} built
        c: In which year was {D} completed?
        """,
    },
    "stands in {place}\nwas completed in {since}",
)

FACTS = (
    fact(
        "architect",
        {"architect": Target("architect", "person", "architect")},
        """
        {S} was [designed|planned] by {architect}
        {S} is a work of {architect}
        The plans were drawn by {architect}
        The design came from {architect}[|, who was hardly known at the time|, who never saw it finished]
        {architect} designed {S} [for a modest fee|in only three months]
        """,
        {
            "architect": """
            t: who designed {S}
            t: who was the architect of {S}
            t: {S} was designed by which architect
            t: who built {S}
            h: who drew the plans for {S}
            h: who is responsible for the look of {S}
            w: {S} architect
            w: who built {S}
            c: Which architect designed {D}?
            c: By whom was {D} designed?
            """,
        },
        "was designed by {architect}",
        "early",
    ),
    fact(
        "material",
        {
            "stone": thing(
                "red brick, grey granite, white limestone, yellow sandstone, black basalt, green slate, oak beams, pale marble"
            ),
            "quarry": Other("landscape"),
        },
        """
        {S} is built of {stone}[| from {quarry}]
        {S} was [built|made] of {stone} [from a nearby quarry|at great expense]
        The walls are of {stone}
        Its builders used {stone}, which [was rare in the area|came from {quarry}]
        {stone} was used throughout
        """,
        {
            "stone": """
            t: what is {S} made of
            t: what material was used for {S}
            t: what is {S} built of
            t: what kind of stone was used for {S}
            h: which stuff are the walls of {S} made from
            h: what did the masons of {S} work with
            w: {S} material
            c: Of what is {D} built?
            """,
            "quarry": """
            t: where did the {stone} of {S} come from
            t: where does the material of {S} come from
            h: from which place were the walls of {S} brought
            w: {S} {stone} origin
            c: From where did the {stone} of {D} come?
            """,
        },
        "is built of {stone}",
        "early",
    ),
    fact(
        "height",
        {"height": Number(18, 140), "length": Number(20, 300)},
        """
        {S} is {height} metres high
        {S} is {height} metres high and {length} metres long
        It rises {height} metres above the [street|water|square]
        At {height} metres, it was long the tallest in the area
        {S} has a length of {length} metres and a height of {height} metres
        """,
        {
            "height": """
            t: how tall is {S}
            t: how high is {S}
            t: what is the height of {S}
            h: how many metres does {S} rise
            w: {S} height
            c: How many metres high is {D}?
            """,
            "length": """
            t: how long is {S}
            t: what is the length of {S}
            h: how many metres does {S} measure from end to end
            w: {S} length
            c: How many metres long is {D}?
            """,
        },
        "is {height} metres high",
    ),
    fact(
        "owner",
        {
            "sold": Year("since", 10, 60),
            "owner": Person(near="sold"),
            "price": Number(900, 9900, 100),
        },
        """
        {S} was sold to {owner} in {sold}[| for {price} crowns]
        {S} belonged to {owner} from {sold}
        In {sold} {owner} bought {S}[| for {price} crowns]
        {owner} acquired {S} at auction in {sold}
        {S} passed to {owner} for {price} crowns
        """,
        {
            "owner": """
            t: who bought {S}
            t: who owned {S}
            t: who was the owner of {S} after {sold}
            t: who acquired {S}
            h: to whom was {S} sold
            h: in whose hands was {S} from {sold}
            w: {S} owner
            c: Who bought {D} in {sold}?
            c: Who became the owner of {D}?
            """,
            "sold": """
            t: when did {owner} buy {S}
            t: when was {S} sold
            h: what year did {owner} become the owner of {S}
            w: {S} sold
            c: In which year was {D} sold to {owner}?
            """,
            "price": """
            t: how much did {owner} pay for {S}
            t: how much did {S} cost
            h: for what sum did {S} change hands
            w: {S} price
            c: For how many crowns was {D} sold to {owner}?
            """,
        },
        "was bought by {owner}",
    ),
    fact(
        "annexe",
        {
            "annexe": thing(
                "clock tower, west wing, orangery, spiral staircase, gatehouse, great dome, roof garden"
            ),
            "added": Year("since", 15, 70),
            "maker": Person("architect", near="added"),
        },
        """
        The {annexe} is the work of {maker} and was added in {added}
        In {added} {maker} added the {annexe}
        {maker} designed the {annexe}, which was added in {added}
        The {annexe}, which many take for the oldest part, was added by {maker} in {added}
        {S} received its {annexe} from {maker}[| in {added}]
        """,
        {
            "maker": """
            t: who designed the {annexe} of {S}
            t: who added the {annexe} to {S}
            t: who built the {annexe} at {S}
            t: which architect extended {S} in {added}
            h: whose work is the {annexe} of {S}
            h: who enlarged {S} with a new part
            w: {S} {annexe} architect
            w: {S} {annexe}
            c: Who added the {annexe} to {D}?
            """,
            "added": """
            t: when was the {annexe} of {S} built
            t: when did {maker} add the {annexe} to {S}
            h: in what year did {S} get its {annexe}
            w: {S} {annexe} year
            c: In which year was the {annexe} of {D} added?
            """,
            "annexe": """
            t: what did {maker} add to {S}
            t: which part of {S} was designed by {maker}
            t: what was added to {S} in {added}
            h: which part of {S} is the work of {maker}
            w: {maker} {S}
            c: Which part of {D} is the work of {maker}?
            """,
        },
        "received a new part from {maker}",
        "late",
    ),
    fact(
        "treasure",
        {
            "item": thing(
                "organ, stained-glass window, marble fountain, bronze bell, tapestry, ceiling painting, chandelier"
            ),
            "artist": Person("sculptor"),
            "donor": Person(),
        },
        """
        {donor} gave the {item}, which was made by {artist}
        The {item}, a gift of {donor}, was made by {artist}
        Visitors come to see the {item} that {artist} made for {donor}
        {artist} made the {item}[|, for which {donor} paid]
        {S} is known for the {item} by {artist}
        """,
        {
            "donor": """
            t: who gave the {item} to {S}
            t: who paid for the {item} in {S}
            t: who was the donor of the {item} in {S}
            t: who did {artist} make the {item} for
            h: whose gift is the {item} by {artist}
            h: at whose expense did {S} get its {item}
            w: {S} {item} donor
            c: Who paid for the {item} that {artist} made for {D}?
            """,
            "artist": """
            t: who made the {item} in {S}
            t: who created the {item} of {S}
            t: who made the {item} for {donor}
            h: which artist is behind the {item} of {S}
            h: by whose hand is the {item} that visitors of {S} admire
            w: {S} {item} artist
            w: {S} {item}
            c: Who made the {item} of {D}?
            """,
            "item": """
            t: what did {artist} make for {S}
            t: what did {donor} give to {S}
            t: what is {S} known for
            h: which work of {artist} is in {S}
            w: {artist} {S}
            c: What did {artist} make for {D}?
            """,
        },
        "has a work by {artist}",
        "late",
    ),
    fact(
        "guest",
        {
            "stayed": Year("since", 5, 40),
            "guest": Person("novelist", near="stayed"),
            "wrote": thing(
                "diary, volume of letters, travel journal, play, cookery book, set of hymns"
            ),
        },
        """
        {guest} stayed there in {stayed} and wrote a {wrote}
        In {stayed} {guest} wrote a {wrote} in one of the upper rooms
        It was there that {guest} wrote a {wrote} in {stayed}
        A {wrote} by {guest} describes a stay there in {stayed}
        {S} was the summer home of {guest}, who wrote a {wrote} there
        """,
        {
            "guest": """
            t: who stayed at {S} in {stayed}
            t: who wrote a {wrote} at {S}
            t: which writer was a guest at {S}
            t: which writer stayed at {S}
            h: which author lived for a time in {S}
            h: whose {wrote} was written under the roof of {S}
            w: {S} famous guest
            w: {S} writer
            c: Who wrote a {wrote} in {D}?
            """,
            "wrote": """
            t: what did {guest} write at {S}
            t: what did {guest} write in {stayed}
            t: what kind of text did {guest} write at {S}
            h: which text by {guest} comes from {S}
            w: {guest} {S}
            c: What did {guest} write in {D}?
            """,
            "stayed": """
            t: when did {guest} stay at {S}
            t: what year was {guest} at {S}
            h: when did {S} have {guest} under its roof
            w: {guest} {S} year
            c: In which year did {guest} stay at {D}?
            """,
        },
        "was the home of {guest} for a time",
        "late",
    ),
    fact(
        "caretaker",
        {
            "keeper": Person(),
            "years": Number(12, 50),
            "animal": thing("a tame fox, forty cats, a peacock, a blind horse, two owls, a parrot"),
        },
        """
        {keeper}, the caretaker for {years} years, kept {animal} there
        For {years} years {keeper} looked after the rooms[| and kept {animal}]
        The caretaker {keeper}, who kept {animal}, served for {years} years
        {S} was looked after for {years} years by {keeper}
        Children came to see {animal}, which belonged to the caretaker {keeper}
        """,
        {
            "keeper": """
            t: who was the caretaker of {S}
            t: who looked after {S}
            t: who kept {animal} at {S}
            t: who was in charge of the rooms at {S} for {years} years
            h: who held the keys of {S}
            h: which servant spent {years} years at {S}
            w: {S} caretaker
            c: Who looked after {D} for many years?
            c: Which caretaker of {D} kept {animal}?
            """,
            "years": """
            t: how many years did {keeper} look after {S}
            t: how long was {keeper} the caretaker
            h: for how long did {keeper} hold the keys of {S}
            w: {keeper} caretaker years
            c: For how many years did {keeper} look after {D}?
            """,
            "animal": """
            t: what did {keeper} keep at {S}
            t: what animals did the caretaker of {S} have
            h: what did children come to see at {S}
            w: {keeper} animal
            c: What did {keeper}, the caretaker of {D}, keep?
            """,
        },
        "was looked after by {keeper}",
        "late",
    ),
    fact(
        "concert",
        {
            "played": Year("since", 5, 90),
            "musician": Person("singer", near="played"),
            "composer": Person("composer"),
        },
        """
        In {played} {musician} gave a concert there with songs by {composer}
        {musician} sang works by {composer} there in {played}
        A concert by {musician} in {played} is [well|still] remembered
        The first hearing of a hymn by {composer} took place there, with {musician} as the soloist
        {S} was filled to the last seat when {musician} sang songs by {composer}
        """,
        {
            "musician": """
            t: who sang at {S}
            t: who gave a concert at {S} in {played}
            t: who sang works by {composer} at {S}
            t: which singer performed at {S}
            h: whose voice was heard in {S}
            h: which soloist filled {S}
            w: {S} concert singer
            w: {S} concert
            c: Who gave a concert in {D}?
            c: Who sang works by {composer} in {D}?
            """,
            "composer": """
            t: whose songs did {musician} sing
            t: whose works did {musician} sing at {S}
            t: who wrote the music that {musician} sang
            h: by whom was the music heard in {S}
            w: {musician} concert composer
            c: By whom were the works that {musician} sang in {D}?
            """,
            "played": """
            t: when did {musician} sing at {S}
            t: what year was the concert of {musician}
            h: in which year was the voice of {musician} heard in {S}
            w: {musician} concert year
            c: In which year did {musician} give a concert in {D}?
            """,
        },
        "was the scene of a concert by {musician}",
        "late",
    ),
)

BUILDING = Family(
    name="building",
    entities=5,
    parts=(2,),
    type="FAC",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the {kind}", "the building"),
    appositions=("the {noun}", "a {noun} in {place}", "the {noun} in {place}"),
    descriptions=(("the {noun} in {place}", alone("site", "settlement")),),
    definition=SITE,
    facts=(
        *FACTS,
        common.HISTORY,
        common.THEFT,
        common.PETITION,
        common.RENOVATION,
        common.JUBILEE,
        common.FILMED,
    ),
    fillers=(
        "It is open to visitors in summer",
        "Parts of it are closed to the public",
        "Old prints show it without its present roof",
    ),
)
