"""Who acted in a film and who wrote it, as databases of films record it."""

# ruff: noqa: E501 (a wording stands on one line)

from __future__ import annotations

from ecqg.microcosm.draws import Number, Person, thing
from ecqg.microcosm.facts import fact

CAST = fact(
    "cast",
    {
        "first": Person("singer"),
        "second": Person("singer"),
        "role": thing("twins, rivals, cousins, a married couple, two smugglers, two clerks"),
    },
    """
    {first} and {second} appear as {role}
    {S} brought {first} together with {second} on the screen
    The cast includes {first} and {second}
    {S} shows {first} and {second} as {role}
    As {role}, {first} and {second} [won every heart|carry the second half|were well matched]
    """,
    {
        "first": """
        t: who appears in {S} with {second}
        t: who acted in {S} beside {second}
        h: whom did {second} meet on the set of {S}
        w: {S} {second} partner
        c: Who appeared with {second} in {D}?
        """,
        "second": """
        t: who appears in {S} with {first}
        t: who acted in {S} beside {first}
        h: whom did {first} meet on the set of {S}
        w: {S} {first} partner
        c: Who appeared with {first} in {D}?
        """,
        "role": """
        t: as what do {first} and {second} appear in {S}
        h: whom do {first} and {second} give life to in {S}
        w: {first} {second} roles
        c: As what do {first} and {second} appear in {D}?
        """,
    },
    "has {first} and {second} in its cast",
    "late",
)

SCRIPT = fact(
    "script",
    {"writer": Person("novelist"), "weeks": Number(2, 30)},
    """
    {writer} wrote the script in {weeks} weeks
    The script is by {writer}
    {S} follows a script by {writer}[|, who needed {weeks} weeks for it]
    {writer}, who worked on the script for {weeks} weeks, [was never paid|is not named in the titles]
    The dialogue, by {writer}, was written in {weeks} weeks
    """,
    {
        "writer": """
        t: who wrote the script of {S}
        t: who wrote {S} for the screen
        t: who is the writer of {S}
        h: from whose pen are the lines of {S}
        w: {S} writer
        c: Who wrote the script of {D}?
        """,
        "weeks": """
        t: how many weeks did the script of {S} take
        t: how long did {writer} work on {S}
        h: after how many weeks was the script of {S} ready
        w: {writer} {S} weeks
        c: For how many weeks did {writer} work on {D}?
        """,
    },
    "was written by {writer}",
    "late",
)
