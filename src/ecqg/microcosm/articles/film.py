"""Films."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common, film_people, works
from ecqg.microcosm.draws import Number, Other, Person, thing
from ecqg.microcosm.facts import Family, fact

FACTS = (
    fact(
        "story",
        {
            "hero": thing(
                "a bank clerk, a deaf girl, a retired judge, a circus rider, a night porter, a forger, a bus driver, an old spy"
            ),
            "town": Other("settlement"),
        },
        """
        {S} tells of {hero} in {town}
        {S} is about {hero}
        The story of {hero} is set in {town}
        {S} follows {hero} for one night
        """,
        {
            "hero": """
            t: what is {S} about
            t: who is the main character of {S}
            t: whose story is told in {S}
            h: around whom does the action of {S} turn
            w: {S} plot
            c: Whose story is told in {D}?
            """,
            "town": """
            t: where is {S} set
            t: where does {S} take place
            t: in which town is {S} set
            h: where does the action of {S} happen
            w: {S} setting
            c: In which town is {D} set?
            """,
        },
        "is about {hero}",
        "early",
    ),
    fact(
        "money",
        {"cost": Number(2000, 98000, 500), "firm": Other("company")},
        """
        {S} cost {cost} crowns, which {firm} provided
        {S} was paid for by {firm}
        {firm} spent {cost} crowns on it
        With a budget of {cost} crowns it was [cheap|expensive] for its time
        """,
        {
            "cost": """
            t: how much did {S} cost
            t: how many crowns did {S} cost
            t: what was the budget of {S}
            h: what sum was spent on {S}
            w: {S} budget
            c: How many crowns did {D} cost?
            """,
            "firm": """
            t: who paid for {S}
            t: which company produced {S}
            t: who gave the money for {S}
            h: which enterprise stood behind {S}
            w: {S} production company
            c: Which company paid for {D}?
            """,
        },
        "cost {cost} crowns",
        "early",
    ),
    fact(
        "place",
        {"site": Other("landscape"), "days": Number(14, 120)},
        """
        {S} was shot at {site} in {days} days
        {S} was shot within {days} days
        Most scenes were shot at {site}
        The [shooting|work] at {site} took {days} days
        """,
        {
            "site": """
            t: where was {S} filmed
            t: where was {S} shot
            t: where were the scenes of {S} shot
            h: at which place did the camera stand for {S}
            w: {S} filming location
            c: Where was {D} shot?
            """,
            "days": """
            t: how many days did it take to shoot {S}
            t: how long did the shooting of {S} take
            h: how many days of work went into {S}
            w: {S} shooting days
            c: How many days did the shooting of {D} take?
            """,
        },
        "was shot at {site}",
    ),
    fact(
        "star",
        {
            "star": Person("singer"),
            "part": thing("thief, nurse, baker, blind man, inspector, dancer, widow, general"),
            "fee": Number(200, 9000, 50),
        },
        """
        {star} played the {part} for {fee} crowns
        The {part} was played by {star}
        {S} has {star} in the part of the {part}
        {star}, who played the {part}, received {fee} crowns
        In the part of the {part}, {star} was [unforgettable|at ease]
        """,
        {
            "star": """
            t: who played the {part} in {S}
            t: who starred in {S}
            t: who was in {S}
            t: who acted in {S}
            h: which actor can be seen as the {part} in {S}
            h: whose performance carries {S}
            w: {S} cast
            w: {S} {part} actor
            c: Who played the {part} in {D}?
            """,
            "part": """
            t: what part did {star} play in {S}
            t: who did {star} play
            h: in which role can one see {star}
            w: {star} role
            c: Which part did {star} play in {D}?
            """,
            "fee": """
            t: how much was {star} paid for {S}
            t: how many crowns did {star} get
            h: what did {star} earn with {S}
            w: {star} {S} salary
            c: How many crowns did {star} receive for {D}?
            """,
        },
        "has {star} in a main part",
        "late",
    ),
    fact(
        "music",
        {
            "composer": Person("composer"),
            "instrument": thing("zither, saw, accordion, harp, organ, cello, mandolin, trumpet"),
            "days": Number(3, 12),
        },
        """
        The music for {instrument} is by {composer}
        {composer} wrote the music in {days} days
        Within {days} days, {composer} wrote music for {instrument}
        {S} is remembered for the {instrument} music of {composer}
        The melody that {composer} wrote for the {instrument} became popular
        """,
        {
            "composer": """
            t: who wrote the music for {S}
            t: who composed the music of {S}
            t: who wrote the {instrument} music for {S}
            t: who is the composer of {S}
            h: by whom is the melody heard in {S}
            h: whose tunes accompany {S}
            w: {S} music
            w: {S} soundtrack composer
            c: Who wrote the music for {D}?
            """,
            "instrument": """
            t: what instrument is used in {S}
            t: for which instrument did {composer} write in {S}
            h: what does one hear in {S}
            w: {S} instrument
            c: For which instrument did {composer} write the music of {D}?
            """,
            "days": """
            t: how long did {composer} need for the music
            t: in how many days was the music of {S} written
            h: how fast did {composer} work
            w: {composer} days
            c: In how many days did {composer} write the music for {D}?
            """,
        },
        "has music by {composer}",
        "late",
    ),
    fact(
        "camera",
        {
            "camera": Person(),
            "trick": thing(
                "a hot-air balloon, a moving train, a church roof, a rowing boat, a crane, a cable car"
            ),
        },
        """
        {camera}, behind the camera, filmed the last scene from {trick}
        The last scene was filmed by {camera} from {trick}
        {camera} used {trick} for the best shots
        {S} owes its best shots to {camera}, who worked from {trick}
        """,
        {
            "camera": """
            t: who was behind the camera of {S}
            t: who filmed the last scene of {S}
            t: who was the cameraman of {S}
            t: who filmed {S} from {trick}
            h: whose camera work can be seen in {S}
            h: who is to be thanked for the best shots of {S}
            w: {S} camera
            w: {S} cameraman
            c: Who was behind the camera in {D}?
            """,
            "trick": """
            t: from where was the last scene of {S} filmed
            t: from what did {camera} shoot
            h: what did {camera} use for the best shots of {S}
            w: {S} last scene
            c: From what did {camera} shoot the last scene of {D}?
            """,
        },
        "was filmed by {camera}",
        "late",
    ),
    fact(
        "cut",
        {
            "editor": Person(),
            "minutes": Number(14, 60),
            "scene": thing("a dream, a wedding, a trial, a sword fight, a long song, a storm"),
        },
        """
        {editor} cut {minutes} minutes, among them {scene}
        {editor} took out {scene}
        {scene} was cut by {editor}
        {S} was shortened by {minutes} minutes by {editor}
        The {minutes} minutes that {editor} cut are lost
        """,
        {
            "editor": """
            t: who cut {S}
            t: who cut {scene} from {S}
            t: who shortened {S}
            t: who was the editor of {S}
            h: who is to blame for the lost part of {S}
            h: by whom was {scene} removed from {S}
            w: {S} editor
            w: {S} cut scenes
            c: Who shortened {D}?
            """,
            "scene": """
            t: what was cut from {S}
            t: what did {editor} take out of {S}
            h: which part of {S} was removed
            w: {S} lost scene
            c: What did {editor} cut from {D}?
            """,
            "minutes": """
            t: how many minutes were cut from {S}
            t: how many minutes did {editor} cut
            h: by how much was {S} shortened
            w: {S} minutes cut
            c: By how many minutes did {editor} shorten {D}?
            """,
        },
        "was shortened by {editor}",
        "late",
    ),
)

FILM = Family(
    name="film",
    entities=2,
    parts=(2, 1),
    type="WORK_OF_ART",
    title=works.titles(
        "film", "Thief, Ghost, Judge, Detective, Stranger, Pilot, Dancer, Sheriff, Spy, Boxer"
    ),
    attributes=works.attributes(
        "film",
        "film director",
        "director",
        ("film", "silent film", "crime film", "comedy", "adventure film"),
    ),
    mentions=("the {noun}", "the picture", "the film"),
    appositions=("the {noun}", "a {noun} by {maker}", "the {noun} by {maker}"),
    descriptions=works.descriptions("director", "film director"),
    definition=works.definition("directed", "directed", "director", "released"),
    facts=(*FACTS, film_people.CAST, film_people.SCRIPT, *works.COMMON, common.HISTORY),
    fillers=(
        "Only one copy has survived",
        "Audiences [laughed|wept]",
        "It is now seen as a classic",
    ),
    frame='"{}"',
)
