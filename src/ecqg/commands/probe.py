"""Where does any retriever look?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg.commands.output import say
from ecqg.errors import InputError


def probe(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL...",
            help="a folder, a package, QUESTION,PASSAGE, or a hub's NAME@COMMIT",
        ),
    ],
    passages: Annotated[
        Path | None, typer.Option(help="a file, or a folder of BEIR; else the embedded ones")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="question<TAB>[answers], JSON Lines, CSV or SQuAD's JSON")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(help="which passages answer them, in TREC's form or BEIR's")
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="ask about each passage's lowest and highest entity")
    ] = False,
    generator: Annotated[
        Path | None, typer.Option(help="who asks: a conditioned generator of a study")
    ] = None,
    output: Annotated[Path, typer.Option(help="folder for probe.html and probe.json")] = Path(
        "probe"
    ),
    limit: Annotated[
        int, typer.Option(min=2, help="passages looked at and searched, a random sample")
    ] = 2000,
    max_tokens: Annotated[
        int | None, typer.Option(min=8, help="of a passage; else as the model's folder says")
    ] = None,
    skip_bad: Annotated[
        Path | None,
        typer.Option(
            help="a new file for bad rows, which are left out: of passages, of judgements, and of "
            "questions in JSON Lines or CSV"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0)] = 1,
) -> None:
    """Say where a retriever looks in passages, and whether it overlooks what stands late.

    Several models are set side by side. What is measured: docs/probe.md.
    """
    if passages is None and (questions or qrels):
        raise InputError("--questions are about --passages", remedy="give both")
    if qrels and not questions:
        raise InputError("--qrels judge --questions", remedy="give both")
    if generator and not ask:
        raise InputError("--generator writes questions", remedy="add --ask")

    from rich.console import Console

    from ecqg.checking import parse_yaml
    from ecqg.corpus.formats.rows import bad_rows
    from ecqg.files import write_json, write_text
    from ecqg.params import build_params
    from ecqg.probe.ask import SHIPPED
    from ecqg.probe.models import find_model, load
    from ecqg.probe.page import page
    from ecqg.probe.run import probe as run
    from ecqg.probe.summary import table, verdict
    from ecqg.probe.texts import embedded, read
    from ecqg.profiles import whole
    from ecqg.questions.generation import Plan
    from ecqg.report.terminal import show_tables

    if ask and generator is None:
        if passages is not None or not SHIPPED.is_dir():
            raise InputError(
                "no generator: the one that comes with a checkout, weights/generator, knows the "
                "embedded encyclopedia's language alone",
                remedy="give --generator, such as data/models/generator/conditioned of a study",
            )
        generator = SHIPPED
    found_models = [find_model(model) for model in models]
    names = [halves.name for halves in found_models]
    for number, name in enumerate(names):
        if name in names[:number]:
            what = f"{models[number]}: {name} is the name of another model, too"
            raise InputError(what, remedy="rename a folder")
    loaded = [load(halves, max_tokens) for halves in found_models]
    if passages is None:
        texts = embedded(limit, seed)
    else:
        with bad_rows(skip_bad) as bad:
            texts = read(passages, questions, qrels, bad, most=limit, seed=seed)
        if bad.count:
            say(f"{bad.count:,} rows are left out: {skip_bad}")
    settings = build_params(parse_yaml(whole("microcosm"), "microcosm"))
    lengths = settings.generator
    plan = Plan(
        samples=1,
        max_source_tokens=lengths.max_source_tokens,
        max_target_tokens=lengths.max_target_tokens,
        precision="fp32",
        marked=lengths.mark_entity,
        how=settings.generate,
        seed=seed,
    )
    asker = (generator, plan) if generator is not None else None
    found = run(loaded, texts, settings.entities, seed=seed, asker=asker)
    write_json(output / "probe.json", found.figures())
    write_text(output / "probe.html", page(found))
    show_tables([table(found)], Console())
    say("")
    for model in found.models:
        say(verdict(model))
    say(f"\nHeat maps and all figures: {output / 'probe.html'}, {output / 'probe.json'}")
