"""The card of an adapted retriever: what changed, and what it was made from."""

from __future__ import annotations

from collections.abc import Mapping

from ecqg import templates
from ecqg.adapt.outcome import Accuracies, sentences, table, verdict
from ecqg.params import Params
from ecqg.probe.run import Probe
from ecqg.report.markdown import grid, plain


def card(
    name: str,
    base: str,
    params: Params,
    probe: Probe,
    found: Accuracies | None,
    counts: Mapping[str, Mapping[str, int]],
    examples: int,
    study: str,
) -> str:
    """README.md of the folder `name`; `counts` are of questions, by set, `study` is a profile."""
    from huggingface_hub import ModelCardData

    data = ModelCardData(
        language="en",
        license="other",
        library_name="sentence-transformers",
        pipeline_tag="sentence-similarity",
        tags=["dense-retrieval", "ecqg"],
        model_name=name,
    )
    body = templates.fill(
        __file__,
        plain,
        name=name,
        base=base,
        format="sentence-transformers",
        params=params,
        probe=probe,
        verdict=verdict(base, found),
        table=grid(table(probe, found)),
        lines=list(sentences(base, found)) if found else [],
        counts=counts,
        examples=examples,
        study=study,
    )
    return f"---\n{data.to_yaml()}\n---\n{body}"
