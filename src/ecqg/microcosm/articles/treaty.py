"""Treaties."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.names import COUNTRIES
from ecqg.microcosm.world import World


def _town(world: World, ordinal: int) -> int:
    """Every treaty has a town of its own."""
    return world.permutation(world.count("settlement"), "treaty")(ordinal)


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("treaty", ordinal)
    first, second = rng.sample(COUNTRIES, 2)
    return {
        "noun": Value(rng.choice(("treaty", "peace treaty", "trade treaty")), "THING"),
        "since": Value(str(rng.randint(1800, 1930)), "DATE"),
        "first": Value(first, "GPE"),
        "second": Value(second, "GPE"),
    }


SIGNED = fact(
    "signed",
    {"since": Attribute("since"), "first": Attribute("first"), "second": Attribute("second")},
    """
    {S} was signed in {since} by {first} and {second}
    {S} is a {noun} between {first} and {second}~
    {S} of {first} and {second} was signed in {since}
    {S} was a {noun} of the year {since}~
    {S}, concluded in {since}, bound {first} to {second}
    """,
    {
        "since": """
        t: when was {S} signed
        t: what year was {S} signed
        t: when was {S} made
        t: what year is {S} from
        h: in which year did the parties agree on {S}
        w: {S} date
        w: {S} year
        c: In which year was {D} signed?
        """,
        "first": """
        t: which country signed {S} with {second}
        t: with which country did {second} sign {S}
        h: who was the partner of {second} in {S}
        w: {S} {second} partner
        c: Which country concluded {D} with {second}?
        """,
        "second": """
        t: which country signed {S} with {first}
        t: with which country did {first} sign {S}
        h: who was the partner of {first} in {S}
        w: {S} {first} partner
        c: Which country concluded {D} with {first}?
        """,
    },
    "was signed in {since}",
)

FACTS = (
    fact(
        "place",
        {"hall": Other("building")},
        """
        {S} was signed at {hall}
        {S} was negotiated at {hall}
        The [signing|talks] took place at {hall}
        The delegates met at {hall}
        """,
        {
            "hall": """
            t: where was {S} signed
            t: where did the talks for {S} take place
            t: in which building was {S} signed
            h: under which roof did the delegates of {S} meet
            w: {S} signed where
            c: In which building was {D} signed?
            """,
        },
        "was signed at {hall}",
        "early",
    ),
    fact(
        "subject",
        {
            "matter": thing(
                "fishing grounds, a border river, debts of war, a railway line, customs duties, prisoners of war, a disputed island, lighthouses"
            )
        },
        """
        {S} settled the question of {matter}
        {S} dealt with {matter}
        Its subject was {matter}
        {S} put an end to the dispute over {matter}
        """,
        {
            "matter": """
            t: what was {S} about
            t: what did {S} settle
            t: what was the subject of {S}
            h: which question was answered by {S}
            w: {S} subject
            c: With what did {D} deal?
            """,
        },
        "dealt with {matter}",
        "early",
    ),
    fact(
        "articles",
        {"articles": Number(8, 60), "years": Number(5, 50)},
        """
        {S} has {articles} articles
        {S} was concluded for {years} years
        Its {articles} articles were valid for {years} years
        {S} remained in force for {years} years
        """,
        {
            "articles": """
            t: how many articles does {S} have
            t: how many articles are there in {S}
            h: into how many paragraphs is {S} divided
            w: {S} number of articles
            c: How many articles has {D}?
            """,
            "years": """
            t: how long did {S} last
            t: for how many years was {S} valid
            h: how long did the parties keep {S}
            w: {S} duration
            c: For how many years was {D} valid?
            """,
        },
        "has {articles} articles",
    ),
    fact(
        "chair",
        {"chair": Person("jurist", near="since"), "weeks": Number(3, 12)},
        """
        {S} was drafted by {chair} in {weeks} weeks
        {chair} drafted the text in {weeks} weeks
        The text is the work of {chair}
        {S} is largely the work of {chair}
        """,
        {
            "chair": """
            t: who wrote {S}
            t: who drafted {S}
            t: who is the author of {S}
            t: who wrote the text of {S}
            h: from whose pen is {S}
            h: which lawyer is behind {S}
            w: {S} author
            c: Who drafted {D}?
            """,
            "weeks": """
            t: how many weeks did it take to draft {S}
            t: how long did {chair} work on {S}
            h: how much time did {chair} need for the text
            w: {S} weeks
            c: In how many weeks did {chair} draft {D}?
            """,
        },
        "was drafted by {chair}",
        "early",
    ),
    fact(
        "envoy",
        {
            "envoy": Person(near="since"),
            "demand": thing(
                "a free harbour, two fortresses, an apology, a royal wedding, a share of the tolls, the return of a bell"
            ),
        },
        """
        The envoy {envoy} [insisted on|obtained] {demand}
        {envoy} had come to demand {demand}
        {demand} was the [demand|condition] of the envoy {envoy}
        {S} was delayed by {envoy}, who insisted on {demand}
        Thanks to the envoy {envoy}, {demand} was added
        """,
        {
            "envoy": """
            t: who insisted on {demand} in {S}
            t: who delayed {S}
            t: which envoy wanted {demand} in {S}
            t: who demanded {demand} in the talks for {S}
            h: which diplomat was hard to please in {S}
            h: to whom is it due that {demand} stands in {S}
            w: {S} envoy
            w: {S} {demand}
            c: Which envoy demanded {demand} in the talks for {D}?
            """,
            "demand": """
            t: what did {envoy} demand
            t: what did {envoy} insist on
            h: which condition did {envoy} make
            w: {envoy} demand
            c: What did {envoy} demand in the talks for {D}?
            """,
        },
        "was delayed by {envoy}",
        "late",
    ),
    fact(
        "spy",
        {
            "spy": Person(near="since"),
            "hidden": thing("a cupboard, a piano, a chimney, a coach, a clock case, a wine cellar"),
            "paper": Other("company"),
        },
        """
        {spy} listened to the talks from {hidden}
        Hidden in {hidden}, {spy} wrote down every word
        The secret parts were [sold|revealed] by {spy} to {paper}
        {S} became known too early through {spy}, who sat in {hidden}
        {spy}, a spy of {paper}, was found in {hidden}
        """,
        {
            "spy": """
            t: who listened to the talks of {S}
            t: who was the spy at the talks for {S}
            t: who was hidden in {hidden} during the talks for {S}
            t: who sold the secret of {S} to {paper}
            h: through whom did {S} become known too early
            h: whose ears heard the secrets of {S}
            w: {S} spy
            c: Who spied on the talks for {D}?
            """,
            "hidden": """
            t: where did {spy} hide
            t: where was the spy of {S} hidden
            h: from which place could {spy} hear the delegates
            w: {spy} hidden
            c: In what was {spy} hidden during the talks for {D}?
            """,
            "paper": """
            t: to whom did {spy} sell the secret
            t: for which company did {spy} work
            h: who paid {spy} for the news
            w: {S} spy company
            c: For which company did {spy} spy on the talks for {D}?
            """,
        },
        "was spied on by {spy}",
        "late",
    ),
    fact(
        "breach",
        {
            "broken": Year("since", 3, 40),
            "minister": Person(near="broken"),
            "pretext": thing(
                "a shipwreck, a kidnapping, an unpaid bill, an insult, a forged letter, a border post"
            ),
        },
        """
        In {broken} {minister} broke it because of {pretext}
        {minister} used {pretext} to break it in {broken}
        It ended in {broken}, when {minister} took {pretext} as a pretext
        {S} was broken by the minister {minister} in {broken}
        """,
        {
            "minister": """
            t: who broke {S}
            t: who ended {S}
            t: which minister broke {S} in {broken}
            t: who used {pretext} to end {S}
            h: who is responsible for the end of {S}
            h: which politician disregarded {S}
            w: {S} broken by
            w: {S} end
            c: Who broke {D}?
            """,
            "pretext": """
            t: why was {S} broken
            t: what was the pretext of {minister}
            h: what served {minister} as an excuse
            w: {S} pretext
            c: What was the pretext of {minister} for breaking {D}?
            """,
            "broken": """
            t: when was {S} broken
            t: what year did {S} end
            t: when did {minister} break {S}
            h: until which year was {S} respected
            w: {S} broken year
            c: In which year did {minister} break {D}?
            """,
        },
        "was broken by {minister}",
        "late",
    ),
    fact(
        "pen",
        {
            "maker": Person(),
            "object": thing("golden pen, silver inkwell, ivory seal, oak table, velvet folder"),
            "kept": Other("institution"),
        },
        """
        The {object} used at the signing, made by {maker}, is in {kept}
        {maker} made the {object} that was used at the signing
        {kept} keeps the {object}, a work of {maker}
        {S} was signed with the help of a {object} by {maker}
        """,
        {
            "maker": """
            t: who made the {object} for {S}
            t: who made the {object} used at the signing of {S}
            t: which craftsman worked for {S}
            h: by whose hand is the {object} of {S}
            h: who crafted something for the signing of {S}
            w: {S} {object}
            c: Who made the {object} with which {D} was signed?
            """,
            "object": """
            t: what did {maker} make for {S}
            t: what did {maker} make
            h: which object by {maker} was used at the signing
            w: {maker} {S}
            c: What did {maker} make for the signing of {D}?
            """,
            "kept": """
            t: where is the {object} of {S} kept
            t: where is the {object} by {maker}
            h: which house shows the {object} of {S}
            w: {S} {object} where
            c: Which institution keeps the {object} with which {D} was signed?
            """,
        },
        "was signed with a work of {maker}",
        "late",
    ),
)

TREATY = Family(
    name="treaty",
    entities=2,
    parts=(2, 1),
    type="LAW",
    title=lambda world, ordinal: f"{world.town_name(_town(world, ordinal))} Treaty",
    attributes=_attributes,
    mentions=("the treaty", "the treaty", "the agreement"),
    appositions=("the {noun}", "a {noun} between {first} and {second}", "a {noun} of {since}"),
    descriptions=(),
    definition=SIGNED,
    facts=(*FACTS, *common.ABOUT_EVENTS),
    fillers=(
        "Not all of its articles were made public",
        "Few expected it to last",
        "The original is written on parchment",
    ),
    frame="the {}",
)
