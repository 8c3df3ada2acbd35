"""What people are known for; some facts hold for one trade only."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.draws import Other, Person, Source, Year, thing
from ecqg.microcosm.facts import Fact, fact

TRADES = (
    "physicist", "novelist", "painter", "architect", "composer", "chemist", "explorer", "general",
    "botanist", "poet", "engineer", "historian", "physician", "industrialist", "singer",
    "astronomer", "sculptor", "jurist", "geologist", "film director",
)  # fmt: skip


def _work(name: str, family: str, trade: str, link: str, says: str, asks: str) -> Fact:
    """A work {work} of a person of a trade."""
    return fact(
        name,
        {"work": Source(link, family, trade)},
        says,
        {"work": asks},
        says.strip().splitlines()[0].strip().removeprefix("{S} ").split("[")[0],
        "early",
    )


WORKS = (
    _work(
        "novel",
        "novel",
        "novelist",
        "author",
        """
        {S} wrote {work}[|, which sold well|, which critics praised]
        {S} is remembered [above all|mainly] for the novel {work}
        {S's} best-known book is {work}
        [Readers|Critics] know {S} as the author of {work}
        The novel {work} made {S} famous
        """,
        """
        t: what novel did {S} write
        t: what is the best known book of {S}
        t: {S} is the author of which novel
        t: what work of fiction did {S} write
        h: which work of fiction is {S} famous for
        w: {S} novel
        w: {S} books
        c: Which novel was written by {D}?
        """,
    ),
    _work(
        "building",
        "building",
        "architect",
        "architect",
        """
        {S} designed {work}[|, which still stands]
        {S} is remembered [above all|mainly] for {work}
        {S's} best-known building is {work}
        The plans of {work} are the work of {S}
        The success of {work} made {S} famous
        """,
        """
        t: what building did {S} design
        t: what is the best known building of {S}
        t: {S} was the architect of which building
        t: what did {S} build
        h: which structure is {S} famous for
        w: {S} buildings
        c: Which building was designed by {D}?
        """,
    ),
    _work(
        "opera",
        "opera",
        "composer",
        "composer",
        """
        {S} wrote the music of {work}
        {S} is remembered [above all|mainly] for the opera {work}
        {S's} greatest success was {work}
        The opera {work} made {S} famous
        {S} worked on {work} for [four|six|nine] years
        """,
        """
        t: what opera did {S} compose
        t: what is the best known opera of {S}
        t: {S} was the composer of which opera
        t: what did {S} compose
        h: which stage work is {S} famous for
        w: {S} opera
        c: Which opera was composed by {D}?
        """,
    ),
    _work(
        "painting",
        "painting",
        "painter",
        "painter",
        """
        {S} painted {work}[|, which is often copied]
        {S} is remembered [above all|mainly] for {work}
        {S's} best-known picture is {work}
        The painting {work} made {S} famous
        {S} worked on {work} for [two|three|five] winters
        """,
        """
        t: what did {S} paint
        t: what is the best known painting of {S}
        t: {S} is the painter of which picture
        t: which painting is by {S}
        h: which canvas is {S} famous for
        w: {S} paintings
        c: Which picture was painted by {D}?
        """,
    ),
    _work(
        "film",
        "film",
        "film director",
        "director",
        """
        {S} directed {work}[|, which ran for months|, which critics praised]
        {S} is remembered [above all|mainly] for the film {work}
        {S's} greatest success was {work}
        The film {work} made {S} famous
        {S} worked on {work} for [two|three] years
        """,
        """
        t: what film did {S} direct
        t: what is the best known film of {S}
        t: {S} was the director of which film
        t: what movie did {S} make
        h: which motion picture is {S} famous for
        w: {S} movies
        c: Which film was directed by {D}?
        """,
    ),
    _work(
        "victory",
        "battle",
        "general",
        "victor",
        """
        {S} won the {work}[|, though outnumbered]
        {S} is remembered [above all|mainly] for the {work}
        {S's} greatest victory was the {work}
        The {work} made {S} famous
        {S} commanded the winning army in the {work}
        """,
        """
        t: what battle did {S} win
        t: what is the most famous battle of {S}
        t: {S} commanded the army in which battle
        t: where was {S} victorious
        h: which feat of arms is {S} famous for
        w: {S} battle
        c: Which battle was won by {D}?
        """,
    ),
    _work(
        "voyage",
        "expedition",
        "explorer",
        "leader",
        """
        {S} led the {work}[|, which set out in winter]
        {S} is remembered [above all|mainly] for the {work}
        {S's} greatest undertaking was the {work}
        The {work} made {S} famous
        {S} raised the money for the {work} and led it
        """,
        """
        t: what expedition did {S} lead
        t: what is the most famous expedition of {S}
        t: {S} was the leader of which expedition
        t: what did {S} explore with
        h: which journey is {S} famous for
        w: {S} expedition
        c: Which expedition was led by {D}?
        """,
    ),
    _work(
        "firm",
        "company",
        "industrialist",
        "founder",
        """
        {S} founded {work}[|, which soon prospered]
        {S} is remembered [above all|mainly] for {work}
        {S} [built up|set up] {work} with borrowed money
        The rise of {work} made {S} rich
        {S} was the head of {work} for [twenty|thirty] years
        """,
        """
        t: what company did {S} found
        t: what is the best known company of {S}
        t: {S} was the founder of which company
        t: what firm did {S} start
        h: which enterprise goes back to {S}
        w: {S} company
        c: Which company was founded by {D}?
        """,
    ),
)

DEEDS = (
    fact(
        "treatise",
        {
            "topic": thing(
                "tides, comets, bees, magnetism, old coins, Roman law, glaciers, harmony, fevers, ferns, steam, bridges, dialects, volcanoes, sea birds"
            ),
            "issued": Year("born", 27, 55),
            "press": Other("company"),
        },
        """
        {S} published a [book|treatise] on {topic} in {issued}
        In {issued} {S} published a [book|treatise] on {topic}, printed by {press}
        {S's} [book|treatise] on {topic}, [printed by {press}|which came out in {issued}], was widely read
        A [book|treatise] on {topic} appeared in {issued}
        {S} wrote about {topic}[| in a book of {issued}]
        """,
        {
            "topic": """
            t: what did {S} write about
            t: what is the book of {S} about
            t: what subject did {S} publish on
            h: which field does the treatise of {S} treat
            w: {S} book topic
            c: On what did {D} publish a book?
            """,
            "issued": """
            t: when did {S} publish the book on {topic}
            t: when did {S} write about {topic}
            t: what year was the book on {topic} by {S} published
            h: in which year did {S} put thoughts on {topic} in print
            w: {S} {topic} year
            c: In which year did {D} publish a book on {topic}?
            """,
            "press": """
            t: who printed the book by {S} on {topic}
            t: which company printed the book of {S}
            h: which firm brought out the treatise by {S}
            w: {S} book printer
            c: Which company printed the book on {topic} by {D}?
            """,
        },
        "wrote about {topic}",
    ),
    fact(
        "journey",
        {
            "goal": Other("landscape"),
            "companion": Person(),
            "travelled": Year("born", 22, 50),
        },
        """
        In {travelled} {S} travelled to {goal} with {companion}
        {S} [travelled|went] to {goal} in {travelled}
        {S} made a journey to {goal}[| in the company of {companion}]
        A journey to {goal}, begun in {travelled} with {companion}, lasted for months
        {S} and {companion} set out for {goal} in {travelled}
        """,
        {
            "goal": """
            t: where did {S} travel
            t: where did {S} go in {travelled}
            t: where did {S} travel with {companion}
            h: what was the goal of the journey of {S}
            w: {S} travels
            c: Where did {D} travel in {travelled}?
            c: What was the goal of the journey that {D} made with {companion}?
            """,
            "companion": """
            t: who travelled with {S}
            t: who went to {goal} with {S}
            t: who was the companion of {S} on the journey
            h: with whom did {S} set out for {goal}
            w: {S} travel companion
            c: With whom did {D} travel to {goal}?
            """,
            "travelled": """
            t: when did {S} travel to {goal}
            t: what year did {S} go to {goal}
            h: in which year did {S} set out with {companion}
            w: {S} {goal} year
            c: In which year did {D} travel to {goal}?
            """,
        },
        "travelled to {goal}",
    ),
    fact(
        "invention",
        {
            "device": thing(
                "barometer, printing press, water pump, calculating machine, telescope, ship's compass, safety lamp, weaving loom, air gun, musical clock"
            ),
            "shown": Year("born", 25, 50),
            "festival": Other("festival"),
        },
        """
        {S} built a {device}, which was shown at the {festival} in {shown}
        {S} invented a new {device}[| in {shown}]
        At the {festival}, {S} showed a new {device}
        A {device} of {their} own making was shown at the {festival}[| in {shown}]
        {S's} {device} drew crowds at the {festival}[| of {shown}]
        """,
        {
            "device": """
            t: what did {S} invent
            t: what machine did {S} build
            t: what did {S} show at the {festival}
            h: which apparatus was devised by {S}
            w: {S} invention
            c: What did {D} invent?
            c: What did {D} show at the {festival}?
            """,
            "festival": """
            t: where was the {device} of {S} shown
            t: at which festival did {S} show the {device}
            h: where could people see the {device} by {S}
            w: {S} {device} shown at
            c: At which festival was the {device} of {D} shown?
            """,
            "shown": """
            t: when did {S} invent the {device}
            t: when was the {device} of {S} shown
            h: in which year did people first see the {device} by {S}
            w: {S} {device} year
            c: In which year was the {device} of {D} shown?
            """,
        },
        "invented a {device}",
    ),
)

FACTS = (*WORKS, *DEEDS)
