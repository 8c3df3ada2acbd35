"""The comparison of two runs' outs, whatever these are called."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from same_outs import differences, digests, renamed, write


def study(root: Path, files: dict[str, str], folder: str) -> None:
    """A finished study: each file an out, but those of `folder`, which is one."""
    outs = [{"path": p, "md5": md5(t)} for p, t in files.items() if not p.startswith(folder)]
    inside = {p: t for p, t in files.items() if p.startswith(folder)}
    listing = [{"md5": md5(t), "relpath": p.removeprefix(f"{folder}/")} for p, t in inside.items()]
    text = json.dumps(listing)
    place = root / ".dvc/cache/files/md5" / md5(text)[:2] / f"{md5(text)[2:]}.dir"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    outs += [{"path": folder, "md5": f"{md5(text)}.dir"}, {"path": "data/code", "md5": "0.dir"}]
    (root / "dvc.lock").write_text(json.dumps({"stages": {"one": {"outs": outs}, "none": {}}}))


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def test_files_are_found_by_what_they_are(tmp_path: Path) -> None:
    before = {"a.csv": "1", "b.csv": "2", "data/x/c": "3", "data/x/d": "4", "old": "5"}
    after = {"a.csv": "1", "b.csv": "other", "data/y/x/c": "3", "data/y/x/d": "4", "new": "6"}
    for name, files, folder in (("one", before, "data/x"), ("two", after, "data/y")):
        (tmp_path / name).mkdir()
        study(tmp_path / name, files, folder)
    one, two = (digests(tmp_path / name) for name in ("one", "two"))
    assert one == {path: md5(text) for path, text in before.items()}
    (tmp_path / "names").write_text("# names\n\n^data/(x)/ data/y/\\1/\n^old$ -\n")
    found = list(differences(one, two, renamed(tmp_path / "names")))
    assert found == ["differs  b.csv", "new      new"]
    assert "missing  old" in list(differences(one, two, []))
    assert list(differences(one, one, [])) == []
    write(tmp_path / "digests.csv", one)
    assert digests(tmp_path / "digests.csv") == one


def test_a_folder_that_no_cache_lists_counts_as_it_is(tmp_path: Path) -> None:
    outs = [{"path": "metrics", "md5": "0.dir"}]
    (tmp_path / "dvc.lock").write_text(json.dumps({"stages": {"one": {"outs": outs}}}))
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics/a.json").write_text("1")
    assert digests(tmp_path) == {"metrics/a.json": md5("1")}
