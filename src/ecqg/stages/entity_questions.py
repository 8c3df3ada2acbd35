"""A question about every entity of a sample of passages, to see which are answered well."""

from __future__ import annotations

from ecqg import paths
from ecqg.analysis.asked import asked_about
from ecqg.attention.entities import Entities
from ecqg.attention.sample import sample_rows
from ecqg.corpus.passages import Passages
from ecqg.errors import InputError
from ecqg.files import write_jsonl
from ecqg.params import Params
from ecqg.questions.format import parse_target
from ecqg.questions.generation import Prompt, generate
from ecqg.questions.model import load_generator
from ecqg.questions.sampling import Sampling
from ecqg.questions.statistics import Statistics
from ecqg.seeds import derive
from ecqg.training.device import pick_device


def run(params: Params) -> None:
    """Write paths.ENTITY_QUESTIONS, in the form of `generated`."""
    passages = Passages(paths.collection() / "passages.arrow")
    size = params.analysis.entity_passages
    rows = sample_rows(len(passages), size, params.seed, "entity-questions")
    asked = [Prompt(*place) for place in asked_about(Entities(paths.ENTITIES), rows)]
    if not asked:
        raise InputError(
            f"none of {len(rows)} passages has two entities",
            file="params.yaml",
            remedy="raise analysis.entity_passages",
        )
    generator = load_generator(
        paths.generator("conditioned"),
        params.generator.max_source_tokens,
        params.generator.max_target_tokens,
        params.generator.precision,
        pick_device(),
        training=False,
    )
    records = generate(
        generator,
        passages,
        asked,
        samples=1,
        max_target_tokens=params.generator.max_target_tokens,
        marked=params.generator.mark_entity,
        parse=parse_target,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=derive(params.seed, "entity-questions"),
        statistics=Statistics(),
    )
    write_jsonl(paths.ENTITY_QUESTIONS, records)
