"""Sample synthetic questions (SIGIR sec. 2.2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.questions.format import parse_target
from ecqg.questions.generation import Plan, read_selected, sample_passages
from ecqg.questions.sampling import Sampling
from ecqg.questions.writing import write_questions
from ecqg.seeds import derive
from ecqg.tables import write_values


def run(params: Params, kind: Questions) -> None:
    """Write paths.generated(kind) and its metrics."""
    collection = paths.collection() / "passages.arrow"
    seed = derive(params.seed, "generate", kind)
    if kind == "unconditioned":
        prompts = sample_passages(Passages(collection), params.generate.passages, seed)
        samples = params.generate.per_passage
    else:
        prompts = read_selected(paths.SELECTED)
        samples = params.generate.per_entity
    plan = Plan(
        samples=samples,
        max_source_tokens=params.generator.max_source_tokens,
        max_target_tokens=params.generator.max_target_tokens,
        precision=params.generator.precision,
        marked=params.generator.mark_entity,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=seed,
    )
    statistics = write_questions(
        f"generate-{kind}",
        paths.generated(kind),
        paths.generator(kind),
        collection,
        prompts,
        plan,
        parse_target,
    )
    write_values(paths.generation_metrics(kind), statistics.summary())
