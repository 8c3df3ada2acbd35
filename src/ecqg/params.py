"""params.yaml as frozen dataclasses: the single truth, strictly checked.

Every key must be known and of its type, and present where it has no default below. The classes
below are the schema and its documentation; `ecqg/profiles/*.yaml` hold complete, commented
instances. Only what changes a result is a parameter: batch sizes of inference, device and worker
counts are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from sys import float_info
from typing import Annotated, Any, Literal, dataclass_transform

from msgspec import Meta

from ecqg.checking import DIFFERENT, NAME, NAMED, SOME, build, read_yaml
from ecqg.consistency import check_together

MOST = float_info.max  # no number is infinite
Number = Annotated[float, Meta(ge=-MOST, le=MOST, description="a number")]
NotNegative = Annotated[float, Meta(ge=0, le=MOST, description="a number from 0 on")]
Positive = Annotated[float, Meta(gt=0, le=MOST, description="a number above 0")]
Share = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Count = Annotated[int, Meta(ge=1, description="a whole number from 1 on")]
Size = Annotated[int, Meta(ge=0, description="a whole number from 0 on")]
# Of matrix products; "bf16" is fp32 on a CPU, but for ECQG_NUMERICS=native on one that gains by it.
Precision = Literal["fp32", "bf16"]
ScoreScale = Literal["none", "sqrt_hidden", "cosine"]
GeneratorKind = Literal["unconditioned", "conditioned", "answer_sentence"]
Source = Literal["folder", "package", "hub"]  # of weights that others trained


@dataclass_transform(frozen_default=True)
class Section:
    """A mapping of params.yaml: each class below is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class SideCollection(Section):
    """A generated zero-shot collection beside the embedded encyclopedia."""

    passages: Count
    questions: Count


class Microcosm(Section):
    """The embedded encyclopedia (profile `microcosm`)."""

    world_seed: int
    passages: Count
    families: tuple[str, ...]  # types of article (docs/microcosm.md); empty for all embedded ones
    train_questions: Count
    gold_share: Share  # of the passages; training questions are about a sample of that size
    dev_questions: Count
    test_questions: Count  # of each test set
    reading_questions: Count  # answerable; as many unanswerable ones come on top
    sentence_bias: tuple[NotNegative, ...]  # weights of sentences 1, 2, ... of gold answers
    movies: SideCollection  # films, with questions like those of WikiMovies
    biomed: SideCollection  # abstracts of a far domain, with questions like those of BioASQ


class Collection(Section):
    """Passages, and the test sets that are asked of them; `main` is the one that is trained on."""

    folder: str  # in the data formats of docs/data.md
    test_sets: dict[str, str]  # name -> its .qa.tsv in the folder
    max_test_questions: Count | None = None  # a random sample of each test set


class GoldSet(Section):
    """Questions that people asked, train and dev, each with the passage that answers it."""

    folder: str  # in the data formats of docs/data.md
    collection: str  # whose passages these are
    train_answer_sentences: Count | None = None  # keep those answered in the first n sentences
    max_train_questions: Size | None = None  # a random sample of that size; 0: there are none
    max_dev_questions: Count | None = None


class ReadingSet(Section):
    """Examples that train the reader; those of `main` have a dev split that calibrates it."""

    folder: str
    max_examples: Count | None = None  # a random sample of each split
    min_unanswerable_share: Share = 0.0  # mismatched ones are made up to it


class Entities(Section):
    """Named entities of passages (SIGIR sec. 3.3)."""

    model: str  # an installed spaCy pipeline with OntoNotes NER
    types: tuple[str, ...]


