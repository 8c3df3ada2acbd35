"""DVC's run cache, from which stages are restored, also for those that leave files for Git.

DVC saves a run there where all outputs are in its cache, or are metrics or plots. Most of our
stages have a small table for Git beside their data, so that none of those that train would be
saved, though DVC restores what is.
"""

from __future__ import annotations

import hashlib
from copy import deepcopy
from pathlib import Path
from typing import Any

from ecqg.files import atomic


def save_run(stage: Any) -> None:
    """Save the run that a stage has just had in this folder, where DVC does not."""
    if _left_out(stage):
        stage.repo.stage_cache.save(stage)


def save_commit(revision: str) -> None:
    """Save the runs that dvc.lock has in a commit, such as an experiment's.

    Those of whose outputs one is not as dvc.lock says, in DVC's cache or in Git, are left out.
    """
    from dvc.repo import Repo
    from dvc.stage.cache import _get_cache_hash
    from dvc.stage.serialize import to_single_stage_lockfile
    from dvc.utils.serialize import dumps_yaml

    with Repo() as repo:
        for name in repo.brancher(revs=[revision]):
            for stage in () if name == "workspace" else filter(_left_out, repo.index.stages):
                if not _whole(stage) or not all(map(_cached, stage.outs)):
                    continue
                run = to_single_stage_lockfile(stage)
                value, key = _get_cache_hash(run), _get_cache_hash(deepcopy(run), key=True)
                path = Path(repo.stage_cache._get_cache_path(key, value))
                if not path.exists():
                    with atomic(path) as aside:
                        aside.write_text(dumps_yaml(run), encoding="utf-8")


def _left_out(stage: Any) -> bool:
    """Whether DVC saves no run of it."""
    return any(not (out.use_cache or out.is_metric or out.is_plot) for out in stage.outs)


def _whole(stage: Any) -> bool:
    """Whether dvc.lock has all of it."""
    return all(one.hash_info for one in (*stage.deps, *stage.outs))


def _cached(out: Any) -> bool:
    """Whether DVC's cache has an output; a file of Git's is put there."""
    odb, digest = out.repo.cache.local, out.hash_info
    if odb.exists(digest.value):
        return True
    if out.use_cache or digest.isdir or not out.exists:
        return False
    content = out.fs.cat_file(out.fs_path)
    if hashlib.md5(content, usedforsecurity=False).hexdigest() != digest.value:
        return False
    odb.add_bytes(digest.value, content)
    return True
