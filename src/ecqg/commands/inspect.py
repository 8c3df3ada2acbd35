"""One question, one passage: what systems find, and where they look."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError

if TYPE_CHECKING:
    from ecqg.inspection.study import Study
    from ecqg.params import Params

WIDTH = 60  # characters of a passage that are shown
COLLECTION = typer.Option(help="an entry of collections")
PORT = 8000


def load_study(params: Params, collection: str) -> Study:
    """The systems of params.yaml, none of them loaded yet. Raises InputError for no run."""
    from ecqg import paths
    from ecqg.attention.passage_attention import PassageAttention
    from ecqg.encoder.model import PASSAGE
    from ecqg.inspection import rankings
    from ecqg.inspection.asking import asker
    from ecqg.inspection.looks import Look
    from ecqg.inspection.study import Study
    from ecqg.items import ITEMS
    from ecqg.palette import styles
    from ecqg.report.names import shown
    from ecqg.systems import evaluated

    ITEMS["Collection"].find(collection, params)
    folder = paths.collection(collection)
    if not folder.is_dir():
        raise InputError("no collection", file=folder, remedy="run 'make repro'")
    colours = styles(evaluated(params.systems))
    settings = (params.encoder.max_passage_tokens, params.encoder.precision)

    def dense(system: str) -> rankings.Search:
        vectors = paths.embeddings(system, collection)
        count = len(study.passages)
        sections = (params.encoder, params.retrieval, params.seed)
        return rankings.dense_search(paths.retriever(system), vectors, *sections, count)

    def look(system: str) -> Look:
        encoder = PassageAttention(paths.retriever(system) / PASSAGE, *settings)
        return Look(shown(system), colours[system].colour, encoder)

    lexical = {
        "bm25": partial(rankings.bm25_search, folder, params.bm25),
        "tfidf": partial(rankings.tfidf_search, folder, params.tfidf),
    }
    study = Study(
        collection=folder,
        searches={
            **{system: lexical[system] for system in params.systems.lexical},
            **{system: partial(dense, system) for system in params.systems.dense},
        },
        looks={system: partial(look, system) for system in params.systems.dense},
        generator=partial(
            asker, paths.generator("conditioned"), params.generator, params.generate, params.seed
        ),
        entities=params.entities,
        statistics=params.attention_statistics,
        per_passage=params.select.per_passage,
    )
    return study


def _check(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise InputError(f"no system {name}", remedy=f"choose one of {', '.join(known)}")


def search(
    question: str,
    system: Annotated[str, typer.Option(help="whose ranking to print")] = "mixed",
    against: Annotated[str, typer.Option(help="another's beside it; none where empty")] = "dpr",
    answer: Annotated[
        list[str] | None, typer.Option(help="passages that have it are marked; more than once")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", "-k", min=1, help="passages of each")] = 5,
    collection: Annotated[str, COLLECTION] = "main",
) -> None:
    """Print what systems find for a question, passages with an answer marked."""
    from rich.console import Console

    from ecqg.params import load_params
    from ecqg.report.formats import Row, Table
    from ecqg.report.names import shown
    from ecqg.report.terminal import show_tables

    study = load_study(load_params(), collection)
    systems = [name for name in (system, against) if name]
    _check(systems, study.searches)
    rankings = {name: study.ranking(name, question, depth, answer or ()) for name in systems}
    tables = []
    for name, found in rankings.items():
        others = {f.passage.id: f.rank for s, of in rankings.items() if s != name for f in of}
        rows = []
        for one in found:
            text = " ".join(one.passage.text.split())
            text = text if len(text) <= WIDTH else f"{text[:WIDTH]} ..."
            mark = "yes" if one.answered else ""
            cells = [str(one.rank), f"{one.score:.2f}", mark, str(others.get(one.passage.id, ""))]
            rows.append(Row([*cells, one.passage.id, f"{one.passage.title}: {text}"]))
        header = ["rank", "score", "answer", "beside", "passage", "text"]
        tables.append(Table(header, rows, shown(name)))
    show_tables(tables, Console(), words=(4, 5))


def explain(
    passage: Annotated[str, typer.Argument(help="a passage's id, or any text")],
    system: Annotated[
        list[str] | None, typer.Option(help="whose attention; default: analysis.systems")
    ] = None,
    title: Annotated[str, typer.Option(help="of a text")] = "",
    html: Annotated[Path | None, typer.Option(help="write the heat map to this file, too")] = None,
    collection: Annotated[str, COLLECTION] = "main",
) -> None:
    """Show where systems look in a passage: word by word, and entity by entity."""
    from rich.console import Console

    from ecqg.files import write_text
    from ecqg.inspection.looks import passage_of
    from ecqg.inspection.shown import shown_in_terminal
    from ecqg.params import load_params

    params = load_params()
    study = load_study(params, collection)
    systems = system or [*params.analysis.systems]
    _check(systems, study.looks)
    chosen = study.passage(passage)
    if chosen is None and not passage.strip().count(" "):
        raise InputError(f"no passage {passage}", remedy="give an id, or a text of several words")
    chosen = chosen or passage_of(passage, title)
    heat_map = study.look(chosen, systems)
    shown_in_terminal(heat_map, Console())
    if html is not None:
        write_text(html, heat_map.html())
        say(f"The same in a browser: {html}")


def explore(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free")] = PORT,
    collection: Annotated[str, COLLECTION] = "main",
) -> None:
    """Serve a page, to this machine alone: ask, compare rankings, see where systems look.

    Ctrl-C ends it. Nothing is written.
    """
    from ecqg.inspection.app import serve
    from ecqg.params import load_params

    params = load_params()
    study = load_study(params, collection)
    serve(study, params.analysis.systems, port)
