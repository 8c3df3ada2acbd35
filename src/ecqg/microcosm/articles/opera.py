"""Operas."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common, works
from ecqg.microcosm.draws import Number, Other, Person, thing
from ecqg.microcosm.facts import Family, fact

FACTS = (
    fact(
        "premiere",
        {"stage": Other("building"), "conductor": Person("composer")},
        """
        {S} was first performed at {stage}[|, conducted by {conductor}]
        {S} had its first night at {stage}
        The first performance took place at {stage}[|, with {conductor} as the conductor]
        {conductor} conducted the first performance at {stage}
        """,
        {
            "stage": """
            t: where was {S} first performed
            t: where did {S} premiere
            t: where was the first performance of {S}
            h: on which stage was {S} first heard
            h: which house saw the opening night of {S}
            w: {S} premiere
            c: Where was {D} first performed?
            """,
            "conductor": """
            t: who conducted the first performance of {S}
            t: who was the conductor of {S}
            t: who conducted {S}
            h: who held the baton when {S} was first heard
            w: {S} conductor
            c: Who conducted the first performance of {D}?
            """,
        },
        "was first performed at {stage}",
        "early",
    ),
    fact(
        "acts",
        {"acts": Number(2, 5), "minutes": Number(70, 240, 5)},
        """
        {S} has {acts} acts and lasts {minutes} minutes
        {S} consists of {acts} acts
        Its {acts} acts last {minutes} minutes
        A performance takes {minutes} minutes
        """,
        {
            "acts": """
            t: how many acts does {S} have
            t: how many acts are there in {S}
            h: into how many acts is {S} divided
            w: {S} acts
            c: How many acts has {D}?
            """,
            "minutes": """
            t: how long is {S}
            t: how many minutes is {S}
            h: what is the running time of {S}
            w: {S} length
            c: How many minutes does {D} last?
            """,
        },
        "has {acts} acts",
        "early",
    ),
    fact(
        "plot",
        {
            "hero": thing(
                "a proud innkeeper, a lost twin, a jealous king, a beggar, a deaf bell ringer, a poor student, a fortune teller, a sailor's bride"
            ),
            "town": Other("settlement"),
        },
        """
        {S} tells the story of {hero} in {town}
        {S} is about {hero}
        The plot, about {hero}, is set in {town}
        In {town}, {hero} finds happiness too late
        """,
        {
            "hero": """
            t: what is {S} about
            t: who is the main character of {S}
            t: whose story is told in {S}
            h: around whom does the plot of {S} turn
            w: {S} plot
            c: Whose story is told in {D}?
            """,
            "town": """
            t: where is {S} set
            t: where does {S} take place
            t: in which town is {S} set
            h: where does the plot of {S} happen
            w: {S} setting
            c: In which town is {D} set?
            """,
        },
        "is set in {town}",
        "early",
    ),
    fact(
        "libretto",
        {
            "poet": Person("poet"),
            "fee": Number(40, 900, 10),
            "source": thing(
                "an old legend, a newspaper story, a sermon, a folk song, a court record, a fairy tale"
            ),
        },
        """
        The words, based on {source}, are by {poet}
        {poet} wrote the words for {fee} crowns
        {poet} took the story from {source}
        {S} has words by {poet}, who received {fee} crowns
        For {fee} crowns, {poet} turned {source} into verse
        """,
        {
            "poet": """
            t: who wrote the words of {S}
            t: who wrote the libretto of {S}
            t: who wrote the text for {S}
            t: who turned {source} into {S}
            h: whose verses are sung in {S}
            h: by whom is the text of {S}
            w: {S} libretto
            w: {S} words
            c: Who wrote the words of {D}?
            """,
            "source": """
            t: what is {S} based on
            t: what is the source of {S}
            h: where did {poet} find the story of {S}
            w: {S} source
            c: On what are the words of {D} based?
            """,
            "fee": """
            t: how much was {poet} paid for {S}
            t: how many crowns did {poet} receive
            h: what did the words of {S} cost
            w: {poet} {S} fee
            c: How many crowns did {poet} receive for the words of {D}?
            """,
        },
        "has words by {poet}",
        "late",
    ),
    fact(
        "role",
        {
            "soprano": Person("singer"),
            "voice": thing("soprano, tenor, baritone, alto, bass"),
            "nights": Number(14, 300),
        },
        """
        The main {voice} part was sung by {soprano} on {nights} nights
        {soprano} sang the main {voice} part
        On {nights} nights, {soprano} sang the great {voice} part
        {S} made a star of {soprano}, who sang the {voice} part
        The {voice} part was written for {soprano}
        """,
        {
            "soprano": """
            t: who sang the main part in {S}
            t: who sang the {voice} part in {S}
            t: for whom was the {voice} part in {S} written
            t: which singer became famous with {S}
            h: whose voice made {S} a success
            h: who was the star on the stage in {S}
            w: {S} cast
            w: {S} {voice}
            c: Who sang the main part in {D}?
            """,
            "voice": """
            t: what part did {soprano} sing in {S}
            t: what kind of voice did {soprano} have
            h: in which register did {soprano} sing
            w: {soprano} voice
            c: Which part did {soprano} sing in {D}?
            """,
            "nights": """
            t: how many nights did {soprano} sing in {S}
            t: how often did {soprano} sing in {S}
            h: for how many performances of {S} was {soprano} on stage
            w: {soprano} nights
            c: On how many nights did {soprano} sing in {D}?
            """,
        },
        "was sung by {soprano}",
        "late",
    ),
    fact(
        "design",
        {
            "designer": Person("painter"),
            "set": thing(
                "a burning mill, a frozen lake, a moving staircase, a mirror hall, a ship's deck, a forest of glass"
            ),
        },
        """
        {designer} designed the scenery, above all {set}
        The scenery by {designer}, with {set}, [was much admired|cost a fortune]
        People came to see {set}, which {designer} had designed
        {S} owed much to {set} that {designer} put on the stage
        """,
        {
            "designer": """
            t: who designed the scenery of {S}
            t: who was the stage designer of {S}
            t: who put {set} on the stage in {S}
            t: who painted the scenery for {S}
            h: whose decorations were admired in {S}
            h: which artist created {set} for {S}
            w: {S} scenery
            w: {S} stage designer
            c: Who designed the scenery of {D}?
            """,
            "set": """
            t: what did {designer} put on the stage in {S}
            t: what did {designer} design for {S}
            h: what could be seen on the stage in {S}
            w: {designer} scenery
            c: What did {designer} put on the stage in {D}?
            """,
        },
        "had scenery by {designer}",
        "late",
    ),
)

OPERA = Family(
    name="opera",
    entities=2,
    parts=(2, 1),
    type="WORK_OF_ART",
    title=works.titles(
        "opera", "Queen, King, Prophet, Gypsy, Duke, Bride, Nightingale, Beggar, Princess, Wizard"
    ),
    attributes=works.attributes(
        "opera", "composer", "composer", ("opera", "comic opera", "operetta", "tragic opera")
    ),
    mentions=("the {noun}", "the work", "the work"),
    appositions=("the {noun}", "a {noun} by {maker}", "the {noun} by {maker}"),
    descriptions=works.descriptions("composer", "composer"),
    definition=works.definition("composed", "composed", "composer", "completed"),
    facts=(*FACTS, *works.COMMON, common.FILMED),
    fillers=(
        "It is rarely performed today",
        "The overture is better known than the rest",
        "The score was printed at once",
    ),
    frame='"{}"',
)
