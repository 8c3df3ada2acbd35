"""YAML files as dataclasses: what ecqg.params is checked with."""

from __future__ import annotations

import dataclasses
import re
import reprlib
import types
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ecqg.errors import InputError
from ecqg.files import read_text

NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")


@dataclass(frozen=True)
class Bounds:
    """The numbers that a parameter may be, and how an error message calls them."""

    what: str
    low: float
    high: float = float("inf")
    low_allowed: bool = True

    def hold(self, value: float) -> bool:
        """Whether `value` lies within; nan does not."""
        return (value >= self.low if self.low_allowed else value > self.low) and value <= self.high


class Different:
    """Of a list: it must not hold anything twice."""

    what = "a list without repetition"

    def hold(self, value: tuple[Any, ...]) -> bool:
        """Whether `value` is such a list."""
        return len(value) == len({repr(item) for item in value})


class Some(Different):
    """And it, or a mapping, must not be empty."""

    what = "one or more, all different"

    def hold(self, value: tuple[Any, ...]) -> bool:
        """Whether `value` is such a list."""
        return bool(value) and super().hold(value)


@dataclass(frozen=True)
class Part:
    """Some fields of a dataclass, by name: what is to be replaced of an instance."""

    of: type


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
    try:
        return yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(
            f"not YAML ({error.problem})", file=path, line=line, remedy="mend the syntax"
        ) from None
    except RecursionError:
        what = "not YAML (nested too deeply)"
        raise InputError(what, file=path, remedy="mend the syntax") from None
    # Characters that YAML lacks; numbers and dates that are none, and what cannot be a key.
    except (
        YAMLError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
    ) as error:
        what = f"not YAML ({error})"
        raise InputError(what, file=path, remedy="mend the syntax") from None


def build(kind: Any, value: Any, key: str, path: str | Path) -> Any:
    """`value`, read from `path` at `key`, as an instance of `kind`.

    `kind` is a dataclass, or a type of a field: a scalar, a Literal, a number with Bounds, a tuple,
    one that is Some, a dict by name, or one of these or None. Raises InputError where the value is
    none.
    """
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _build_section(kind, value, key, path)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        if isinstance(arguments[1], Part):
            return _build_fields(arguments[1].of, value, key, path)
        if arguments[0] is not float or _is_number(value):
            built = build(arguments[0], value, key, path)
            if arguments[1].hold(built):
                return built
    elif origin is Literal:
        if value in arguments:
            return value
    elif origin in (Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return build(next(a for a in arguments if a is not type(None)), value, key, path)
    elif origin is tuple:
        if isinstance(value, list):
            return tuple(build(arguments[0], v, f"{key}[{i}]", path) for i, v in enumerate(value))
    elif origin is dict:
        if isinstance(value, dict):
            for name in value:
                _check_name(name, key, path)
            return {n: build(arguments[1], v, f"{key}.{n}", path) for n, v in value.items()}
    elif kind is float:
        if _is_number(value):
            return float(value)
    elif isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    shown = _SHORT.repr(value)
    raise InputError(f"{key} is {shown}", file=path, remedy=f"it must be {_describe(kind)}")


def _is_number(value: Any) -> bool:
    """Whether it is one that a float can be, and neither infinite nor nan."""
    with suppress(OverflowError):
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return False


def _check_name(name: Any, key: str, path: str | Path) -> None:
    """Names become names of files and folders, and of DVC's stages."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InputError(
            f"{key} has the name {name!r}",
            file=path,
            remedy="write a small letter, then up to 40 small letters, digits, '_' or '-'",
        )


def _build_section(section: type, value: Any, key: str, path: str | Path) -> Any:
    built = _build_fields(section, value, key, path)
    hints = get_type_hints(section, include_extras=True)
    for field in dataclasses.fields(section):
        optional = {field.default, field.default_factory} != {dataclasses.MISSING}
        if field.name not in built and not optional:
            remedy = f"add it ({_describe(hints[field.name])})"
            what = f"parameter {_below(key)}{field.name} is missing"
            raise InputError(what, file=path, remedy=remedy)
    return section(**built)


def _build_fields(section: type, value: Any, key: str, path: str | Path) -> dict[str, Any]:
    """Those fields of a dataclass that `value` has."""
    if not isinstance(value, dict):
        raise InputError(
            f"{key or 'the file'} is no mapping", file=path, remedy="write 'key: value' lines"
        )
    hints = get_type_hints(section, include_extras=True)
    for name in value:
        if name not in hints:
            import difflib

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
        return "a section" if isinstance(arguments[1], Part) else str(arguments[1].what)
    if origin is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if origin in (Union, types.UnionType):
        return " or ".join("null" if a is type(None) else _describe(a) for a in arguments)
    if origin is tuple:
        return f"a list, each {_describe(arguments[0])}"
    if origin is dict:
        return f"a mapping from names, each to {_describe(arguments[1])}"
    names = {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}
    return names.get(kind, "a section")
