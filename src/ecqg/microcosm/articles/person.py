"""People of many trades."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, other, person, source, target, thing, town, year
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

TRADES = (
    "physicist", "novelist", "painter", "architect", "composer", "chemist", "explorer", "general",
    "botanist", "poet", "engineer", "historian", "physician", "industrialist", "singer",
    "astronomer", "sculptor", "jurist", "geologist", "film director",
)  # fmt: skip


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("person", ordinal)
    first, last, _ = world.person_name(ordinal)
    born = rng.randint(1770, 1930)
    home = world.link("birthplace", "person", "settlement").target(ordinal)
    return {
        "noun": Value(world.trade(ordinal), "THING"),
        "first": Value(first, "PERSON"),
        "surname": Value(last, "PERSON"),
        "born": Value(str(born), "DATE"),
        "died": Value(str(born + rng.randint(48, 91)), "DATE"),
        "place": Value(world.town_name(home), "GPE"),
    }


DEFINITIONS = (
    fact(
        "birth",
        {"born": attribute("born"), "place": attribute("place"), "died": attribute("died")},
        """
        {S} was a(n) {noun} from {place}~
        {S} (born {born} in {place}) was a(n) {noun}~
        {S} ({born} – {died}) was a(n) {noun}~
        {S}, a native of {place}, was a(n) {noun}~
        {S} was a(n) {noun}, born in {born} in {place}
        {S} was a(n) {noun} who was born at {place} in {born}
        """,
        {
            "place": """
            t: where was {S} born
            t: what town did {S} come from
            t: in which town was the {noun} {S} born
            t: birthplace of {S}
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
            t: in what year was the {noun} {S} born
            h: {S} was born in which year
            h: when did the life of {S} begin
            w: {S} year of birth
            w: {S} born
            c: In which year was {D} born?
            """,
            "died": """
            t: when did {S} die
            t: in what year did {S} die
            t: what year did the {noun} {S} die
            h: when did the life of {S} end
            h: which year did {S} pass away
            w: {S} death year
            w: {S} died
            c: In which year did {D} die?
            """,
        },
        "came from {place}\nwas born in {place}",
    ),
)

FACTS = (
    fact(
        "studies",
        {"school": target("alma", "university"), "teacher": person()},
        """
        {S} studied at the {school}[| under {teacher}]
        {S} [took|earned] a degree at the {school}, where {teacher} was among the teachers
        {S} was a student of {teacher} at the {school}
        At the {school} {S} attended the lectures of {teacher}
        Trained by {teacher} at the {school}, {S} soon became known as a(n) {noun}
        [After school|As a young {noun}] {S} entered the {school}[|, where {teacher} took an interest in {them}]
        """,
        {
            "school": """
            t: where did {S} study
            t: which university did {S} attend
            t: where did {S} go to college
            t: what university did {S} go to
            h: which school of higher learning educated {S}
            h: {S} was educated at which university
            w: {S} university
            w: where did {S} go to school
            c: At which university did {D} study?
            c: Which university could count {D} among its students?
            """,
            "teacher": """
            t: who taught {S} at university
            t: who was the teacher of {S}
            t: {S} was a student of who
            h: whose lectures did {S} attend
            h: who was the mentor of the {noun} {S}
            w: {S} teacher
            w: {S} mentor
            c: Which scholar of the {school} counted {D} among the students?
            c: Under whom did {D} study?
            """,
        },
        "studied at the {school}\nwas a student of {teacher}",
        "early",
    ),
    fact(
        "marriage",
        {"wed": year("born", 21, 38), "spouse": person()},
        """
        In {wed} {S} married {spouse}[|, a cousin|, with whom {they} had two children]
        {S} married {spouse} in {wed}[|, and the couple had no children]
        {S} and {spouse} were married in {wed}
        {S} was married to {spouse}[| from {wed} onwards]
        {S} met {spouse} on a journey and married {spouse} in {wed}
        """,
        {
            "spouse": """
            t: who did {S} marry
            t: who was {S} married to
            t: who was the husband or wife of {S}
            h: {S} got married to whom
            h: who was the partner in life of {S}
            w: {S} spouse
            w: {S} married to
            c: Whom did {D} marry?
            """,
            "wed": """
            t: when did {S} get married
            t: what year did {S} marry {spouse}
            h: when was the wedding of {S}
            w: {S} wedding year
            c: In which year did {D} marry?
            """,
        },
        "married {spouse}\nwas married to {spouse}",
    ),
    fact(
        "death",
        {"died": attribute("died"), "deathplace": town, "cause": thing("pneumonia, a stroke, heart failure, typhus, a fall, influenza")},
        """
        {S} died of {cause} at {deathplace} in {died}
        {S} died in {deathplace} in {died}[|, after {cause}]
        In {died} {S} died of {cause} while staying at {deathplace}
        {S's} last years were spent in {deathplace}, where {they} died in {died}
        {S} spent the last years of {their} life in {deathplace} and died there in {died}
        """,
        {
            "deathplace": """
            t: where did {S} die
            t: in what town did {S} die
            t: what was the place of death of {S}
            h: in which place did {S} spend the last days
            h: where did the life of {S} end
            w: {S} place of death
            c: In which town did {D} die?
            """,
            "cause": """
            t: what did {S} die of
            t: how did {S} die
            h: what was the cause of the death of {S}
            w: {S} cause of death
            c: What did {D} die of?
            """,
            "died": """
            t: when did {S} die
            t: what year did {S} die
            h: in which year did {S} pass away
            w: {S} died
            c: In which year did {D} die?
            """,
        },
        "died at {deathplace}\ndied of {cause}",
    ),
    fact(
        "honour",
        {"when": year("born", 35, 60), "giver": other("company"), "prize": thing("gold medal, silver medal, honorary pension, diploma of honour, travelling grant")},
        """
        In {when} {S} received a {prize} from {giver}
        {S} was awarded the {prize} of {giver} in {when}
        {giver} gave {S} a {prize} in {when}
        A {prize} of {giver} was given to {S}[| in {when}]
        {S} was honoured by {giver} with a {prize}[| in {when}]
        """,
        {
            "giver": """
            t: who gave {S} a {prize}
            t: which company awarded {S} a {prize}
            t: {S} received the {prize} of which company
            h: what firm honoured {S}
            w: {S} {prize}
            c: From which company did {D} receive a {prize}?
            """,
            "when": """
            t: when did {S} receive the {prize}
            t: what year was {S} honoured by {giver}
            h: when was the {prize} awarded to {S}
            w: {S} {prize} year
            c: In which year was {D} honoured by {giver}?
            """,
        },
        "received a {prize} from {giver}",
    ),
    fact(
        "novel",
        {"book": source("author", "book", "novelist")},
        """
        {S} wrote {book}[|, which sold well|, which critics praised]
        {S} is remembered [above all|mainly] for {book}
        {S's} best-known book is {book}
        [Readers|Critics] know {S} as the author of {book}
        The novel {book} made {S} famous
        """,
        {
            "book": """
            t: what novel did {S} write
            t: what is the best known book of {S}
            t: {S} is the author of which novel
            h: which work of fiction is {S} famous for
            w: {S} novel
            c: Which novel was written by {D}?
            """,
        },
        "wrote {book}",
        "early",
    ),
    fact(
        "building",
        {"hall": source("architect", "building", "architect")},
        """
        {S} designed {hall}[|, which still stands]
        {S} is remembered [above all|mainly] for {hall}
        {S's} best-known building is {hall}
        The plans of {hall} are the work of {S}
        The success of {hall} made {S} famous
        """,
        {
            "hall": """
            t: what building did {S} design
            t: what is the best known building of {S}
            t: {S} was the architect of which building
            h: which structure is {S} famous for
            w: {S} building
            c: Which building was designed by {D}?
            """,
        },
        "designed {hall}",
        "early",
    ),
    fact(
        "sibling",
        {"sibling": person(), "kin": thing("cousin"), "shop": thing("bookshop, printing house, brewery, dairy, music school, chemist's shop"), "shoptown": town},
        """
        {S's} {kin} {sibling} ran a {shop} in {shoptown}
        A {kin}, {sibling}, kept a {shop} at {shoptown}
        {sibling}, {their} {kin}, was the owner of a {shop} in {shoptown}
        The {shop} that {their} {kin} {sibling} opened in {shoptown} paid for {their} early work
        {S} was supported by {their} {kin} {sibling}, who owned a {shop} in {shoptown}
        """,
        {
            "sibling": """
            t: who was the {kin} of {S}
            t: what was the name of the {kin} of {S}
            t: which relative of {S} ran a {shop} in {shoptown}
            h: who in the family of {S} owned a {shop}
            w: {S} {kin}
            c: What was the name of the {kin} of {D}?
            """,
            "shop": """
            t: what did {sibling} run in {shoptown}
            t: what kind of business did {sibling} own
            h: what sort of business did the {kin} of {S} have
            w: {sibling} business
            c: What did {sibling}, the {kin} of {D}, run in {shoptown}?
            """,
            "shoptown": """
            t: where did {sibling} run a {shop}
            t: in which town was the {shop} of {sibling}
            h: where was the {shop} that belonged to {sibling}
            w: {sibling} {shop}
            c: In which town did {sibling}, the {kin} of {D}, run a {shop}?
            """,
        },
        "",
        "late",
    ),
    fact(
        "portrait",
        {"painter": person("painter"), "museum": other("building"), "garment": thing("a grey coat, a red shawl, a fur hat, a blue uniform, a straw hat, a black gown")},
        """
        A portrait by {painter}, which shows {S} in {garment}, hangs in {museum}
        {painter} painted {S} in {garment}[|; the picture hangs in {museum}]
        In {museum} there is a portrait of {S} in {garment} by {painter}
        The only known portrait, by {painter}, is kept at {museum}
        {painter} made a portrait of {S} that is now in {museum}
        """,
        {
            "painter": """
            t: who painted {S}
            t: who made the portrait of {S}
            t: whose portrait of {S} hangs in {museum}
            h: which artist portrayed {S}
            w: {S} portrait painter
            c: Which artist painted the portrait of {D} in {museum}?
            c: Who portrayed {D}?
            """,
            "museum": """
            t: where is the portrait of {S} by {painter}
            t: where does the portrait of {S} hang
            h: which building keeps the picture that {painter} made of {S}
            w: {painter} portrait {S}
            c: In which building can one see the portrait that {painter} made of {D}?
            """,
            "garment": """
            t: what is {S} wearing in the portrait by {painter}
            h: how is {S} dressed in the picture by {painter}
            w: {S} portrait clothes
            c: What does {D} wear in the portrait by {painter}?
            """,
        },
        "was painted by {painter}",
        "late",
    ),
    fact(
        "pupil",
        {"pupil": person(), "chair": other("university"), "later": year("born", 45, 65)},
        """
        {S's} pupil {pupil} was called to the {chair} in {later}
        Among {their} pupils was {pupil}, who joined the {chair}[| in {later}]
        {pupil}, the most gifted of {their} pupils, taught at the {chair} from {later}
        {S} recommended {pupil} to the {chair}, which made {pupil} a professor in {later}
        """,
        {
            "pupil": """
            t: who was a pupil of {S}
            t: which student of {S} went to the {chair}
            t: who did {S} teach
            h: name a disciple of {S}
            w: {S} pupil
            c: Which pupil of {D} was called to the {chair}?
            """,
            "chair": """
            t: at which university did {pupil} teach
            t: which university did {pupil} join
            h: where was {pupil} a member of the faculty
            w: {pupil} university
            c: Which university appointed {pupil}, a pupil of {D}?
            """,
            "later": """
            t: when did {pupil} join the {chair}
            t: what year did {pupil} go to the {chair}
            h: when was {pupil} appointed by the {chair}
            w: {pupil} {chair} year
            c: In which year did the {chair} appoint {pupil}, a pupil of {D}?
            """,
        },
        "was the teacher of {pupil}",
        "late",
    ),
    fact(
        "trust",
        {"trustee": person(), "sum": number(200, 9000, 100), "use": thing("orphanage, reading room, hospital ward, village school, soup kitchen"), "usetown": town},
        """
        {trustee} used the {sum} crowns that {S} left to build a(n) {use} in {usetown}
        With a legacy of {sum} crowns, {trustee} opened a(n) {use} in {usetown}
        A(n) {use} in {usetown}, run by {trustee}, was paid for with {sum} crowns from {their} estate
        {S} left {sum} crowns to {trustee} for a(n) {use} in {usetown}
        """,
        {
            "trustee": """
            t: who opened a(n) {use} in {usetown} with the money of {S}
            t: who was left money by {S}
            h: who inherited the {sum} crowns of {S}
            w: {S} legacy {use}
            c: Who opened a(n) {use} in {usetown} with the legacy of {D}?
            """,
            "usetown": """
            t: where did {trustee} open a(n) {use}
            t: in which town is the {use} that was paid for by {S}
            h: where was the {use} of {trustee}
            w: {trustee} {use}
            c: In which town did {trustee} open a(n) {use} with the legacy of {D}?
            """,
            "sum": """
            t: how many crowns did {S} leave to {trustee}
            t: how much money did {S} leave for the {use} in {usetown}
            h: how large was the legacy of {S}
            w: {S} legacy crowns
            c: How many crowns did {D} leave to {trustee}?
            """,
        },
        "left money to {trustee}",
        "late",
    ),
)

PERSON = Family(
    name="person",
    share=34,
    type="PERSON",
    title=lambda world, ordinal: world.person_name(ordinal)[2],
    attributes=_attributes,
    mentions=("{surname}", "{surname}", "the {noun}"),
    descriptions=("{noun} {surname}", "the {noun} {surname}", "{surname} the {noun}"),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=(
        "Little is known about {their} early years",
        "{S's} letters were [published|printed] only much later",
        "Opinions about {S's} work are divided to this day",
    ),
    relative="who",
)
