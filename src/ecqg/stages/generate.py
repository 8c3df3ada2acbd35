"""Sample synthetic questions (SIGIR sec. 2.2)."""

from __future__ import annotations

from typing import Literal

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.files import write_json, write_jsonl
from ecqg.params import Params
from ecqg.questions.format import parse_target
from ecqg.questions.generation import generate, read_selected, sample_passages
from ecqg.questions.model import load_generator
from ecqg.questions.sampling import Sampling
from ecqg.questions.statistics import Statistics
from ecqg.seeds import derive
from ecqg.training.device import pick_device


def run(params: Params, kind: Literal["unconditioned", "conditioned"]) -> None:
    """Write paths.generated(kind) and its metrics."""
    passages = Passages(paths.collection() / "passages.arrow")
    seed = derive(params.seed, "generate", kind)
    if kind == "unconditioned":
        prompts = sample_passages(passages, params.generate.passages, seed)
        samples = params.generate.per_passage
    else:
        prompts = read_selected(paths.SELECTED)
        samples = params.generate.per_entity
    generator = load_generator(
        paths.generator(kind),
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
        prompts,
        samples=samples,
        max_target_tokens=params.generator.max_target_tokens,
        marked=params.generator.mark_entity,
        parse=parse_target,
        how=Sampling(params.generate.top_k, params.generate.top_p, params.generate.temperature),
        seed=seed,
        statistics=statistics,
    )
    write_jsonl(paths.generated(kind), records)
    write_json(paths.generation_metrics(kind), {kind: statistics.summary()})
