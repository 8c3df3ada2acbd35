"""Mutations of files, read one after the other in this process under limits.

    python -m mutations.worker KINDS SEED FIRST LAST KEEP

Prints a line of JSON before each mutation and one after it; a mutation without the second killed
the process. KEEP is a folder for files that were neither accepted nor refused, or empty.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from mutations.kinds import KINDS, Kind
from mutations.mutate import mutate

MEMORY = 2**30  # bytes beyond what the process has before it reads
SECONDS = 5  # of processor time


class SlowError(BaseException):
    """No Exception, which a reader might take for its own."""


def main(names: str, seed: str, first: int, last: int, keep: str) -> None:
    """Try the mutations `first` to `last` - 1 of each kind of `names`, which has commas."""
    for name in names.split(","):
        _try_kind(name, seed, first, last, keep)


def _try_kind(name: str, seed: str, first: int, last: int, keep: str) -> None:
    from ecqg import digests

    kind = KINDS[name]
    with tempfile.TemporaryDirectory() as temporary:
        os.chdir(temporary)
        digests.FOLDER = Path(temporary) / "digests"
        sound = Path(temporary) / "sound"
        sound.mkdir()
        file = kind.make(sound).relative_to(sound)
        data = (sound / file).read_bytes()
        # Every import and cache is there before memory is counted.
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        expected = kind.read(_copy(sound, Path(temporary)) / file)
        _limit()
        for number in range(first, last):
            print(json.dumps([name, number]), flush=True)
            folder = _copy(sound, Path(temporary))
            rng = random.Random(f"{seed}:{name}:{number}")
            compressed = name.endswith(".gz")
            changed = mutate(data, rng, compressed=compressed)
            (folder / file).write_bytes(changed)
            outcome, detail = _try(kind, folder / file, changed, expected)
            if keep and outcome not in ("accepted", "refused"):
                place = Path(keep) / f"{name}-{number}"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(changed)
            print(json.dumps([name, number, outcome, detail[-300:]]), flush=True)


def _copy(sound: Path, temporary: Path) -> Path:
    folder = temporary / "work"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sound, folder)
    return folder


def _limit() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    def stop(*_: Any) -> None:
        raise SlowError

    signal.signal(signal.SIGPROF, stop)


def _try(kind: Kind, file: Path, data: bytes, expected: Any) -> tuple[str, str]:
    from ecqg.errors import InputError

    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        value = kind.read(file)
    except InputError as error:
        line = str(error)
        return ("refused", line) if line.isprintable() else ("traceback", f"unprintable: {line!a}")
    except MemoryError:
        return "memory", ""
    except SlowError:
        return "slow", ""
    except BaseException:
        return "traceback", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if kind.whole:
        return ("accepted", "") if repr(value) == repr(expected) else ("loss", "another value")
    try:
        said = kind.said(data) if kind.said else None
    except Exception:
        said = None  # the other reading can make nothing of it
    if said is None:
        return "accepted", ""
    lost = Counter(filter(str.strip, said)) - Counter(kind.found(value))
    return ("loss", f"lost {list(lost)[:3]!a}") if lost else ("accepted", "")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
