"""The families of articles."""

from ecqg.microcosm.articles.battle import BATTLE
from ecqg.microcosm.articles.book import BOOK
from ecqg.microcosm.articles.building import BUILDING
from ecqg.microcosm.articles.company import COMPANY
from ecqg.microcosm.articles.person import PERSON, TRADES
from ecqg.microcosm.articles.settlement import SETTLEMENT
from ecqg.microcosm.articles.university import UNIVERSITY

FAMILIES = (PERSON, COMPANY, UNIVERSITY, SETTLEMENT, BUILDING, BOOK, BATTLE)

__all__ = ["FAMILIES", "TRADES"]
