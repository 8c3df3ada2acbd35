"""Where stages keep what they write, relative to the repository's root; dvc.yaml says the same."""

from __future__ import annotations

from pathlib import Path

DATA = Path("data")
RAW = DATA / "raw"  # RAW/microcosm or RAW/squad: a folder in the formats of docs/data.md
CODE = DATA / "code"  # CODE/STAGE.txt: what ecqg/stages/STAGE.py runs with, see ecqg.closure
MAIN = "main"  # the collection and the gold questions that the study is about


def collection(name: str = MAIN) -> Path:
    """passages.arrow, questions/TESTSET.qa.tsv and annotations.json, what its folder says of them.

    See ecqg.corpus.collection.
    """
    return DATA / "collections" / name


def qrels(name: str = MAIN) -> Path:
    """TESTSET.qrels for each test set of a collection that has relevance judgements."""
    return DATA / "qrels" / name


def subsets(name: str = MAIN) -> Path:
    """{"TESTSET": {"no_answer_overlap": [question ids], ...}}, by what the main gold set has."""
    return DATA / "subsets" / f"{name}.json"


def distractors(name: str) -> Path:
    """A distractor folder's passages.arrow."""
    return DATA / "distractors" / name


def gold(split: str, name: str = MAIN) -> Path:
    """Gold examples without negatives (ecqg.corpus.examples); split is train or dev."""
    return DATA / "gold" / name / f"{split}.jsonl"


def reading(split: str, name: str = MAIN) -> Path:
    """Reading examples as SQuAD JSON; split is train or, of the main set, dev."""
    return DATA / "reading" / name / f"{split}.json"


def gold_negatives(split: str, name: str = MAIN) -> Path:
    """Gold examples with hard negatives, of passages.arrow beside them; split is train or dev."""
    return DATA / "negatives" / "gold" / name / f"{split}.jsonl"


def synthetic_negatives(name: str) -> Path:
    """Examples that an encoder is pre-trained on, with hard negatives."""
    return DATA / "negatives" / "synthetic" / f"{name}.jsonl"


# Scratch that may be deleted at any time: Lucene indexes by the digest of what they hold.
LUCENE = Path(".cache/ecqg/lucene")
TOKENS = Path(".cache/ecqg/tokens")  # of passages, by collection and digest likewise

ENTITIES = DATA / "entities" / "entities.arrow"
INIT = "init"
INIT_GENERATOR = DATA / "init-generator"  # Hugging Face folder, BART-type or causal


def start(name: str = INIT) -> Path:
    """What a dual encoder starts from: question_encoder/ and passage_encoder/.

    One that others trained, or one that is pre-trained on generated questions; of the name INIT a
    Hugging Face folder, BERT-type, with tokenizer, for both.
    """
    return DATA / "start" / name


def question_entities(split: str) -> Path:
    """Entities of gold questions in their passages: {question, entities}, a line per question."""
    return DATA / "questions" / f"gold-entities-{split}.jsonl"


def retriever(system: str) -> Path:
    """A finished dual encoder: question_encoder/ and passage_encoder/."""
    return DATA / "models" / "retriever" / system


def generator(kind: str) -> Path:
    """A fine-tuned question generator; kind is unconditioned, conditioned or answer_sentence."""
    return DATA / "models" / "generator" / kind


READER = DATA / "models" / "reader"
RERANKER = DATA / "models" / "reranker"  # a cross-encoder


# Per-entity [CLS] attention of the system that selects, a column file aligned with ENTITIES.
ENTITY_ATTENTION = DATA / "entity_attention.arrow"


def selected(name: str) -> Path:
    """What a question set asks about: {passage_id, row} and, of entities, {entity, start, ...}.

    See ecqg.synthesis.select.
    """
    return DATA / "selected" / f"{name}.jsonl"


def entity_positions(name: str) -> Path:
    """Where the highest- and lowest-attended entities stand: CSV of which, position, share."""
    return DATA / "analysis" / "entity-positions" / f"{name}.csv"


def generated(name: str) -> Path:
    """Synthetic questions: {id, passage_id, entity, start, question, answer}."""
    return DATA / "generated" / f"{name}.jsonl"


