"""Companies."""

from __future__ import annotations

from ecqg.microcosm.draws import attribute, number, other, person, target, thing, town, year
from ecqg.microcosm.facts import Family, Value, fact
from ecqg.microcosm.world import World

NOUNS = ("manufacturer", "publisher", "shipbuilder", "brewery", "steelmaker", "textile company", "mining company", "toy maker", "instrument maker", "glassworks", "chemical company", "insurance company")
ENDINGS = ("Industries", "Brothers", "Company", "Works", "Holdings", "Group", "Limited", "Corporation")


def _title(world: World, ordinal: int) -> str:
    supply = len(ENDINGS)
    code = world.permutation(supply * world.count("company"), "company")(ordinal)
    number, ending = divmod(code, supply)
    return f"{world.surname(number)} {ENDINGS[ending]}"


def _attributes(world: World, ordinal: int) -> dict[str, Value]:
    rng = world.rng("company", ordinal)
    home = world.link("seat", "company", "settlement").target(ordinal)
    founder = world.trader("industrialist", world.link("founder", "company", "person", "industrialist").target(ordinal))
    born = int(world.attributes("person", founder)["born"].text)
    return {
        "noun": Value(rng.choice(NOUNS), "THING"),
        "short": Value(_title(world, ordinal).split()[0], "ORG"),
        "place": Value(world.town_name(home), "GPE"),
        "founded": Value(str(born + rng.randint(24, 45)), "DATE"),
    }


DEFINITIONS = (
    fact(
        "origin",
        {"place": attribute("place"), "founded": attribute("founded")},
        """
        {S} is a(n) {noun} based in {place}~
        {S} is a(n) {noun} from {place}~
        {S} was a(n) {noun} with headquarters in {place}~
        {S}, founded in {founded}, is a(n) {noun}~
        {S} is a(n) {noun} that was founded at {place} in {founded}
        {S}, of {place}, has been a(n) {noun} since {founded}
        """,
        {
            "place": """
            t: where is {S} based
            t: what town is {S} in
            t: where are the headquarters of {S}
            h: in which town does the {noun} {S} have its seat
            h: where can one find the head office of {S}
            w: {S} headquarters
            w: where is {S}
            c: In which town does {D} have its headquarters?
            """,
            "founded": """
            t: when was {S} founded
            t: what year did {S} start
            t: how long has {S} been in business since
            h: in which year was the {noun} {S} set up
            w: {S} founded year
            c: In which year was {D} founded?
            """,
        },
        "has its headquarters in {place}\nwas founded in {founded}",
    ),
)

