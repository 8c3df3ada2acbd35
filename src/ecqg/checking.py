"""YAML files as dataclasses: what ecqg.params is checked with."""

from __future__ import annotations

import dataclasses
import difflib
import re
import reprlib
import types
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from ecqg.errors import InputError
from ecqg.files import read_text

NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
NAMED = "a small letter, then up to 40 small letters, digits, '_' or '-'"
# What a list may be annotated with, and a mapping with the second, as error messages say it.
DIFFERENT = "a list without repetition"
SOME = "one or more, all different"
_SHORT = reprlib.Repr()  # of anything, however long or deep
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200


def read_yaml(path: str | Path) -> Any:
    """A YAML 1.2 document as plain dicts, lists and scalars."""
    if not Path(path).is_file():
        raise InputError("no such file", file=path, remedy="run from the repository's root")
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, path: str | Path) -> Any:
    """The YAML 1.2 document `text`, which was read from `path`.

    Raises InputError where it is none, or has an alias (`*name`), of which a few lines can stand
    for billions.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.composer import Composer
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.events import AliasEvent

    class WithoutAliases(Composer):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.parser.check_event(AliasEvent):
                line = self.parser.peek_event().start_mark.line + 1
                remedy = "write out what it stands for"
                raise InputError("an alias", file=path, line=line, remedy=remedy)
            return super().compose_node(parent, index)

    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = WithoutAliases
    wrong = partial(InputError, file=path, remedy="mend the syntax")
    try:
        return yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise wrong(f"not YAML ({error.problem})", line=line) from None
    except RecursionError:
        raise wrong("not YAML (nested too deeply)") from None
    # Characters that YAML lacks; numbers and dates that are none, and what cannot be a key.
    except (
        YAMLError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
    ) as error:
        raise wrong(f"not YAML ({error})") from None


def build(kind: Any, value: Any, key: str, path: str | Path) -> Any:
    """`value`, read from `path` at `key`, as an instance of `kind`.

    `kind` is a dataclass or the type of a field: a tuple, perhaps DIFFERENT or SOME, a dict by
    name, perhaps SOME, a dict annotated with the dataclass of which it has some fields, or a type
    without keys that msgspec knows, annotated with a description in msgspec.Meta where it has
    bounds. Raises InputError where the value is none.
    """
    if dataclasses.is_dataclass(kind):
        return _build_section(kind, value, key, path)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated and dataclasses.is_dataclass(arguments[1]):
        return _build_fields(arguments[1], value, key, path)
    if origin is Annotated and arguments[1] in (DIFFERENT, SOME):
        built = build(arguments[0], value, key, path)
        if len(set(built)) == len(built) and (built or arguments[1] == DIFFERENT):
            return built
    elif origin is tuple and isinstance(value, list):
        return tuple(build(arguments[0], v, f"{key}[{i}]", path) for i, v in enumerate(value))
    elif origin is dict and isinstance(value, dict):
        for name in value:  # of a file or folder, and of one of DVC's stages
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise InputError(f"{key} has the name {name!r}", file=path, remedy=f"write {NAMED}")
        return {n: build(arguments[1], v, f"{key}.{n}", path) for n, v in value.items()}
    elif origin not in (tuple, dict):
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            pass
    shown = _SHORT.repr(value)
    raise InputError(f"{key} is {shown}", file=path, remedy=f"it must be {_describe(kind)}")


def _build_section(section: Any, value: Any, key: str, path: str | Path) -> Any:
    built = _build_fields(section, value, key, path)
    hints = get_type_hints(section, include_extras=True)
    for field in dataclasses.fields(section):
        optional = {field.default, field.default_factory} != {dataclasses.MISSING}
        if field.name not in built and not optional:
            remedy = f"add it ({_describe(hints[field.name])})"
            what = f"parameter {_below(key)}{field.name} is missing"
            raise InputError(what, file=path, remedy=remedy)
    return section(**built)


def _build_fields(section: Any, value: Any, key: str, path: str | Path) -> dict[str, Any]:
    """Those fields of a dataclass that `value` has."""
    if not isinstance(value, dict):
        raise InputError(
            f"{key or 'the file'} is no mapping", file=path, remedy="write 'key: value' lines"
        )
    hints = get_type_hints(section, include_extras=True)
    for name in value:
        if name not in hints:
            near = difflib.get_close_matches(str(name), hints, 1)
            known = f"known: {', '.join(hints)}"
            remedy = f"did you mean {_below(key)}{near[0]}?" if near else known
            raise InputError(f"unknown parameter {_below(key)}{name}", file=path, remedy=remedy)
    return {name: build(hints[name], v, f"{_below(key)}{name}", path) for name, v in value.items()}


def _below(key: str) -> str:
    return f"{key}." if key else ""


def _describe(kind: Any) -> str:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        said = getattr(arguments[1], "description", arguments[1])
        return said if isinstance(said, str) else "a section"
    if origin is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if origin in (Union, types.UnionType):
        return " or ".join("null" if a is type(None) else _describe(a) for a in arguments)
    if origin is tuple:
        return f"a list, each {_describe(arguments[0])}"
    if origin is dict:
        return f"a mapping from names, each to {_describe(arguments[1])}"
    names = {int: "a whole number", str: "a string", bool: "true or false"}
    return names.get(kind, "a section")
