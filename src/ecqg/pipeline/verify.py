"""Whether DVC's cache holds what its files' names say.

DVC names a file of its cache by the MD5 of its bytes, and believes the name of a file that is
read-only. Where outputs are hard links, whoever writes into one in spite of that, as root or after
chmod, writes into the cache as well, and DVC goes on to hand it out.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ecqg.errors import InputError
from ecqg.progress import track


@dataclass(frozen=True)
class Verified:
    """What a look through the cache found."""

    files: int
    size: int  # bytes
    damaged: list[Path]


def verify_cache() -> Verified:
    """Compare the bytes of each file in the cache of the repository around with its name.

    Raises InputError where there is no repository.
    """
    from dvc.exceptions import NotDvcRepoError
    from dvc.repo import Repo

    try:
        with Repo() as repo:
            folder = Path(repo.cache.local.path)
    except NotDvcRepoError:
        raise InputError("this is no DVC repository", remedy="go to the one you cloned") from None
    objects = sorted(folder.glob("??/*"))
    damaged = [path for path in track(objects, "verify", unit="file") if not holds(path)]
    return Verified(len(objects), sum(path.stat().st_size for path in objects), damaged)


def holds(path: Path) -> bool:
    """Whether a file has the MD5 that its folder and its name say, in front of ".dir" if any."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "md5").hexdigest()
    return digest == path.parent.name + path.name.removesuffix(".dir")
