"""What it costs that a stage is killed half way and started again.

    python bench/resume.py [--passages 5000] [--rounds 3] [--seconds 0.5] [--stages encode read]

A small study on a generated encyclopedia is run stage by stage, each start in a process of its own.
In every round a measured stage runs to its end, which takes T seconds, "to start" being those until
it makes its scratch: imports, and mostly models. Then it runs again from nothing, but is killed
(SIGKILL) half way from there to T, and started once more. Both must write the same bytes, and leave
no scratch to resume from. "Lost" is how much longer than T the killed start and the second one take
together: one more start, and the work since state was last written. The peer starts anew after the
same kill.

Stages write their state every five seconds, and some only between batches of questions. Here it is
every `--seconds` (vectors every 0.1), and those are smaller, so that a stage of ten seconds stands
for one of many minutes. What a start takes does not shrink with them: of a long stage the lost
seconds say more than their share does here. A kill that left no state, as one before the first is
due, shows nothing: take more passages.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import multiprocessing
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from ecqg import paths, profiles, resume
from ecqg.files import remove, sha256
from ecqg.params import Params, SideCollection, load_params
from side_by_side import spread

# A study's stages up to the synthetic questions and a re-ranked run, each after those it needs.
STAGES = {
    "acquire": "acquire",
    "collection": "collection main",
    "gold": "gold main",
    "tfidf": "lexical tfidf",
    "bm25": "lexical bm25",
    "entities": "entities",
    "negatives": "negatives_gold main",
    "init-encoder": "init_encoder",
    "finetune": "finetune dpr",
    "encode": "encode dpr",
    "attention": "entity_attention",
    "select": "select unconditioned",
    "question-entities": "question_entities",
    "init-generator": "init_generator",
    "train-generator": "train_generator unconditioned",
    "generate": "generate unconditioned",
    "reading": "reading main",
    "train-reader": "train_reader",
    "read": "read unconditioned",
    "train-reranker": "train_reranker",
    "rerank": "rerank bm25",
}
MEASURED = (
    "tfidf", "bm25", "entities", "finetune", "encode", "attention", "generate", "read", "rerank",
)  # fmt: skip
POLL = 0.02  # seconds between two looks at a process
SCRATCH = (resume.FOLDER, paths.LUCENE, paths.TOKENS)
# What is fixed in a stage's modules, smaller, as the stages are.
SMALLER = {
    "encode": ("ecqg.encoder.vector_file", "SECONDS", 0.1),
    "generate": ("ecqg.questions.generation", "SEQUENCES_ON_CPU", 32),
    "lexical": ("ecqg.lexical.postings", "BLOCK", 256),
}


def main() -> None:
    """Print a row as each stage ends; ends the program where a stage fails or bytes differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="from one state to the next")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=MEASURED)
    options = parser.parse_args()
    last = max(list(STAGES).index(stage) for stage in options.stages)
    head = ["stage", "s uninterrupted", "to start", "s killed and resumed", "lost: s", "%"]
    head += ["starting anew takes", "kills that left state"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for stage in list(STAGES)[: last + 1]:
            start = Start(STAGES[stage], options.passages, options.seconds)
            if stage in options.stages:
                before = outputs()
                rounds = [measure(start, before) for _ in range(options.rounds)]
                print(row(stage, rounds), flush=True)
            else:
                start.run()


@dataclass(frozen=True)
class Round:
    """Seconds of one round."""

    whole: float
    begun: float  # until scratch was made
    killed: float  # until the kill
    resumed: float  # the start after it
    kept: bool  # whether the killed start left anything to go on from


def row(stage: str, rounds: list[Round]) -> str:
    """A line of the table."""
    both = [r.killed + r.resumed for r in rounds]
    lost = [seconds - r.whole for seconds, r in zip(both, rounds, strict=True)]
    share = [100 * seconds / r.whole for seconds, r in zip(lost, rounds, strict=True)]
    anew = [(r.killed + r.whole) / seconds for seconds, r in zip(both, rounds, strict=True)]
    plain = [r.whole for r in rounds], [r.begun for r in rounds]
    cells = [stage, *map(spread, (*plain, both, lost, share))]
    cells.append(f"{spread(anew)} times as long")
    cells.append(f"{sum(r.kept for r in rounds)} of {len(rounds)}")
    return f"| {' | '.join(cells)} |"


def measure(start: Start, before: dict[Path, str]) -> Round:
    """One round of a stage, whose outputs are those that are not in `before`."""
    forget(before)
    whole, begun = start.run()
    expected = outputs()
    forget(before)
    killed, _ = start.run(until=(begun + whole) / 2)
    kept = any(path.is_file() for folder in SCRATCH for path in folder.rglob("*"))
    resumed, _ = start.run()
    if outputs() != expected or expected == before:
        sys.exit(f"{start.command}: after a kill it wrote other files, or none")
    if left := list(resume.FOLDER.iterdir()):
        sys.exit(f"{start.command}: left {', '.join(map(str, left))}")
    return Round(whole, begun, killed, resumed, kept)


def outputs() -> dict[Path, str]:
    """Files outside of scratch by digest, what a kill left half-written included."""
    files = (path for path in Path().rglob("*") if path.is_file() and path.parts[0] != ".cache")
    return {path: sha256(path) for path in files}


def forget(before: dict[Path, str]) -> None:
    """Remove what is not in `before`, and scratch that outlasts a stage."""
    for path in outputs().keys() - before.keys():
        path.unlink()
    for folder in SCRATCH:
        remove(folder)


@dataclass(frozen=True)
class Start:
    """How a stage is started."""

    command: str
    passages: int
    seconds: float

    def run(self, until: float | None = None) -> tuple[float, float]:
        """Start a process and wait for its end, or kill it; its seconds, and until scratch."""
        process = multiprocessing.get_context("spawn").Process(target=self.work)
        since, begun, killed = time.perf_counter(), 0.0, False
        process.start()
        while process.is_alive():
            process.join(POLL)
            seconds = time.perf_counter() - since
            if not begun and any(resume.FOLDER.glob("*/*")):
                begun = seconds
            if until is not None and seconds >= until and not killed:
                process.kill()
                killed = True
        if killed != (until is not None) or (not killed and process.exitcode):
            sys.exit(f"{self.command}: ended by itself, with exit code {process.exitcode}")
        return seconds, begun

    def work(self) -> None:
        """What the process does."""
        from ecqg import pace, shards

        shards.SECONDS = pace.SECONDS = self.seconds  # before others import them by name
        stage, *items = self.command.split()
        if stage in SMALLER:
            name, constant, value = SMALLER[stage]
            module = importlib.import_module(name)
            assert hasattr(module, constant), f"{name} has no {constant}"
            setattr(module, constant, value)
        with contextlib.redirect_stdout(sys.stderr):
            importlib.import_module(f"ecqg.stages.{stage}").run(settings(self.passages), *items)


def settings(passages: int) -> Params:
    """The default study with less training and a deeper encoder: stages of some seconds each."""
    params = load_params(profiles.FOLDER / "microcosm.yaml")
    few = SideCollection(passages=10, questions=10)
    world = replace(
        params.microcosm,
        passages=passages,
        train_questions=passages // 5,
        dev_questions=100,
        test_questions=passages // 20,
        reading_questions=passages // 10,
        movies=few,
        biomed=few,
    )
    start, generator = params.init_encoder, params.init_generator
    asked = replace(params.question_sets["unconditioned"], passages=passages // 2)
    return replace(
        params,
        microcosm=world,
        collections={"main": params.collections["main"]},
        question_sets={"unconditioned": asked},
        select=replace(params.select, passages=passages),
        attention_statistics=replace(params.attention_statistics, passages=passages // 10),
        analysis=replace(params.analysis, entity_passages=passages // 10),
        init_encoder=replace(start, layers=2, pretraining=replace(start.pretraining, epochs=0)),
        finetune=replace(params.finetune, epochs=1),
        init_generator=replace(generator, pretraining=replace(generator.pretraining, steps=100)),
        generator=replace(params.generator, epochs=1, max_questions=passages // 4),
        reranker=replace(params.reranker, epochs=1, max_questions=100),
    )


if __name__ == "__main__":
    main()
