"""Fetch a dual encoder that others trained."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.backbone import copy_public
from ecqg.items import Public
from ecqg.params import Params


def run(params: Params, name: Public) -> None:
    """Write paths.start(name), checked."""
    copy_public(paths.start(name), params.public[name], f"public.{name}")
