"""What dvc.yaml must declare, derived from the code: the parameters that a stage reads.

Run as a program it prints them for each stage module, ready to be copied into dvc.yaml.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import sys
import types
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from ecqg.params import Params

ROOT = Path(__file__).resolve().parents[2]
STAGES = ROOT / "src" / "ecqg" / "stages"


def stage_modules() -> list[str]:
    """Names of all stage modules."""
    return sorted(p.stem for p in STAGES.glob("*.py") if p.stem != "__init__")


def leaves(kind: Any = Params, prefix: str = "") -> list[str]:
    """Dotted names of all parameters that are no sections."""
    if not dataclasses.is_dataclass(kind):
        return [prefix]
    hints = get_type_hints(kind)
    return [leaf for n, h in hints.items() for leaf in leaves(h, f"{prefix}.{n}".lstrip("."))]


def expand(names: set[str]) -> set[str]:
    """Sections replaced by their leaves; a key inside a mapping stands for the mapping."""
    known = leaves()
    out: set[str] = set()
    for name in names:
        below = {leaf for leaf in known if leaf == name or leaf.startswith(f"{name}.")}
        above = {leaf for leaf in known if name.startswith(f"{leaf}.")}
        assert below or above, f"no such parameter: {name}"
        out |= below or above
    return out


def parameters_read(stage: str) -> set[str]:
    """Leaves of params.yaml that a stage module reads: attribute chains of `params`.

    `vars(params)` stands for all that are not HIDDEN in the module.
    """
    tree = ast.parse((STAGES / f"{stage}.py").read_text(encoding="utf-8"))
    functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    chains: set[str] = set()
    inner: set[int] = set()  # nodes that are part of a longer chain, or passed on to be seen there
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain = _chain(node, inner)
            if chain:
                chains.add(_known_prefix(chain))
        elif isinstance(node, ast.Call) and ast.unparse(node) == "vars(params)":
            hidden = importlib.import_module(f"ecqg.stages.{stage}").HIDDEN
            chains |= {field.name for field in dataclasses.fields(Params)} - {*hidden}
            inner.add(id(node.args[0]))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in functions
        ):
            inner |= {id(a) for a in node.args if isinstance(a, ast.Name) and a.id == "params"}
        elif isinstance(node, ast.Name) and node.id == "params" and id(node) not in inner:
            raise AssertionError(f"{stage}.py:{node.lineno}: all of params escapes the stage")
    return expand(chains)


def _chain(node: ast.Attribute, inner: set[int]) -> list[str]:
    names: list[str] = []
    nodes: list[ast.AST] = []
    current: ast.expr = node
    while isinstance(current, ast.Attribute):
        names.append(current.attr)
        current = current.value
        nodes.append(current)
    if not (isinstance(current, ast.Name) and current.id == "params"):
        return []
    inner |= {id(n) for n in nodes}
    return names[::-1]


def _known_prefix(chain: list[str]) -> str:
    """The part of an attribute chain that names a parameter (`.items` and the like cut off)."""
    kind: Any = Params
    name: list[str] = []
    for part in chain:
        if not dataclasses.is_dataclass(kind):
            break
        kind = get_type_hints(kind)[part]
        if get_origin(kind) in (Union, types.UnionType):
            kind = next(a for a in get_args(kind) if a is not type(None))
        name.append(part)
    return ".".join(name)


def compress(names: set[str]) -> list[str]:
    """The shortest list that expands to `names`: whole sections by their name."""
    out: set[str] = set(names)
    for field in dataclasses.fields(Params):
        section = {leaf for leaf in leaves() if leaf.split(".")[0] == field.name}
        if len(section) > 1 and section <= names:
            out = (out - section) | {field.name}
    return sorted(out)


if __name__ == "__main__":
    for name in sys.argv[1:] or stage_modules():
        print(f"{name}:\n    params:")
        for parameter in compress(parameters_read(name)):
            print(f"      - {parameter}")
