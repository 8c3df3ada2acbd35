"""Parameter files, one a profile, and how one becomes params.yaml.

A file is complete, or names the profile that it `extends` and what it has beside it or otherwise;
`without` lists sections of the other whose entries are taken out first; an entry without a value is
taken out alone. One's own lie in OWN.
"""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from ecqg.checking import parse_yaml
from ecqg.errors import InputError
from ecqg.files import read_text, write_text
from ecqg.params import build_params
from ecqg.paths import INIT, MAIN

FOLDER = Path(__file__).parent
OWN = Path("profiles")  # below the repository's root
COMMENT = re.compile(r"(?:#.*\n)*")  # that a file begins with


class DataSets(NamedTuple):
    """A profile's data sets, as names of folders under --data.

    `test_sets` are those of the profile that the train set's folder may lack. They share its
    collection, which is encoded once; each of `zero_shot` has a collection of its own. Where one of
    either has training questions, too, a DPR of its own is trained on these, for reference.
    """

    train: str
    test_sets: tuple[str, ...] = ()
    distractors: tuple[str, ...] = ()
    zero_shot: tuple[str, ...] = ()
    reading_sets: tuple[str, ...] = ()


DATA_SETS = {
    "squad": DataSets("squad", distractors=("squad-extra",), zero_shot=("covid-qa",)),
    "paper": DataSets(
        "nq",
        test_sets=("webq", "trivia", "wikimovies"),
        zero_shot=("bioasq",),
        reading_sets=("squad",),
    ),
}
# Small sets whose own training needs more epochs than finetune.epochs: 643 gold pairs in batches of
# 32 are 21 steps an epoch; for WebQuestions the number is DPR's.
SUPERVISED_EPOCHS = {"covid-qa": 10, "webq": 100}


def describe(*folders: Path) -> Iterator[tuple[str, str]]:
    """Each profile's name and the first comment line of its file, one's own last."""
    for folder in folders or (FOLDER, OWN):
        for path in sorted(folder.glob("*.yaml"), key=lambda path: path.stem):
            yield path.stem, path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def find(name: str) -> Path:
    """The file of a profile: ours, one's own, or one that `name` is the path of.

    Raises InputError where there is none.
    """
    paths = (FOLDER / f"{name}.yaml", OWN / f"{name}.yaml", Path(name))
    for path in paths if name.endswith(".yaml") else paths[:2]:
        if path.is_file():
            return path
    names = ", ".join(n for n, _ in describe())
    raise InputError(f"unknown profile {name!r}", remedy=f"choose one of {names}")


def whole(name: str, text: str | None = None) -> str:
    """The complete parameter file of a profile, as text.

    Of one that extends another: the other's, below its own first comment. Mappings are merged, or
    taken out where it has null, all else is replaced. Its own `text` may be given. Raises
    InputError for an unknown profile.
    """
    source: str | Path = name
    if text is None:
        source = find(name)
        text = read_text(source)
    own = parse_yaml(text, source)
    if not isinstance(own, dict):
        raise InputError("no parameters", file=source, remedy="write 'key: value' lines")
    without = own.pop("without", [])
    if (extended := own.pop("extends", None)) is None:
        return text
    from dvc.utils.serialize import parse_yaml_for_update

    if extended not in [built_in for built_in, _ in describe(FOLDER)]:
        remedy = "extend one of those that 'ecqg profile list' names first"
        raise InputError(f"extends {extended}", file=source, remedy=remedy)
    tree: Any = parse_yaml_for_update(whole(extended), extended)
    for key in without:
        *sections, leaf = str(key).split(".")
        section = tree
        for part in sections:
            section = section.get(part) or {}
        if leaf not in section:
            remedy = f"{extended} has no such key"
            raise InputError(f"without names {key}", file=source, remedy=remedy)
        section[leaf] = {}  # in its place
    _merge(tree, own)
    comment = text.removesuffix(COMMENT.sub("", text, 1))
    return comment + COMMENT.sub("", _dumped(tree), 1)


