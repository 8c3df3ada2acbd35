"""Templates: what is no text of theirs is escaped, and what is missing is said."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from ecqg import templates


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(templates, "PACKAGE", tmp_path)
    templates._environment.cache_clear()
    yield tmp_path / "page.py"
    templates._environment.cache_clear()


def filled(module: Path, text: str, **values: object) -> str:
    module.with_suffix(".j2").write_text(text)
    return templates.fill(str(module), escape, **values)


def test_names_are_escaped_wherever_they_stand(module: Path) -> None:
    text = (
        "{% macro bold(x) %}<b>{{ x }}</b>{% endmacro %}{% for x in names %}\n"
        '<a title="{{ x }}">{{ bold(x) }} {{ "%s!" | format(x) }} {{ x ~ "?" }}</a>\n{% endfor %}'
    )
    name = '<script>"&'
    shown = escape(name)
    assert filled(module, text, names=[name]) == (
        f'<a title="{shown}"><b>{shown}</b> {shown}! {shown}?</a>\n'
    )
    assert filled(module, "{{ x }}", x=Markup("<i>")) == "<i>"


def test_none_is_nothing_and_a_missing_value_an_error(module: Path) -> None:
    assert (
        filled(module, "a{{ x }}b{{ x | fixed(2) }}{{ 1.005 | fixed(1, '+') }}", x=None) == "ab+1.0"
    )
    with pytest.raises(UndefinedError, match="'y' is undefined"):
        filled(module, "{{ y }}")
    with pytest.raises(UndefinedError, match="no attribute 'z'"):
        filled(module, "{{ x.z }}", x={})
