"""What novels, paintings, operas and films have in common."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from collections.abc import Callable

from ecqg.microcosm.draws import Attribute, Number, Other, Person, Year, alone, thing
from ecqg.microcosm.facts import Check, Fact, Value, fact
from ecqg.microcosm.world import World


def titles(family: str, figures: str) -> Callable[[World, int], str]:
    """Titles such as "The Clockmaker of Ashville"; figures are separated by commas."""
    options = [figure.strip() for figure in figures.split(",")]

    def title(world: World, ordinal: int) -> str:
        towns = world.count("settlement")
        code = world.permutation(len(options) * towns, family)(ordinal)
        place, figure = divmod(code, len(options))
        return f"The {options[figure]} of {world.town_name(place)}"

    return title


def attributes(
    family: str, trade: str, link: str, nouns: tuple[str, ...]
) -> Callable[[World, int], dict[str, Value]]:
    """Attributes of works by people of a trade, made when these were 25 to 47 years old."""

    def made(world: World, ordinal: int) -> dict[str, Value]:
        rng = world.rng(family, ordinal)
        maker = world.target(link, family, ordinal, "person", trade)
        born = int(world.attributes("person", maker)["born"].text)
        return {
            "noun": Value(rng.choice(nouns), "THING"),
            "since": Value(str(born + rng.randint(25, 47)), "DATE"),
            "maker": Value(world.person_name(maker)[2], "PERSON"),
        }

    return made


def descriptions(link: str, trade: str) -> tuple[tuple[str, Check], ...]:
    """Such as "the crime novel by Clara Hartley", where it is the only one."""
    check = alone(link, "person", trade)
    return (("the {noun} by {maker}", check), ("{maker}'s {noun}", check))


def definition(made: str, make: str, maker: str, brings_out: str) -> Fact:
    """Who made a work and when.

    `made` is a participle ("written"), `make` a past tense ("wrote"), `maker` a noun ("author"),
    `brings_out` a participle for the year ("published").
    """
    return fact(
        "maker",
        {"maker": Attribute("maker"), "since": Attribute("since")},
        f"""
        {{S}} is a {{noun}} by {{maker}}~
        {{S}} is a {{noun}} by {{maker}}, {brings_out} in {{since}}
        {{S}}, {brings_out} in {{since}}, is a {{noun}}~
        {{S}} is a {{noun}} that {{maker}} {make} in {{since}}
        {{S}}, a {{noun}} of {{since}}, was {made} by {{maker}}
        {{S}} is the [best-known|last|first|most personal] {{noun}} of {{maker}}
        """,
        {
            "maker": f"""
            t: who {make} {{S}}
            t: who is the {maker} of {{S}}
            t: the {{noun}} {{S}} was {made} by who
            t: who {make} the {{noun}} {{S}}
            h: who is the creative mind behind {{S}}
            h: whose work is {{S}}
            w: {{S}} {maker}
            w: who {make} {{S}}
            c: By whom was {{D}} {made}?
            c: Who {make} {{D}}?
            """,
            "since": f"""
            t: when was {{S}} {brings_out}
            t: when did {{S}} come out
            t: what year is {{S}} from
            t: how old is {{S}}
            h: in which year did the public first meet {{S}}
            h: when did {{S}} see the light of day
            w: {{S}} year
            w: {{S}} date
            c: In which year was {{D}} {brings_out}?
            """,
        },
        f"was {made} by {{maker}}\nwas {brings_out} in {{since}}",
    )


CRITIC = fact(
    "critic",
    {
        "critic": Person(),
        "charge": thing(
            "its length, bad taste, a weak ending, cold colours of mood, too much sorrow, want of wit, false history"
        ),
    },
    """
    The critic {critic} [attacked it for|complained of] {charge}
    {critic} found fault with {charge}
    Only {critic} [attacked it|complained of {charge}]
    {S} was attacked by the critic {critic} for {charge}
    A harsh review by {critic} spoke of {charge}
    """,
    {
        "critic": """
        t: who attacked {S} for {charge}
        t: which critic attacked {S}
        t: who wrote a bad review of {S}
        t: who did not like {S}
        h: who found fault with {S}
        h: whose harsh words met {S}
        w: {S} critic
        w: {S} bad review
        c: Which critic attacked {D}?
        """,
        "charge": """
        t: what did {critic} say about {S}
        t: why was {S} attacked by {critic}
        t: what did {critic} complain of in {S}
        h: which weakness did {critic} see in {S}
        w: {critic} review {S}
        c: What did the critic {critic} see as the weakness of {D}?
        """,
    },
    "was attacked by the critic {critic}",
    "late",
)

PRIZE = fact(
    "prize",
    {
        "won": Year("since", 0, 12),
        "place": Other("festival"),
        "rival": Person(),
        "medal": thing("gold medal, silver cup, first prize, grand prize, bronze plaque"),
    },
    """
    {S} won the {medal} of the {place} in {won}[|, ahead of a work by {rival}]
    {S} was shown at the {place} in {won}
    At the {place}, it won the {medal}[|, which many had expected to go to {rival}]
    In {won} the {place} gave it the {medal}
    The {medal} of the {place} went to {S} and not to {rival}
    """,
    {
        "medal": """
        t: what did {S} win
        t: what award did {S} win at the {place}
        h: which distinction did {S} receive
        w: {S} award
        c: What did {D} win at the {place}?
        """,
        "place": """
        t: where did {S} win the {medal}
        t: at which festival did {S} win a prize
        t: where was {S} shown in {won}
        h: which event honoured {S}
        w: {S} festival
        c: At which festival did {D} win a prize?
        """,
        "rival": """
        t: who lost the {medal} to {S}
        t: who was beaten by {S} at the {place}
        h: who had hoped for the {medal} that {S} received
        w: {S} {medal} rival
        c: Who had been expected to win the {medal} that went to {D}?
        """,
        "won": """
        t: when did {S} win the {medal}
        t: what year was {S} at the {place}
        h: in which year was {S} honoured
        w: {S} award year
        c: In which year did {D} win the {medal} of the {place}?
        """,
    },
    "won the {medal} of the {place}",
)

BANNED = fact(
    "banned",
    {"banned": Year("since", 1, 15), "censor": Person(), "town": Other("settlement")},
    """
    In {town}, it was banned by the censor {censor} in {banned}
    The censor {censor} banned it in {town}
    {censor} had it banned in {town} in {banned}
    {S} was forbidden in {town} on the orders of {censor}
    A ban in {town}, ordered by {censor} in {banned}, only made it better known
    """,
    {
        "censor": """
        t: who banned {S}
        t: who had {S} banned in {town}
        t: which censor banned {S}
        t: who forbade {S} in {banned}
        h: on whose orders was {S} kept from the public
        h: which official objected to {S}
        w: {S} censor
        w: {S} banned by
        c: Who banned {D} in {town}?
        """,
        "town": """
        t: where was {S} banned
        t: in which town was {S} banned
        t: where did {censor} ban {S}
        h: which town kept {S} from the public
        w: {S} banned
        c: In which town was {D} banned?
        """,
        "banned": """
        t: when was {S} banned
        t: what year did {censor} ban {S}
        h: in which year was {S} kept from the public
        w: {S} banned year
        c: In which year was {D} banned by {censor}?
        """,
    },
    "was banned in {town}",
    "late",
)

MODEL = fact(
    "model",
    {
        "model": Person(),
        "who": thing(
            "neighbour, former teacher, landlady, old sailor, fisherman, school friend, postman"
        ),
        "town": Other("settlement"),
    },
    """
    The model was {model}, a {who} from {town}
    {model}, a {who} from {town}, served as the model
    The idea came from {model}, a {who} in {town}
    {S} goes back to a meeting with {model} in {town}
    A {who} from {town}, {model}, [was proud to be|denied being] the model
    """,
    {
        "model": """
        t: who was the model for {S}
        t: who is {S} based on
        t: who inspired {S}
        t: which {who} was the model for {S}
        h: which real person stands behind {S}
        h: a meeting with whom gave the idea for {S}
        w: {S} based on
        w: {S} model
        c: Who was the model for {D}?
        """,
        "town": """
        t: where did {model}, the model for {S}, live
        t: where was the model for {S} from
        t: in which town was {model} a {who}
        h: where was the home of the person behind {S}
        w: {S} model town
        c: In which town did {model}, the model for {D}, live?
        """,
        "who": """
        t: who was {model}, the model for {S}
        t: what was {model} to the creator of {S}
        h: what is known of the person behind {S}
        w: {S} {model}
        c: What was {model}, the model for {D}?
        """,
    },
    "goes back to {model}",
    "late",
)

SEQUEL = fact(
    "parody",
    {"made": Year("since", 1, 25), "wit": Person("poet", near="made"), "stage": Other("building")},
    """
    In {made} {wit} wrote a parody, first heard at {stage}
    A parody by {wit} was given at {stage} in {made}
    {wit} made fun of it in a parody of {made}
    {S} was parodied by {wit} at {stage}
    The parody by {wit} filled {stage} for weeks
    """,
    {
        "wit": """
        t: who wrote a parody of {S}
        t: who made fun of {S}
        t: who parodied {S} in {made}
        t: whose parody of {S} was given at {stage}
        h: who mocked {S}
        h: which joker took aim at {S}
        w: {S} parody
        c: Who wrote a parody of {D}?
        """,
        "stage": """
        t: where was the parody of {S} given
        t: where was the parody of {S} by {wit} heard
        t: at which building was {S} parodied
        h: in which place did people laugh about {S}
        w: {S} parody place
        c: Where was the parody of {D} by {wit} given?
        """,
        "made": """
        t: when was {S} parodied
        t: when did {wit} write a parody of {S}
        h: in which year was {S} mocked
        w: {S} parody year
        c: In which year did {wit} write a parody of {D}?
        """,
    },
    "was parodied by {wit}",
    "late",
)

MANUSCRIPT = fact(
    "draft",
    {
        "saver": Person(),
        "keeper": Other("institution"),
        "what": thing("first draft, only sketch, original plan, earliest version"),
    },
    """
    The {what}, saved by {saver}, is in {keeper}
    {saver} saved the {what} from the fire
    The {what} was bought by {saver} and left to {keeper}
    {keeper} owns the {what}, a gift of {saver}
    {S} can be compared with the {what}, which {saver} gave to {keeper}
    """,
    {
        "saver": """
        t: who saved the {what} of {S}
        t: who bought the {what} of {S}
        t: who gave the {what} of {S} to {keeper}
        h: thanks to whom has the {what} of {S} survived
        h: which collector rescued an early form of {S}
        w: {S} {what}
        c: Who saved the {what} of {D}?
        """,
        "keeper": """
        t: where is the {what} of {S}
        t: who owns the {what} of {S}
        t: where is the {what} of {S} that {saver} saved
        h: which house keeps an early form of {S}
        w: {S} {what} where
        c: Which institution owns the {what} of {D}?
        """,
        "what": """
        t: what did {saver} save of {S}
        t: what of {S} is in {keeper}
        h: which form of {S} did {saver} rescue
        w: {saver} {S}
        c: What of {D} did {saver} save?
        """,
    },
    "has a {what} that {saver} saved",
    "late",
)

LENGTH = fact(
    "length",
    {"months": Number(3, 48), "town": Other("settlement")},
    """
    {S} was the work of {months} months, [most of them|all] spent in {town}
    {S} was made within {months} months in {town}
    Work on it took {months} months
    Most of the work was done in {town}[|, in {months} months]
    """,
    {
        "months": """
        t: how long did it take to make {S}
        t: how many months did {S} take
        h: how much time went into {S}
        w: {S} months
        c: How many months did the work on {D} take?
        """,
        "town": """
        t: where was {S} made
        t: in which town was {S} created
        h: in which place did {S} come into being
        w: {S} created in
        c: In which town was {D} created?
        """,
    },
    "was made in {town}",
)

COMMON = (CRITIC, PRIZE, BANNED, MODEL, SEQUEL, MANUSCRIPT, LENGTH)
