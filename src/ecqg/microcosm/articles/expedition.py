"""Expeditions."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Target, Year, alone, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "Arctic Expedition": "polar expedition", "Antarctic Expedition": "polar expedition",
    "Pacific Expedition": "sea voyage", "African Expedition": "expedition by land",
    "Relief Expedition": "rescue mission",
}  # fmt: skip


def _title(world: World, ordinal: int) -> str:
    return world.surnamed("expedition", ordinal, list(KINDS))


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("expedition", ordinal)
    leader = world.target("leader", "expedition", ordinal, "person", "explorer")
    born = int(world.attributes("person", leader)["born"].text)
    kind = " ".join(_title(world, ordinal).split()[-2:])
    return {
        "noun": Value(KINDS[kind], "THING"),
        "since": Value(str(born + rng.randint(27, 45)), "DATE"),
        "leader": Value(world.person_name(leader)[2], "PERSON"),
    }


START = fact(
    "start",
    {"since": Attribute("since"), "harbour": Other("settlement")},
    """
    {S}, which set out from {harbour} in {since}, was a {noun}~
    {S} was a {noun} that set out in {since}
    {S} was a {noun} from {harbour}~
    {S} left {harbour} in {since}
    {S}, a {noun} of {since}, began in {harbour}
    """,
    {
        "since": """
        t: when did {S} start
        t: what year was {S}
        t: when did {S} set out
        t: when was {S}
        h: in which year did {S} take leave
        w: {S} year
        w: {S} date
        c: In which year did {D} set out?
        """,
        "harbour": """
        t: where did {S} start
        t: where did {S} set out from
        t: from which town did {S} start
        h: in which port did {S} take leave
        w: {S} starting point
        c: From which town did {D} set out?
        """,
    },
    "set out from {harbour}",
)

FACTS = (
    fact(
        "leader",
        {"leader": Target("leader", "person", "explorer")},
        """
        {S} was led by {leader}
        {S} was under the command of {leader}
        Its leader was {leader}, [aged fifty|who had never been abroad|a cautious traveller]
        {leader} led the [party|company] with a firm hand
        The command lay with {leader}
        """,
        {
            "leader": """
            t: who led {S}
            t: who was the leader of {S}
            t: who commanded {S}
            t: {S} was led by who
            h: under whom did the members of {S} travel
            h: who was at the head of {S}
            w: {S} leader
            w: {S} commander
            c: Who led {D}?
            """,
        },
        "was led by {leader}",
        "early",
    ),
    fact(
        "goal",
        {"goal": Other("landscape"), "miles": Number(300, 9000, 50)},
        """
        {S} reached {goal} after {miles} miles
        {S} travelled {miles} miles
        Its goal was {goal}, {miles} miles away
        {S} was to explore {goal}
        After {miles} miles it reached {goal}
        """,
        {
            "goal": """
            t: where did {S} go
            t: what was the goal of {S}
            t: what did {S} explore
            h: which destination did {S} have
            w: {S} destination
            c: What was the goal of {D}?
            """,
            "miles": """
            t: how many miles did {S} travel
            t: how far did {S} go
            h: what distance did {S} cover
            w: {S} miles
            c: How many miles did {D} travel?
            """,
        },
        "was to explore {goal}",
        "early",
    ),
    fact(
        "party",
        {
            "members": Number(13, 90),
            "animals": thing("dogs, ponies, mules, camels, reindeer, oxen"),
        },
        """
        {S} had {members} members
        {S} took {members} people and many {animals} along
        Its {members} members travelled with {animals}
        {S} relied on {animals} for transport
        """,
        {
            "members": """
            t: how many people took part in {S}
            t: how many members did {S} have
            t: how many people were on {S}
            h: what was the strength of the party of {S}
            w: {S} number of members
            c: How many members had {D}?
            """,
            "animals": """
            t: what animals did {S} use
            t: what animals did {S} take along
            h: which beasts pulled or carried the load of {S}
            w: {S} animals
            c: Which animals did {D} take along?
            """,
        },
        "had {members} members",
    ),
    fact(
        "funds",
        {"backer": Other("company"), "cost": Number(2000, 90000, 500)},
        """
        {S} was paid for by {backer}
        {S} cost {cost} crowns, most of them given by {backer}
        {backer} provided {cost} crowns
        The money, {cost} crowns, came from {backer}
        """,
        {
            "backer": """
            t: who paid for {S}
            t: which company paid for {S}
            t: who gave the money for {S}
            h: at whose expense did {S} travel
            w: {S} sponsor
            c: Which company paid for {D}?
            """,
            "cost": """
            t: how much did {S} cost
            t: how many crowns did {S} cost
            h: what sum was spent on {S}
            w: {S} cost
            c: How many crowns did {D} cost?
            """,
        },
        "was paid for by {backer}",
    ),
    fact(
        "death",
        {
            "victim": Person(near="since"),
            "fate": thing("scurvy, a fall, hunger, cold, fever, a shark, an avalanche"),
            "buried": thing("a lonely beach, an ice cave, a glacier, a palm grove, a rocky hill"),
        },
        """
        {victim} died of {fate} and was buried on {buried}
        The death of {victim} by {fate} cast a shadow over the return
        Among the dead was {victim}, a victim of {fate}
        {S} lost {victim} to {fate}
        {victim}, who died of {fate}, lies buried on {buried}
        """,
        {
            "victim": """
            t: who died on {S}
            t: who died of {fate} on {S}
            t: which member of {S} died
            t: who did not return from {S}
            h: whose grave recalls {S}
            h: which member did {S} lose
            w: {S} deaths
            w: {S} victim
            c: Which member of {D} died of {fate}?
            c: Who did not return from {D}?
            """,
            "fate": """
            t: how did {victim} die on {S}
            t: what did {victim} die of on {S}
            t: what killed {victim} on {S}
            h: to what did {victim} fall victim
            w: {victim} {S} cause of death
            c: What did {victim} die of as a member of {D}?
            """,
            "buried": """
            t: where was {victim} buried
            t: where is the grave of {victim}
            h: what is the resting place of {victim}
            w: {victim} grave
            c: On what was {victim}, a member of {D}, buried?
            """,
        },
        "lost {victim} on the way",
        "late",
    ),
    fact(
        "naturalist",
        {
            "scientist": Person("botanist", near="since"),
            "species": Number(14, 400),
            "kind": thing("plants, beetles, birds, fishes, mosses, shells, butterflies"),
        },
        """
        {scientist} collected {species} unknown {kind}
        The naturalist {scientist} brought back {species} {kind}
        {species} {kind} were [described|drawn] by {scientist}
        {S} owes its fame to the {kind} that {scientist} collected
        """,
        {
            "scientist": """
            t: who was the naturalist on {S}
            t: who collected {kind} on {S}
            t: which scientist was on {S}
            t: who brought back {kind} from {S}
            h: whose collection of {kind} made {S} known
            h: which scholar travelled with {S}
            w: {S} naturalist
            w: {S} {kind}
            c: Who collected {kind} as a member of {D}?
            """,
            "species": """
            t: how many {kind} did {scientist} collect
            t: how many {kind} were found by {S}
            h: what number of {kind} did {scientist} bring home
            w: {scientist} number of {kind}
            c: How many {kind} did {scientist} collect as a member of {D}?
            """,
            "kind": """
            t: what did {scientist} collect on {S}
            t: what did {scientist} bring back from {S}
            h: which living things interested {scientist}
            w: {scientist} collection
            c: What did {scientist} collect as a member of {D}?
            """,
        },
        "had {scientist} as its naturalist",
        "late",
    ),
    fact(
        "rescue",
        {
            "rescuer": Person(near="since"),
            "ship": thing("whaler, mail steamer, fishing boat, gunboat, cable ship, coal barge"),
            "days": Number(14, 200),
        },
        """
        After {days} days on the ice, {rescuer} found the survivors with a {ship}
        {rescuer}, the captain of a {ship}, picked up the survivors
        The survivors were saved by {rescuer} after {days} days
        {S} was given up for lost until {rescuer} found it with a {ship}
        It was {rescuer} who came to the rescue with a {ship}
        """,
        {
            "rescuer": """
            t: who rescued {S}
            t: who saved the survivors of {S}
            t: who found {S} after {days} days
            t: which captain picked up the members of {S}
            h: to whom do the survivors of {S} owe their lives
            h: whose {ship} ended the ordeal of {S}
            w: {S} rescue
            w: {S} saved by
            c: Who saved the survivors of {D}?
            """,
            "days": """
            t: how many days did {S} wait for rescue
            t: after how many days did {rescuer} find the survivors
            h: how long did the survivors hope for {rescuer}
            w: {S} days until rescue
            c: After how many days were the survivors of {D} found?
            """,
            "ship": """
            t: with what kind of ship did {rescuer} come
            t: what ship saved {S}
            h: which vessel did {rescuer} command
            w: {S} rescue ship
            c: With what kind of ship did {rescuer} save {D}?
            """,
        },
        "was saved by {rescuer}",
        "late",
    ),
    fact(
        "mutiny",
        {
            "rebel": Person(near="since"),
            "cause": thing(
                "bad food, harsh punishments, unpaid wages, a dead dog, a broken promise, fear of the ice"
            ),
        },
        """
        {rebel} led a mutiny over {cause}
        A mutiny over {cause}, led by {rebel}, was put down
        {cause} drove {rebel} to mutiny
        {S} was shaken by a mutiny that {rebel} led over {cause}
        {rebel} was put in chains after a mutiny over {cause}
        """,
        {
            "rebel": """
            t: who led the mutiny on {S}
            t: who started the mutiny over {cause} on {S}
            t: who was put in chains on {S}
            t: who was the leader of the mutiny against the commander of {S}
            h: who stirred up the members of {S}
            h: whose revolt endangered {S}
            w: {S} mutiny
            w: {S} mutiny leader
            c: Who led a mutiny on {D}?
            """,
            "cause": """
            t: why was there a mutiny on {S}
            t: what was the cause of the mutiny of {rebel}
            h: what drove {rebel} to revolt
            w: {S} mutiny cause
            c: What drove {rebel} to mutiny on {D}?
            """,
        },
        "was shaken by the mutiny of {rebel}",
        "late",
    ),
    fact(
        "diary",
        {
            "diarist": Person(near="since"),
            "found": Year("since", 20, 90),
            "where": thing("an attic, a tin box, a flea market, a church safe, a ship's chest"),
        },
        """
        The diary of {diarist} was found in {where} in {found}
        In {found} the diary of {diarist} came to light in {where}
        {diarist} kept a diary, which was found in {where}
        {S} is best described in the diary of {diarist}[|, found in {found}]
        """,
        {
            "diarist": """
            t: who kept a diary on {S}
            t: whose diary of {S} was found
            t: whose diary about {S} was found in {where}
            t: who wrote a diary about {S}
            h: whose notes tell us most about {S}
            h: which member of {S} wrote everything down
            w: {S} diary
            c: Whose diary describes {D}?
            """,
            "where": """
            t: where was the diary of {diarist} found
            t: where was a diary of {S} found
            h: in which hiding place did the notes of {diarist} survive
            w: {diarist} diary
            c: In what was the diary of {diarist} about {D} found?
            """,
            "found": """
            t: when was the diary of {diarist} found
            t: what year was the diary of {S} found
            h: in which year did the notes of {diarist} come to light
            w: {diarist} diary year
            c: In which year was the diary of {diarist} about {D} found?
            """,
        },
        "was described in the diary of {diarist}",
        "late",
    ),
)

ALONE = alone("leader", "person", "explorer", attribute="")

EXPEDITION = Family(
    name="expedition",
    entities=2,
    parts=(2, 1),
    type="EVENT",
    title=_title,
    attributes=_attributes,
    mentions=("the expedition", "the expedition", "the {noun}"),
    appositions=("the {noun}", "a {noun} led by {leader}", "a {noun} of {since}"),
    descriptions=(("the expedition of {leader}", ALONE), ("the {noun} led by {leader}", ALONE)),
    definition=START,
    facts=(*FACTS, *common.ABOUT_EVENTS),
    fillers=(
        "The maps it made are still useful",
        "Newspapers followed its fate for months",
        "It was the first of its kind",
    ),
    frame="the {}",
)