class QuestionSet(Section):
    """Generated questions: who asks, about what, and which are kept."""

    # One of generator.kinds or, where source is microcosm, the world itself: perfect questions.
    generator: Literal[GeneratorKind, "world"]
    # About which entities of a passage, ranked by the attention of select.system
    # (ecqg.synthesis.select); null with a generator that is not conditioned on an entity. The world
    # can do both.
    entities: Literal["lowest", "highest", "random", "last_sentence"] | None
    passages: Count  # a random sample of the main collection; all if fewer
    questions: Count  # of each passage, or of each entity
    filters: Annotated[tuple[Literal["reader", "hard"], ...], DIFFERENT]  # SIGIR sec. 2.3
    wrong_passage: Share  # of the questions, paired with any other passage: label noise


class BM25(Section):
    """Lucene's BM25."""

    k1: NotNegative
    b: Share


class TfIdf(Section):
    """DrQA's hashed n-gram TF-IDF."""

    hash_bits: Annotated[int, Meta(ge=1, le=28, description="a whole number from 1 to 28")]
    ngrams: Count


class Negatives(Section):
    """BM25 hard negatives that hold no answer."""

    depth: Count  # passages searched
    per_question: Size  # passages kept
    # Of synthetic questions: BM25's highest, or drawn among `depth` (AugDPR sec. 2, thesis).
    synthetic: Literal["highest", "drawn"]


class EncoderPretraining(Section):
    """Self-supervised start of a random encoder; see ecqg.encoder.backbone."""

    epochs: Size
    batch_size: Count
    lr: Positive


class InitEncoder(Section):
    """Initial weights of both encoders."""

    source: Literal["random", "folder", "package", "hub"]
    name: str  # folder, package or hub model; empty for random
    layers: Count | None  # keep the lowest layers; null keeps all (random: needed)
    hidden: Count  # random only, as what follows
    heads: Count
    feed_forward: Count
    vocabulary: Count
    initializer_range: Positive
    pretraining: EncoderPretraining


class Encoder(Section):
    """What a dual encoder computes."""

    max_question_tokens: Count
    max_passage_tokens: Count
    score_scale: ScoreScale  # scores are dot products, those / sqrt(hidden), or cosines * 20
    dropout: Share
    precision: Precision


class Training(Section):
    """One training run of a dual encoder."""

    lr: Positive
    epochs: Size
    batch_size: Count
    accumulation: Count
    share_negatives: Literal["micro_batch", "batch"]  # batch: by gradient caching
    warmup_fraction: Share
    weight_decay: NotNegative
    max_grad_norm: Positive
    hard_negatives: Size  # per question
    # The weights that it ends with: of the epoch that is best on gold dev questions, of the last,
    # or the mean of those after each step of the second half.
    select_by: Literal["average_rank", "in_batch_accuracy", "last", "average"]


class Pretraining(Training):
    """One on generated questions."""

    examples: Count | None  # at most; null for all questions that there are
    one_per_passage: bool  # each epoch draws one of a passage's questions (AugDPR sec. 3.2)


class Weights(Section):
    """A dual encoder that others trained."""

    source: Source
    question: str  # folder, package or hub model of the question encoder
    passage: str  # likewise; the same where one encoder serves both


class Pretrained(Section):
    """A dual encoder that is pre-trained on generated questions; gold dev questions evaluate it."""

    start: str  # 'init' for the weights of init_encoder, or one of public or pretrained
    questions: Annotated[dict[str, Share], SOME]  # question set -> its share of the examples
    # What is not as `pretrain` has it.
    training: Annotated[dict[str, Any], Pretraining] = field(default_factory=dict)


class Dense(Section):
    """A dual encoder that is fine-tuned on gold questions."""

    start: str  # 'init' for the weights of init_encoder, or one of public or pretrained
    gold: str  # one of gold_sets
    # What is not as `finetune` has it; with no epochs the encoder stays as it starts.
    training: Annotated[dict[str, Any], Training] = field(default_factory=dict)


class Systems(Section):
    """The retrievers of a study, in the order of its tables."""

    lexical: Annotated[tuple[Literal["tfidf", "bm25"], ...], DIFFERENT]
    dense: dict[str, Dense]
    reranked: Annotated[tuple[str, ...], DIFFERENT]  # systems that a cross-encoder re-ranks


