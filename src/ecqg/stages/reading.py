"""Read a set of examples for the reader of the round trip."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.folder import read_split
from ecqg.corpus.reading_set import write_split
from ecqg.files import atomic
from ecqg.items import Reading
from ecqg.params import Params
from ecqg.tables import write_values


def run(params: Params, name: Reading) -> None:
    """Write paths.reading(split, name), and counts; dev of the main set, on which to calibrate."""
    settings = params.reading_sets[name]
    with atomic(paths.reading("train", name).parent) as out:
        counts = {
            split: write_split(
                split, read_split(settings.folder, split), settings, params.seed, out
            )
            for split in (("train", "dev") if name == paths.MAIN else ("train",))
        }
    write_values(paths.reading_metrics(name), counts)
