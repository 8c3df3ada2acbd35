"""Check params.yaml whole, and list what each stage runs with: before any other stage.

DVC deletes a stage's outputs before it starts the stage. A mistake in params.yaml that only the
stage noticed would cost what an earlier run had made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ecqg import paths
from ecqg.closure import write_listings
from ecqg.corpus.spacy_model import find_pipeline
from ecqg.encoder.folder import check_encoder
from ecqg.errors import InputError
from ecqg.microcosm.biomed.writer import field_for
from ecqg.microcosm.world import World
from ecqg.params import Params
from ecqg.systems import evaluated
from ecqg.training.weights import SAFE, find_file, split_name

OURS = Path("weights")  # starting weights that are part of the repository


def run(params: Params) -> None:
    """Write paths.CODE, on which all stages depend, where the parameters are valid.

    `params` has been checked as far as it says nothing of files, packages and the embedded
    encyclopedia; the rest is checked here. Raises InputError for what is wrong.
    """
    if params.source == "microcosm":
        world = params.microcosm
        World(world.world_seed, world.passages, world.families)
        field_for(world.world_seed, world.biomed.passages)
    find_pipeline(params.entities.model)
    for section, source, name in weights(params):
        if source == "package":
            find_file(name, section)
        elif source == "hub":
            split_name(name, section)
        elif source != "folder" or not Path(name).is_dir():
            continue
        elif section.startswith(("public.", "init_encoder")):
            check_encoder(Path(name))
        elif not any(Path(name).rglob(SAFE)):
            raise InputError(
                f"{section}: {name} has no {SAFE}",
                file="params.yaml",
                remedy="name a folder of weights (docs/data.md says how to convert pickled ones)",
            )
    for key, folder in folders(params):
        if not (Path(folder).is_dir() or paths.DATA in Path(folder).parents):
            raise InputError(
                f"{key}: there is no folder {folder}",
                file="params.yaml",
                remedy="correct the path, which counts from the repository's root",
            )
    for name, of in params.collections.items():
        for test_set, file in of.test_sets.items():
            if Path(of.folder).is_dir() and not Path(of.folder, file).is_file():
                raise InputError(
                    f"collections.{name}.test_sets.{test_set}: {of.folder} has no file {file}",
                    file="params.yaml",
                    remedy="correct the name of the .qa.tsv file",
                )
    write_listings()
    for line in summary(params):
        print(line)


def summary(params: Params) -> Iterator[str]:
    """What the study has, and which entries nothing uses."""
    systems = evaluated(params.systems)
    test_sets = sum(len(of.test_sets) for of in params.collections.values())
    yield (
        f"params.yaml is valid: {len(systems)} systems, {len(params.question_sets)} question sets,"
        f" {len(params.collections)} collections with {test_sets} test sets"
    )
    pretrained, dense = params.pretrained.values(), params.systems.dense.values()
    starts = {of.start for of in pretrained} | {of.start for of in dense}
    sections: dict[str, tuple[Iterable[str], set[str]]] = {
        "question_sets": (params.question_sets, {q for of in pretrained for q in of.questions}),
        "pretrained": (params.pretrained, starts),
        "public": (params.public, starts),
        "gold_sets": (params.gold_sets, {of.gold for of in dense}),
        "reading_sets": (params.reading_sets, {of.examples for of in params.reader.phases}),
    }
    for section, (there, used) in sections.items():
        for name in there:
            if name not in used:
                yield f"note: {section}.{name} is made, and nothing is trained with it"
    for section, source, name in weights(params):
        if source == "folder" and OURS in Path(name).parents and params.source != "microcosm":
            yield (
                f"note: {section} starts from {name}, which learned the embedded language: for "
                "other text take source random, or a package of 'make weights'"
            )


def folders(params: Params) -> Iterator[tuple[str, str]]:
    """Folders of data that params.yaml names, each with its key."""
    for section, named in (
        ("collections", params.collections),
        ("gold_sets", params.gold_sets),
        ("reading_sets", params.reading_sets),
    ):
        for name, settings in named.items():
            yield f"{section}.{name}.folder", settings.folder
    for name, folder in params.distractors.items():
        yield f"distractors.{name}", folder
    for section, source, name in weights(params):
        if source == "folder":
            yield section, name


def weights(params: Params) -> Iterator[tuple[str, str, str]]:
    """Where weights come from: a section of params.yaml, the kind of source, and its name."""
    yield "init_encoder", params.init_encoder.source, params.init_encoder.name
    yield "init_generator", params.init_generator.source, params.init_generator.name
    yield "reader", params.reader.start, params.reader.name
    for system, public in params.public.items():
        for name in (public.question, public.passage):
            yield f"public.{system}", public.source, name
