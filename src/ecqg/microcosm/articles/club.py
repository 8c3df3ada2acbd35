"""Football clubs and orchestras."""

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "United": "football club",
    "Rovers": "rowing club",
    "Philharmonic": "orchestra",
    "Wanderers": "cricket club",
}


def _town(world: World, ordinal: int) -> int:
    """Every club has a town of its own."""
    return world.permutation(world.count("settlement"), "club")(ordinal)


def _title(world: World, ordinal: int) -> str:
    kind = list(KINDS)[world.number("club", ordinal) % len(KINDS)]
    return f"{world.town_name(_town(world, ordinal))} {kind}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("club/attributes", ordinal)
    kind = _title(world, ordinal).split()[-1]
    return {
        "noun": Value(KINDS[kind], "THING"),
        "short": Value(kind, "ORG"),
        "place": Value(world.town_name(_town(world, ordinal)), "GPE"),
        "since": Value(str(rng.randint(1840, 1920)), "DATE"),
    }


ORIGIN = fact(
    "origin",
    {"since": Attribute("since"), "members": Number(80, 4800, 10)},
    """
    {S} is a {noun} that was founded in {since}
    {S}, founded in {since}, is a {noun}~
    {S} is a {noun} with {members} members~
    {S} has been a {noun} since {since}
    {S} is the [oldest|best-known] {noun} of the county~
    """,
    {
        "since": """
        t: when was {S} founded
        t: how old is {S}
        t: what year did {S} start
        t: when was {S} formed
        h: since when has {S} existed
        w: {S} founded
        c: In which year was {D} founded?
        """,
        "members": """
        t: how many members does {S} have
        t: how big is {S}
        h: what is the number of people in {S}
        w: {S} members
        c: How many members has {D}?
        """,
    },
    "was founded in {since}\nhas {members} members",
)

