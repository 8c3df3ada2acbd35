"""The DAG of dvc.yaml in some fifteen steps: which stages a step has and which steps it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any

from ecqg.errors import InputError

# In the order of the study. A stage of dvc.yaml stands in exactly one step, a foreach or matrix
# group of stages under the group's name; what all stages need would only be lines to all.
STEPS = {
    "Collections and questions": (
        *("acquire", "distractors", "collection", "gold", "subsets", "reading"),
    ),
    "Named entities": ("entities", "question-entities"),
    "TF-IDF and BM25": ("lexical", "negatives-gold"),
    "Initial weights": ("init-encoder", "init-generator"),
    "Least-attended entities": ("entity-attention", "select"),
    "Question generation": ("train-generator", "generate"),
    "Filters: reader, hardness": ("train-reader", "read", "score", "filter"),
    "Synthetic training sets": ("training-sets", "negatives-synthetic"),
    "Pre-training, fine-tuning": ("public", "pretrain", "finetune"),
    "Encoding and search": ("encode", "retrieve"),
    "Re-ranking": ("train-reranker", "rerank"),
    "Top-k accuracy": ("evaluate-lexical", "evaluate", "evaluate-reranked"),
    "[CLS] attention": ("attention", "heatmap"),
    "Analyses": (
        *("overlap", "coverage", "vocabulary", "examples"),
        *("entity-questions", "entity-scores", "explanation"),
    ),
    "Intervals, tests, report": ("judge", "compare", "headline", "report"),
}
SELECTING = "${select.system}"
OF_ALL = "check"  # the first stage, on which all others depend

Stages = Mapping[str, Mapping[str, Any]]
Edges = set[tuple[str, str]]


def read_stages(path: Path) -> Stages:
    """The stages of a dvc.yaml by name, a group under the group's name.

    Raises InputError where the file is missing, and where a stage is in no step or in two, or a
    step names a stage that is none.
    """
    from ruamel.yaml import YAML

    if not path.is_file():
        raise InputError("no such file", file=path, remedy="run from the repository's root")
    stages = YAML(typ="safe").load(path)["stages"]
    where = "STEPS in ecqg/pipeline/steps.py"
    known = [OF_ALL, *(stage for members in STEPS.values() for stage in members)]
    for stage in dict.fromkeys([*stages, *known]):
        if stage not in known:
            raise InputError(
                f"stage {stage} belongs to no step", file=path, remedy=f"add to {where}"
            )
        if stage not in stages:
            raise InputError(f"no stage {stage}", file=path, remedy=f"take out of {where}")
        if known.count(stage) > 1:
            raise InputError(f"stage {stage} belongs to two", file=path, remedy=f"mend {where}")
    return {name: stage.get("do", stage) for name, stage in stages.items()}


def edges(stages: Stages) -> Edges:
    """Pairs of a step and one that needs what it makes, without those that others imply."""
    import networkx

    graph = networkx.DiGraph(all_edges(stages))
    return set(networkx.transitive_reduction(graph).edges)


def all_edges(stages: Stages) -> Edges:
    """All pairs of a step and one that needs what it makes.

    Where a path has a parameter in it, such as ${item.system}, that stands for any name but for
    those that another stage has by itself.
    """
    outs = {
        step: [out for s in members for out in _outs(stages[s])] for step, members in STEPS.items()
    }
    deps = {
        step: [dep for s in members for dep in _deps(stages[s])] for step, members in STEPS.items()
    }
    named = {out for step in STEPS for out in outs[step] if "${" not in out}

    def makes(out: str, dep: str) -> bool:
        return _meet(out, dep) and (dep not in named or out in named)

    return {
        (maker, user)
        for maker, user in product(STEPS, STEPS)
        if maker != user and any(makes(o, d) for o, d in product(outs[maker], deps[user]))
    }


def _outs(stage: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("outs", "metrics", "plots"):
        for out in stage.get(kind, ()):
            yield from _items(stage, out if isinstance(out, str) else next(iter(out)))


def _deps(stage: Mapping[str, Any]) -> Iterator[str]:
    """What a stage reads, but for folders that params.yaml names: they are the user's.

    Nor the selecting system's files: it is one of those that are trained on what it selects for
    others, and a picture of groups of stages would have a circle that the stages do not.
    """
    for dep in stage.get("deps", ()):
        if not dep.startswith("${") and SELECTING not in dep:
            yield from _items(stage, dep)


def _items(stage: Mapping[str, Any], path: str) -> list[str]:
    """The path for each item of a matrix whose values stand in dvc.yaml itself."""
    paths = [path]
    for key, values in stage.get("matrix", {}).items():
        if isinstance(values, list):
            paths = [p.replace(f"${{item.{key}}}", v) for p, v in product(paths, values)]
    return paths


def _meet(a: str, b: str) -> bool:
    """Whether two paths can be the same or one lie in the other."""
    pairs = zip(_segments(a), _segments(b), strict=False)
    return all(fnmatchcase(x, y) or fnmatchcase(y, x) for x, y in pairs)


def _segments(path: str) -> list[str]:
    return re.sub(r"\$\{[^}]*\}", "*", path).split("/")
