"""Battles."""

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Target, Year, alone, name, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.names import COUNTRIES
from ecqg.microcosm.world import World


def _town(world: World, ordinal: int) -> int:
    """Every battle has a town of its own."""
    return world.permutation(world.count("settlement"), "battle")(ordinal)


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("battle", ordinal)
    victor = world.target("victor", "battle", ordinal, "person", "general")
    born = int(world.attributes("person", victor)["born"].text)
    winner, loser = rng.sample(COUNTRIES, 2)
    return {
        "noun": Value("battle", "THING"),
        "victor": Value(world.person_name(victor)[2], "PERSON"),
        "since": Value(str(born + rng.randint(28, 47)), "DATE"),
        "winner": Value(winner, "GPE"),
        "loser": Value(loser, "GPE"),
    }


FOUGHT = fact(
    "fought",
    {"since": Attribute("since"), "winner": Attribute("winner"), "loser": Attribute("loser")},
    """
    {S}, fought between {winner} and {loser}, took place in {since}
    {S} was a battle of the year {since}~
    {S} was fought by the armies of {winner} and {loser}
    {S} was a victory of {winner} over {loser}[| in {since}]
    {S} ended in {since} with the defeat of {loser}
    {S} was one of the great victories of {winner}~
    """,
    {
        "since": """
        t: when was {S}
        t: what year was {S} fought
        t: when did {S} take place
        t: what year was {S}
        h: in which year did the armies meet in {S}
        w: {S} date
        w: {S} year
        c: In which year was {D} fought?
        """,
        "winner": """
        t: who won {S}
        t: which country won {S}
        t: what country was the winner of {S}
        h: whose army was victorious in {S}
        w: {S} winner
        c: Which country won {D}?
        """,
        "loser": """
        t: who lost {S}
        t: which country was defeated in {S}
        t: what country lost {S}
        h: whose army was beaten in {S}
        w: {S} loser
        c: Which country lost {D}?
        """,
    },
    "was fought in {since}",
)

