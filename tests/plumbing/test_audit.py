"""The parts of `make audit` that need no network: digests, and installed files."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
from importlib.metadata import PathDistribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("audit", ROOT / "bench" / "audit.py")
audit = importlib.util.module_from_spec(spec)
spec.loader.exec_module(audit)


def test_every_package_but_torch_has_a_digest() -> None:
    wanted = {audit._plain(line) for line in audit.pinned(ROOT / "constraints.txt")}
    recorded = audit.recorded(ROOT / "constraints-hashes.txt")
    assert {audit._plain(name) for name in recorded} == wanted
    assert not any(name.startswith("torch==") for name in recorded)
    assert all(len(digest) == 64 and int(digest, 16) for digest in recorded.values())


def test_another_file_is_told() -> None:
    recorded = {"Some_Thing==1": "ab", "b==2": "cd"}
    assert list(audit.changed(recorded, {"some-thing==1": "ab", "b==2": "cd"})) == []
    assert list(audit.changed(recorded, {"b==2": "ef", "c==3": "01"})) == [
        "b==2: ef, recorded is cd",
        "c==3: 01, recorded is None",
    ]


def test_a_changed_and_a_missing_file_are_told(tmp_path: Path) -> None:
    info = tmp_path / "some-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some\nVersion: 1\n")
    (tmp_path / "some.py").write_bytes(b"x = 1\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"x = 1\n").digest()).rstrip(b"=").decode()
    record = f"some.py,sha256={digest},6\nsome-1.dist-info/RECORD,,\n"
    (info / "RECORD").write_text(record)
    package = PathDistribution(info)
    assert list(audit.damaged([package])) == []
    (tmp_path / "some.py").write_bytes(b"x = 2\n")
    assert list(audit.damaged([package])) == ["some: some.py is not as RECORD says"]
    (tmp_path / "some.py").unlink()
    # A distribution lists only files that are there; what is left of it is then its RECORD.
    assert all("RECORD says" not in line for line in audit.damaged([package]))


def test_what_could_not_be_asked_for_is_no_success() -> None:
    sound = {"name": "a", "version": "1", "vulns": []}
    skipped = {"name": "b", "skip_reason": "not found"}
    flaw = {"id": "X-1", "fix_versions": ["2"]}
    assert audit.judged([sound]) == (0, ["1 packages, 0 findings"])
    code, lines = audit.judged([sound, skipped])
    assert (code, lines[-1]) == (2, "1 packages could not be asked for, such as b: not found")
    code, lines = audit.judged([skipped, sound | {"vulns": [flaw]}])
    assert (code, lines[1]) == (1, "a 1: X-1, mended in 2")
