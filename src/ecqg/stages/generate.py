"""Sample the questions of a question set (SIGIR sec. 2.2, AugDPR sec. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.questions.format import parse_chain, parse_target
from ecqg.questions.generation import Plan, read_selected, write_questions
from ecqg.questions.sampling import Sampling
from ecqg.seeds import derive
from ecqg.tables import write_values


def run(params: Params, name: Questions) -> None:
    """Write paths.generated(name) and its metrics."""
    settings = params.question_sets[name]
    plan = Plan(
        samples=settings.questions,
        max_source_tokens=params.generator.max_source_tokens,
        max_target_tokens=params.generator.max_target_tokens,
        precision=params.generator.precision,
        marked=params.generator.mark_entity,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=derive(params.seed, "generate", name),
    )
    statistics = write_questions(
        f"generate-{name}",
        paths.generated(name),
        paths.generator(settings.generator),
        paths.collection() / PASSAGES,
        read_selected(paths.selected(name)),
        plan,
        parse_chain if settings.generator == "answer_sentence" else parse_target,
    )
    write_values(paths.generation_metrics(name), statistics.summary())
