"""Families of articles, each a file: what there is, what is told of it and in which words.

docs/microcosm.md says what a file holds and how to add one.
"""

from ecqg.microcosm.families.loading import Catalogue, catalogue, files

__all__ = ["Catalogue", "catalogue", "files"]
