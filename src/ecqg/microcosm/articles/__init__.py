"""The families of articles."""

from ecqg.microcosm.articles.battle import BATTLE
from ecqg.microcosm.articles.building import BUILDING
from ecqg.microcosm.articles.club import CLUB
from ecqg.microcosm.articles.company import COMPANY
from ecqg.microcosm.articles.expedition import EXPEDITION
from ecqg.microcosm.articles.festival import FESTIVAL
from ecqg.microcosm.articles.film import FILM
from ecqg.microcosm.articles.institution import INSTITUTION
from ecqg.microcosm.articles.landscape import LANDSCAPE
from ecqg.microcosm.articles.novel import NOVEL
from ecqg.microcosm.articles.opera import OPERA
from ecqg.microcosm.articles.painting import PAINTING
from ecqg.microcosm.articles.person import PERSON
from ecqg.microcosm.articles.person_works import TRADES
from ecqg.microcosm.articles.settlement import SETTLEMENT
from ecqg.microcosm.articles.treaty import TREATY
from ecqg.microcosm.articles.university import UNIVERSITY

FAMILIES = (
    PERSON, COMPANY, UNIVERSITY, SETTLEMENT, LANDSCAPE, BUILDING, INSTITUTION, CLUB, NOVEL,
    PAINTING, OPERA, FILM, BATTLE, TREATY, EXPEDITION, FESTIVAL,
)  # fmt: skip

__all__ = ["FAMILIES", "TRADES"]
