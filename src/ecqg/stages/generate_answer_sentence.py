"""Sample AugDPR's synthetic questions: answer sentence, answer, question (AugDPR sec. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.questions.format import parse_chain
from ecqg.questions.generation import Plan, sample_passages
from ecqg.questions.sampling import Sampling
from ecqg.questions.writing import write_questions
from ecqg.seeds import derive
from ecqg.tables import write_values

KIND = "answer_sentence"


def run(params: Params) -> None:
    """Write paths.generated(KIND) and its metrics."""
    collection = paths.collection() / "passages.arrow"
    seed = derive(params.seed, "generate", KIND)
    plan = Plan(
        samples=params.aug.per_passage,
        max_source_tokens=params.generator.max_source_tokens,
        max_target_tokens=params.generator.max_target_tokens,
        precision=params.generator.precision,
        marked=params.generator.mark_entity,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=seed,
    )
    statistics = write_questions(
        f"generate-{KIND}",
        paths.generated(KIND),
        paths.generator(KIND),
        collection,
        sample_passages(Passages(collection), params.aug.passages, seed),
        plan,
        parse_chain,
    )
    write_values(paths.generation_metrics(KIND), statistics.summary())
