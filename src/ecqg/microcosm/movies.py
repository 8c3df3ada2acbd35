"""A zero-shot collection about films, with questions in the style of WikiMovies.

WikiMovies (Miller et al. 2016, "Key-Value Memory Networks for Directly Reading Documents") asks
short templated questions for one relation of a film database, from a film to a person, a year or a
genre and from a person to films; where several things are right, all are listed. The passages are
those of the microcosm's articles on films, in a world of their own, so that neither names nor
facts are those of the main collection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from ecqg.microcosm.marked import Item, read
from ecqg.microcosm.realise import Article, write_article
from ecqg.microcosm.side import Row, draw_rows, write_side
from ecqg.microcosm.world import World
from ecqg.params import SideCollection
from ecqg.progress import track
from ecqg.seeds import derive, python_rng

FILE = Path(__file__).with_name("movies.yaml")
FILM = "film"
FAMILIES = ("person", FILM)  # a world without people cannot be
FROM_FILM = 0.7  # chance, where a relation can be asked both ways, of asking from the film
Answers: TypeAlias = "dict[str, dict[str, set[int]]]"


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation between films and what is said of them.

    `stated` has the slots, by fact, whose values stand in it. `of_film` asks for the values of the
    film {x}, `of_value` for the films of the value {x}.
    """

    stated: Mapping[str, tuple[str, ...]]
    of_film: tuple[str, ...]
    of_value: tuple[str, ...] = ()


@cache
def relations() -> dict[str, Relation]:
    """All of them, from movies.yaml."""
    return {name: _relation(item) for name, item in read(FILE).mapping().items()}


def _relation(item: Item) -> Relation:
    fields = item.section(["stated", "of_film"], of_value=None)
    return Relation(
        {fact: slots.texts() for fact, slots in fields["stated"].mapping().items()},
        fields["of_film"].templates(["x"]),
        fields["of_value"].templates(["x"]) if "of_value" in fields else (),
    )


def write_movies(folder: Path, settings: SideCollection, world_seed: int, seed: int) -> None:
    """Write passages.tsv, test.qa.tsv and test.qrels.

    The films follow from `world_seed`, the questions drawn about them from `seed`. Raises
    InputError where the films do not give that many questions.
    """
    articles = list(track(film_articles(world_seed, settings.passages), "films", unit="passage"))
    assert len(articles) == settings.passages
    texts = ((article.title, article.text) for article in articles)
    write_side(folder, texts, draw(articles, settings.questions, seed))


def film_articles(world_seed: int, count: int) -> Iterator[Article]:
    """The first `count` passages on films of a world that is large enough."""
    world_seed = derive(world_seed, "movies")
    sample = World(world_seed, 10_000, FAMILIES)  # films are as frequent in any other size
    films = sum(sample.locate(index)[0] == FILM for index in range(sample.passages))
    needed = 2000 + count * sample.passages // films
    world = World(world_seed, needed, FAMILIES)
    indices = (index for index in range(needed) if world.locate(index)[0] == FILM)
    yield from (write_article(world, index) for index in islice(indices, count))


def stated(articles: Iterable[Article]) -> Iterator[tuple[str, str, str, int]]:
    """What the passages state: relation, film, value and the passage's number, in their order."""
    for number, article in enumerate(articles):
        for statement in article.statements:
            for name, relation in relations().items():
                for slot in relation.stated.get(statement.fact.name, ()):
                    if slot in statement.spans:
                        value = article.text[slice(*statement.spans[slot])]
                        if slot in statement.values:  # as inside a sentence
                            value = statement.values[slot].text.strip('"')
                        yield name, article.title, value, number


def draw(articles: Iterable[Article], count: int, seed: int) -> list[Row]:
    """`count` different questions, relations alike, each with all answers the passages give."""
    # What is asked about, then the answers with the numbers of the articles that tell them.
    by_film: dict[str, Answers] = {name: defaultdict(dict) for name in relations()}
    by_value: dict[str, Answers] = {name: defaultdict(dict) for name in relations()}
    for name, film, value, number in stated(articles):
        by_film[name][film].setdefault(value, set()).add(number)
        by_value[name][value].setdefault(film, set()).add(number)
    rng = python_rng(seed, "microcosm", "movies")

    def one() -> Row | None:
        name = rng.choice(list(relations()))
        relation = relations()[name]
        forward = not relation.of_value or rng.random() < FROM_FILM
        known = by_film[name] if forward else by_value[name]
        subject = rng.choice(list(known))
        values, answers = known[subject], list(known[subject])
        if name == "has_genre":
            values = {noun: numbers for noun, numbers in values.items() if noun != FILM}
            # Genres also without the word film, where they have it.
            answers = [
                *values,
                *(n.removesuffix(f" {FILM}") for n in values if n.endswith(f" {FILM}")),
            ]
        text = rng.choice(relation.of_film if forward else relation.of_value) + "?"
        numbers = sorted({n for of_value in values.values() for n in of_value})
        row = Row(text.replace("{x}", subject), tuple(answers), tuple(numbers))
        return None if row.tells else row

    return draw_rows(count, one, "movies", "films")