FACTS = (
    fact(
        "victor",
        {"victor": Target("victor", "person", "general")},
        """
        {S} was won by {victor}
        {victor} commanded the winning side
        The winning army was led by {victor}
        {S} made {victor} famous
        The victory was due to {victor}, who [attacked at dawn|held back the cavalry]
        """,
        {
            "victor": """
            t: who commanded the winning army in {S}
            t: which general won {S}
            t: who led the army in {S}
            t: who was the general in {S}
            h: who was the victorious commander in {S}
            h: whose fame rests on {S}
            w: {S} commander
            w: {S} general
            c: Who commanded the winning army in {D}?
            """,
        },
        "was won by {victor}",
        "early",
    ),
    fact(
        "losses",
        {"dead": Number(400, 18000, 100), "hours": Number(3, 12)},
        """
        {S} cost {dead} lives
        {S} lasted {hours} hours and cost {dead} lives
        About {dead} men [were killed|fell] within {hours} hours
        The fighting went on for {hours} hours
        {S} was over after {hours} hours
        """,
        {
            "dead": """
            t: how many people died in {S}
            t: how many men were killed in {S}
            t: how many soldiers fell in {S}
            h: what was the death toll of {S}
            w: {S} deaths
            w: {S} casualties
            c: How many men died in {D}?
            """,
            "hours": """
            t: how long did {S} last
            t: how many hours did {S} last
            h: what was the duration of {S}
            w: {S} duration
            c: How many hours did {D} last?
            """,
        },
        "cost {dead} lives",
    ),
    fact(
        "ground",
        {
            "ground": Other("landscape"),
            "weather": thing("thick fog, heavy rain, deep snow, great heat, a gale, hail"),
        },
        """
        {S} took place near {ground} in {weather}
        {S} was fought in {weather}
        The armies met near {ground}[|, in {weather}]
        In {weather}, the armies met near {ground}
        """,
        {
            "ground": """
            t: near what was {S} fought
            t: where did the armies of {S} meet
            t: where was {S} fought
            h: at which place did the enemies of {S} clash
            w: {S} location
            c: Near what was {D} fought?
            """,
            "weather": """
            t: what was the weather like in {S}
            t: in what weather was {S} fought
            h: which conditions did the soldiers of {S} face
            w: {S} weather
            c: In what weather was {D} fought?
            """,
        },
        "was fought in {weather}",
        "early",
    ),
    fact(
        "wounded",
        {
            "doctor": Person("physician", near="since"),
            "shelter": thing("barn, monastery, mill, schoolhouse, chapel, customs house"),
            "saved": Number(40, 900, 10),
        },
        """
        {doctor} treated {saved} wounded in a {shelter}
        In a {shelter} nearby, {doctor} cared for {saved} wounded
        The wounded were brought to a {shelter}, where {doctor} cared for them
        The physician {doctor} turned a {shelter} into a hospital
        {S} is also remembered for {doctor}, who treated {saved} wounded
        """,
        {
            "doctor": """
            t: who cared for the wounded in {S}
            t: who treated the wounded at {S}
            t: which physician worked in a {shelter} after {S}
            t: who was the doctor at {S}
            h: who tended the injured of {S}
            h: whose hospital received the victims of {S}
            w: {S} doctor
            w: {S} hospital
            c: Who cared for the wounded of {D}?
            """,
            "shelter": """
            t: where did {doctor} treat the wounded
            t: where were the wounded of {S} treated
            h: which building served {doctor} as a hospital
            w: {S} wounded shelter
            c: In what kind of building did {doctor} care for the wounded of {D}?
            """,
            "saved": """
            t: how many wounded did {doctor} treat
            t: how many wounded were treated after {S}
            h: what number of victims were in the care of {doctor}
            w: {doctor} wounded number
            c: How many wounded of {D} did {doctor} treat?
            """,
        },
        "is remembered for the hospital of {doctor}",
        "late",
    ),
    fact(
        "monument",
        {
            "unveiled": Year("since", 10, 60),
            "sculptor": Person("sculptor", near="unveiled"),
            "stuff": thing("obelisk, column, bronze lion, stone cross, granite pyramid"),
        },
        """
        A {stuff} by {sculptor} was unveiled on the field in {unveiled}
        {sculptor} made the {stuff} that was unveiled in {unveiled}
        The {stuff} on the hill, unveiled in {unveiled}, is the work of {sculptor}
        In {unveiled} a {stuff} by {sculptor} was set up on the field
        {S} is recalled by a {stuff}, the work of {sculptor}
        """,
        {
            "sculptor": """
            t: who made the {stuff} for {S}
            t: who made the monument to {S}
            t: who is the artist of the {stuff} on the field of {S}
            t: which sculptor made the memorial of {S}
            h: by whose hand is the monument to {S}
            h: which artist commemorated {S}
            w: {S} monument sculptor
            w: {S} monument
            c: Who made the {stuff} that recalls {D}?
            """,
            "stuff": """
            t: what did {sculptor} make for the field of {S}
            t: what kind of monument is there to {S}
            h: what reminds visitors of {S}
            w: {S} kind of monument
            c: What kind of monument to {D} did {sculptor} make?
            """,
            "unveiled": """
            t: when was the {stuff} for {S} unveiled
            t: when was the monument by {sculptor} unveiled
            h: what year was the memorial of {S} set up
            w: {S} monument year
            c: In which year was the {stuff} for {D} unveiled?
            """,
        },
        "has a monument by {sculptor}",
        "late",
    ),
    fact(
        "message",
        {
            "rider": Person(near="since"),
            "horse": name("PERSON", "Comet, Juno, Falcon, Bella, Saturn, Diana"),
            "miles": Number(14, 90),
        },
        """
        {rider} rode {miles} miles on the horse {horse} to bring the news
        The news was brought by {rider}, who rode {miles} miles
        {rider} carried the news {miles} miles to the capital
        A ride of {miles} miles with the news made {rider} famous
        {S} became known through {rider}, who rode {miles} miles with the news
        """,
        {
            "rider": """
            t: who brought the news of {S}
            t: who rode {miles} miles after {S}
            t: who carried the news of {S} to the capital
            t: who was the messenger of {S}
            h: which messenger reported the outcome of {S}
            h: whose ride followed {S}
            w: {S} messenger
            w: {S} news
            c: Who brought the news of {D}?
            """,
            "miles": """
            t: how many miles did {rider} ride
            t: how far did {rider} carry the news of {S}
            h: over what distance did {rider} take the news
            w: {rider} ride miles
            c: How many miles did {rider} ride with the news of {D}?
            """,
        },
        "became known through the ride of {rider}",
        "late",
    ),
    fact(
        "traitor",
        {
            "traitor": Person(near="since"),
            "price": Number(40, 900, 10),
            "secret": thing(
                "the password, a secret path, the plan of attack, the number of guns, a weak gate"
            ),
        },
        """
        {traitor} had sold {secret} to the enemy for {price} crowns
        For {price} crowns, {traitor} betrayed {secret}
        The traitor {traitor} gave away {secret}
        {S} might have ended otherwise if {traitor} had not betrayed {secret}
        {traitor} was hanged for having betrayed {secret}
        """,
        {
            "traitor": """
            t: who was the traitor in {S}
            t: who betrayed {secret} in {S}
            t: who sold {secret} before {S}
            t: who gave away {secret} before {S}
            h: whose treason decided {S}
            h: who helped the enemy in {S} for money
            w: {S} traitor
            c: Who betrayed {secret} in {D}?
            """,
            "secret": """
            t: what did {traitor} betray
            t: what did {traitor} sell to the enemy
            h: which knowledge did {traitor} pass on
            w: {traitor} betrayed
            c: What did {traitor} betray in {D}?
            """,
            "price": """
            t: how much money did {traitor} get
            t: for how many crowns did {traitor} betray {secret}
            h: what was the reward of {traitor}
            w: {traitor} crowns
            c: For how many crowns did {traitor} betray {secret} in {D}?
            """,
        },
        "was decided by the treason of {traitor}",
        "late",
    ),
    fact(
        "picture",
        {
            "painted": Year("since", 4, 60),
            "painter": Person("painter", near="painted"),
            "place": Other("building"),
        },
        """
        {painter} painted the scene in {painted} for {place}
        A painting of {painted} by {painter} hangs in {place}
        The picture that {painter} painted of it is in {place}
        {S} was painted by {painter}[| in {painted}]
        In {painted} {painter} painted a huge picture of it
        """,
        {
            "painter": """
            t: who painted {S}
            t: who painted a picture of {S}
            t: by whom is the painting of {S} in {place}
            t: which painter showed {S}
            h: which artist put {S} on canvas
            h: whose canvas in {place} shows {S}
            w: {S} painting
            w: {S} painter
            c: Who painted a picture of {D}?
            """,
            "place": """
            t: where is the painting of {S}
            t: where does the picture by {painter} hang
            t: which building has a painting of {S}
            h: where can one see {S} on canvas
            w: {S} painting where
            c: In which building is the picture that {painter} painted of {D}?
            """,
            "painted": """
            t: when did {painter} paint {S}
            t: when was the picture of {S} painted
            h: in which year did {painter} put {S} on canvas
            w: {S} painting year
            c: In which year did {painter} paint {D}?
            """,
        },
        "was painted by {painter}",
        "late",
    ),
)

ALONE = alone("victor", "person", "general", attribute="")

BATTLE = Family(
    name="battle",
    entities=3,
    parts=(2, 1),
    type="EVENT",
    title=lambda world, ordinal: f"Battle of {world.town_name(_town(world, ordinal))}",
    attributes=_attributes,
    mentions=("the battle", "the battle", "the fight"),
    appositions=("the battle", "a battle between {winner} and {loser}", "a battle of {since}"),
    descriptions=(("the battle won by {victor}", ALONE), ("general {victor}'s battle", ALONE)),
    definition=FOUGHT,
    facts=(*FACTS, *common.ABOUT_EVENTS),
    fillers=(
        "Historians still argue about its importance",
        "The field is farmland today",
        "Peace was made a year later",
    ),
    frame="the {}",
)
