"""Other words that askers use for the words of the passages: the lexical gap.

A question template's words that stand here are each replaced by one of their alternatives, the
word itself among them. All are as common in training as in test questions, so that a model can
learn them; word matching cannot.
"""

from __future__ import annotations

import re
from functools import cache

_GROUPS = """
account: report
accused: charged
acquired: bought
actor: performer
agreement: pact, deal
animals: creatures
anniversary: birthday party
annexe: extension
architect: designer
artist: creator
attacked: criticised
award: honour, trophy
badge: crest
was banned: was forbidden, was prohibited
who banned: who prohibited
best known: most famous, most popular
betrayed: gave away
biography: life story
book: volume
bought: purchased
branch: office, outpost
built: erected, put up
business: trade
buy: purchase, get
caretaker: janitor, housekeeper
the cause: the reason
collected: gathered
college: university
come out: appear
company: firm, business
composer: musician
conducted: directed
concert: recital
copied: imitated
country: nation
created: made
damaged: harmed
decided: settled
dedicated: inscribed
designed: planned, created
diary: journal
die: pass away
discovered: found
disease: illness, sickness
doctor: medic
documentary: film, movie
donated: gave
donor: giver, benefactor
drew: made, sketched
emblem: logo, symbol
employees: workers
enemy: foe, opponent
erected: built
expedition: journey
famous: well known
father: dad
feast: fair, celebration
festival: event
a film: a movie, a motion picture
the film: the movie, the motion picture
flood: high water
forbade: banned
founded: started, set up, created
founder: creator
gift: present
goal: aim, destination
grow up: spend the early years
guest: visitor
guest of honour: honoured guest
headquarters: head office
hermit: recluse
high: tall
hobby: pastime
illustrated: decorated
inspired: influenced
inhabitants: people
invented: devised, thought up
invent: devise
job: occupation, profession
jubilee: anniversary, birthday celebration
judge: magistrate
lawsuit: case, court case, trial
leader: head, chief
led: headed
legacy: inheritance, money
letter: note
librarian: keeper of books
library: book collection
lines: verses
made: created
main character: hero
marry: wed
married: wed
mayor: town head, head of the council
messenger: courier
money: cash
monument: memorial
movie: film
music: score, tune
mutiny: revolt, uprising
news: message
newspaper: paper
novel: book, story
opera: work, stage piece
owner: proprietor, holder
painter: artist
painting: picture, canvas
parody: spoof, satire
path: trail, walking route
petition: campaign, appeal
poem: ballad, verse
poet: writer
population: number of people
portrait: likeness, picture
poster: placard
presented: handed over
prize: award
professor: teacher
published: brought out
pupil: student, disciple
quarrel: dispute, row
relative: family member
repaired: mended
rescued: saved
restored: renovated, repaired
restoration: repair, renovation
rival: opponent
sang: performed
saved: rescued
scandal: affair
scenery: stage set
sculptor: artist
shocked: upset
song: tune
speech: address, talk
spoke: talked
spy: secret agent
stole: took
who started: who began
statue: sculpture, figure
strike: walkout, work stoppage
students: undergraduates
studied: was educated
surveyed: measured
taught: instructed
teacher: tutor, master
theft: robbery
thief: robber
main trade: main business
translated: rendered
translator: interpreter
university: college
visitor: guest
wear: have on
workers: employees
wounded: injured
when did: what year did, in what year did
when was: what year was, in what year was
where is: where can you find, where do you find
where was: in what place was
where did: in what place did
who was the: name of the, what is the name of the
how much did: how much money did
which company: what company
which country: what country
in which town: in what town
at which: at what
write a: author a, pen a
wrote a: authored a, penned a
wrote the: authored the, penned the
was unveiled: was revealed, was dedicated
praised: admired
located: situated
composed the: wrote the
winner: victor
travel to: journey to, go to
the spouse: the partner, the wife or husband
who signed: who concluded
writer: author
"""
SYNONYMS: dict[str, tuple[str, ...]] = {}
for _line in _GROUPS.strip().splitlines():
    _word, _, _others = _line.partition(": ")
    SYNONYMS[_word] = tuple(_others.split(", "))
_WORDS = re.compile(
    r"(?<![{\w])(" + "|".join(sorted(SYNONYMS, key=len, reverse=True)) + r")(?![\w}])"
)


@cache
def widen(template: str) -> str:
    """The template with a choice of synonyms for each word that has any; slots stay as they are."""
    return _WORDS.sub(lambda m: f"[{'|'.join((m[1], *SYNONYMS[m[1]]))}]", template)


_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIO](?!ne\b|ni[vt]|uro))")


def agree(text: str) -> str:
    """The text with "a" made "an" before a vowel, as a synonym may need."""
    return _ARTICLE.sub(r"\1n ", text)