def read(name: str) -> Path:
    """The reader on `generated`: {id, answer, start, confidence, null_margin}."""
    return DATA / "read" / f"{name}.jsonl"


def scored(name: str) -> Path:
    """The selecting system on `generated`: {id, score}."""
    return DATA / "scored" / f"{name}.jsonl"


def filtered(name: str) -> Path:
    """The rows of `generated` that passed the filters."""
    return DATA / "filtered" / f"{name}.jsonl"


def synthetic(name: str) -> Path:
    """Examples that an encoder is pre-trained on, without negatives."""
    return DATA / "synthetic" / f"{name}.jsonl"


def embeddings(system: str, name: str = MAIN) -> Path:
    """Passage vectors of a collection, float32 or float16 [passages, hidden], row by row."""
    return DATA / "embeddings" / name / f"{system}.npy"


def runs(system: str, name: str = MAIN) -> Path:
    """TREC runs, TESTSET.trec each."""
    return DATA / "runs" / name / system


# Beside runs of an approximate index, {TESTSET: {"recall@1": percent, ...}}: ecqg.search.recall.
INDEX_RECALL = "index-recall.json"


PER_QUERY = DATA / "per_query"


def per_query(system: str, name: str = MAIN) -> Path:
    """TESTSET.csv and, where questions are judged, relevant/TESTSET.csv.

    See ecqg.evaluation.topk. Subsets are TESTSET_SUBSET; INDEX_RECALL is copied here.
    """
    return PER_QUERY / name / system


def attention_per_passage(system: str) -> Path:
    """A CSV row per sampled passage: see ecqg.attention.per_passage."""
    return DATA / "attention" / f"{system}.csv"


def overlap_per_question(system: str) -> Path:
    """A CSV row per gold dev question: see ecqg.analysis.overlap."""
    return DATA / "analysis" / "overlap" / f"{system}.csv"


# What is judged from these figures, with intervals and tests: large tables, see
# ecqg.evaluation.headers.
JUDGED = DATA / "judged"
ACCURACY = JUDGED / "accuracy.csv"
RANKING = JUDGED / "ranking.csv"
ATTENTION = JUDGED / "attention.csv"
COMPARISONS = DATA / "comparisons.csv"

# The headline, which DVC shows and compares as metrics: SYSTEM.json, see ecqg.report.headline.
METRICS = Path("metrics")

# What is measured besides, in small tables of name and value (ecqg.tables), and pages for people.
RESULTS = Path("results")


def attention_means(system: str) -> Path:
    """Entropy (nats), first_sentence, later_sentences, ...: see ecqg.attention.summary."""
    return RESULTS / "attention" / f"{system}.csv"


def loss_curve(name: str) -> Path:
    """A training run's losses: CSV of run, step, loss."""
    return DATA / "loss" / f"{name}.csv"


def training_metrics(name: str) -> Path:
    """A dual encoder's training: dev_average_rank, best_epoch, ..."""
    return RESULTS / "training" / f"{name}.csv"


def generation_metrics(name: str) -> Path:
    """Questions (count), malformed (percent), ...; see ecqg.questions.statistics."""
    return RESULTS / "generation" / f"{name}.csv"


READER_METRICS = RESULTS / "reader.csv"  # exact (percent), f1, ...
RERANKER_METRICS = RESULTS / "reranker.csv"  # dev_accuracy (share), ...
READER_RELIABILITY = Path("plots/reader_calibration.csv")  # per bin of confidence: share right


def filter_metrics(name: str) -> Path:
    """Generated (count), after_reader, kept (percent), ..."""
    return RESULTS / "filter" / f"{name}.csv"


def answer_positions(name: str) -> Path:
    """Share of questions by sentence of the answer, before and after each filter, as CSV."""
    return DATA / "analysis" / "answer-positions" / f"{name}.csv"


