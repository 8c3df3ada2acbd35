"""What articles on people tell of others: late in the text, with names that no title reveals."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.draws import Number, Other, Person, Year, by_sex, thing
from ecqg.microcosm.facts import fact

FACTS = (
    fact(
        "sibling",
        {
            "sibling": Person(),
            "kin": by_sex(
                "sibling", "sister, aunt, cousin, niece", "brother, uncle, cousin, nephew"
            ),
            "shop": thing("bookshop, printing house, brewery, dairy, music school, bakery, tavern"),
            "town": Other("settlement"),
        },
        """
        {S's} {kin} {sibling} ran a {shop} in {town}
        A {kin}, {sibling}, kept a {shop} at {town}
        {sibling}, {their} {kin}, was the owner of a {shop} in {town}
        The {shop} that {their} {kin} {sibling} opened in {town} paid for {their} early work
        {S} was supported by {their} {kin} {sibling}, who owned a {shop} in {town}
        """,
        {
            "sibling": """
            t: who was the {kin} of {S}
            t: what was the name of the {kin} of {S}
            t: which relative of {S} ran a {shop} in {town}
            t: who owned the {shop} in {town} that supported {S}
            h: who in the family of {S} owned a {shop}
            h: which member of the family kept a {shop} and helped {S}
            w: {S} {kin}
            w: {S} family {shop}
            c: What was the name of the {kin} of {D}?
            c: Which relative of {D} ran a {shop} in {town}?
            """,
            "shop": """
            t: what did {sibling} run in {town}
            t: what kind of business did {sibling} own
            t: what did {sibling} own
            h: what sort of business did the {kin} of {S} have
            w: {S} {sibling} business
            c: What did {sibling}, the {kin} of {D}, run in {town}?
            """,
            "town": """
            t: where did {sibling} run a {shop}
            t: in which town was the {shop} of {sibling}
            t: where was the {shop} of the {kin} of {S}
            h: where did {sibling} do business
            w: {sibling} {shop}
            c: In which town did {sibling}, the {kin} of {D}, run a {shop}?
            """,
        },
        "had a {kin} called {sibling}",
        "late",
    ),
    fact(
        "portrait",
        {
            "painter": Person("painter"),
            "place": Other("building"),
            "dress": thing(
                "a grey coat, a red shawl, a fur hat, a blue uniform, a straw hat, a black cloak"
            ),
        },
        """
        A portrait by {painter}, which shows {S} in {dress}, hangs in {place}
        {painter} painted {S} in {dress}[|; the picture hangs in {place}]
        In {place}, there is a portrait of {S} in {dress} by {painter}
        The only known portrait, by {painter}, is kept at {place}
        {painter} made a portrait of {S} that is now in {place}
        """,
        {
            "painter": """
            t: who painted {S}
            t: who made the portrait of {S}
            t: whose portrait of {S} hangs in {place}
            t: which painter painted {S} in {dress}
            h: which artist portrayed {S}
            h: for which artist did {S} sit
            w: {S} portrait painter
            w: {S} portrait
            c: Which artist painted the portrait of {D} in {place}?
            c: Who portrayed {D}?
            """,
            "place": """
            t: where is the portrait of {S} by {painter}
            t: where does the portrait of {S} hang
            t: where can you see the portrait of {S}
            h: which building keeps the picture that {painter} made of {S}
            w: {painter} portrait {S}
            c: In which building can one see the portrait that {painter} made of {D}?
            """,
            "dress": """
            t: what is {S} wearing in the portrait by {painter}
            t: what does {S} wear in the portrait
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
        {"pupil": Person(), "chair": Other("university"), "later": Year("born", 45, 65)},
        """
        {S's} pupil {pupil} was called to the {chair} in {later}
        Among {their} pupils was {pupil}, who joined the {chair}[| in {later}]
        {pupil}, the most gifted of {their} pupils, taught at the {chair}[| from {later}]
        {S} recommended {pupil} to the {chair}, which made {pupil} a professor in {later}
        The {chair} appointed {pupil}, one of {their} pupils[|, in {later}]
        """,
        {
            "pupil": """
            t: who was a pupil of {S}
            t: which student of {S} went to the {chair}
            t: who did {S} teach
            t: who did {S} recommend to the {chair}
            h: name a disciple of {S}
            h: who learned from {S} and later became a professor
            w: {S} pupil
            w: {S} student professor
            c: Which pupil of {D} was called to the {chair}?
            c: Name the most gifted pupil of {D}.
            """,
            "chair": """
            t: at which university did {pupil} teach
            t: which university did {pupil} join
            t: where did {pupil} teach
            h: where was {pupil} a member of the faculty
            w: {pupil} professor at
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
        "legacy",
        {
            "trustee": Person(),
            "sum": Number(200, 9000, 100),
            "use": thing(
                "orphanage, reading room, hospital ward, village school, soup kitchen, children's choir"
            ),
            "town": Other("settlement"),
        },
        """
        {trustee} used the {sum} crowns that {S} left to build a {use} in {town}
        With a legacy of {sum} crowns, {trustee} opened a {use} in {town}
        A {use} in {town}, run by {trustee}, was paid for with {sum} crowns from {their} estate
        {S} left {sum} crowns to {trustee} for a {use} in {town}
        The money that {S} left allowed {trustee} to open a {use} in {town}
        """,
        {
            "trustee": """
            t: who opened a {use} in {town} with the money of {S}
            t: who was left money by {S}
            t: who received the legacy of {S}
            t: who used the money of {S} for a {use}
            h: who inherited the {sum} crowns of {S}
            h: to whom did {S} leave a fortune
            w: {S} heir
            w: {S} legacy {use}
            c: Who opened a {use} in {town} with the legacy of {D}?
            """,
            "town": """
            t: where did {trustee} open a {use}
            t: in which town is the {use} that was paid for by {S}
            t: where was a {use} built with the money of {S}
            h: where was the {use} of {trustee}
            w: {trustee} {use}
            c: In which town did {trustee} open a {use} with the legacy of {D}?
            """,
            "use": """
            t: what did {trustee} open in {town}
            t: what was built with the money {S} left
            t: what did {S} leave money for
            h: for which purpose did {trustee} use the legacy
            w: {S} legacy
            c: What did {trustee} open in {town} with the legacy of {D}?
            """,
            "sum": """
            t: how many crowns did {S} leave to {trustee}
            t: how much money did {S} leave for the {use} in {town}
            h: how large was the legacy of {S}
            w: {S} legacy crowns
            c: How many crowns did {D} leave to {trustee}?
            """,
        },
        "left money to {trustee}",
        "late",
    ),
    fact(
        "quarrel",
        {
            "rival": Person(),
            "issue": thing(
                "a debt, a patent, a dog, a review, an inheritance, a seat in parliament, a stolen letter"
            ),
            "fought": Year("born", 28, 50),
        },
        """
        A quarrel with {rival} over {issue} [ended in court|made headlines] in {fought}
        {rival} accused {them} in {fought} [of lying|of theft] in a quarrel over {issue}
        In {fought} {S} fought a duel with {rival} over {issue}
        {S's} enemy was {rival}, with whom {they} quarrelled over {issue}
        {rival} never forgave {S} the quarrel over {issue}
        """,
        {
            "rival": """
            t: who was the enemy of {S}
            t: who did {S} quarrel with
            t: who had a quarrel with {S} over {issue}
            t: who was the rival of {S}
            h: with whom was {S} on bad terms
            h: who could not stand {S} because of {issue}
            w: {S} enemy
            w: {S} quarrel
            c: With whom did {D} quarrel over {issue}?
            """,
            "issue": """
            t: what did {S} and {rival} quarrel about
            t: what was the quarrel of {S} about
            t: why was {rival} angry with {S}
            h: what turned {rival} against {S}
            w: {S} {rival} quarrel
            c: What did {D} and {rival} quarrel about?
            """,
            "fought": """
            t: when did {S} quarrel with {rival}
            t: what year was the quarrel of {S} and {rival}
            h: in which year did the dispute between {S} and {rival} come to a head
            w: {S} {rival} quarrel year
            c: In which year did {D} and {rival} quarrel?
            """,
        },
        "had a quarrel with {rival}",
        "late",
    ),
    fact(
        "biography",
        {
            "author": Person("historian"),
            "printed": Year("died", 5, 60),
            "house": Other("company"),
        },
        """
        A biography by {author} was published in {printed}
        The standard biography, by {author}, was printed by {house} in {printed}
        {author} wrote a biography[|, which {house} printed in {printed}]
        {S} is the subject of a biography by {author}[|, printed by {house}]
        In {printed} {author} published {their} biography
        """,
        {
            "author": """
            t: who wrote the biography of {S}
            t: who wrote a book about the life of {S}
            t: who was the biographer of {S}
            t: which historian wrote about {S} in {printed}
            h: who told the life story of {S}
            h: which scholar described the life of {S}
            w: {S} biography author
            w: {S} biography
            c: Who wrote the biography of {D}?
            """,
            "printed": """
            t: when was the biography of {S} published
            t: when did {author} write about {S}
            t: what year did the biography of {S} by {author} come out
            h: in which year did {author} tell the life story of {S}
            w: {S} biography year
            c: In which year was the biography of {D} by {author} published?
            """,
            "house": """
            t: who printed the biography of {S}
            t: which company printed the biography by {author}
            h: which firm brought out the life of {S}
            w: {S} biography printer
            c: Which company printed the biography of {D}?
            """,
        },
        "was described in a biography by {author}",
        "late",
    ),
    fact(
        "collection",
        {
            "collector": Person(),
            "items": thing("letters, notebooks, sketches, instruments, photographs, medals, maps"),
            "keeper": Other("institution"),
        },
        """
        {collector} gave the {items} to the {keeper}
        The {items} were bought by {collector} and are now in the {keeper}
        The {keeper} keeps the {items}, which {collector} had collected
        {S's} {items} came to the {keeper} through {collector}
        Many {items} were saved by {collector}, who left them to the {keeper}
        """,
        {
            "collector": """
            t: who gave the {items} of {S} to the {keeper}
            t: who collected the {items} of {S}
            t: who saved the {items} of {S}
            t: who bought the {items} left by {S}
            h: thanks to whom have the {items} of {S} survived
            h: which collector cared for the {items} of {S}
            w: {S} {items} collector
            c: Who collected the {items} of {D}?
            """,
            "keeper": """
            t: where are the {items} of {S}
            t: where are the {items} that {collector} collected
            t: which institution keeps the {items} of {S}
            h: who owns the {items} of {S} today
            w: {S} {items}
            c: Which institution keeps the {items} of {D}?
            """,
            "items": """
            t: what did {collector} collect of {S}
            t: which things of {S} did {collector} save
            h: which things of {S} are in the {keeper}
            w: {collector} {keeper} gift
            c: What did {collector} give to the {keeper} to recall {D}?
            """,
        },
        "is remembered through the collection of {collector}",
        "late",
    ),
    fact(
        "child",
        {
            "child": Person(),
            "son": by_sex("child", "daughter", "son"),
            "became": thing(
                "surgeon, ship's captain, bishop, mayor, violinist, banker, actor, minister"
            ),
            "town": Other("settlement"),
        },
        """
        {S's} {son} {child} became a {became} in {town}
        {child}, {their} {son}, [worked|was known] as a {became} in {town}
        A {son}, {child}, became a {became} and settled in {town}
        {S} had a {son}, {child}, who was a {became} in {town}
        The {became} {child} of {town} was {their} {son}
        """,
        {
            "child": """
            t: who was the {son} of {S}
            t: what was the name of {S's} {son}
            t: which child of {S} became a {became}
            t: who was the {became} in {town} whose parent was {S}
            h: who of the next generation of {S} lived in {town}
            h: which {became} was a child of {S}
            w: {S} {son}
            w: {S} children {became}
            c: What was the name of the {son} of {D}?
            c: Which {became} was the {son} of {D}?
            """,
            "became": """
            t: what did {child} do for a living
            t: what did {child} become
            t: what was the job of {child}
            h: which profession did {child} choose
            w: {child} profession
            c: What was the profession of {child}, the {son} of {D}?
            """,
            "town": """
            t: where did {child} work as a {became}
            t: where did the {became} {child} live
            t: in which town was {child} a {became}
            h: where did the {son} of {S} settle
            w: {child} {became}
            c: In which town was {child}, the {son} of {D}, a {became}?
            """,
        },
        "had a {son} called {child}",
        "late",
    ),
    fact(
        "monument",
        {
            "sculptor": Person("sculptor"),
            "stuff": thing("bronze, marble, granite, limestone, oak, sandstone"),
            "town": Other("settlement"),
            "unveiled": Year("died", 3, 60),
        },
        """
        A {stuff} monument by {sculptor} was unveiled in {town} in {unveiled}
        {sculptor} made the {stuff} monument that stands in {town}
        In {town}, {sculptor} set up a monument of {stuff} in {unveiled}
        {S} is honoured in {town} with a {stuff} monument by {sculptor}
        The monument in {town}, made of {stuff}, is the work of {sculptor}
        """,
        {
            "sculptor": """
            t: who made the monument to {S}
            t: who made the statue of {S} in {town}
            t: which sculptor made the {stuff} monument to {S}
            t: who is the artist of the {S} monument
            h: by whom is the memorial to {S}
            h: which artist honoured {S} in {stuff}
            w: {S} monument sculptor
            w: {S} statue artist
            c: Which sculptor made the monument to {D}?
            c: Who made the monument to {D} that stands in {town}?
            """,
            "town": """
            t: where is the monument to {S}
            t: where is the statue of {S} by {sculptor}
            t: in which town was the monument to {S} unveiled
            h: which town honours {S} with a memorial
            w: {S} monument
            c: In which town is there a monument to {D}?
            """,
            "stuff": """
            t: what is the monument to {S} made of
            t: what material is the statue of {S}
            h: which material did {sculptor} choose for {S}
            w: {S} monument material
            c: Of what is the monument to {D} made?
            """,
            "unveiled": """
            t: when was the monument to {S} unveiled
            t: what year was the statue of {S} put up
            h: in which year did {town} get its memorial to {S}
            w: {S} monument year
            c: In which year was the monument to {D} unveiled?
            """,
        },
        "is honoured with a monument by {sculptor}",
        "late",
    ),
    fact(
        "rescue",
        {
            "saviour": Person(),
            "danger": thing(
                "a burning house, a sinking boat, a snowstorm, a mob, a flooded cellar, a carriage accident"
            ),
            "saved": Year("born", 14, 40),
        },
        """
        {saviour} saved {them} from {danger} in {saved}
        In {saved} {saviour} rescued {S} from {danger}
        {S} owed {their} life to {saviour}, who came to {their} help in {danger}
        It was {saviour} who brought {S} out of {danger}[| in {saved}]
        Without {saviour}, {S} would have died in {danger}[| in {saved}]
        """,
        {
            "saviour": """
            t: who saved {S}
            t: who saved {S} from {danger}
            t: who rescued {S} in {saved}
            t: who saved the life of {S}
            h: to whom did {S} owe survival
            h: whose courage kept {S} alive
            w: {S} saved by
            w: {S} rescue
            c: Who saved {D} from {danger}?
            c: To whom did {D} owe survival?
            """,
            "danger": """
            t: what did {saviour} save {S} from
            t: what was {S} saved from
            h: in which accident was {S} nearly killed
            w: {S} accident
            c: From what did {saviour} save {D}?
            """,
            "saved": """
            t: when did {saviour} save {S}
            t: what year was {S} saved from {danger}
            h: in which year was {S} nearly killed
            w: {S} {saviour} year
            c: In which year did {saviour} save {D}?
            """,
        },
        "was saved from {danger} by {saviour}",
        "late",
    ),
)
