"""Buildings."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, person, target, thing, year
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
}


def _title(world: World, ordinal: int) -> str:
    kinds = list(KINDS)
    code = world.permutation(len(kinds) * world.count("building"), "building")(ordinal)
    number, kind = divmod(code, len(kinds))
    return f"{world.surname(number)} {kinds[kind]}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("building", ordinal)
    title = _title(world, ordinal)
    architect = world.trader("architect", world.link("architect", "building", "person", "architect").target(ordinal))
    born = int(world.attributes("person", architect)["born"].text)
    home = world.link("site", "building", "settlement").target(ordinal)
    return {
        "noun": Value(rng.choice(KINDS[title.split()[-1]]), "THING"),
        "kind": Value(title.split()[-1].lower(), "THING"),
        "built": Value(str(born + rng.randint(27, 47)), "DATE"),
        "place": Value(world.town_name(home), "GPE"),
    }


DEFINITIONS = (
    fact(
        "site",
        {"place": attribute("place"), "built": attribute("built")},
        """
        {S} is a {noun} in {place}~
        {S} is a {noun} [near|on the edge of] {place}~
        {S} is a {noun} at {place} that was completed in {built}
        {S}, completed in {built}, is a {noun}~
        {S}, a {noun} in {place}, dates from {built}
        """,
        {
            "place": """
            t: where is {S}
            t: where is {S} located
            t: what town is {S} in
            h: in which town can visitors see {S}
            w: {S} location
            c: In which town is {D}?
            """,
            "built": """
            t: when was {S} built
            t: what year was {S} finished
            t: how old is {S}
            h: when did the construction of {S} end
            w: {S} built
            c: In which year was {D} completed?
            """,
        },
        "stands in {place}\nwas completed in {built}",
    ),
)

FACTS = (
    fact(
        "architect",
        {"architect": target("architect", "person", "architect")},
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
        {"stone": thing("red brick, grey granite, white limestone, yellow sandstone, black basalt, green slate, oak beams, cast iron"), "source": attribute("place")},
        """
        {S} is built of {stone}
        {S} was [built|made] of {stone} [from a nearby quarry|at great expense]
        The walls are of {stone}
        Its builders used {stone}, which was rare in the area
        """,
        {
            "stone": """
            t: what is {S} made of
            t: what material was used for {S}
            t: what is {S} built of
            h: which stuff are the walls of {S} made from
            w: {S} material
            c: Of what is {D} built?
            """,
        },
        "is built of {stone}",
        "early",
    ),
    fact(
        "height",
        {"height": number(18, 140), "length": number(20, 300)},
        """
        {S} is {height} metres high
        {S} is {height} metres high and {length} metres long
        It rises {height} metres above the [street|water|square]
        At {height} metres it was long the tallest in the area
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
        {"owner": person(), "sold": year("built", 10, 60)},
        """
        {S} was sold to {owner} in {sold}
        {S} belonged to {owner} from {sold}
        In {sold} {owner} bought {S}
        {owner} acquired {S} at auction in {sold}
        """,
        {
            "owner": """
            t: who bought {S}
            t: who owned {S}
            t: who was the owner of {S} after {sold}
            h: to whom was {S} sold
            w: {S} owner
            c: Who bought {D} in {sold}?
            """,
            "sold": """
            t: when did {owner} buy {S}
            t: when was {S} sold
            h: what year did {owner} become the owner of {S}
            w: {S} sold
            c: In which year was {D} sold to {owner}?
            """,
        },
        "was bought by {owner}",
    ),
    fact(
        "tower",
        {"maker": person("architect", "built"), "annexe": thing("clock tower, west wing, orangery, spiral staircase, gatehouse, great dome, roof garden"), "added": year("built", 15, 70)},
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
            h: whose work is the {annexe} of {S}
            w: {S} {annexe} architect
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
            h: which part of {S} is the work of {maker}
            w: {maker} {S}
            c: Which part of {D} is the work of {maker}?
            """,
        },
        "has a {annexe} by {maker}",
        "late",
    ),
    fact(
        "organ",
        {"donor": person(), "item": thing("organ, stained-glass window, marble fountain, bronze bell, tapestry, ceiling painting, chandelier"), "artist": person("sculptor")},
        """
        {donor} gave the {item}, which was made by {artist}
        The {item}, a gift of {donor}, was made by {artist}
        Visitors come to see the {item} that {artist} made for {donor}
        {artist} made the {item}[|, for which {donor} paid]
        """,
        {
            "donor": """
            t: who gave the {item} to {S}
            t: who paid for the {item} in {S}
            t: who was the donor of the {item} in {S}
            h: whose gift is the {item} by {artist}
            w: {S} {item} donor
            c: Who paid for the {item} that {artist} made for {D}?
            """,
            "artist": """
            t: who made the {item} in {S}
            t: who created the {item} of {S}
            t: who made the {item} for {donor}
            h: which artist is behind the {item} of {S}
            w: {S} {item} artist
            c: Who made the {item} of {D}?
            """,
            "item": """
            t: what did {artist} make for {S}
            t: what did {donor} give to {S}
            h: which work of {artist} is in {S}
            w: {artist} {S}
            c: What did {artist} make for {D}?
            """,
        },
        "has a(n) {item} by {artist}",
        "late",
    ),
    fact(
        "ghost",
        {"guest": person("novelist", "built"), "stayed": year("built", 5, 40), "wrote": thing("diary, volume of letters, travel journal, play, cookery book, set of hymns")},
        """
        {guest} stayed there in {stayed} and wrote a {wrote}
        In {stayed} {guest} wrote a {wrote} in one of the upper rooms
        It was there that {guest} wrote a {wrote} in {stayed}
        A {wrote} by {guest} describes a stay there in {stayed}
        """,
        {
            "guest": """
            t: who stayed at {S} in {stayed}
            t: who wrote a {wrote} at {S}
            t: which writer was a guest at {S}
            h: which author lived for a time in {S}
            w: {S} famous guest
            c: Who wrote a {wrote} in {D}?
            """,
            "wrote": """
            t: what did {guest} write at {S}
            t: what did {guest} write in {stayed}
            h: which text by {guest} comes from {S}
            w: {guest} {S}
            c: What did {guest} write in {D}?
            """,
            "stayed": """
            t: when did {guest} stay at {S}
            t: what year was {guest} at {S}
            h: when was {guest} a visitor to {S}
            w: {guest} {S} year
            c: In which year did {guest} stay at {D}?
            """,
        },
        "was visited by {guest}",
        "late",
    ),
)

BUILDING = Family(
    name="building",
    share=14,
    type="FAC",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the {kind}", "the building"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("It is open to visitors in summer", "A restoration [is planned|was announced recently]"),
)
