"""Companies."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.articles import common
from ecqg.microcosm.draws import Attribute, Number, Other, Person, Target, Year, alone, thing
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

NOUNS = (
    "publisher", "shipbuilder", "brewery", "steelmaker", "textile company", "mining company",
    "toy maker", "piano maker", "glassworks", "chemical company", "bank", "printing company",
)  # fmt: skip
ENDINGS = (
    "Industries", "Brothers", "Company", "Holdings", "Group", "Limited", "Corporation", "Partners",
)  # fmt: skip


def _title(world: World, ordinal: int) -> str:
    return world.surnamed("company", ordinal, ENDINGS)


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("company", ordinal)
    founder = world.target("founder", "company", ordinal, "person", "industrialist")
    born = int(world.attributes("person", founder)["born"].text)
    home = world.target("seat", "company", ordinal, "settlement")
    return {
        "noun": Value(rng.choice(NOUNS), "THING"),
        "short": Value(_title(world, ordinal).split()[0], "ORG"),
        "place": Value(world.town_name(home), "GPE"),
        "since": Value(str(born + rng.randint(24, 45)), "DATE"),
    }


ORIGIN = fact(
    "origin",
    {"place": Attribute("place"), "since": Attribute("since")},
    """
    {S} is a {noun} based in {place}~
    {S} is a {noun} from {place}~
    {S} was a {noun} with headquarters in {place}~
    {S}, founded in {since}, is a {noun}~
    {S} is a {noun} that was founded at {place} in {since}
    {S}, of {place}, has been a {noun} since {since}
    {S} began as a small {noun} in {place} in {since}
    """,
    {
        "place": """
        t: where is {S} based
        t: what town is {S} in
        t: where are the headquarters of {S}
        t: what town does {S} come from
        h: in which town does {S} have its seat
        h: where can one find the head office of {S}
        w: {S} headquarters
        w: where is {S}
        c: In which town does {D} have its headquarters?
        c: In which town is {D} at home?
        """,
        "since": """
        t: when was {S} founded
        t: what year did {S} start
        t: how long has {S} been in business
        t: what is the founding year of {S}
        h: in which year was {S} set up
        h: when did {S} first open its doors
        w: {S} founded year
        c: In which year was {D} founded?
        """,
    },
    "has its headquarters in {place}\nwas founded in {since}",
)

FACTS = (
    fact(
        "founder",
        {"founder": Target("founder", "person", "industrialist")},
        """
        {S} was [founded|established|set up] by {founder}
        {S} was started by {founder} [in a shed|in a former mill|with borrowed money]
        It was {founder} who [founded|set up] {S}
        {founder} founded {S} [after a quarrel with a partner|with an inheritance|in a rented yard]
        {S} owes its existence to {founder}
        """,
        {
            "founder": """
            t: who founded {S}
            t: who started {S}
            t: who was the founder of {S}
            t: {S} was created by who
            h: who set up the {noun} {S}
            h: which entrepreneur is behind the beginnings of {S}
            w: {S} founder
            w: who founded {S}
            c: By whom was {D} founded?
            c: Which industrialist founded {D}?
            """,
        },
        "was founded by {founder}",
        "early",
    ),
    fact(
        "staff",
        {"staff": Number(120, 9800, 10), "peak": Year("since", 10, 60)},
        """
        {S} employed {staff} people in {peak}
        In {peak} {S} had {staff} [workers|people on its payroll]
        {S} had a staff of {staff} in {peak}
        By {peak} the number of [workers|employees] had risen to {staff}
        """,
        {
            "staff": """
            t: how many people work for {S}
            t: how many employees did {S} have in {peak}
            t: how many workers did {S} employ
            h: what was the size of the staff of {S}
            w: {S} number of employees
            c: How many people were employed by {D} in {peak}?
            """,
        },
        "employed {staff} people",
    ),
    fact(
        "owner",
        {"merged": Year("since", 20, 80), "rival": Other("company")},
        """
        {S} was bought by {rival} in {merged}
        {S} merged with {rival} in {merged}
        In {merged} {S} became part of {rival}
        {rival} took {S} over in {merged}
        {S} has belonged to {rival} since {merged}
        """,
        {
            "rival": """
            t: who bought {S}
            t: what company owns {S}
            t: which company did {S} merge with
            t: who took over {S}
            h: who has been the owner of {S} since {merged}
            h: into which firm was {S} absorbed
            w: {S} owner
            w: who owns {S}
            c: Of which company has {D} been a part since {merged}?
            """,
            "merged": """
            t: when was {S} bought by {rival}
            t: when did {S} and {rival} merge
            h: in what year did {S} lose its independence
            w: {S} {rival} merger
            c: In which year did {D} become a part of {rival}?
            """,
        },
        "was taken over by {rival}",
    ),
    fact(
        "product",
        {
            "product": thing(
                "bicycles, harmoniums, steam pumps, wallpaper, porcelain, watches, sewing machines, ropes, stoves, globes, lenses, lamps, tin soldiers, saddles, carpets"
            ),
            "market": Other("settlement"),
        },
        """
        {S} [first made|began with] {product}[|, most of which were sold in {market}]
        {S} made its name with {product}
        {S} became known for {product}, sold first in {market}
        {product} were the main product of {S}[|, and {market} was its best market]
        The first success came with {product}, which were sold in {market}
        """,
        {
            "product": """
            t: what does {S} make
            t: what is {S} known for
            t: what was the main product of {S}
            t: what did {S} sell
            h: which goods did {S} become famous for
            h: what left the workshops of {S}
            w: {S} products
            w: what did {S} make
            c: What was the main product of {D}?
            """,
            "market": """
            t: where did {S} sell its {product}
            t: where were the {product} of {S} sold
            t: what was the best market of {S}
            h: in which town did most customers of {S} live
            w: {S} {product} market
            c: In which town were the {product} of {D} sold?
            """,
        },
        "made {product}",
        "early",
    ),
    fact(
        "director",
        {
            "named": Year("since", 15, 70),
            "boss": Person(near="named"),
            "school": Other("university"),
        },
        """
        {S} has been run since {named} by {boss}, [a graduate of|trained at] the {school}
        In {named} {boss} became the head of {S}
        {boss}, who had studied at the {school}, took over the management in {named}
        {S} was led by {boss} [from {named}|for many years]
        The management passed to {boss}, a graduate of the {school}[|, in {named}]
        """,
        {
            "boss": """
            t: who was the director of {S}
            t: who ran {S}
            t: who became the head of {S} in {named}
            t: who was the boss of {S}
            h: in whose hands was the management of {S}
            h: under whom was {S} from {named}
            w: {S} director
            w: {S} ceo
            c: Who became the head of {D}?
            """,
            "school": """
            t: where did the director of {S} study
            t: which university did {boss} of {S} attend
            t: what university did the director of {S} go to
            h: where was {boss} educated
            w: {S} director university
            c: At which university had {boss}, the head of {D}, studied?
            """,
            "named": """
            t: when did {boss} become the head of {S}
            t: what year did {boss} take over {S}
            h: since when did {boss} manage {S}
            w: {boss} {S} year
            c: In which year did {boss} become the head of {D}?
            """,
        },
        "was run by {boss}",
        "late",
    ),
    fact(
        "strike",
        {"struck": Year("since", 8, 60), "leader": Person(), "weeks": Number(3, 12)},
        """
        In {struck} {leader} led a strike of {weeks} weeks [over pay|over working hours|over safety]
        A strike led by {leader} [stopped|closed] the works for {weeks} weeks in {struck}
        {leader} became known as the leader of a strike that lasted {weeks} weeks
        The workers, led by {leader}, stayed away for {weeks} weeks in {struck}
        {S} was paralysed for {weeks} weeks by a strike under {leader}
        """,
        {
            "leader": """
            t: who led the strike at {S}
            t: who was the leader of the strike at {S} in {struck}
            t: who was behind the strike at {S}
            h: which person organised the workers of {S}
            h: who brought the workshops of {S} to a halt
            w: {S} strike leader
            w: {S} strike
            c: Who led the strike at {D}?
            c: Who organised the workers of {D}?
            """,
            "weeks": """
            t: how long did the strike at {S} last
            t: how many weeks did the strike led by {leader} last
            h: for how many weeks did {leader} keep the workers out
            w: {S} strike weeks
            c: How many weeks did the strike last that {leader} led at {D}?
            """,
            "struck": """
            t: when did {leader} lead a strike
            t: when was the strike at {S}
            h: what year did the workers of {S} stop work
            w: {S} strike year
            c: In which year did {leader} lead a strike at {D}?
            """,
        },
        "saw a strike led by {leader}",
        "late",
    ),
    fact(
        "branch",
        {
            "opened": Year("since", 5, 50),
            "branch": Other("settlement"),
            "manager": Person("engineer", near="opened"),
        },
        """
        A branch in {branch} was opened in {opened} and run by {manager}
        {manager} ran the branch that was opened in {branch} in {opened}
        In {opened} {manager} was sent to {branch} to open a branch
        {S} opened a branch in {branch}, which {manager} managed from {opened}
        """,
        {
            "branch": """
            t: where did {manager} run a branch of {S}
            t: in which town did {S} open a branch
            t: where was {manager} sent by {S}
            h: where was the second site of {S}
            w: {S} branch
            c: In which town did {manager} run a branch of {D}?
            """,
            "manager": """
            t: who ran the branch of {S} in {branch}
            t: who managed the {branch} branch of {S}
            t: who was sent to {branch} by {S}
            h: who was in charge of {S} in {branch}
            h: who looked after business for {S} outside its home town
            w: {S} {branch} manager
            c: Who ran the branch that {D} opened in {branch}?
            """,
            "opened": """
            t: when did {S} open a branch in {branch}
            t: what year did the {branch} branch of {S} open
            h: since when has {S} been in {branch}
            w: {S} {branch} opened
            c: In which year was the {branch} branch of {D} opened?
            """,
        },
        "opened a branch in {branch}",
        "late",
    ),
    fact(
        "fire",
        {
            "burned": Year("since", 3, 70),
            "hero": Person(),
            "part": thing("warehouse, boiler house, drawing office, paint shop, archive, stable"),
        },
        """
        When the {part} burned down in {burned}, {hero} [raised the alarm|saved the plans|brought everybody out]
        {hero} [raised the alarm|saved the ledgers] when the {part} caught fire in {burned}
        The {part} was destroyed by fire in {burned}, and {hero} paid for a new one
        In {burned} a fire in the {part} was put out by {hero}
        {S} lost its {part} to a fire that {hero} had noticed too late
        """,
        {
            "hero": """
            t: who raised the alarm when the {part} of {S} burned
            t: who helped in the fire at {S}
            t: who put out the fire at {S}
            t: who is connected with the fire in the {part} of {S}
            h: whose part in the fire at {S} is remembered
            h: who was there when flames broke out at {S}
            w: {S} fire hero
            c: Who is remembered for the fire of {burned} at {D}?
            c: Who is remembered for the fire in the {part} of {D}?
            """,
            "part": """
            t: which part of {S} burned down in {burned}
            t: what caught fire at {S}
            t: what did {S} lose in the fire
            h: what was lost in the flames at {S}
            w: {S} fire {burned}
            c: Which part of {D} was on fire in {burned}?
            """,
            "burned": """
            t: when did the {part} of {S} burn
            t: when was the fire at {S}
            h: what year did flames destroy the {part} of {S}
            w: {S} fire year
            c: In which year did the {part} of {D} burn?
            """,
        },
        "lost its {part} in a fire",
        "late",
    ),
    fact(
        "design",
        {
            "artist": Person("painter"),
            "emblem": thing(
                "a swan, an anchor, a red lion, a beehive, an oak leaf, a key, a lighthouse, three stars"
            ),
            "drawn": Year("since", 5, 60),
        },
        """
        {artist} drew the emblem, {emblem}[|, in {drawn}]
        The emblem, {emblem}, was drawn by {artist}[| in {drawn}]
        {S} uses {emblem} as its emblem, drawn by {artist}
        In {drawn} {artist} designed the emblem with {emblem}
        """,
        {
            "artist": """
            t: who designed the emblem of {S}
            t: who drew the logo of {S}
            t: who drew {emblem} for {S}
            h: which artist created the trade mark of {S}
            h: by whose hand is the sign of {S}
            w: {S} logo designer
            c: Which artist drew the emblem of {D}?
            """,
            "emblem": """
            t: what is the emblem of {S}
            t: what is the logo of {S}
            t: what did {artist} draw for {S}
            h: what can be seen on the trade mark of {S}
            w: {S} logo
            c: What is the emblem that {artist} drew for {D}?
            """,
        },
        "has {emblem} as its emblem",
        "late",
    ),
)

COMPANY = Family(
    name="company",
    entities=4,
    parts=(2,),
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the company", "the firm", "{short}", "the {noun}"),
    appositions=("the {noun}", "a {noun} from {place}", "the {noun} based in {place}"),
    descriptions=(
        ("the {noun} from {place}", alone("seat", "settlement")),
        ("the {place} {noun}", alone("seat", "settlement")),
    ),
    definition=ORIGIN,
    facts=(*FACTS, *common.ABOUT_BODIES),
    fillers=(
        "Its early records have been lost",
        "{S's} catalogues are now sought by collectors",
        "Business was [slow|brisk] in the first years",
    ),
)
