"""The DAG of dvc.yaml in some fifteen steps: which stages a step has, which steps it needs; as a
page, and in characters for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import chain, permutations, product
from pathlib import Path
from typing import Any

from ecqg.errors import InputError
from ecqg.templates import fill

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
    "Question generation": ("train-generator", "world", "generate"),
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
    "Intervals, tests, report": ("premises", "judge", "compare", "headline", "report"),
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
    those that another stage has by itself. What a stage reads are not the folders that params.yaml
    names, which are the user's, nor the selecting system's files: it is one of those that are
    trained on what it selects for others, and a picture of groups of stages would have a circle
    that the stages do not.
    """
    outs: dict[str, list[str]] = {}
    deps: dict[str, list[str]] = {}
    for step, members in STEPS.items():
        outs[step] = [out for s in members for out in _paths(stages[s], "outs", "metrics", "plots")]
        read = (dep for s in members for dep in _paths(stages[s], "deps"))
        deps[step] = [dep for dep in read if not dep.startswith("${") and SELECTING not in dep]
    named = {out for of_step in outs.values() for out in of_step if "${" not in out}

    def makes(out: str, dep: str) -> bool:
        return _meet(out, dep) and (dep not in named or out in named)

    return {
        (maker, user)
        for maker, user in permutations(STEPS, 2)
        if any(makes(out, dep) for out, dep in product(outs[maker], deps[user]))
    }


def _paths(stage: Mapping[str, Any], *kinds: str) -> Iterator[str]:
    """The paths of a stage, each for every item of a matrix whose values stand in dvc.yaml."""
    items = {key: of for key, of in stage.get("matrix", {}).items() if isinstance(of, list)}
    for entry in chain.from_iterable(stage.get(kind, ()) for kind in kinds):
        for values in product(*items.values()):
            path = entry if isinstance(entry, str) else next(iter(entry))
            for key, value in zip(items, values, strict=True):
                path = path.replace(f"${{item.{key}}}", value)
            yield path


def _meet(a: str, b: str) -> bool:
    """Whether two paths can be the same or one lie in the other."""
    one, other = (re.sub(r"\$\{[^}]*\}", "*", path).split("/") for path in (a, b))
    pairs = zip(one, other, strict=False)
    return all(fnmatchcase(x, y) or fnmatchcase(y, x) for x, y in pairs)


def ordered(edges: Edges) -> list[tuple[str, str]]:
    """As STEPS are."""
    order = list(STEPS)
    return sorted(edges, key=lambda edge: (order.index(edge[0]), order.index(edge[1])))


def in_characters(edges: Edges) -> str:
    """The steps as `dvc dag` draws stages, narrow enough for a wide terminal."""
    from dvc.dagascii import draw

    drawn = draw(list(STEPS), [(user, maker) for maker, user in ordered(edges)])
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def page(edges: Edges, stages: Stages) -> str:
    """The steps for Mermaid, which shows them on code hosts, and a table of their stages."""
    numbers = {step: number for number, step in enumerate(STEPS, 1)}
    first = stages[OF_ALL]["desc"]
    return fill(
        __file__,
        str,
        first=OF_ALL,
        described=first[0].lower() + first[1:],
        steps=STEPS,
        numbers=numbers,
        edges=ordered(edges),
    )
