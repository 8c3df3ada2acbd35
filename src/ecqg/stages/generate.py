"""Sample the questions of a question set (SIGIR sec. 2.2, AugDPR sec. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import write_jsonl
from ecqg.items import Questions
from ecqg.params import Params
from ecqg.questions.format import parse_chain, parse_target
from ecqg.questions.generation import Plan, misplace, read_selected, to_records, write_questions
from ecqg.questions.statistics import Statistics
from ecqg.questions.world import ask_world
from ecqg.seeds import derive
from ecqg.tables import write_values


def run(params: Params, name: Questions) -> None:
    """Write paths.generated(name) and its metrics."""
    settings, seed = params.question_sets[name], derive(params.seed, "generate", name)
    selected, out = read_selected(paths.selected(name)), paths.generated(name)
    generator, collection = paths.generator(settings.generator), paths.collection() / PASSAGES
    if settings.generator == paths.WORLD:
        statistics, passages = Statistics(), Passages(collection)
        drawn = ask_world(generator, passages, selected, settings.questions, seed)
        records = to_records(drawn, statistics)
        write_jsonl(out, misplace(records, settings.wrong_passage, passages, seed))
    else:
        plan = Plan(
            samples=settings.questions,
            max_source_tokens=params.generator.max_source_tokens,
            max_target_tokens=params.generator.max_target_tokens,
            precision=params.generator.precision,
            marked=params.generator.mark_entity,
            how=params.generate,
            seed=seed,
        )
        work, inputs = f"generate-{name}", (generator, collection)
        parse = parse_chain if settings.generator == "answer_sentence" else parse_target
        wrong = settings.wrong_passage
        statistics = write_questions(work, out, *inputs, selected, plan, parse, wrong)
    write_values(paths.generation_metrics(name), statistics.summary())
