"""Towns and villages."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import (
    Attribute,
    Number,
    Other,
    Person,
    Source,
    Year,
    only_in_county,
    thing,
)
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

NOUNS = ("town", "village", "market town", "port", "city", "spa town", "mining town")


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("settlement", ordinal)
    return {
        "noun": Value(rng.choice(NOUNS), "THING"),
        "county": Value(world.county("settlement", ordinal), "GPE"),
        "chartered": Value(str(rng.randint(1180, 1750)), "DATE"),
        "since": Value("1800", "DATE"),  # the base of the years in common facts
    }


PLACE = fact(
    "place",
    {"county": Attribute("county"), "chartered": Attribute("chartered")},
    """
    {S} is a {noun} in {county}~
    {S} is a {noun} in the [north|south|east|west] of {county}~
    {S}, a {noun} in {county}, was first mentioned in {chartered}
    {S} is a {noun} of {county} that received its charter in {chartered}
    The {noun} of {S} lies in {county}
    {S} in {county} has been a {noun} since {chartered}
    """,
    {
        "county": """
        t: what county is {S} in
        t: where is {S}
        t: in which county is {S} located
        t: what part of the country is {S} in
        h: to which county does {S} belong
        h: where on the map is {S}
        w: {S} county
        w: where is {S}
        c: In which county is {D}?
        """,
        "chartered": """
        t: when was {S} first mentioned
        t: how old is {S}
        t: when did {S} get its charter
        t: when was {S} founded
        h: since what year has {S} been known
        w: {S} history first mentioned
        c: In which year do the records of {D} begin?
        """,
    },
    "lies in {county}",
)

FACTS = (
    fact(
        "people",
        {"people": Number(800, 90000, 50), "census": Year("since", 70, 190)},
        """
        {S} had {people} inhabitants in {census}
        In {census} the population was {people}
        {S} had a population of {people} at the census of {census}
        The census of {census} counted {people} people
        """,
        {
            "people": """
            t: what is the population of {S}
            t: how many people live in {S}
            t: how many people lived in {S} in {census}
            h: how large is {S} by number of inhabitants
            w: {S} population
            c: How many people lived in {D} in {census}?
            """,
        },
        "had {people} inhabitants",
        "early",
    ),
    fact(
        "native",
        {"native": Source("birthplace", "person")},
        """
        {S} is the birthplace of {native}
        {S} was the home of {native} as a child
        {native} was born there
        The best-known native is {native}
        {S} is proud of {native}, who was born there
        """,
        {
            "native": """
            t: who was born in {S}
            t: who is the most famous person from {S}
            t: what famous person comes from {S}
            t: who comes from {S}
            h: name a well known native of {S}
            h: which celebrity has roots in {S}
            w: {S} famous people
            c: Which person was born in {D}?
            """,
        },
        "was the birthplace of {native}",
    ),
    fact(
        "goods",
        {
            "goods": thing(
                "wool, salt, cheese, glass, slate, herring, linen, lace, tin, honey, barley, leather, paper, amber, timber"
            )
        },
        """
        {S} [grew rich|prospered] on the trade in {goods}
        {S} lived [mainly|for centuries] on {goods}
        {goods} made {S} rich
        The trade in {goods} was long the main source of income
        {S} sent {goods} to all parts of the country
        """,
        {
            "goods": """
            t: what was {S} known for
            t: what did {S} trade in
            t: what was the main trade of {S}
            t: what did people in {S} live on
            h: which product made {S} wealthy
            h: what was exported from {S}
            w: {S} economy
            w: {S} products
            c: The trade in what made {D} rich?
            """,
        },
        "grew rich on {goods}",
        "early",
    ),
    fact(
        "water",
        {"water": Other("landscape"), "miles": Number(2, 40), "next": Other("settlement")},
        """
        {S} lies {miles} miles from {water}
        {S} is {miles} miles from {next} and close to {water}
        The nearest town is {next}, {miles} miles away
        From {S} it is {miles} miles to {next}
        {S} can be reached from {next} by a road along {water}
        """,
        {
            "water": """
            t: what is {S} close to
            t: {S} lies near what
            h: which natural feature can be found near {S}
            w: {S} near
            c: Close to what does {D} lie?
            """,
            "next": """
            t: what town is near {S}
            t: what is the nearest town to {S}
            t: which town is {miles} miles from {S}
            h: which town is the neighbour of {S}
            w: {S} nearest town
            c: Which town lies {miles} miles from {D}?
            """,
            "miles": """
            t: how far is {S} from {next}
            t: how many miles is it from {S} to {next}
            t: how far is {S} from {water}
            h: what is the distance between {S} and {next}
            w: {S} {next} distance
            c: How many miles is it from {D} to {next}?
            """,
        },
        "lies near {next}",
    ),
    fact(
        "mayor",
        {
            "elected": Year("since", 5, 150),
            "mayor": Person(near="elected"),
            "built": thing(
                "waterworks, tramway, covered market, public bath, grammar school, fish market, town theatre"
            ),
        },
        """
        {mayor}, mayor from {elected}, had the {built} built
        In {elected} {mayor} became mayor and ordered the building of a new {built}
        The {built} was the work of {mayor}, who became mayor in {elected}
        Under {mayor}, elected mayor in {elected}, {S} received a {built}
        {S} owes its {built} to {mayor}, the mayor of that time
        """,
        {
            "mayor": """
            t: who was the mayor of {S} in {elected}
            t: which mayor built the {built} of {S}
            t: who was elected mayor of {S}
            t: who built the {built} in {S}
            h: which head of the town council gave {S} its {built}
            h: who was in office when {S} got its {built}
            w: {S} mayor
            w: {S} {built} mayor
            c: Which mayor gave {D} its {built}?
            """,
            "built": """
            t: what did mayor {mayor} build in {S}
            t: what did {mayor} have built in {S}
            t: what did {S} get under mayor {mayor}
            h: which public work is due to {mayor}
            w: {mayor} mayor built
            c: What did {mayor} have built as mayor of {D}?
            """,
            "elected": """
            t: when did {mayor} become mayor of {S}
            t: when was {mayor} elected mayor
            h: in which year did {mayor} take office in {S}
            w: {mayor} mayor year
            c: In which year did {mayor} become mayor of {D}?
            """,
        },
        "had {mayor} as mayor",
        "late",
    ),
    fact(
        "statue",
        {
            "sculptor": Person("sculptor"),
            "hero": Person(),
            "stuff": thing("bronze, marble, granite, limestone, oak, sandstone"),
        },
        """
        A {stuff} statue of {hero} by {sculptor} stands in the market square
        {sculptor} made the {stuff} statue of {hero} [in front of the station|by the bridge|in the market square]
        The {stuff} monument to {hero}, made by {sculptor}, is a favourite meeting place
        In the park, there is a {stuff} statue of {hero}, the work of {sculptor}
        {S} honours {hero} with a {stuff} statue by {sculptor}
        """,
        {
            "sculptor": """
            t: who made the statue of {hero}
            t: who made the statue of {hero} in {S}
            t: who was the sculptor of the {stuff} statue in {S}
            t: which sculptor worked for {S}
            h: which artist carved the monument to {hero}
            h: by whom is the {stuff} figure in {S}
            w: {S} {hero} statue sculptor
            w: {S} statue artist
            c: Which artist made the statue of {hero} that stands in {D}?
            """,
            "hero": """
            t: who is the {stuff} statue in {S} of
            t: whose statue stands in {S}
            t: who is shown by the statue in {S}
            h: who is honoured with a monument by {sculptor}
            h: whose likeness in {stuff} can be seen in {S}
            w: {S} statue
            c: Of whom is there a statue by {sculptor} in {D}?
            """,
            "stuff": """
            t: what is the statue of {hero} made of
            t: what material is the statue of {hero} in {S}
            h: which material did {sculptor} use for {hero}
            w: {hero} statue material
            c: What is the statue of {hero} in {D} made of?
            """,
        },
        "has a statue of {hero}",
        "late",
    ),
    fact(
        "flood",
        {
            "flooded": Year("since", 2, 160),
            "helper": Person("engineer", near="flooded"),
            "refuge": Other("building"),
        },
        """
        After the flood of {flooded}, {helper} [built new dykes|raised the river banks]
        In the great flood of {flooded}, {helper} brought the people to {refuge}
        {helper} took charge when water filled the streets in {flooded}
        The flood of {flooded} led {helper} to plan new dykes
        {S} was flooded in {flooded}, and {helper} led the rescue
        """,
        {
            "helper": """
            t: who helped {S} in the flood of {flooded}
            t: who took charge in {S} after the flood
            t: who is remembered for the flood in {S}
            t: who led the rescue in {S}
            h: whose dykes or rescue followed the high water in {S}
            h: which engineer came to the aid of {S}
            w: {S} flood engineer
            w: {S} flood
            c: Who helped {D} in the flood of {flooded}?
            """,
            "refuge": """
            t: where did {helper} bring the people of {S}
            t: where did the people of {S} go in the flood
            h: which building was a refuge for the people of {S}
            w: {S} flood refuge
            c: Where did {helper} bring the people of {D} in the flood?
            """,
            "flooded": """
            t: when was the great flood in {S}
            t: when was {S} flooded
            t: what year was the flood when {helper} came to {S}
            h: in which year did the water enter the streets of {S}
            w: {S} flood year
            c: In which year was there a great flood in {D}?
            """,
        },
        "was flooded in {flooded}",
        "late",
    ),
    fact(
        "newspaper",
        {
            "editor": Person(),
            "begun": Year("since", 10, 120),
            "paper": thing("Gazette, Herald, Messenger, Mercury, Observer, Standard"),
        },
        """
        The local paper, the {paper}, was [founded|started] by {editor} in {begun}
        {editor} [founded|edited] the local paper, the {paper}
        In {begun} {editor} brought out the first issue of the {paper}
        {S} has had a paper of its own, the {paper}, since {editor} founded it in {begun}
        """,
        {
            "editor": """
            t: who founded the {paper} in {S}
            t: who started the newspaper of {S}
            t: who was the editor of the {paper} in {S}
            t: who brought out the first newspaper of {S}
            h: who gave {S} a newspaper
            h: which journalist is behind the local paper of {S}
            w: {S} newspaper founder
            w: {S} {paper} editor
            c: Who founded the local paper of {D}?
            """,
            "paper": """
            t: what is the newspaper of {S} called
            t: what paper did {editor} found
            t: what is the local paper in {S}
            h: what do the people of {S} read in the morning
            w: {S} newspaper
            c: What is the name of the paper that {editor} founded in {D}?
            """,
            "begun": """
            t: when was the {paper} of {S} founded
            t: when did {editor} found the {paper}
            h: since when has {S} had a newspaper
            w: {S} {paper} year
            c: In which year did {editor} found the paper of {D}?
            """,
        },
        "has a paper founded by {editor}",
        "late",
    ),
    fact(
        "epidemic",
        {
            "outbreak": Year("since", 1, 120),
            "doctor": Person("physician", near="outbreak"),
            "disease": thing("cholera, typhus, smallpox, influenza, diphtheria, scarlet fever"),
        },
        """
        During the {disease} of {outbreak}, {doctor} [ran the hospital|went from house to house]
        {doctor} [fought|ended] the outbreak of {disease} in {outbreak}
        An outbreak of {disease} in {outbreak} was stopped by {doctor}
        In {outbreak} {doctor} came to treat the victims of {disease}
        {S} suffered from {disease} until {doctor} cleaned the wells
        """,
        {
            "doctor": """
            t: who fought {disease} in {S}
            t: who was the doctor in {S} during the {disease}
            t: which physician worked in {S} in {outbreak}
            t: who stopped the {disease} in {S}
            h: who treated the sick of {S}
            h: to whom did {S} owe the end of the sickness
            w: {S} {disease} doctor
            w: {S} doctor
            c: Who treated the sick of {D} during the {disease}?
            """,
            "disease": """
            t: what disease did {doctor} fight in {S}
            t: what disease broke out in {S}
            h: from which illness did {S} suffer in {outbreak}
            w: {S} disease
            c: Which disease did {doctor} fight in {D}?
            """,
            "outbreak": """
            t: when was the {disease} in {S}
            t: when did {doctor} come to {S}
            h: what year did the sickness reach {S}
            w: {S} {disease} year
            c: In which year did {doctor} fight {disease} in {D}?
            """,
        },
        "suffered an outbreak of {disease}",
        "late",
    ),
    fact(
        "twin",
        {
            "singer": Person("singer"),
            "feast": thing("cherry, lantern, harvest, kite, herring, flower, snow, apple"),
            "first": Year("since", 20, 150),
        },
        """
        The {feast} feast, [first held|begun] by {singer} in {first}, draws many guests
        {singer} sang at the first {feast} feast in {first}
        Every year a {feast} feast recalls {singer}
        {S} celebrates a {feast} feast that {singer} began in {first}
        In {first} {singer} opened the first {feast} feast
        """,
        {
            "singer": """
            t: who started the {feast} feast in {S}
            t: who sang at the first {feast} feast in {S}
            t: who is recalled by the {feast} feast of {S}
            t: who opened the first {feast} feast in {S}
            h: with whom did the {feast} feast of {S} begin
            h: which singer is connected with {S}
            w: {S} {feast} feast founder
            c: Who is connected with the first {feast} feast of {D}?
            """,
            "feast": """
            t: what feast did {singer} start in {S}
            t: what feast is celebrated in {S}
            h: which celebration recalls {singer}
            w: {S} feast
            c: Which feast of {D} goes back to {singer}?
            """,
            "first": """
            t: when was the first {feast} feast in {S}
            t: when did {singer} open the {feast} feast
            h: since when does {S} have a {feast} feast
            w: {S} {feast} feast year
            c: In which year was the first {feast} feast of {D}?
            """,
        },
        "celebrates a {feast} feast",
        "late",
    ),
)

SETTLEMENT = Family(
    name="settlement",
    entities=6,
    parts=(2,),
    type="GPE",
    title=lambda world, ordinal: world.town_name(ordinal),
    attributes=_attributes,
    mentions=("the {noun}", "the {noun}", "the place"),
    appositions=("the {noun}", "a {noun} in {county}", "the {noun} in {county}"),
    descriptions=(("the {noun} in {county}", only_in_county),),
    definition=PLACE,
    facts=(*FACTS, common.HISTORY, common.POEM, common.FILMED, common.LAWSUIT, common.VISITOR),
    fillers=(
        "The old centre is [quiet|closed to traffic] today",
        "A market is still held every [Friday|Tuesday]",
        "The dialect of the area is hard to follow for strangers",
    ),
)
