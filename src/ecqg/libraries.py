"""Which libraries this package runs with."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version


@cache
def versions() -> dict[str, str]:
    """Versions, by name, of the installed distributions that this package itself requires.

    Those of its extras are left out: no stage's result comes from them alone. No library is
    imported. Raises PackageNotFoundError where this package is not installed.
    """
    found: dict[str, str] = {}
    for requirement in requires("ecqg") or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        # A build under another name, such as faiss-gpu, may stand in for one.
        with suppress(PackageNotFoundError):
            if "extra ==" not in requirement:
                found[name] = version(name)
    return found
