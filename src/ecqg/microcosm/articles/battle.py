"""Battles."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, person, target, thing, year
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.names import COUNTRIES
from ecqg.microcosm.world import World


def _title(world: World, ordinal: int) -> str:
    place = world.permutation(world.count("settlement"), "battle")(ordinal)
    return f"Battle of {world.town_name(place)}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("battle", ordinal)
    victor = world.trader("general", world.link("victor", "battle", "person", "general").target(ordinal))
    born = int(world.attributes("person", victor)["born"].text)
    winner, loser = rng.sample(COUNTRIES, 2)
    return {
        "noun": Value("battle", "THING"),
        "fought": Value(str(born + rng.randint(28, 47)), "DATE"),
        "winner": Value(winner, "GPE"),
        "loser": Value(loser, "GPE"),
    }


DEFINITIONS = (
    fact(
        "fought",
        {"fought": attribute("fought"), "winner": attribute("winner"), "loser": attribute("loser")},
        """
        The {S} was fought in {fought} between {winner} and {loser}
        The {S} was a battle of the year {fought}~
        In the {S} of {fought} the army of {winner} defeated that of {loser}
        The {S} was a victory of {winner} over {loser}[| in {fought}]
        """,
        {
            "fought": """
            t: when was the {S}
            t: what year was the {S} fought
            t: when did the {S} take place
            h: in which year did the armies meet in the {S}
            w: {S} date
            c: In which year was {D} fought?
            """,
            "winner": """
            t: who won the {S}
            t: which country won the {S}
            t: which country defeated {loser} in the {S}
            h: whose army was victorious in the {S}
            w: {S} winner
            c: Which country won {D}?
            """,
            "loser": """
            t: who lost the {S}
            t: which country was defeated in the {S}
            h: whose army was beaten in the {S}
            w: {S} loser
            c: Which country lost {D}?
            """,
        },
        "was fought in {fought}",
    ),
)

FACTS = (
    fact(
        "victor",
        {"victor": target("victor", "person", "general")},
        """
        {victor} commanded the winning side
        The winning army was led by {victor}
        {S} made {victor} famous
        The victory was due to {victor}, who [attacked at dawn|held back the cavalry]
        """,
        {
            "victor": """
            t: who commanded the winning army in the {S}
            t: which general won the {S}
            t: who led the army in the {S}
            h: who was the victorious commander in the {S}
            w: {S} commander
            c: Who commanded the winning army in {D}?
            """,
        },
        "was won by {victor}",
        "early",
    ),
    fact(
        "losses",
        {"dead": number(400, 18000, 100), "hours": number(3, 12)},
        """
        {S} cost {dead} lives
        About {dead} men [were killed|fell] within {hours} hours
        {S} lasted {hours} hours and cost {dead} lives
        The fighting went on for {hours} hours
        """,
        {
            "dead": """
            t: how many people died in the {S}
            t: how many men were killed in the {S}
            h: what was the death toll of the {S}
            w: {S} deaths
            c: How many men died in {D}?
            """,
            "hours": """
            t: how long did the {S} last
            t: how many hours did the {S} last
            h: what was the duration of the {S}
            w: {S} duration
            c: How many hours did {D} last?
            """,
        },
        "cost {dead} lives",
    ),
    fact(
        "wounded",
        {"doctor": person("physician"), "place": thing("barn, monastery, mill, schoolhouse, chapel, customs house"), "saved": number(40, 900, 10)},
        """
        {doctor} treated {saved} wounded in a {place}
        In a {place} nearby {doctor} cared for {saved} wounded
        {saved} wounded were brought to a {place}, where {doctor} cared for them
        The physician {doctor} turned a {place} into a hospital
        """,
        {
            "doctor": """
            t: who cared for the wounded in the {S}
            t: who treated the wounded at the {S}
            h: which physician worked in a {place} during the {S}
            w: {S} doctor
            c: Who cared for the wounded of {D}?
            """,
            "place": """
            t: where did {doctor} treat the wounded
            t: where were the wounded of the {S} treated
            h: which building served {doctor} as a hospital
            w: {S} hospital
            c: In what kind of building did {doctor} care for the wounded of {D}?
            """,
            "saved": """
            t: how many wounded did {doctor} treat
            h: what number of wounded were in the care of {doctor}
            w: {doctor} wounded number
            c: For how many wounded of {D} did {doctor} care?
            """,
        },
        "is remembered for the hospital of {doctor}",
        "late",
    ),
    fact(
        "painting",
        {"painter": person("painter"), "monument": person("sculptor"), "unveiled": year("fought", 10, 60), "stuff": thing("obelisk, column, bronze lion, stone cross, granite pyramid")},
        """
        A(n) {stuff} by {monument} was unveiled on the field in {unveiled}
        {monument} made the {stuff} that was unveiled in {unveiled}
        The {stuff} on the hill, unveiled in {unveiled}, is the work of {monument}
        In {unveiled} a(n) {stuff} by {monument} was set up, and {painter} painted the scene
        """,
        {
            "monument": """
            t: who made the {stuff} for the {S}
            t: who made the monument to the {S}
            h: which sculptor commemorated the {S}
            w: {S} monument sculptor
            c: Who made the {stuff} that recalls {D}?
            """,
            "stuff": """
            t: what did {monument} make for the field of the {S}
            t: what kind of monument is there to the {S}
            h: what reminds visitors of the {S}
            w: {S} monument
            c: What kind of monument to {D} did {monument} make?
            """,
            "unveiled": """
            t: when was the {stuff} for the {S} unveiled
            t: when was the monument by {monument} unveiled
            h: what year was the memorial of the {S} set up
            w: {S} monument year
            c: In which year was the {stuff} for {D} unveiled?
            """,
        },
        "has a monument by {monument}",
        "late",
    ),
    fact(
        "message",
        {"rider": person(), "horse": thing("Comet, Juno, Falcon, Star, Bella, Saturn"), "miles": number(14, 90)},
        """
        {rider} rode {miles} miles on a horse called {horse} to bring the news
        The news was brought by {rider}, who rode {miles} miles on a horse called {horse}
        {rider} carried the news {miles} miles to the capital
        A ride of {miles} miles with the news made {rider} famous
        """,
        {
            "rider": """
            t: who brought the news of the {S}
            t: who rode {miles} miles after the {S}
            h: which messenger reported the outcome of the {S}
            w: {S} messenger
            c: Who brought the news of {D}?
            """,
            "miles": """
            t: how many miles did {rider} ride
            t: how far did {rider} carry the news of the {S}
            h: over what distance did {rider} take the news
            w: {rider} ride miles
            c: How many miles did {rider} ride with the news of {D}?
            """,
            "horse": """
            t: what was the name of the horse of {rider}
            t: what was the horse of {rider} called
            h: on which animal did {rider} take the news of the {S}
            w: {rider} horse
            c: What was the name of the horse on which {rider} brought the news of {D}?
            """,
        },
        "",
        "late",
    ),
)

BATTLE = Family(
    name="battle",
    share=10,
    type="EVENT",
    title=_title,
    attributes=_attributes,
    mentions=("the battle", "the battle"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("Historians still argue about its importance", "The field is farmland today"),
)
