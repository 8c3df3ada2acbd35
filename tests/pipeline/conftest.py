"""The whole DAG, run once at tiny size in a repository of its own."""

from __future__ import annotations

import pytest
from same_outs import digests
from tiny import TINY, Pipeline, clone, edit, run


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """`ecqg repro`, as `make repro` calls it, on the tiny profile, from a clean clone."""
    root = tmp_path_factory.mktemp("pipeline") / "clone"
    root.mkdir()
    clone(root)
    edit(root / "params.yaml", TINY)
    run(root, "ecqg", "repro")
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-q", "-m", "tiny run")
    return Pipeline(root, root.parent / "audit.tsv", digests(root))
