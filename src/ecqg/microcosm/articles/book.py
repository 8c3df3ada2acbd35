"""Novels."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, person, target, thing, town, year
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

OPENINGS = ("Winter in", "Return to", "Letters from", "Children of", "Farewell to", "Nights in", "Road to", "Voices of", "Shadows over", "Summer in", "Songs of", "Secrets of")


def _title(world: World, ordinal: int) -> str:
    code = world.permutation(len(OPENINGS) * world.count("settlement"), "book")(ordinal)
    place, opening = divmod(code, len(OPENINGS))
    return f'"{OPENINGS[opening]} {world.town_name(place)}"'


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("book", ordinal)
    author = world.trader("novelist", world.link("author", "book", "person", "novelist").target(ordinal))
    born = int(world.attributes("person", author)["born"].text)
    return {
        "noun": Value(rng.choice(("novel", "crime novel", "historical novel", "family saga", "novella")), "THING"),
        "published": Value(str(born + rng.randint(25, 47)), "DATE"),
        "author": Value(world.person_name(author)[2], "PERSON"),
    }


DEFINITIONS = (
    fact(
        "author",
        {"author": attribute("author"), "published": attribute("published")},
        """
        {S} is a {noun} by {author}~
        {S} is a {noun} by {author}, published in {published}
        {S}, published in {published}, is a {noun}~
        {S} is a {noun} that {author} [finished|published] in {published}
        """,
        {
            "author": """
            t: who wrote {S}
            t: who is the author of {S}
            t: the novel {S} was written by who
            h: which writer is behind {S}
            w: {S} author
            w: who wrote {S}
            c: By whom was {D} written?
            """,
            "published": """
            t: when was {S} published
            t: when did {S} come out
            t: what year was {S} written
            h: in which year did readers first see {S}
            w: {S} publication year
            c: In which year was {D} published?
            """,
        },
        "was written by {author}",
    ),
)

FACTS = (
    fact(
        "setting",
        {"setting": town, "hero": thing("a ferryman, a piano tuner, a widow, a young teacher, a lighthouse keeper, a smuggler, a bell founder, a country doctor, a runaway apprentice")},
        """
        {S} is set in {setting} and tells the story of {hero}
        {S} follows {hero} through {setting}
        Set in {setting}, it tells the story of {hero}
        The story of {hero} [takes place|unfolds] in {setting}
        """,
        {
            "setting": """
            t: where does {S} take place
            t: where is {S} set
            t: what is the setting of {S}
            h: in which town does the story of {S} happen
            w: {S} setting
            c: In which town is {D} set?
            """,
            "hero": """
            t: who is the main character in {S}
            t: what is {S} about
            h: whose story does {S} tell
            w: {S} main character
            c: Whose story is told in {D}?
            """,
        },
        "is set in {setting}",
        "early",
    ),
    fact(
        "sales",
        {"copies": number(3000, 90000, 500), "pages": number(140, 820)},
        """
        {S} sold {copies} copies in its first year
        The first edition of {copies} copies was soon sold out
        {S} has {pages} pages and sold {copies} copies
        Within a year {copies} copies were sold
        """,
        {
            "copies": """
            t: how many copies did {S} sell
            t: how many copies of {S} were sold
            h: what was the number of sold copies of {S}
            w: {S} copies sold
            c: How many copies of {D} were sold?
            """,
            "pages": """
            t: how many pages does {S} have
            t: how long is the book {S}
            h: what is the number of pages of {S}
            w: {S} pages
            c: How many pages has {D}?
            """,
        },
        "sold {copies} copies",
    ),
    fact(
        "publisher",
        {"editor": person(), "house": thing("Northgate Press, Harbour Press, Lantern Press, Alder Press, Meridian Press, Castle Press")},
        """
        {S} was published by {house}, where {editor} was the editor
        {editor} accepted it for {house}
        {house} took it on the advice of {editor}
        {S} appeared with {house} after {editor} had asked for changes
        """,
        {
            "editor": """
            t: who was the editor of {S}
            t: who accepted {S} for {house}
            h: on whose advice was {S} printed
            w: {S} editor
            c: Who was the editor of {D}?
            """,
            "house": """
            t: who published {S}
            t: what company published {S}
            t: which press published {S}
            h: with which publisher did {S} appear
            w: {S} publisher
            c: Which press published {D}?
            """,
        },
        "was published by {house}",
    ),
    fact(
        "film",
        {"director": person("film director"), "actor": person(), "filmed": year("published", 12, 60)},
        """
        {director} made a film of it in {filmed}, with {actor} in the main part
        A film by {director} with {actor} came out in {filmed}
        In {filmed} {director} turned it into a film with {actor}
        {actor} played the main part in the film that {director} made in {filmed}
        {S} was filmed by {director}[| in {filmed}]
        """,
        {
            "director": """
            t: who directed the film of {S}
            t: who made a film of {S}
            t: which director filmed {S}
            h: who brought {S} to the screen
            w: {S} film director
            c: Who directed the film of {D}?
            """,
            "actor": """
            t: who played the main part in the film of {S}
            t: who starred in the film {director} made of {S}
            t: who was the star of the {filmed} film of {S}
            h: which actor appeared in the screen version of {S}
            w: {S} film cast
            c: Who played the main part in the film of {D}?
            """,
            "filmed": """
            t: when was {S} made into a film
            t: when did the film of {S} come out
            t: when did {director} film {S}
            h: what year did {S} reach the cinema
            w: {S} film year
            c: In which year did {director} film {D}?
            """,
        },
        "was filmed by {director}",
        "late",
    ),
    fact(
        "translation",
        {"translator": person("poet"), "language": thing("French, German, Italian, Spanish, Polish, Swedish, Dutch, Greek"), "when": year("published", 2, 30)},
        """
        {translator} translated it into {language} in {when}
        A {language} translation by {translator} followed in {when}
        The {language} version of {when} is by {translator}
        In {when} it appeared in {language}, translated by {translator}
        """,
        {
            "translator": """
            t: who translated {S} into {language}
            t: who was the translator of {S}
            h: who made the {language} version of {S}
            w: {S} {language} translation
            c: Who translated {D} into {language}?
            """,
            "language": """
            t: what language did {translator} translate {S} into
            t: into which language was {S} translated
            h: which foreign readers got {S} from {translator}
            w: {S} translation language
            c: Into which language did {translator} translate {D}?
            """,
            "when": """
            t: when was {S} translated into {language}
            t: when did {translator} translate {S}
            h: what year is the {language} version of {S} from
            w: {S} {language} year
            c: In which year was {D} translated into {language}?
            """,
        },
        "was translated by {translator}",
        "late",
    ),
)

BOOK = Family(
    name="book",
    share=10,
    type="WORK_OF_ART",
    title=_title,
    attributes=_attributes,
    mentions=("the {noun}", "the book", "the novel"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("Critics were [divided|kind]", "It is still [in print|read in schools]"),
)
