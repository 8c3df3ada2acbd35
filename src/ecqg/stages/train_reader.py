"""Train the extractive reader of the round trip and calibrate its confidence."""

from __future__ import annotations

from pathlib import Path

import torch

from ecqg import paths, seeds
from ecqg.corpus.reading import ReadingExample, read_reading
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.reading import calibrate, model
from ecqg.reading.predict import predict
from ecqg.reading.train import train_phase
from ecqg.reading.windows import Lengths
from ecqg.tables import write_values
from ecqg.training.checkpoint import resuming
from ecqg.training.weights import find_folder, record_source


def run(params: Params) -> None:
    """Write the reader's folder, its metrics, its reliability curve and its loss curve."""
    last = params.reader.phases[-1]
    settings = model.Settings(
        Lengths(last.max_tokens, last.max_question_tokens, last.stride),
        params.reader.max_answer_tokens,
        params.reader.precision,
        params.reader.mark_overlap,
    )
    if params.reader.start == "encoder":
        start = paths.start()
    else:
        start = find_folder(params.reader.start, params.reader.name, "reader")
    inputs = [start]
    phases = []
    for phase in params.reader.phases:  # all examples first: a phase may take hours
        inputs.append(paths.reading("train", phase.examples))
        name = f"reader.phases: {phase.examples}"
        phases.append((phase, _read(inputs[-1], name, "or leave that phase out")))
    inputs.append(paths.reading("dev"))
    dev = _read(inputs[-1], f"the dev split of {paths.MAIN}", "to calibrate on")
    with resuming(__name__, "train-reader", inputs, params.reader, params.seed) as checkpoint:
        torch.manual_seed(seeds.derive(params.seed, "train_reader"))  # random layers, dropout
        reader = model.start(start, settings, params.reader.layers, params.reader.neighbour_heads)
        for number, (phase, examples) in enumerate(phases, 1):
            name = f"phase {number}"
            part = checkpoint.part(name)
            train_phase(reader, examples, phase, name=name, seed=params.seed, checkpoint=part)
        pairs = [(e.question, e.context) for e in dev]
        predictions = predict(reader, pairs, "read dev", checkpoint.beside("dev"))
        calibration, confidence, right = calibrate.calibrate(dev, predictions)
        with atomic(paths.READER) as folder:
            model.save(reader, calibration, folder)
            record_source(folder, params.reader.start, params.reader.name, "reader")
        scores = calibrate.scores(dev, predictions, confidence, right)
        write_values(paths.READER_METRICS, scores)
        calibrate.write_reliability(paths.READER_RELIABILITY, confidence, right)
        checkpoint.log.write(paths.loss_curve("reader"))


def _read(file: Path, name: str, or_else: str) -> list[ReadingExample]:
    """The examples of `name`, in a file of an earlier stage. Raises InputError for none at all."""
    examples = read_reading(file, least=0)
    if not examples:
        remedy = f"add some to its folder (docs/data.md) {or_else}"
        raise InputError(f"{name} has no reading examples", remedy=remedy)
    return examples
