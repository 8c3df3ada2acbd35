"""Which passages of a zero-shot collection answer its test questions, where its folder tells."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.build import PASSAGES
from ecqg.corpus.judgements import SUFFIX, judge, write_qrels
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Params


def run(params: Params, name: str) -> None:
    """Write NAME.qrels, or an empty folder."""
    if name not in params.zero_shot:
        raise InputError(
            f"zero_shot has no {name}", file="params.yaml", remedy="add 'name: folder' there"
        )
    passages = Passages(paths.collection(name) / PASSAGES)
    found = judge(Path(params.zero_shot[name]), "test.qa.tsv", passages)
    with atomic(paths.judgements(name)) as out:
        out.mkdir()
        if found is not None:
            write_qrels(out / f"{name}{SUFFIX}", found)
