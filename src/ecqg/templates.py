"""Pages from Jinja2 templates: a module's template lies beside it and has its name, with `.j2`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = Path(__file__).parent


def fill(module: str, escape: Callable[[str], str], **values: object) -> str:
    """The template of the module at the path `module`, with `values`.

    All that is no text of the template goes through `escape`, but for what is Markup already: names
    come from files that others wrote. None is nothing. A name that is no value raises
    jinja2.UndefinedError.
    """
    template = Path(module).with_suffix(".j2").relative_to(PACKAGE)
    return _environment(escape).get_template(template.as_posix()).render(values)


@cache
def _environment(escape: Callable[[str], str]) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    def escaped(value: Any) -> Markup:
        if isinstance(value, Markup):
            return value
        return Markup("" if value is None else escape(str(value)))

    environment = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        finalize=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"fixed": fixed, "thousands": "{:,}".format}
    return environment


def fixed(value: float | None, digits: int, sign: str = "") -> str:
    """A number with that many decimals, with its sign where `sign` is "+"; nothing for None.

    >>> fixed(2.25, 1), fixed(1, 2, "+"), fixed(None, 1)
    ('2.2', '+1.00', '')
    """
    return "" if value is None else f"{value:{sign}.{digits}f}"
