"""Check params.yaml whole, and list what each stage runs with: before any other stage.

DVC deletes a stage's outputs before it starts the stage. A mistake in params.yaml that only the
stage noticed would cost what an earlier run had made.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecqg import paths
from ecqg.closure import write_listings
from ecqg.corpus.spacy_model import find_pipeline
from ecqg.errors import InputError
from ecqg.microcosm.biomed.writer import field_for
from ecqg.microcosm.world import World
from ecqg.params import Params
from ecqg.training.weights import find_file, split_name


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
    for key, folder in folders(params):
        if not (Path(folder).is_dir() or paths.DATA in Path(folder).parents):
            raise InputError(
                f"{key}: there is no folder {folder}",
                file="params.yaml",
                remedy="correct the path, which counts from the repository's root",
            )
    write_listings()


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
