"""The local page: rankings side by side, where systems look, questions about an entity.

Plain HTML that the server makes: no script, no network, everything escaped. It answers this machine
alone: it listens on the loopback, and requests for another host's name are refused, so that no page
of the web can read from it through a name of its own (DNS rebinding).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from threading import Lock, Thread

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ecqg import templates
from ecqg.attention.heatmap import HeatMap
from ecqg.attention.shading import STYLE, shade
from ecqg.corpus.passages import Passage
from ecqg.errors import InputError
from ecqg.inspection.study import Study
from ecqg.report.names import shown

HOST = "127.0.0.1"
HOSTS = [HOST, "localhost", "[::1]"]
DEPTH = 10
LONGEST = 1000  # characters of a question
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"


def make_app(study: Study, looking: Sequence[str]) -> Starlette:
    """The page on a study; `looking` are the dense systems whose attention is shown first.

    `/` has a question's rankings, `/passage/ID` a passage under each system, and with `start` and
    `end` questions about these characters of its text.
    """
    lock = Lock()  # models are not made for two requests at a time

    def page(request: Request) -> Response:
        query = request.query_params
        question, answer = query.get("q", "")[:LONGEST], query.get("answer", "")[:LONGEST]
        names = [*study.searches]
        chosen = [query.get("system", looking[-1]), query.get("against", looking[0])]
        for name in chosen:
            if name not in study.searches:
                raise HTTPException(404, f"There is no system {name}.")
        rankings = {}
        if question.strip():
            with lock:
                answers = [answer] if answer.strip() else []
                for name in dict.fromkeys(chosen):
                    rankings[name] = study.ranking(name, question, DEPTH, answers)
        return _html(
            what="rankings",
            question=question,
            answer=answer,
            systems=names,
            chosen=chosen,
            rankings=rankings,
        )

    def passage(request: Request) -> Response:
        found = _passage(study, request.path_params["name"])
        systems = request.query_params.getlist("system") or [*looking]
        for name in systems:
            if name not in study.looks:
                raise HTTPException(404, f"There is no dense system {name}.")
        with lock:
            heat_map = study.look(found, systems)
            asked = _ask(study, found, request)
        return _html(
            what="passage",
            passage=found,
            heat_map=heat_map,
            places=_places(heat_map),
            asked=asked,
            systems=[*study.looks],
            looking=systems,
        )

    return Starlette(
        routes=[Route("/", page), Route("/passage/{name:path}", passage)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
        exception_handlers={HTTPException: _refused, InputError: _refused},
    )


def serve(study: Study, looking: Sequence[str], port: int) -> None:
    """Serve the page until Ctrl-C. Raises InputError where the port is taken."""
    import socket

    import uvicorn

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError:
        remedy = "name another with --port, or 0 for any"
        raise InputError(f"port {port} is taken", remedy=remedy) from None
    print("Loading models ...", flush=True)
    study.warm_up(looking)
    print(f"http://{HOST}:{listening.getsockname()[1]}/  (Ctrl-C ends it)", flush=True)
    Thread(target=study.load_searches, daemon=True).start()  # TF-IDF takes seconds
    config = uvicorn.Config(make_app(study, looking), log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


def _passage(study: Study, name: str) -> Passage:
    found = study.passage(name)
    if found is None:
        raise HTTPException(404, f"There is no passage {name}.")
    return found


def _places(heat_map: HeatMap) -> dict[str, tuple[int, int]]:
    """The first mention of each distinct entity, by its text."""
    places: dict[str, tuple[int, int]] = {}
    for mention in heat_map.mentions:
        places.setdefault(mention.text, (mention.start, mention.end))
    return places


def _ask(study: Study, passage: Passage, request: Request) -> dict[str, object] | None:
    query = request.query_params
    if "start" not in query:
        return None
    try:
        start, end = int(query["start"]), int(query["end"])
    except (KeyError, ValueError):
        raise HTTPException(400, "start and end must be whole numbers.") from None
    if not 0 <= start < end <= len(passage.text):
        raise HTTPException(400, f"The text has {len(passage.text)} characters.")
    return {"about": passage.text[start:end], "questions": study.ask(passage, start, end)}


def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    said = error.detail if isinstance(error, HTTPException) else f"{error}."
    return _html(status=status, what="refused", said=said)


def _html(status: int = 200, **values: object) -> HTMLResponse:
    text = templates.fill(__file__, escape, shade=shade, shown=shown, **STYLE, **values)
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff"}
    return HTMLResponse(text, status, {**headers, "Referrer-Policy": "no-referrer"})
