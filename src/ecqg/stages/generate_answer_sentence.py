"""Sample AugDPR's synthetic questions: answer sentence, answer, question (AugDPR sec. 2)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.files import write_json, write_jsonl
from ecqg.params import Params
from ecqg.questions.format import parse_chain
from ecqg.questions.generation import generate, sample_passages
from ecqg.questions.model import load_generator
from ecqg.questions.sampling import Sampling
from ecqg.questions.statistics import Statistics
from ecqg.seeds import derive
from ecqg.training.device import pick_device

KIND = "answer_sentence"


def run(params: Params) -> None:
    """Write paths.generated(KIND) and its metrics."""
    passages = Passages(paths.collection() / "passages.arrow")
    seed = derive(params.seed, "generate", KIND)
    generator = load_generator(
        paths.generator(KIND),
        params.generator.max_source_tokens,
        params.generator.max_target_tokens,
        params.generator.precision,
        pick_device(),
        training=False,
    )
    statistics = Statistics()
    records = generate(
        generator,
        passages,
        sample_passages(passages, params.aug.passages, seed),
        samples=params.aug.per_passage,
        max_target_tokens=params.generator.max_target_tokens,
        marked=params.generator.mark_entity,
        parse=parse_chain,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=seed,
        statistics=statistics,
    )
    write_jsonl(paths.generated(KIND), records)
    write_json(paths.generation_metrics(KIND), {KIND: statistics.summary()})