FACTS = (
    fact(
        "founder",
        {"founder": target("founder", "person", "industrialist")},
        """
        {S} was [founded|established|set up] by {founder}
        {S} was started by {founder} [in a shed|in a former mill|with borrowed money]
        It was {founder} who [founded|set up] {S}
        {founder} founded {S} [after a quarrel with a partner|with money from an inheritance|in a rented yard]
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
        {"staff": number(120, 9800, 10), "peak": year("founded", 10, 60)},
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
        "rival",
        {"rival": other("company"), "merged": year("founded", 20, 80)},
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
            h: who is the owner of {S} since {merged}
            w: {S} owner
            w: who owns {S}
            c: Of which company has {D} been a part since {merged}?
            """,
            "merged": """
            t: when was {S} bought by {rival}
            t: when did {S} and {rival} merge
            h: in what year was {S} taken over
            w: {S} {rival} merger
            c: In which year did {D} become a part of {rival}?
            """,
        },
        "was taken over by {rival}",
    ),
    fact(
        "product",
        {"product": thing("bicycles, harmoniums, steam pumps, wallpaper, porcelain, pocket watches, sewing machines, rope, cast-iron stoves, school globes, lenses, lamp oil, tin soldiers, ink, saddles"), "market": other("settlement")},
        """
        {S} [first made|began with] {product}[|, most of which were sold in {market}]
        {S} made its name with {product}
        {S} became known for {product}, sold first in {market}
        {product} [were|remained] the main product of {S}[|, and {market} was its best market]
        The first success came with {product}, which were sold in {market}
        """,
        {
            "product": """
            t: what does {S} make
            t: what is {S} known for
            t: what was the main product of {S}
            h: which goods did {S} become famous for
            w: {S} products
            w: what did {S} make
            c: What was the main product of {D}?
            """,
            "market": """
            t: where did {S} sell its {product}
            t: where were the {product} of {S} sold
            h: which town was the best market of {S}
            w: {S} {product} market
            c: In which town were the {product} of {D} sold?
            """,
        },
        "made {product}",
        "early",
    ),
    fact(
        "strike",
        {"leader": person(), "struck": year("founded", 8, 60), "weeks": number(3, 12)},
        """
        In {struck} {leader} led a strike of {weeks} weeks [over pay|over working hours|over safety]
        A strike led by {leader} [stopped|closed] the works for {weeks} weeks in {struck}
        {leader} became known as the leader of a strike that lasted {weeks} weeks[| in {struck}]
        The workers, led by {leader}, stayed away for {weeks} weeks in {struck}
        """,
        {
            "leader": """
            t: who led the strike at {S}
            t: who was the leader of the strike at {S} in {struck}
            h: which person organised the workers of {S}
            w: {S} strike leader
            c: Who led the strike of {struck} at {D}?
            c: Who led the strike at {D}?
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
        "",
        "late",
    ),
    fact(
        "branch",
        {"branch": town, "manager": person("engineer"), "opened": year("founded", 5, 50)},
        """
        A branch in {branch} was opened in {opened} and run by {manager}
        {manager} ran the branch that was opened in {branch} in {opened}
        In {opened} {manager} was sent to {branch} to open a branch
        {S} opened a branch in {branch}, which {manager} managed from {opened}
        """,
        {
            "branch": """
            t: where did {manager} run a branch of {S}
            t: in which town did {S} open a branch in {opened}
            t: where was {manager} sent by {S}
            h: where was the second site of {S}
            w: {S} branch
            c: In which town did {manager} run a branch of {D}?
            """,
            "manager": """
            t: who ran the branch of {S} in {branch}
            t: who managed the {branch} branch of {S}
            h: who was in charge of {S} in {branch}
            w: {S} {branch} manager
            c: Who ran the branch that {D} opened in {branch}?
            """,
            "opened": """
            t: when did {S} open a branch in {branch}
            t: what year did the {branch} branch open
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
        {"hero": person(), "burned": year("founded", 3, 70), "part": thing("warehouse, boiler house, drawing office, paint shop, archive, stables")},
        """
        When the {part} burned down in {burned}, {hero} [raised the alarm|saved the plans|brought everybody out]
        {hero} [raised the alarm|saved the ledgers] when the {part} caught fire in {burned}
        The {part} was destroyed by fire in {burned}, and {hero} paid for a new one
        In {burned} a fire in the {part} was put out by {hero}
        """,
        {
            "hero": """
            t: who raised the alarm when the {part} of {S} burned
            t: who was the hero of the fire at {S}
            t: who helped in the {burned} fire at {S}
            h: whose courage in the fire at {S} is remembered
            w: {S} fire hero
            c: Who is remembered for the fire of {burned} at {D}?
            c: Whose deed during the fire in the {part} of {D} is remembered?
            """,
            "part": """
            t: which part of {S} burned down in {burned}
            t: what caught fire at {S}
            h: what was lost in the flames at {S} in {burned}
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
)

COMPANY = Family(
    name="company",
    share=14,
    type="ORG",
    title=_title,
    attributes=_attributes,
    mentions=("the company", "the firm", "{short}", "the {noun}"),
    descriptions=(),
    definitions=DEFINITIONS,
    facts=FACTS,
    fillers=("Its early records have been lost", "{S's} catalogues are now sought by collectors"),
)