def _merge(tree: Any, other: Mapping[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and tree.get(key):
            _merge(tree[key], value)
        elif value is None and isinstance(tree.get(key), dict):
            del tree[key]
        else:
            tree[key] = value


def _dumped(tree: Any) -> str:
    """A tree as what `dvc exp run --set-param` writes: a value set is then one line's change."""
    from dvc.utils.serialize import dumps_yaml

    # What was added at the end of a section stands below the blank line that follows it.
    return re.sub(r"\n+(?=\w+:( {})?\n)", "\n\n", re.sub(r"\n\n+", "\n", dumps_yaml(tree)))


def use(name: str, *, data: Path | None = None, target: Path = Path("params.yaml")) -> list[str]:
    """Make profile `name` the parameter file `target` and return the lines that changed.

    With `data`, the profile's data sets are taken from the folders of that name in it, and its
    test sets from the train set's, those that exist. Edits in `target` that stand in no profile
    are kept as `target`.bak (numbered where one exists). Raises InputError for an unknown profile
    or a missing training folder.
    """
    text = whole(name)
    if data is not None:
        text = _with_data(name, text, data)
    build_params(parse_yaml(text, name), f"profile {name}")
    old = target.read_text(encoding="utf-8") if target.is_file() else ""
    notes = []
    if old and old not in (text, *(whole(profile) for profile, _ in describe())):
        names = chain([f"{target.name}.bak"], (f"{target.name}.bak{n}" for n in count(2)))
        backup = next(path for path in map(target.with_name, names) if not path.exists())
        shutil.copy2(target, backup)
        notes.append(f"your edits are kept in {backup}")
    write_text(target, text)
    difference = difflib.unified_diff(old.splitlines(), text.splitlines(), n=0, lineterm="")
    changed = [line for line in difference if not line.startswith(("---", "+++", "@@"))]
    return [*(changed or [f"{target} is the profile {name} already"]), *notes]


def _with_data(name: str, text: str, data: Path) -> str:
    from dvc.utils.serialize import parse_yaml_for_update

    if name not in DATA_SETS:
        raise InputError(f"profile {name} takes no data folder", remedy="leave --data out")
    sets = DATA_SETS[name]
    train = data / sets.train
    if not train.is_dir():
        raise InputError("no such folder", file=train, remedy="give --data its parent folder")
    tree: Any = parse_yaml_for_update(text, name)  # keeps comments and order
    tree["source"] = "folder"
    for section in ("collections", "gold_sets", "reading_sets"):
        tree[section][MAIN]["folder"] = train.as_posix()
    test_sets = tree["collections"][MAIN]["test_sets"]
    for n in sets.test_sets:
        if not (train / test_sets[n]).is_file():
            del test_sets[n]

    def there(folders: tuple[str, ...]) -> dict[str, str]:
        return {n: (data / n).as_posix() for n in folders if (data / n).is_dir()}

    tree["distractors"] = there(sets.distractors)
    for n, folder in there(sets.zero_shot).items():
        tree["collections"][n] = {"folder": folder, "test_sets": {n: "test.qa.tsv"}}
    for n in [n for n in tree["reading_sets"] if n != MAIN]:
        del tree["reading_sets"][n]
    for n, folder in there(sets.reading_sets).items():
        tree["reading_sets"][n] = {"folder": folder}
    collections = dict.fromkeys((n for n in sets.test_sets if n in test_sets), MAIN)
    for n, collection in [*collections.items(), *((n, n) for n in sets.zero_shot)]:
        if any((data / n / f).is_file() for f in ("squad-train.json", "train.dpr.json")):
            tree["gold_sets"][n] = {"folder": (data / n).as_posix(), "collection": collection}
            reference: dict[str, Any] = {"start": INIT, "gold": n}
            if n in SUPERVISED_EPOCHS:
                reference["training"] = {"epochs": SUPERVISED_EPOCHS[n]}
            tree["systems"]["dense"][f"dpr_{n.replace('-', '_')}"] = reference
    return _dumped(tree)
