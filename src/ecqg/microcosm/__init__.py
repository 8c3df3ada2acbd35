"""The embedded encyclopedia of a fictional world; see docs/microcosm.md."""

from pathlib import Path

from ecqg.microcosm.biomed.writer import write_biomed
from ecqg.microcosm.movies import write_movies
from ecqg.microcosm.writer import write_microcosm
from ecqg.params import Microcosm

__all__ = ["write_all", "write_microcosm"]


def write_all(raw: Path, settings: Microcosm, seed: int, resume_dir: Path | None = None) -> None:
    """Write the encyclopedia and its zero-shot collections: raw/microcosm, movies, biomed."""
    write_microcosm(raw / "microcosm", settings, seed, resume_dir)
    write_movies(raw / "movies", settings.movies, settings.world_seed, seed)
    write_biomed(raw / "biomed", settings.biomed, settings.world_seed, seed)