TRAINING_SETS = RESULTS / "training_sets.csv"  # NAME/examples (count), NAME/passages, ...
REPORT = RESULTS / "report.md"
ACCURACY_PICTURE = Path("plots/accuracy.png")
ACCURACY_PLOT = Path("plots/accuracy.csv")  # all systems, test sets and k
ENTROPY_PLOT = Path("plots/entropy.csv")  # all dual encoders
BY_SENTENCE_PLOT = Path("plots/attention_by_sentence.csv")  # all dual encoders
ENTITY_POSITION_PLOT = Path("plots/entity_position.csv")  # which, position, share (percent)
QUESTION_POSITION_PLOT = Path(
    "plots/question_position.csv"
)  # thesis tab. 4.2 of the gold questions
ANSWER_POSITION_PLOT = Path("plots/answer_position.csv")  # all question sets, by filter
LOSS_PLOT = Path("plots/loss.csv")  # all trainings


def attention_by_sentence(system: str) -> Path:
    """CSV: system, sentence (from 1), density (1: uniform), share (percent), passages."""
    return DATA / "analysis" / "attention-by-sentence" / f"{system}.csv"


ENTITY_QUESTIONS = DATA / "analysis" / "entity-questions.jsonl"  # as `generated`, any attention


def entity_scores(system: str) -> Path:
    """CSV, a row for each of ENTITY_QUESTIONS: see ecqg.analysis.entity_scores."""
    return DATA / "analysis" / "entity-scores" / f"{system}.csv"


EXPLANATION = RESULTS / "analysis" / "explanation.csv"
EXPLANATION_PICTURE = Path("plots/analysis/explanation.png")


def selection_metrics(name: str) -> Path:
    """Passages (count), entities, selected, highest_first_half (percent), ..."""
    return RESULTS / "selection" / f"{name}.csv"


HEATMAP_HTML = Path("plots/heatmap.html")
HEATMAP_PNG = Path("plots/heatmap.png")


def collection_metrics(name: str = MAIN) -> Path:
    """Passages (counts and means), test/TESTSET/questions (count)."""
    return RESULTS / "collections" / f"{name}.csv"


def gold_metrics(name: str = MAIN) -> Path:
    """Questions of train and dev, what was dropped, and thesis tab. 4.2 by sentence."""
    return RESULTS / "gold" / f"{name}.csv"


def reading_metrics(name: str = MAIN) -> Path:
    """Examples of train and dev (counts), answerable and not."""
    return RESULTS / "reading" / f"{name}.csv"


DOWNLOADS = Path(".cache/ecqg/downloads")  # verified files, kept because DVC clears what it makes


ANALYSIS = RESULTS / "analysis"  # what ecqg.analysis measures; pictures in ANALYSIS_PLOTS
ANALYSIS_PLOTS = Path("plots/analysis")
OVERLAP = ANALYSIS / "overlap.csv"  # SYSTEM/found (percent), SYSTEM/sentence_1/found


def coverage_metrics(name: str = MAIN) -> Path:
    """TESTSET/questions (count), TESTSET/words (percent), ..."""
    return ANALYSIS / "coverage" / f"{name}.csv"


def vocabulary_metrics(name: str) -> Path:
    """Against the main collection: overlap (percent), words (count), ..."""
    return ANALYSIS / "vocabulary" / f"{name}.csv"


EXAMPLE_METRICS = ANALYSIS / "examples.csv"  # mean scores of the example questions, by system
EXAMPLES_HTML = Path("plots/examples.html")
EXAMPLES_MARKDOWN = RESULTS / "examples.md"
ATTENTION_PICTURE = ANALYSIS_PLOTS / "attention.png"
WORDS_PICTURE = ANALYSIS_PLOTS / "words.png"  # coverage and vocabularies
QUESTION_OVERLAP_PLOT = ANALYSIS_PLOTS / "question_overlap.csv"  # thesis tabs. 4.2 and 4.3
QUESTION_OVERLAP_PICTURE = ANALYSIS_PLOTS / "question_overlap.png"
COVERAGE_PLOT = ANALYSIS_PLOTS / "coverage.csv"  # source, test_set, words, coverage (percent)
VOCABULARY_PLOT = ANALYSIS_PLOTS / "vocabulary.csv"  # source, collection, words, overlap (percent)
