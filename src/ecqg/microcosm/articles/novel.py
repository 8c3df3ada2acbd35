"""Novels."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common, works
from ecqg.microcosm.draws import Number, Other, Person, Year, name, thing
from ecqg.microcosm.facts import Family, fact

FACTS = (
    fact(
        "setting",
        {
            "setting": Other("settlement"),
            "hero": thing(
                "a ferryman, a piano tuner, a widow, a young teacher, a lighthouse keeper, a smuggler, a bell founder, a country doctor, a runaway apprentice"
            ),
        },
        """
        {S} is set in {setting} and tells the story of {hero}
        {S} follows {hero} through {setting}
        Set in {setting}, it tells the story of {hero}
        The story of {hero} [takes place|unfolds] in {setting}
        {S} tells of {hero}
        """,
        {
            "setting": """
            t: where does {S} take place
            t: where is {S} set
            t: what is the setting of {S}
            t: in which town is {S} set
            h: in which town does the story of {S} happen
            w: {S} setting
            c: In which town is {D} set?
            """,
            "hero": """
            t: who is the main character in {S}
            t: what is {S} about
            t: who is the hero of {S}
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
        {"copies": Number(3000, 90000, 500), "pages": Number(140, 820)},
        """
        {S} sold {copies} copies in its first year
        The first edition of {copies} copies was soon sold out
        {S} has {pages} pages and sold {copies} copies
        Within a year, {copies} copies were sold
        {S} fills {pages} pages
        """,
        {
            "copies": """
            t: how many copies did {S} sell
            t: how many copies of {S} were sold
            t: how many copies of {S} were printed
            h: what were the sales of {S}
            w: {S} copies sold
            c: How many copies of {D} were sold?
            """,
            "pages": """
            t: how many pages does {S} have
            t: how long is the book {S}
            h: what is the length of {S} in print
            w: {S} pages
            c: How many pages has {D}?
            """,
        },
        "sold {copies} copies",
        "early",
    ),
    fact(
        "publisher",
        {"house": Other("company"), "editor": Person()},
        """
        {S} was published by {house}, where {editor} was the editor
        {editor} accepted it for {house}
        {house} took it on the advice of {editor}
        {S} appeared with {house}[| after {editor} had asked for changes]
        Four houses refused it before {house} printed it
        """,
        {
            "editor": """
            t: who was the editor of {S}
            t: who accepted {S} for {house}
            t: who asked for changes in {S}
            h: on whose advice was {S} printed
            w: {S} editor
            c: Who was the editor of {D}?
            """,
            "house": """
            t: who published {S}
            t: what company published {S}
            t: which company printed {S}
            t: who was the publisher of {S}
            h: with which house did {S} appear
            h: which firm brought {S} to the book trade
            w: {S} publisher
            c: Which company published {D}?
            """,
        },
        "was published by {house}",
        "early",
    ),
    fact(
        "screen",
        {
            "filmed": Year("since", 12, 60, floor=1912),
            "director": Person("film director", near="filmed"),
            "actor": Person(),
        },
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
            t: who turned {S} into a film
            h: who brought {S} to the screen
            h: whose cinema version of {S} had {actor} in it
            w: {S} film director
            w: {S} movie
            c: Who directed the film of {D}?
            """,
            "actor": """
            t: who played the main part in the film of {S}
            t: who starred in the film {director} made of {S}
            t: who was the star of the film of {S}
            t: who was in the movie {S}
            h: which actor appeared in the screen version of {S}
            h: whose face do cinema goers connect with {S}
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
        {
            "when": Year("since", 2, 30),
            "translator": Person("poet", near="when"),
            "language": name(
                "LANGUAGE", "French, German, Italian, Spanish, Polish, Swedish, Dutch, Greek"
            ),
        },
        """
        {translator} translated it into {language} in {when}
        A {language} translation by {translator} followed in {when}
        The {language} version of {when} is by {translator}
        In {when} it appeared in {language}, translated by {translator}
        {S} was translated into {language} by {translator}
        """,
        {
            "translator": """
            t: who translated {S} into {language}
            t: who was the translator of {S}
            t: who translated {S}
            t: who put {S} into {language}
            h: who made the {language} version of {S}
            h: to whom do foreign readers owe {S}
            w: {S} {language} translation
            w: {S} translator
            c: Who translated {D} into {language}?
            """,
            "language": """
            t: what language did {translator} translate {S} into
            t: into which language was {S} translated
            t: what language was {S} translated into in {when}
            h: in which tongue did {translator} present {S}
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
    fact(
        "dedication",
        {
            "dedicatee": Person(),
            "line": thing("a verse, a drawing, a short letter, a photograph, a joke in Latin"),
        },
        """
        It is dedicated to {dedicatee} with {line}
        The dedication, {line}, is to {dedicatee}
        {S} bears a dedication to {dedicatee}
        {dedicatee}, to whom it is dedicated, never [read|finished] it
        """,
        {
            "dedicatee": """
            t: who is {S} dedicated to
            t: to whom was {S} dedicated
            t: who is named in the dedication of {S}
            h: in whose honour was {S} written
            h: whose name stands on the first page of {S}
            w: {S} dedicated to
            w: {S} dedication
            c: To whom is {D} dedicated?
            """,
        },
        "is dedicated to {dedicatee}",
        "late",
    ),
    fact(
        "illustration",
        {
            "artist": Person("painter"),
            "plates": Number(8, 64),
            "method": thing("woodcuts, etchings, ink drawings, engravings, watercolours"),
        },
        """
        A later edition has {plates} {method} by {artist}
        {artist} made {plates} {method} for a later edition
        The {method} in the second edition are by {artist}
        {S} was illustrated by {artist} with {plates} {method}
        """,
        {
            "artist": """
            t: who illustrated {S}
            t: who made the {method} for {S}
            t: who is the illustrator of {S}
            t: who drew the pictures in {S}
            h: whose pictures adorn {S}
            h: which artist worked on a later edition of {S}
            w: {S} illustrator
            w: {S} {method}
            c: Who illustrated {D}?
            """,
            "plates": """
            t: how many {method} are in {S}
            t: how many pictures did {artist} make for {S}
            h: what number of {method} adorn {S}
            w: {S} number of {method}
            c: How many {method} did {artist} make for {D}?
            """,
            "method": """
            t: what did {artist} make for {S}
            t: what kind of pictures are in {S}
            h: in which technique did {artist} adorn {S}
            w: {artist} {S}
            c: What did {artist} make for an edition of {D}?
            """,
        },
        "was illustrated by {artist}",
        "late",
    ),
)

NOVEL = Family(
    name="novel",
    entities=4,
    parts=(2, 1),
    type="WORK_OF_ART",
    title=works.titles(
        "novel",
        "Clockmaker, Widow, Secret, Doctor, Miller, Ferryman, Orphan, Sailor, Gardener, Smuggler, Prisoner, Innkeeper",
    ),
    attributes=works.attributes(
        "novel",
        "novelist",
        "author",
        ("novel", "crime novel", "historical novel", "love story", "novella"),
    ),
    mentions=("the {noun}", "the book", "the book"),
    appositions=("the {noun}", "a {noun} by {maker}", "the {noun} by {maker}"),
    descriptions=works.descriptions("author", "novelist"),
    definition=works.definition("written", "wrote", "author", "published"),
    facts=(*FACTS, *works.COMMON, common.THEFT),
    fillers=(
        "Readers were [divided|enthusiastic]",
        "It is still [in print|read in schools]",
        "The title was chosen late",
    ),
    frame='"{}"',
)