class Select(Section):
    """Entities of a sample of passages that questions are generated about (SIGIR sec. 2.1)."""

    system: str  # whose attention selects entities, and whose scores find hard pairs
    passages: Count  # whose entities are looked for, in a random sample; all if fewer
    per_passage: Count  # entities
    aggregate: Literal["sum", "mean"]  # attention over an entity's word pieces


class GeneratorPretraining(Section):
    """Denoising start of a random generator; see ecqg.questions.denoising."""

    steps: Size
    batch_size: Count
    lr: Positive
    precision: Precision


class InitGenerator(Section):
    """Initial weights of the question generators."""

    source: Literal["random", "folder", "package", "hub"]
    name: str
    layers: Count | None  # random: encoder layers and decoder layers each
    hidden: Count
    heads: Count
    feed_forward: Count
    vocabulary: Count
    init_std: Positive
    pretraining: GeneratorPretraining


class Generator(Section):
    """Fine-tuning of the generators (SIGIR sec. 3.3)."""

    # Which are trained: those that question_sets name and always the conditioned one; none where
    # there are no question sets.
    kinds: Annotated[tuple[GeneratorKind, ...], DIFFERENT]
    max_questions: Count | None  # a random sample of the gold questions that it can train on
    lr: Positive
    epochs: Count
    batch_size: Count
    max_source_tokens: Count
    max_target_tokens: Count
    mark_entity: bool  # mark the conditioning entity in the passage, beside naming it
    shuffle_sentences: bool  # training augmentation against position bias
    precision: Precision


class Generate(Section):
    """Sampling of synthetic questions (SIGIR sec. 2.2).

    A token is drawn from the `top_k` most probable ones (0: all), and of these from the smallest
    set whose probability reaches `top_p`, both at `temperature`.
    """

    top_p: Annotated[float, Meta(gt=0, le=1, description="a number above 0 and up to 1")]
    top_k: Size
    temperature: Positive
    attempts: (
        Count  # at a question that is well-formed and names its entity; the papers say nothing
    )


class ReadingPhase(Section):
    """One of the reader's training phases, run in order (thesis tab. 4.5)."""

    examples: str  # one of reading_sets
    lr: Positive
    epochs: Count
    batch_size: Count
    max_tokens: Count
    max_question_tokens: Count
    stride: Size


class Reader(Section):
    """The extractive reader of the round trip; the last phase's lengths serve inference."""

    start: Literal["encoder", "folder", "package", "hub"]  # 'encoder': init_encoder's
    name: str
    layers: Count | None  # fewer keep the start's lowest, more add random ones; null: as it is
    mark_overlap: bool  # token types tell words that question and context share (DrQA sec. 3.2)
    neighbour_heads: tuple[int, ...]  # offsets that heads attend to from the start; [] if trained
    phases: tuple[ReadingPhase, ...]
    max_answer_tokens: Count
    precision: Precision


class Filter(Section):
    """Which synthetic questions are kept (SIGIR sec. 2.3)."""

    reader_threshold: Share  # calibrated probability that the reader's answer is right
    require_same_answer: bool  # and the reader's answer must be the generated one
    require_same_sentence: bool  # and stand in a sentence that names the entity asked about, if any
    hard_by: Literal["none", "quantile", "value"]
    hard_cut: Number  # keep scores at most this quantile, or at most this value


class Retrieval(Section):
    """Search."""

    depth: Count
    index: str  # FAISS factory string
    vectors: Literal["fp32", "fp16"]  # as which passage vectors are stored


