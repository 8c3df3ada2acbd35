"""Compose what encoders are pre-trained on, of the questions that passed the filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ecqg import paths, seeds
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.evaluation.answers import tokens
from ecqg.params import Params
from ecqg.synthesis.mix import compose, sizes
from ecqg.synthesis.records import FILTERED, read_generated
from ecqg.tables import write_values


def run(params: Params) -> None:
    """Write paths.synthetic of every entry of `pretrained`, and what they are made of.

    Questions are drawn by keys of their ids, so that memory does not hold their text.
    """
    rows = Passages(paths.collection() / PASSAGES).rows_by_id()
    wanted = dict.fromkeys(name for of in params.pretrained.values() for name in of.questions)
    keys = {n: seeds.keys(q["id"] for q in read_generated(paths.filtered(n), rows)) for n in wanted}
    available = {name: len(of) for name, of in keys.items()}
    metrics: dict[str, dict[str, int]] = {}
    for settings in params.pretrained.values():  # before any is written: one may lack questions
        sizes(available, settings.questions, None)
    for name, settings in params.pretrained.items():
        most = settings.training.get("examples", params.pretrain.examples)
        taken = compose(keys, settings.questions, most, params.seed)
        about: set[int] = set()
        write_examples(paths.synthetic(name), _examples(taken, rows, about))
        counts = {of: len(numbers) for of, numbers in taken.items()}
        total = sum(counts.values())
        metrics[name] = {"examples": total, **counts, "passages": len(about)}
        if most is not None and total < most:
            print(f"{name}: {total:,} examples; for {most:,} there are too few questions")
    write_values(paths.TRAINING_SETS, metrics)


def _examples(
    taken: Mapping[str, list[int]], rows: Mapping[str, int], about: set[int]
) -> Iterator[Example]:
    """The questions of these numbers, set after set, each on its own passage, no negatives.

    The reader's answer counts beside the generated one: no passage that holds it becomes a hard
    negative. Adds the rows of their passages to `about`.
    """
    for name, numbers in taken.items():
        chosen = set(numbers)
        for number, record in enumerate(read_generated(paths.filtered(name), rows, FILTERED)):
            if number in chosen:
                about.add(record["row"])
                read = record["reader_answer"]
                answers = tuple({record["answer"]: 0} | ({read: 0} if tokens(read) else {}))
                name_of = f"{name}/{record['id']}"  # two sets may ask about one passage
                yield Example(name_of, record["question"], answers, (record["row"],))
