"""Check params.yaml whole, and list what each stage runs with: before any other stage.

DVC deletes a stage's outputs before it starts the stage. A mistake in params.yaml that only the
stage noticed would cost what an earlier run had made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from ecqg import paths
from ecqg.closure import write_listings
from ecqg.consistency import Fault, Shape, fitting, weights
from ecqg.corpus.formats.own_folder import PASSAGE_FILE
from ecqg.corpus.passage_file import check_header
from ecqg.corpus.spacy_model import find_pipeline
from ecqg.encoder.folder import check_encoder
from ecqg.errors import InputError
from ecqg.files import read_as
from ecqg.microcosm.biomed.writer import field_for
from ecqg.microcosm.world import World
from ecqg.microcosm.writer import SUPERVISED
from ecqg.params import Params
from ecqg.systems import evaluated
from ecqg.training.weights import SAFE, find_file, split_name

OURS = Path("weights")  # starting weights that are part of the repository
MADE = {  # below paths.RAW, by source
    "microcosm": ("microcosm", *(f"microcosm/{name}" for name in SUPERVISED), "movies", "biomed"),
    "squad": ("squad",),
    "folder": (),
}
# Dimensions of vectors where no file says theirs: what divides usual ones divides it.
DIMENSIONS = 3840


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
    for section, _, source, name in weights(params):
        if source == "package":
            find_file(name, section)
        elif source == "hub":
            split_name(name, section)
    for what, remedy in chain(_missing(params), _unfit(params)):
        raise InputError(what, file="params.yaml", remedy=remedy)
    folders = (of.folder for of in params.collections.values())
    for folder in map(Path, chain(folders, params.distractors.values())):
        # What is below paths.RAW `acquire` makes anew.
        if (folder / PASSAGE_FILE).is_file() and not folder.is_relative_to(paths.RAW):
            check_header(folder / PASSAGE_FILE)
    write_listings()
    for line in summary(params):
        print(line)


def _missing(params: Params) -> Iterator[Fault]:
    """Folders and files that are named and not there."""
    for section, _, source, name in weights(params):
        if source == "folder" and Path(name).is_dir() and not any(Path(name).rglob(SAFE)):
            remedy = "name a folder of weights (docs/data.md says how to convert pickled ones)"
            yield f"{section}: {name} has no {SAFE}", remedy
    named = {
        f"{section}.{name}.folder": of.folder
        for section in ("collections", "gold_sets", "reading_sets")
        for name, of in getattr(params, section).items()
    }
    named |= {f"distractors.{name}": folder for name, folder in params.distractors.items()}
    named |= {
        f"{of}.{key}": name for of, key, source, name in weights(params) if source == "folder"
    }
    made = [paths.RAW / folder for folder in MADE[params.source]]
    for key, folder in named.items():
        # What is there below paths.RAW may be of another source; `acquire` deletes it.
        there = Path(folder).is_dir() and not Path(folder).is_relative_to(paths.RAW)
        if not (there or Path(folder) in made):
            remedy = "correct the path, which counts from the repository's root"
            yield f"{key}: there is no folder {folder}", remedy
    for name, of in params.collections.items():
        for test_set, file in of.test_sets.items():
            if Path(of.folder).is_dir() and not Path(of.folder, file).is_file():
                what = f"collections.{name}.test_sets.{test_set}: {of.folder} has no file {file}"
                yield what, "correct the name of the .qa.tsv file"


def _unfit(params: Params) -> Iterator[Fault]:
    """What does not fit the encoders' weights, as far as they are on this machine."""
    from ecqg.search.building import check_spec

    start = params.init_encoder
    dimensions = start.hidden if start.source == "random" else DIMENSIONS
    for section, _, source, name in weights(params):
        if section == "init_generator" or source not in ("folder", "package"):
            continue
        folder = Path(name) if source == "folder" else find_file(name, section).parent
        if source == "folder" and section != "reader":
            check_encoder(folder)
        if (file := folder / "config.json").is_file():
            shape = read_as(file, Shape, "no encoder's configuration")
            yield from fitting(params, section, shape)
            if section == "init_encoder":
                dimensions = shape.hidden_size or dimensions
    check_spec(params.retrieval.index, dimensions)


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
    for section, _, source, name in weights(params):
        if source == "folder" and OURS in Path(name).parents and params.source != "microcosm":
            yield (
                f"note: {section} starts from {name}, which learned the embedded language: for "
                "other text take source random, or a package of 'make weights'"
            )
