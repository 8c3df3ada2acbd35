"""The study's stages that adapt a retriever, one after the other, in a folder of their own."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ecqg import paths, seeds
from ecqg.adapt.settings import BASE, CONDITIONED, DENSE, MADE, SETS, TRAINED
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.trainer import train_and_save
from ecqg.errors import InputError
from ecqg.files import read_as, write_json
from ecqg.params import Params
from ecqg.synthesis.mix import sizes
from ecqg.synthesis.records import read_generated

TRAIN = "train"  # beside the stages, whose names are those of their modules
Grows = Literal["limit", "passages"]  # with what a step's time grows


@dataclass(frozen=True)
class Step:
    """A stage on its items."""

    stage: str
    items: tuple[str, ...] = ()
    grows: Grows = "limit"

    @property
    def name(self) -> str:
        """What people read."""
        items = [item for item in self.items if item != paths.MAIN]
        return " ".join([self.stage.replace("_", " "), *items])


TRAINING_SETS = Step("training_sets")


def asking() -> list[Step]:
    """From passages to questions, read and scored."""
    first = [Step("collection", (paths.MAIN,), "passages"), Step("entities")]
    return [*first, Step("entity_attention"), *_of_sets("select", "generate", "read", "score")]


def filtering() -> list[Step]:
    """From questions to those that passed the filters."""
    return _of_sets("filter")


def _of_sets(*stages: str) -> list[Step]:
    return [Step(stage, (name,)) for stage in stages for name in SETS]


def training(names: Sequence[str] = tuple(TRAINED)) -> list[Step]:
    """From questions to retrievers."""
    chain = ("negatives_synthetic", TRAIN)
    return [TRAINING_SETS, *(Step(stage, (name,)) for stage in chain for name in names)]


def testing() -> list[Step]:
    """From retrievers to the ranks of what answers the test questions."""
    of_dense = [Step(s, (n, paths.MAIN), "passages") for n in DENSE for s in ("encode", "retrieve")]
    evaluated = [Step("evaluate", (n, paths.MAIN), "passages") for n in ("bm25", *DENSE)]
    return [Step("lexical", ("bm25", paths.MAIN), "passages"), *of_dense, *evaluated]


def run(step: Step, params: Params) -> None:
    """Run a step in the working folder."""
    if step.stage == TRAIN:
        (name,) = step.items
        train_and_save(
            paths.start(BASE),
            f"pretrain-{name}",
            paths.synthetic_negatives(name),
            paths.collection() / PASSAGES,
            None,
            paths.retriever(name),
            params.encoder,
            params.pretrain,
            seeds.derive(params.seed, "pretrain"),
        )
        return
    if step == TRAINING_SETS:
        params = replace(params, pretrain=replace(params.pretrain, examples=examples(params)))
    importlib.import_module(f"ecqg.stages.{step.stage}").run(params, *step.items)


def examples(params: Params) -> int:
    """How many questions every retriever can be trained on: as many for one as for another.

    Raises InputError where none are left.
    """
    rows = Passages(paths.collection() / PASSAGES).rows_by_id()
    available = {n: sum(1 for _ in read_generated(paths.filtered(n), rows)) for n in SETS}
    shares = [of.questions for of in params.pretrained.values()]
    return min(sum(sizes(available, of, None).values()) for of in shares)


def check_kept(params: Params) -> None:
    """Raise InputError where the filters left too few questions about entities to learn from."""
    generated, kept = (
        sum(1 for _ in of(CONDITIONED).open("rb")) for of in (paths.generated, paths.filtered)
    )
    if kept < params.pretrain.batch_size // 2:
        raise InputError(
            f"the filters leave {kept} of {generated} questions about entities, less than half a "
            f"batch of {params.pretrain.batch_size}",
            remedy=f"lower filter.reader_threshold ({params.filter.reader_threshold}) in the "
            "study's params.yaml and repeat this, which goes on from there; or raise --limit",
        )


def link(study: Path, folder: Path, base: Path) -> None:
    """Let the working folder have what the study made, and the retriever to be adapted."""
    with chdir(folder):
        for target, source in [
            *((made, study / made) for made in MADE),
            (paths.start(BASE), base),
            (paths.retriever(BASE), base),
        ]:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)  # of a folder that was moved
            target.symlink_to(source.resolve())


class Work:
    """A folder with the steps that were done there, and the seconds that each took.

    A step is done again where its key is another one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "done.json"
        self.done: dict[str, tuple[str, float]] = {}
        if self._file.is_file():
            remedy = f"remove {folder}"
            kind = dict[str, tuple[str, float]]
            self.done = read_as(self._file, kind, "no record of steps", remedy)

    def has(self, name: str, key: str) -> bool:
        """Whether a step was done."""
        return name in self.done and self.done[name][0] == key

    def do(self, name: str, key: str, function: Callable[[], None]) -> None:
        """Call a function in the folder, and write down that it is done."""
        begin = time.monotonic()
        with chdir(self.folder):
            function()
        self.done[name] = key, round(time.monotonic() - begin, 1)
        write_json(self._file, self.done)


def check_begun(work: Work, key: str) -> None:
    """Raise InputError where what was asked in the folder is about something else."""
    others = {old for name, (old, _) in work.done.items() if name in {s.name for s in asking()}}
    if others - {key}:
        raise InputError(
            "holds questions about other passages, by other models or with another --limit or "
            "--seed",
            file=work.folder,
            remedy="remove it, or name another --output",
        )
