"""The embedded encyclopedia of a fictional world; see docs/microcosm.md."""

from ecqg.microcosm.writer import write_microcosm

__all__ = ["write_microcosm"]
