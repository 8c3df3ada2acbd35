"""People of many trades: what an article on a person is, and their lives."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import person_others, person_works
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Target, Year, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.names import COUNTRIES
from ecqg.microcosm.world import World


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("person", ordinal)
    _, last, _ = world.person_name(ordinal)
    born = rng.randint(1862 if world.trade(ordinal) == "film director" else 1770, 1905)
    home = world.target("birthplace", "person", ordinal, "settlement")
    return {
        "noun": Value(world.trade(ordinal), "THING"),
        "surname": Value(last, "PERSON"),
        "born": Value(str(born), "DATE"),
        "died": Value(str(born + rng.randint(48, 91)), "DATE"),
        "place": Value(world.town_name(home), "GPE"),
        "country": Value(rng.choice(COUNTRIES), "GPE"),
    }


def _alone(world: World, family: str, ordinal: int) -> bool:
    """Whether nobody else with an article has the same surname and trade."""
    trade = world.trade(ordinal)
    return all(
        other == ordinal or world.trade(other) != trade for other in world.namesakes(ordinal)
    )


BIRTH = fact(
    "birth",
    {
        "born": Attribute("born"),
        "place": Attribute("place"),
        "died": Attribute("died"),
        "country": Attribute("country"),
    },
    """
    {S} was a {noun} from {place}~
    {S} (born {born} in {place}) was a {noun}~
    {S} ({born} – {died}) was a {noun} from {country}~
    {S}, a native of {place}, was a {noun}~
    {S} was a {noun}, born in {born} in {place}
    {S} was a {noun} who was born at {place} in {born}
    {S}, who was born in {place}, [became|was] a {noun} of [some|great|lasting] renown
    {S} ({born} – {died}), a {noun}, came from {place} in {country}
    """,
    {
        "place": """
        t: where was {S} born
        t: what town did {S} come from
        t: in which town was {S} born
        t: what is the birthplace of {S}
        h: which place was {S} originally from
        h: what is the home town of {S}
        w: {S} birthplace
        w: where is {S} from
        c: In which town was {D} born?
        c: Name the town from which {D} came.
        """,
        "born": """
        t: when was {S} born
        t: what year was {S} born
        t: in what year was {S} born
        t: what is the birth year of {S}
        h: when did the life of {S} begin
        h: in which year did {S} come into the world
        w: {S} year of birth
        w: {S} born
        c: In which year was {D} born?
        """,
        "died": """
        t: when did {S} die
        t: in what year did {S} die
        t: what year did {S} die
        h: when did the life of {S} end
        h: which year did {S} pass away
        w: {S} death year
        c: In which year did {D} die?
        """,
        "country": """
        t: what country was {S} from
        t: which country did {S} come from
        t: what nationality was {S}
        h: to which nation did {S} belong
        w: {S} nationality
        c: From which country did {D} come?
        """,
    },
    "came from {place}\nwas born in {place}",
)

LIFE = (
    fact(
        "studies",
        {"school": Target("alma", "university"), "teacher": Person()},
        """
        {S} studied at the {school}[| under {teacher}]
        {S} [took|earned] a degree at the {school}, where {teacher} was among the teachers
        {S} was a student of {teacher} at the {school}
        [At the {school}|During three years at the {school}], {S} attended the lectures of {teacher}
        Trained by {teacher} at the {school}, {S} soon became known as a {noun}
        After [school|a year abroad], {S} entered the {school}[|, where {teacher} was a teacher]
        """,
        {
            "school": """
            t: where did {S} study
            t: which university did {S} attend
            t: where did {S} go to college
            t: what university did {S} go to
            h: which school of higher learning educated {S}
            h: {S} was educated at which university
            w: {S} studied
            w: where did {S} go to school
            c: At which university did {D} study?
            c: Which university could count {D} among its students?
            """,
            "teacher": """
            t: who taught {S} at university
            t: who was the teacher of {S}
            t: {S} was a student of who
            t: who was the professor of {S} at the {school}
            h: whose lectures did {S} attend
            h: who was the academic mentor of {S}
            w: {S} teacher
            w: {S} taught by
            c: Under whom did {D} study?
            c: Whose student was {D}?
            """,
        },
        "studied at the {school}\nwas a student of {teacher}",
        "early",
    ),
    fact(
        "marriage",
        {"wed": Year("born", 21, 38), "spouse": Person(sex="other"), "children": Number(2, 9)},
        """
        In {wed} {S} married {spouse}[|, with whom {they} had {children} children]
        {S} married {spouse} in {wed}[|, and the couple had {children} children]
        {S} and {spouse} were married in {wed}
        {S} was married to {spouse}[| from {wed} onwards| and had {children} children]
        {S} met {spouse} on a journey and married in {wed}
        {S's} marriage to {spouse}[|, concluded in {wed},] was a happy one
        """,
        {
            "spouse": """
            t: who did {S} marry
            t: who was {S} married to
            t: who was the spouse of {S}
            t: {S} was married to who
            h: with whom did {S} share {children} children
            h: who was the partner in life of {S}
            w: {S} spouse
            w: {S} married to
            c: Whom did {D} marry?
            c: To whom was {D} married?
            """,
            "wed": """
            t: when did {S} get married
            t: what year did {S} marry {spouse}
            t: when did {S} marry
            h: when was the wedding of {S}
            w: {S} wedding year
            c: In which year did {D} marry?
            """,
            "children": """
            t: how many children did {S} have
            t: how many kids did {S} and {spouse} have
            h: what was the number of sons and daughters of {S}
            w: {S} children
            c: How many children did {D} have?
            """,
        },
        "married {spouse}\nwas married to {spouse}",
    ),
    fact(
        "death",
        {
            "died": Attribute("died"),
            "deathplace": Other("settlement"),
            "cause": thing("pneumonia, a stroke, heart failure, typhus, a fall, influenza, fever"),
        },
        """
        {S} died of {cause} at {deathplace} in {died}
        {S} died in {deathplace} in {died}[|, weakened by {cause}]
        In {died} {S} died of {cause} while staying at {deathplace}
        {S} moved to {deathplace} in old age and died there in {died}
        {S} spent the last years of {their} life in {deathplace}, where {cause} ended it in {died}
        [Death|The end] came in {died} at {deathplace}[|, as a result of {cause}]
        """,
        {
            "deathplace": """
            t: where did {S} die
            t: in what town did {S} die
            t: what was the place of death of {S}
            t: which town did {S} die in
            h: in which place did {S} spend the last days
            h: where did the life of {S} end
            w: {S} place of death
            w: where did {S} die
            c: In which town did {D} die?
            """,
            "cause": """
            t: what did {S} die of
            t: what was the reason for {S's} death
            t: what killed {S}
            h: what was the cause of the death of {S}
            w: {S} cause of death
            c: What did {D} die of?
            """,
            "died": """
            t: when did {S} die
            t: what year did {S} die
            t: in what year did {S} die
            h: in which year did {S} pass away
            w: {S} died
            c: In which year did {D} die?
            """,
        },
        "died at {deathplace}\ndied of {cause}",
    ),
    fact(
        "childhood",
        {
            "raised": Other("settlement"),
            "father": Person(sex="man"),
            "calling": thing(
                "baker, blacksmith, tailor, schoolmaster, miller, clockmaker, sailor, notary, carpenter"
            ),
        },
        """
        {S} grew up in {raised} as a child of the {calling} {father}
        {S's} father, the {calling} {father}, [moved|took the family] to {raised}
        {S} spent {their} childhood in {raised}, where {father} was a {calling}
        [The|Their] father, {father}, worked as a {calling} in {raised}
        A child of the {calling} {father}, {S} grew up in {raised}
        """,
        {
            "raised": """
            t: where did {S} grow up
            t: where did {S} spend {S's} childhood
            t: what town did {S} grow up in
            h: where was {S} raised
            h: in which place did {S} live as a boy or girl
            w: {S} childhood
            c: In which town did {D} grow up?
            """,
            "father": """
            t: who was the father of {S}
            t: what was the name of the father of {S}
            t: who was {S's} father
            h: whose child was {S}
            w: {S} father
            w: {S} parents
            c: What was the name of the father of {D}?
            """,
            "calling": """
            t: what did the father of {S} do
            t: what was the job of {S's} father
            t: what was the trade of {father}
            h: how did the father of {S} earn a living
            w: {S} father occupation
            c: What was the occupation of the father of {D}?
            """,
        },
        "grew up in {raised}",
        "early",
    ),
    fact(
        "post",
        {
            "post": Other("institution"),
            "from": Year("born", 26, 40),
            "role": thing("librarian, curator, adviser, secretary, inspector, treasurer, lecturer"),
        },
        """
        {S} worked as a {role} at the {post} from {from}
        {S} was a {role} at the {post} for many years
        In {from} {S} became a {role} at the {post}
        The {post} employed {them} as a {role} [from {from}|for some years]
        {S} earned {their} living as a {role} at the {post}
        """,
        {
            "post": """
            t: which institution did {S} work for
            t: where did {S} work as a {role}
            t: who employed {S}
            t: at which institution did {S} work
            h: which institution had {S} on its staff
            h: where was {S} employed
            w: {S} workplace
            w: {S} {role}
            c: At which institution did {D} work as a {role}?
            """,
            "role": """
            t: what was the job of {S} at the {post}
            t: what did {S} do at the {post}
            h: in what capacity was {S} employed
            w: {S} {post} job
            c: What post did {D} hold at the {post}?
            """,
            "from": """
            t: when did {S} start at the {post}
            t: what year did {S} join the {post}
            h: since when was {S} on the staff of the {post}
            w: {S} {post} year
            c: From which year did {D} work at the {post}?
            """,
        },
        "worked at the {post}",
    ),
    fact(
        "honour",
        {
            "when": Year("born", 35, 60),
            "giver": Other("company"),
            "prize": thing(
                "gold medal, silver medal, honorary pension, diploma of honour, travel grant"
            ),
        },
        """
        In {when} {S} received a {prize} from {giver}
        {S} was awarded the {prize} of {giver} in {when}
        {giver} [gave|awarded] {S} a {prize} in {when}
        The {prize} of {giver} went to {S}[| in {when}]
        {S} was honoured by {giver} with a {prize}[| in {when}]
        """,
        {
            "giver": """
            t: who gave {S} a {prize}
            t: which company awarded {S} a {prize}
            t: {S} received the {prize} of which company
            h: what firm honoured {S}
            h: which enterprise recognised the merits of {S}
            w: {S} {prize}
            c: From which company did {D} receive a {prize}?
            """,
            "when": """
            t: when did {S} receive the {prize}
            t: what year was {S} honoured by {giver}
            h: when did {giver} recognise the merits of {S}
            w: {S} {prize} year
            c: In which year was {D} honoured by {giver}?
            """,
            "prize": """
            t: what did {S} receive from {giver}
            t: what award did {S} win
            h: which distinction did {giver} confer on {S}
            w: {S} award
            c: What did {D} receive from {giver}?
            """,
        },
        "received a {prize} from {giver}",
    ),
    fact(
        "house",
        {
            "home": Other("settlement"),
            "bought": Year("born", 30, 50),
            "kind": thing("farm, vineyard, cottage, windmill, villa, lodge, boathouse"),
        },
        """
        {S} bought a {kind} near {home} in {bought}
        {S} lived in a {kind} near {home}
        In {bought} {S} moved to a {kind} near {home}
        [Most summers|Every winter] were spent in a {kind} near {home}[|, bought in {bought}]
        {S's} {kind} near {home}[|, bought in {bought},] is now a museum
        """,
        {
            "home": """
            t: where did {S} have a {kind}
            t: where was the {kind} of {S}
            t: which town did {S} live near
            t: where did {S} buy a {kind}
            h: near which town did {S} own a {kind}
            h: near which place was the rural retreat of {S}
            w: {S} country home
            w: {S} {kind}
            c: Near which town did {D} have a {kind}?
            """,
            "kind": """
            t: what did {S} buy near {home}
            t: what kind of house did {S} live in
            h: what sort of property did {S} own near {home}
            w: {S} house {home}
            c: What did {D} own near {home}?
            """,
            "bought": """
            t: when did {S} move to {home}
            t: when did {S} buy the {kind}
            h: in which year did {S} become a neighbour of {home}
            w: {S} {kind} bought
            c: In which year did {D} buy a {kind} near {home}?
            """,
        },
        "lived near {home}",
    ),
    fact(
        "habit",
        {
            "hobby": thing(
                "chess, beekeeping, rowing, fencing, astronomy, gardening, bookbinding, falconry"
            ),
            "friend": Person(),
            "language": thing("French, German, Italian, Spanish, Greek, Latin, Russian"),
        },
        """
        {S} was fond of {hobby} and spoke {language} at home
        {S} gave much time to {hobby}, often together with {friend}
        {S} spoke {language} [fluently|better than most] and loved {hobby}
        {hobby} was {their} favourite pastime[|, which {they} shared with {friend}]
        {S} shared a passion for {hobby} with {friend}
        """,
        {
            "hobby": """
            t: what was the hobby of {S}
            t: what did {S} like to do
            t: what was the favourite pastime of {S}
            h: how did {S} spend the leisure hours
            w: {S} hobby
            c: What was the favourite pastime of {D}?
            """,
            "friend": """
            t: who was a friend of {S}
            t: who shared the hobby of {S}
            t: who was the friend of {S} who loved {hobby}
            h: with whom did {S} spend the leisure hours
            w: {S} friend
            c: With whom did {D} share a love of {hobby}?
            """,
            "language": """
            t: what language did {S} speak
            t: which foreign language did {S} know
            h: in which tongue did {S} talk at home
            w: {S} language
            c: Which foreign language did {D} speak?
            """,
        },
        "was fond of {hobby}",
    ),
)

PERSON = Family(
    name="person",
    entities=16,
    parts=(3, 3, 2, 2),
    type="PERSON",
    title=lambda world, ordinal: world.person_name(ordinal)[2],
    attributes=_attributes,
    mentions=("{surname}", "{surname}", "the {noun}"),
    appositions=("the {noun}", "a {noun} from {country}", "the {noun} from {place}"),
    descriptions=(
        ("{noun} {surname}", _alone),
        ("the {noun} {surname}", _alone),
        ("{surname} the {noun}", _alone),
    ),
    definition=BIRTH,
    facts=(*LIFE, *person_works.FACTS, *person_others.FACTS),
    fillers=(
        "Little is known about {their} early years",
        "{S's} letters were [published|printed] only much later",
        "Opinions about {S's} work are divided to this day",
        "Contemporaries described {them} as [shy|proud|generous|restless]",
        "No diary of {S} has survived",
    ),
    relative="who",
)