class Reranker(Section):
    """A cross-encoder, started from the encoders' weights (thesis eq. 2.7; ecqg.reranking)."""

    layers: Count | None  # fewer keep the start's lowest, more add random ones; null: as it is
    mark_overlap: bool  # token types tell words that question and passage share
    max_tokens: Count  # of a pair, [CLS] and [SEP] included
    max_question_tokens: Count
    dropout: Share
    precision: Precision
    max_questions: Count | None  # a random sample of the gold questions
    lr: Positive
    epochs: Count
    batch_size: Count  # questions of a step, each with all its candidates
    warmup_fraction: Share
    weight_decay: NotNegative
    max_grad_norm: Positive
    hard_negatives: Size  # per question: its own BM25 ones,
    near_negatives: Size  # passages of the same training example as one of its own,
    random_negatives: Size  # and any


class Rerank(Section):
    """The cross-encoder at work."""

    depth: Count  # passages of the first stage that are put in a new order


class Evaluation(Section):
    """Top-k accuracy and its uncertainty."""

    ks: Annotated[tuple[Count, ...], SOME]
    bootstrap_samples: Count
    confidence: Share


class AttentionStatistics(Section):
    """Attention statistics over a fixed sample of passages (SIGIR sec. 4.1)."""

    passages: Count
    special_tokens: Literal["exclude", "include"]  # [CLS] and [SEP] in the distribution
    title: Literal["exclude", "include"]


class Analysis(Section):
    """The papers' smaller tables (ecqg.analysis): of which systems, and sizes."""

    # By retrieval (thesis tab. 4.3), by entity (SIGIR sec. 1), on the heat map and the page of
    # examples. The first is the one whose highest- and lowest-attended entities the others score,
    # too.
    systems: Annotated[tuple[str, ...], SOME]
    gold_depth: Count  # a gold passage is retrieved if among so many passages (thesis tab. 4.3)
    vocabulary_words: Count  # most frequent words compared (AugDPR sec. 4)
    vocabulary_passages: Count  # sampled from a collection to count its words; all if fewer
    examples: Count  # passages on the page of examples (SIGIR tabs. 1 and 2)
    entity_passages: Count  # sampled to ask about every entity; all if fewer


# A test set of the papers, as ecqg.report.published names them.
PublishedSet = Literal["NQ", "WebQuestions", "TriviaQA", "WikiMovies", "BioASQ"]


class Params(Section):
    """All of params.yaml."""

    profile: Annotated[str, Meta(pattern=f"^{NAME.pattern}$", description=NAMED)]
    seed: int
    source: Literal["microcosm", "squad", "folder"]  # generate data, download them, or neither
    microcosm: Microcosm
    collections: dict[str, Collection]
    distractors: dict[str, str]  # name -> folder whose passages join the main collection
    gold_sets: dict[str, GoldSet]
    reading_sets: dict[str, ReadingSet]
    question_sets: dict[str, QuestionSet]  # none: retrieval alone is studied
    public: dict[str, Weights]
    pretrained: dict[str, Pretrained]
    systems: Systems
    entities: Entities
    bm25: BM25
    tfidf: TfIdf
    negatives: Negatives
    init_encoder: InitEncoder
    encoder: Encoder
    pretrain: Pretraining
    finetune: Training
    select: Select
    init_generator: InitGenerator
    generator: Generator
    generate: Generate
    reader: Reader
    filter: Filter
    retrieval: Retrieval
    reranker: Reranker
    rerank: Rerank
    evaluation: Evaluation
    # Test sets that are the papers' own: name -> theirs. Beside these the report has their numbers.
    published: dict[str, PublishedSet]
    attention_statistics: AttentionStatistics
    analysis: Analysis


def load_params(path: str | Path = "params.yaml") -> Params:
    """Read and check a file of YAML 1.2 (1e-5 is a number). Raises InputError for what is wrong."""
    return build_params(read_yaml(path), path)


def build_params(tree: Any, path: str | Path = "params.yaml") -> Params:
    """Check a parameter tree that was read from `path`."""
    params = build(Params, tree, "", path)
    assert isinstance(params, Params)
    check_together(params, path)
    return params
