"""Festivals."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

KINDS = {
    "Music Festival": "music festival", "Film Festival": "film festival",
    "Art Festival": "art festival", "Theatre Festival": "theatre festival",
}  # fmt: skip


def _town(world: World, ordinal: int) -> int:
    """Every festival has a town of its own."""
    return world.permutation(world.count("settlement"), "festival")(ordinal)


def _title(world: World, ordinal: int) -> str:
    kind = list(KINDS)[world.number("festival", ordinal) % len(KINDS)]
    return f"{world.town_name(_town(world, ordinal))} {kind}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("festival/attributes", ordinal)
    return {
        "noun": Value(KINDS[" ".join(_title(world, ordinal).split()[-2:])], "THING"),
        "since": Value(str(rng.randint(1840, 1930)), "DATE"),
    }


ORIGIN = fact(
    "origin",
    {
        "since": Attribute("since"),
        "month": thing(
            "January, March, April, May, June, July, August, September, October, November"
        ),
    },
    """
    {S} is a {noun} that was first held in {since}
    {S}, first held in {since}, is a {noun}~
    {S} is a {noun} held every {month}~
    {S} has been held every {month} since {since}
    {S} began as a small {noun} in {since}
    """,
    {
        "since": """
        t: when was {S} first held
        t: when did {S} start
        t: what year did {S} begin
        t: how old is {S}
        h: since when have people gone to {S}
        w: {S} first held
        w: {S} since
        c: In which year was {D} first held?
        """,
        "month": """
        t: when is {S} held
        t: what month is {S} in
        t: in which month does {S} take place
        h: at which time of the year do people travel to {S}
        w: {S} month
        c: In which month is {D} held?
        """,
    },
    "was first held in {since}",
)

FACTS = (
    fact(
        "founder",
        {
            "founder": Person(near="since"),
            "aim": thing(
                "to help flood victims, to fill the hotels, to honour a dead friend, to pay for a church roof, to win a bet"
            ),
        },
        """
        {S} was founded by {founder} {aim}
        {S} was the idea of {founder}
        {founder} founded it {aim}
        It goes back to {founder}, who wanted {aim}
        {S} owes its existence to {founder}
        """,
        {
            "founder": """
            t: who founded {S}
            t: who started {S}
            t: who was the founder of {S}
            t: {S} was created by who
            h: whose idea was {S}
            h: to whom does {S} owe its existence
            w: {S} founder
            w: who founded {S}
            c: Who founded {D}?
            """,
            "aim": """
            t: why did {founder} start {S}
            t: what was the aim of {S}
            h: with which purpose did {founder} begin
            w: {S} purpose
            c: What did {founder} want with {D}?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "guests",
        {"guests": Number(900, 90000, 100), "days": Number(3, 12)},
        """
        {S} draws {guests} guests in {days} days
        {S} lasts {days} days
        In {days} days, {guests} people come
        About {guests} guests come every year
        """,
        {
            "guests": """
            t: how many people go to {S}
            t: how many guests does {S} have
            t: how many people visit {S}
            h: what is the yearly attendance of {S}
            w: {S} attendance
            c: How many guests come to {D}?
            """,
            "days": """
            t: how many days does {S} last
            t: how long is {S}
            h: what is the duration of {S}
            w: {S} days
            c: How many days does {D} last?
            """,
        },
        "draws {guests} guests",
    ),
    fact(
        "stage",
        {"stage": Other("building"), "sponsor": Other("company")},
        """
        {S} takes place at {stage}[|, paid for by {sponsor}]
        {S} is paid for by {sponsor}
        The main events are held at {stage}
        {sponsor} pays for it, and {stage} provides the rooms
        {S} uses the rooms of {stage}
        """,
        {
            "stage": """
            t: where is {S} held
            t: where does {S} take place
            t: in which building is {S} held
            h: under which roof can one enjoy {S}
            w: {S} venue
            w: {S} location
            c: In which building is {D} held?
            """,
            "sponsor": """
            t: who pays for {S}
            t: which company pays for {S}
            t: who is the sponsor of {S}
            h: from which enterprise does {S} get its money
            w: {S} sponsor
            c: Which company pays for {D}?
            """,
        },
        "is held at {stage}",
        "early",
    ),
    fact(
        "winner",
        {
            "won": Year("since", 3, 70),
            "winner": Person(near="won"),
            "prize": thing("golden harp, silver owl, crystal bell, bronze swan, red ribbon"),
        },
        """
        In {won} the {prize} went to {winner}
        {winner} won the {prize} in {won}
        The {prize} was first given to {winner}
        {S} made {winner} known, who won the {prize} in {won}
        The youngest winner of the {prize} was {winner}[|, in {won}]
        """,
        {
            "winner": """
            t: who won the {prize} at {S}
            t: who won {S} in {won}
            t: who received the {prize} of {S} in {won}
            t: who was the youngest winner of {S}
            h: to whom did {S} give the {prize}
            h: whose career began with the {prize} of {S}
            w: {S} winner
            w: {S} {prize}
            c: Who won the {prize} of {D}?
            """,
            "prize": """
            t: what did {winner} win
            t: what prize did {winner} get at {S}
            t: what is the prize of {S} called
            h: which award is given at {S}
            w: {S} prize
            c: Which prize did {winner} win at {D}?
            """,
            "won": """
            t: when did {winner} win the {prize}
            t: what year did {winner} win {S}
            h: in which year was {winner} honoured
            w: {winner} {prize} year
            c: In which year did {winner} win the {prize} of {D}?
            """,
        },
        "made {winner} known",
        "late",
    ),
    fact(
        "scandal",
        {
            "shocked": Year("since", 4, 80),
            "artist": Person(near="shocked"),
            "act": thing(
                "a naked dance, a burning flag, a live goat, an insult to the mayor, a silent concert, a political song"
            ),
        },
        """
        In {shocked} {artist} caused a scandal with {act}
        {artist} shocked the public with {act}
        The scandal of {shocked}, {act}, was the work of {artist}
        {S} was nearly closed after {artist} had shown {act}
        With {act}, {artist} drove half the public away
        """,
        {
            "artist": """
            t: who caused a scandal at {S}
            t: who shocked the public at {S} with {act}
            t: who caused the scandal of {shocked} at {S}
            t: who drove the public away from {S}
            h: whose conduct at {S} gave offence
            h: which artist nearly ended {S}
            w: {S} scandal
            w: {S} {act}
            c: Who caused a scandal at {D}?
            """,
            "act": """
            t: what did {artist} do at {S}
            t: what was the scandal at {S}
            t: with what did {artist} shock the public
            h: what gave offence at {S} in {shocked}
            w: {S} {artist} scandal
            c: With what did {artist} shock the public of {D}?
            """,
            "shocked": """
            t: when was the scandal at {S}
            t: what year did {artist} shock the public
            h: in which year did {artist} give offence
            w: {S} scandal year
            c: In which year did {artist} cause a scandal at {D}?
            """,
        },
        "saw a scandal around {artist}",
        "late",
    ),
    fact(
        "director",
        {
            "from": Year("since", 8, 60),
            "head": Person(near="from"),
            "novelty": thing(
                "midnight concerts, open-air shows, free tickets for schools, a children's day, lectures, a boat parade"
            ),
        },
        """
        {head}, in charge from {from}, introduced {novelty}
        From {from} {head} was the director and introduced {novelty}
        {novelty} [were|was] the idea of {head}
        {S} was directed from {from} by {head}
        Under {head}, {novelty} became a custom
        """,
        {
            "head": """
            t: who was the director of {S}
            t: who introduced {novelty} at {S}
            t: who directed {S} from {from}
            t: who was in charge of {S}
            h: whose idea were {novelty} at {S}
            h: in whose hands was {S} from {from}
            w: {S} director
            w: {S} {novelty}
            c: Who introduced {novelty} at {D}?
            """,
            "novelty": """
            t: what did {head} introduce at {S}
            t: what was new at {S} under {head}
            h: which custom goes back to {head}
            w: {head} {S}
            c: What did {head} introduce at {D}?
            """,
            "from": """
            t: when did {head} become the director of {S}
            t: since when was {head} in charge of {S}
            h: in which year did {head} take {S} in hand
            w: {head} {S} year
            c: From which year was {head} in charge of {D}?
            """,
        },
        "was directed by {head}",
        "late",
    ),
    fact(
        "poster",
        {
            "artist": Person("painter"),
            "motif": thing(
                "a blue horse, a dancing bear, a paper moon, a masked girl, a flying fish, a green violin"
            ),
        },
        """
        The poster with {motif} is by {artist}
        {artist} drew the poster with {motif}
        {motif}, drawn by {artist}, is on every poster
        {S} is known by the poster of {artist}, which shows {motif}
        """,
        {
            "artist": """
            t: who drew the poster of {S}
            t: who designed the poster of {S}
            t: who drew {motif} for {S}
            t: who is the artist of the {S} poster
            h: by whose hand is {motif} on the walls at {S}
            h: which artist gave {S} its picture
            w: {S} poster
            w: {S} poster artist
            c: Who drew the poster of {D}?
            """,
            "motif": """
            t: what is on the poster of {S}
            t: what did {artist} draw for {S}
            t: what does the poster of {S} show
            h: by which picture does one know {S}
            w: {S} poster motif
            c: What does the poster of {D} by {artist} show?
            """,
        },
        "is known by the poster of {artist}",
        "late",
    ),
)

FESTIVAL = Family(
    name="festival",
    entities=2,
    parts=(2, 1),
    type="EVENT",
    title=_title,
    attributes=_attributes,
    mentions=("the festival", "the festival", "the event"),
    appositions=("the {noun}", "a {noun} first held in {since}"),
    descriptions=(),
    definition=ORIGIN,
    facts=(*FACTS, *common.ABOUT_BODIES),
    fillers=(
        "Tickets are sold out months before",
        "Rain has often spoiled it",
        "Many guests come from abroad",
    ),
    frame="the {}",
)