FACTS = (
    fact(
        "founder",
        {
            "founder": Person(near="since"),
            "spot": thing(
                "tavern, schoolroom, barber's shop, railway waiting room, bakery, church cellar"
            ),
        },
        """
        {S} was founded by {founder} in a {spot}
        {S} was the idea of {founder}
        {founder} founded {S} one evening in a {spot}
        It was {founder} who brought the first members together in a {spot}
        {S} goes back to a meeting that {founder} called in a {spot}
        """,
        {
            "founder": """
            t: who founded {S}
            t: who started {S}
            t: who was the founder of {S}
            t: {S} was created by who
            h: whose idea was {S}
            h: who brought the first members of {S} together
            w: {S} founder
            w: who founded {S}
            c: Who founded {D}?
            """,
            "spot": """
            t: where was {S} founded
            t: in what kind of place was {S} founded
            h: where did the first members of {S} meet
            w: {S} founded where
            c: In what kind of place was {D} founded?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "colours",
        {
            "colours": thing(
                "blue and white, red and black, green and gold, purple and grey, yellow and brown"
            ),
            "badge": thing("a heron, a wolf, an oak, a bell, a wheel, a hammer, a swan"),
        },
        """
        {S} wears {colours}[| and has {badge} on its badge]
        {S's} colours are {colours}
        Its colours are {colours}, its badge shows {badge}
        {S} chose {colours} as its colours and {badge} as its badge
        """,
        {
            "colours": """
            t: what are the colours of {S}
            t: what colours does {S} wear
            h: by which colours does one know {S}
            w: {S} colours
            c: What are the colours of {D}?
            """,
            "badge": """
            t: what is on the badge of {S}
            t: what is the emblem of {S}
            h: what do the members of {S} carry as a sign
            w: {S} badge
            c: What does the badge of {D} show?
            """,
        },
        "has the colours {colours}",
    ),
    fact(
        "home",
        {"home": Other("building"), "seats": Number(900, 28000, 100)},
        """
        {S} meets the public at {home}
        {S} has its home at {home}, which holds {seats} people
        Its home, {home}, holds {seats} people
        {S} uses {home}, with room for {seats} people
        """,
        {
            "home": """
            t: where does {S} play
            t: what is the home of {S}
            t: where does {S} perform
            h: at which building can one see {S}
            w: {S} home
            c: Where does {D} have its home?
            """,
            "seats": """
            t: how many people can watch {S}
            t: how many people fit into the home of {S}
            h: what is the capacity of the home of {S}
            w: {S} capacity
            c: How many people does the home of {D} hold?
            """,
        },
        "has its home at {home}",
    ),
    fact(
        "leader",
        {"from": Year("since", 10, 80), "coach": Person(near="from"), "prizes": Number(3, 12)},
        """
        {S} won {prizes} prizes under {coach}
        {coach}, in charge from {from}, led it to {prizes} prizes
        From {from} {coach} was in charge and won {prizes} prizes
        The best years came under {coach}, who took over in {from}
        {S} owes {prizes} prizes to {coach}
        """,
        {
            "coach": """
            t: who was in charge of {S}
            t: who led {S} to {prizes} prizes
            t: who took over {S} in {from}
            t: who was the best leader of {S}
            h: under whom did {S} have its best years
            h: who made {S} successful
            w: {S} leader
            w: {S} coach
            c: Under whom did {D} win {prizes} prizes?
            c: Under whom did {D} have its best years?
            """,
            "prizes": """
            t: how many prizes did {S} win under {coach}
            t: how many prizes did {coach} win
            h: what number of awards does {S} owe to {coach}
            w: {S} {coach} prizes
            c: How many prizes did {D} win under {coach}?
            """,
            "from": """
            t: when did {coach} take over {S}
            t: when did {coach} start with {S}
            h: since when was {coach} in charge of {S}
            w: {coach} {S} year
            c: In which year did {coach} take over {D}?
            """,
        },
        "was led by {coach}",
        "late",
    ),
    fact(
        "star",
        {
            "star": Person(),
            "sold": Year("since", 10, 90),
            "fee": Number(200, 9800, 100),
            "buyer": Other("club"),
        },
        """
        In {sold} {star} left for {buyer}[| for a fee of {fee} crowns]
        {star}, its greatest talent, went to {buyer} for {fee} crowns
        {buyer} paid {fee} crowns for {star}
        {S} lost {star} to {buyer} in {sold}
        The departure of {star} for {buyer} in {sold} was a heavy blow
        """,
        {
            "star": """
            t: who left {S} for {buyer}
            t: who was the greatest talent of {S}
            t: who did {buyer} get from {S}
            t: who left {S} in {sold}
            h: whose departure was a blow to {S}
            h: which gifted member did {S} lose
            w: {S} star
            w: {S} {buyer} transfer
            c: Who left {D} for {buyer}?
            """,
            "buyer": """
            t: where did {star} go in {sold}
            t: which club did {star} join
            t: who paid {fee} crowns for {star}
            h: to whom did {S} lose {star}
            w: {star} new club
            c: For which club did {star} leave {D}?
            """,
            "fee": """
            t: how much did {buyer} pay for {star}
            t: how many crowns did {star} cost
            h: for what sum did {star} change sides
            w: {star} {S} fee
            c: How many crowns were paid to {D} for {star}?
            """,
        },
        "lost {star} to {buyer}",
        "late",
    ),
    fact(
        "song",
        {
            "writer": Person("composer"),
            "composed": Year("since", 5, 70),
            "tune": thing("march, waltz, anthem, sea song, hymn, drinking song"),
        },
        """
        Its {tune} was written by {writer} in {composed}
        {writer} wrote the {tune} that is heard on every occasion
        In {composed} {writer} gave it a {tune}
        {S} has a {tune} of its own, written by {writer}
        The members sing a {tune} by {writer}
        """,
        {
            "writer": """
            t: who wrote the {tune} of {S}
            t: who composed the song of {S}
            t: who wrote a {tune} for {S} in {composed}
            t: who is the composer of the {tune} of {S}
            h: whose music do the members of {S} sing
            h: by whom is the melody of {S}
            w: {S} song composer
            w: {S} {tune}
            c: Who composed the {tune} of {D}?
            """,
            "tune": """
            t: what did {writer} write for {S}
            t: what kind of song does {S} have
            h: what do the members of {S} sing
            w: {S} song
            c: What did {writer} compose for {D}?
            """,
            "composed": """
            t: when did {writer} write the {tune}
            t: when was the {tune} of {S} written
            h: since when have the members of {S} sung the {tune}
            w: {S} {tune} year
            c: In which year did {writer} compose the {tune} of {D}?
            """,
        },
        "has a {tune} by {writer}",
        "late",
    ),
)

CLUB = Family(
    name="club",
    entities=2,
    parts=(2, 1),
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the {noun}", "{short}"),
    appositions=("the {noun}", "a {noun} founded in {since}"),
    descriptions=(),
    definition=ORIGIN,
    facts=(*FACTS, *common.ABOUT_BODIES),
    fillers=(
        "Its members meet every [Monday|Thursday]",
        "Hard times followed after the war",
        "Admission is by vote",
    ),
)
