"""Whether DVC's cache holds what its files' names say.

DVC names a file of its cache by the MD5 of its bytes, and believes the name of a file that is
read-only. Where outputs are hard links, whoever writes into one in spite of that, as root or after
chmod, writes into the cache as well, and DVC goes on to hand it out.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from ecqg.errors import InputError
from ecqg.progress import track


def verify_cache() -> tuple[list[Path], list[Path]]:
    """The files in the cache of the repository around, and those whose bytes their names deny.

    Raises InputError where there is no repository.
    """
    from dvc.exceptions import NotDvcRepoError
    from dvc.repo import Repo

    try:
        with Repo() as repo:
            files = sorted(Path(repo.cache.local.path).glob("??/*"))
    except NotDvcRepoError:
        raise InputError("this is no DVC repository", remedy="go to the one you cloned") from None
    return files, [path for path in track(files, "verify", unit="file") if not _holds(path)]


def _holds(path: Path) -> bool:
    """Whether a file has the MD5 that its folder and its name say, in front of ".dir" if any."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "md5").hexdigest()
    return digest == path.parent.name + path.name.removesuffix(".dir")
