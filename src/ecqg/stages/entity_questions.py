"""A question about every entity of a sample of passages, to see which are answered well."""

from __future__ import annotations

from ecqg import paths
from ecqg.analysis.entity_scores import prompts
from ecqg.attention.entities import Entities
from ecqg.attention.sample import QUESTIONS, sample_rows
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.errors import InputError
from ecqg.params import Params
from ecqg.questions.format import parse_target
from ecqg.questions.generation import Plan, Prompt, write_questions
from ecqg.seeds import derive


def run(params: Params) -> None:
    """Write paths.ENTITY_QUESTIONS, in the form of `generated`."""
    collection = paths.collection() / PASSAGES
    size = params.analysis.entity_passages
    rows = sample_rows(len(Passages(collection)), size, params.seed, QUESTIONS)
    chosen = [Prompt(*place) for place in prompts(Entities(paths.ENTITIES), rows)]
    if not chosen:
        what = f"none of {len(rows)} passages has two entities"
        raise InputError(what, file="params.yaml", remedy="raise analysis.entity_passages")
    plan = Plan(
        samples=1,
        max_source_tokens=params.generator.max_source_tokens,
        max_target_tokens=params.generator.max_target_tokens,
        precision=params.generator.precision,
        marked=params.generator.mark_entity,
        how=params.generate,
        seed=derive(params.seed, "entity-questions"),
    )
    write_questions(
        "entity-questions",
        paths.ENTITY_QUESTIONS,
        paths.generator("conditioned"),
        collection,
        chosen,
        plan,
        parse_target,
    )
