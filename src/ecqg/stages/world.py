"""Name the embedded world, which asks about itself where a question set's generator is `world`."""

from __future__ import annotations

from ecqg import paths
from ecqg.params import Params
from ecqg.questions.world import write_world


def run(params: Params) -> None:
    """Write paths.generator(paths.WORLD); nothing in it where the data are not the world's."""
    folder = paths.generator(paths.WORLD)
    if params.source == "microcosm":
        write_world(folder, params.microcosm)
    else:
        folder.mkdir(parents=True, exist_ok=True)
