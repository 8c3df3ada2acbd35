"""Paintings."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common, works
from ecqg.microcosm.draws import Number, Other, Person, Year, thing
from ecqg.microcosm.facts import Family, fact

FACTS = (
    fact(
        "scene",
        {
            "scene": thing(
                "a harbour at dawn, a village wedding, a snowed-in farm, two card players, a broken bridge, a fish market, an empty ballroom, a procession, a thunderstorm"
            ),
            "tone": thing("blue, grey, red, gold, green, brown"),
        },
        """
        {S} shows {scene}
        {S} shows {scene} in shades of {tone}
        The scene, {scene}, is kept in {tone}
        One sees {scene}[|, mostly in {tone}]
        """,
        {
            "scene": """
            t: what does {S} show
            t: what can be seen in {S}
            t: what is {S} about
            h: which scene is depicted in {S}
            w: {S} subject
            c: What does {D} show?
            """,
            "tone": """
            t: what is the main colour of {S}
            t: in which colour is {S}
            h: which shades dominate {S}
            w: {S} colour
            c: In which colour is {D} kept?
            """,
        },
        "shows {scene}",
        "early",
    ),
    fact(
        "size",
        {
            "height": Number(40, 290),
            "support": thing("canvas, oak panel, copper, silk, plaster, slate"),
        },
        """
        {S} is painted on {support} and is {height} centimetres high
        {S} measures {height} centimetres in height
        It was painted on {support}
        Painted on {support}, it is {height} centimetres high
        """,
        {
            "support": """
            t: what is {S} painted on
            t: what material was used for {S}
            h: on which surface did the artist put {S}
            w: {S} material
            c: On what is {D} painted?
            """,
            "height": """
            t: how big is {S}
            t: how high is {S}
            h: how many centimetres does {S} measure
            w: {S} size
            c: How many centimetres high is {D}?
            """,
        },
        "is painted on {support}",
    ),
    fact(
        "place",
        {"place": Other("institution"), "came": Year("since", 20, 90)},
        """
        {S} has been in {place} since {came}
        {S} hangs in {place}
        Since {came} it has been in {place}
        {place} acquired it in {came}
        {S} belongs to {place}
        """,
        {
            "place": """
            t: where is {S}
            t: where is {S} today
            t: where does {S} hang
            t: which institution owns {S}
            h: where must one travel to see {S}
            w: {S} location
            w: where is {S}
            c: In which institution does {D} hang?
            """,
            "came": """
            t: when did {S} come to {place}
            t: since when is {S} in {place}
            h: what year did {place} acquire {S}
            w: {S} acquired
            c: In which year did {D} come to {place}?
            """,
        },
        "belongs to {place}",
    ),
    fact(
        "sale",
        {
            "sold": Year("since", 5, 80),
            "buyer": Person(near="sold"),
            "price": Number(120, 9600, 20),
        },
        """
        {buyer} bought it in {sold} for {price} crowns
        In {sold} it was sold to {buyer} for {price} crowns
        {S} was sold to {buyer} in {sold}
        For {price} crowns it passed to {buyer}
        The first owner was {buyer}, who paid {price} crowns
        """,
        {
            "buyer": """
            t: who bought {S}
            t: who owned {S}
            t: who was the owner of {S}
            t: who paid {price} crowns for {S}
            h: to whom was {S} sold
            h: which collector had {S} on the wall
            w: {S} owner
            w: {S} buyer
            c: Who bought {D}?
            """,
            "price": """
            t: how much was {S} sold for
            t: how much did {buyer} pay for {S}
            t: how many crowns did {S} cost
            h: what did {buyer} spend on {S}
            w: {S} price
            c: For how many crowns was {D} sold?
            """,
            "sold": """
            t: when was {S} sold
            t: when did {buyer} buy {S}
            h: in which year did {S} pass to {buyer}
            w: {S} sold year
            c: In which year was {D} sold to {buyer}?
            """,
        },
        "was sold to {buyer}",
        "late",
    ),
    fact(
        "damage",
        {
            "hurt": Year("since", 10, 100),
            "restorer": Person(),
            "cause": thing(
                "a knife, smoke, damp, a falling lamp, candle wax, a flood, careless cleaning"
            ),
        },
        """
        Damaged by {cause} in {hurt}, it was repaired by {restorer}
        {restorer} repaired it after it had been damaged by {cause}
        In {hurt} it was damaged by {cause}; {restorer} saved it
        {S} was restored by {restorer} after damage by {cause}
        {restorer} spent two years on the damage done by {cause} in {hurt}
        """,
        {
            "restorer": """
            t: who restored {S}
            t: who repaired {S}
            t: who repaired {S} after the damage by {cause}
            t: who saved {S} in {hurt}
            h: whose careful hand put {S} right
            h: to whom does {S} owe its survival
            w: {S} restorer
            w: {S} restoration
            c: Who repaired {D}?
            """,
            "cause": """
            t: what damaged {S}
            t: how was {S} damaged
            h: by what did {S} come to harm
            w: {S} damage
            c: By what was {D} damaged?
            """,
            "hurt": """
            t: when was {S} damaged
            t: what year did {S} need repair
            h: in which year did {S} come to harm
            w: {S} damaged year
            c: In which year was {D} damaged?
            """,
        },
        "was repaired by {restorer}",
        "late",
    ),
    fact(
        "copy",
        {"copyist": Person("painter"), "hangs": Other("building"), "made": Year("since", 5, 80)},
        """
        A copy by {copyist} hangs in {hangs}
        {copyist} made a copy in {made}, which hangs in {hangs}
        The copy in {hangs}, made in {made}, is by {copyist}
        {S} was copied by {copyist} in {made}
        """,
        {
            "copyist": """
            t: who copied {S}
            t: who made the copy of {S} in {hangs}
            t: who made a copy of {S}
            t: by whom is the copy of {S}
            h: which artist imitated {S}
            h: whose version of {S} hangs in {hangs}
            w: {S} copy
            c: Who made a copy of {D}?
            """,
            "hangs": """
            t: where is the copy of {S}
            t: where does the copy by {copyist} hang
            t: in which building is a copy of {S}
            h: where can one see what {copyist} made after {S}
            w: {S} copy where
            c: In which building does the copy of {D} by {copyist} hang?
            """,
            "made": """
            t: when was {S} copied
            t: when did {copyist} copy {S}
            h: in which year did {copyist} imitate {S}
            w: {S} copy year
            c: In which year did {copyist} copy {D}?
            """,
        },
        "was copied by {copyist}",
        "late",
    ),
)

PAINTING = Family(
    name="painting",
    entities=2,
    parts=(2, 1),
    type="WORK_OF_ART",
    title=works.titles(
        "painting",
        "Harbour, Market, Bridge, Shepherd, Fisherman, Washerwoman, Garden, Mill, Watchman, Piper",
    ),
    attributes=works.attributes(
        "painting",
        "painter",
        "painter",
        ("painting", "oil painting", "landscape", "genre painting", "watercolour"),
    ),
    mentions=("the {noun}", "the picture", "the picture"),
    appositions=("the {noun}", "a {noun} by {maker}", "the {noun} by {maker}"),
    descriptions=works.descriptions("painter", "painter"),
    definition=works.definition("painted", "painted", "painter", "finished"),
    facts=(*FACTS, *works.COMMON, common.THEFT, common.POEM),
    fillers=(
        "Prints of it hang in many [homes|offices]",
        "The frame is original",
        "Its date was long disputed",
    ),
    frame='"{}"',
)
