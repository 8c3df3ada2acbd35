"""Where stages keep what they write, relative to the repository's root; dvc.yaml says the same."""

from __future__ import annotations

from pathlib import Path

DATA = Path("data")
RAW = DATA / "raw"  # RAW/microcosm or RAW/squad: a folder in the formats of docs/data.md
CODE = DATA / "code"  # CODE/STAGE.txt: what ecqg/stages/STAGE.py runs with, see ecqg.closure
MAIN = "main"  # the collection that is trained on; zero-shot sets are further collections


def collection(name: str = MAIN) -> Path:
    """passages.arrow, questions/TESTSET.qa.tsv, and subsets.json where subsets are known."""
    return DATA / "collections" / name


def judgements(name: str = MAIN) -> Path:
    """TESTSET.qrels for each test set of a collection that has relevance judgements."""
    return DATA / "judgements" / name


def distractors(name: str) -> Path:
    """A distractor folder's passages.arrow."""
    return DATA / "distractors" / name


def gold(split: str) -> Path:
    """Gold (question, answers, positive passage) as DPR JSON; split is train or dev."""
    return DATA / "gold" / f"{split}.json"


def supervised_gold(test_set: str) -> Path:
    """Gold examples of a test set's own training data, train.json and dev.json, DPR JSON."""
    return DATA / "supervised" / test_set


SUPERVISED = "supervised"  # a row of the report: on each test set, the system trained for it


def supervised_set(system: str) -> str | None:
    """The test set on whose own training split a system is trained: supervised-TESTSET."""
    name = system.removeprefix(f"{SUPERVISED}-")
    return None if name == system else name


def reading(split: str) -> Path:
    """Reading examples as SQuAD JSON; split is train or dev."""
    return DATA / "reading" / f"{split}.json"


def reading_set(name: str) -> Path:
    """Reading examples of another folder, SQuAD JSON."""
    return DATA / "reading-sets" / f"{name}.json"


def negatives(name: str) -> Path:
    """Training examples with hard negatives, DPR JSON: gold-train, gold-dev, uncon, mixed, aug."""
    return DATA / "negatives" / f"{name}.json"


# Scratch that may be deleted at any time: Lucene indexes by the digest of what they hold.
LUCENE = Path(".cache/ecqg/lucene")
TOKENS = Path(".cache/ecqg/tokens")  # of passages, by collection and digest likewise

ENTITIES = DATA / "entities" / "entities.arrow"
ENCODER_START = DATA / "backbone" / "encoder"  # Hugging Face folder, BERT-type, with tokenizer
GENERATOR_START = DATA / "backbone" / "generator"  # likewise, BART-type or causal


def question_entities(split: str) -> Path:
    """Entities of gold questions in their passages: {question, entities}, a line per question."""
    return DATA / "questions" / f"gold-entities-{split}.jsonl"


def pretrained(system: str) -> Path:
    """A dual encoder after synthetic pre-training: question_encoder/ and passage_encoder/."""
    return DATA / "models" / "pretrained" / system


def retriever(system: str) -> Path:
    """A finished dual encoder: question_encoder/ and passage_encoder/.

    `baseline` is the one whose attention and scores steer the synthesis: dpr, or a public one.
    """
    return DATA / "models" / "retriever" / system


def generator(kind: str) -> Path:
    """A fine-tuned question generator; kind is unconditioned, conditioned or answer_sentence."""
    return DATA / "models" / "generator" / kind


READER = DATA / "models" / "reader"
RERANKER = DATA / "models" / "reranker"  # a cross-encoder


def attended(system: str) -> Path:
    """Per-entity [CLS] attention, a column file aligned with ENTITIES."""
    return DATA / "attended" / f"{system}.arrow"


SELECTED = DATA / "selected.jsonl"  # {passage_id, entity, start, end, ...}, lowest first


def generated(kind: str) -> Path:
    """Synthetic questions: {id, passage_id, entity, start, question, answer}."""
    return DATA / "generated" / f"{kind}.jsonl"


def read(kind: str) -> Path:
    """The reader on `generated`: {id, answer, start, confidence, null_margin}."""
    return DATA / "read" / f"{kind}.jsonl"


def scored(kind: str) -> Path:
    """The baseline retriever on `generated`: {id, score}."""
    return DATA / "scored" / f"{kind}.jsonl"


def filtered(kind: str) -> Path:
    """The rows of `generated` that passed the filters."""
    return DATA / "filtered" / f"{kind}.jsonl"


def synthetic(system: str) -> Path:
    """A synthetic training set, DPR JSON without negatives; system is uncon or mixed."""
    return DATA / "synthetic" / f"{system}.json"


def embeddings(system: str, name: str = MAIN) -> Path:
    """Passage vectors of a collection, float32 or float16 [passages, hidden], row by row."""
    return DATA / "embeddings" / name / f"{system}.npy"


RERANKED = "-reranked"


def reranked(first_stage: str) -> str:
    """The system that a first stage and the re-ranker are together."""
    return first_stage + RERANKED


def runs(system: str, name: str = MAIN) -> Path:
    """TREC runs, TESTSET.trec each.

    Which systems are evaluated and which are re-ranked are parameters: evaluation depends on two
    folders, whatever is in them. Runs of the supervised references, which are evaluated by
    themselves, have a third.
    """
    first_stage = system.removesuffix(RERANKED)
    test_set = supervised_set(system)
    if test_set is not None:
        return DATA / "supervised-runs" / name / test_set
    return DATA / ("runs" if system == first_stage else "reranked") / name / first_stage


# Beside runs of an approximate index, {TESTSET: {"recall@1": percent, ...}}: ecqg.search.recall.
INDEX_RECALL = "index-recall.json"


# What is measured of all systems on a collection goes by its name; of the system trained for a
# test set, wherever that belongs, by SUPERVISED/TESTSET.


def per_query(name: str = MAIN) -> Path:
    """SYSTEM/TESTSET.csv and, where questions are judged, SYSTEM/relevant/TESTSET.csv.

    See ecqg.evaluation.per_query. Subsets are TESTSET_SUBSET; INDEX_RECALL is copied here.
    """
    return DATA / "per_query" / name


def attention_per_passage(system: str) -> Path:
    """A CSV row per sampled passage: see ecqg.attention.per_passage."""
    return DATA / "attention" / f"{system}.csv"


def overlap_per_question(system: str) -> Path:
    """A CSV row per gold dev question: see ecqg.analysis.overlap."""
    return DATA / "analysis" / "overlap" / f"{system}.csv"


# What is judged from these figures, with intervals and tests: large tables, see
# ecqg.evaluation.judgement.
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
    return Path("plots/loss") / f"{name}.csv"


def training_metrics(name: str) -> Path:
    """A dual encoder's training: dev_average_rank, best_epoch, ..."""
    return RESULTS / "training" / f"{name}.csv"


def generation_metrics(kind: str) -> Path:
    """Questions (count), malformed (percent), ...; see ecqg.questions.statistics."""
    return RESULTS / "generation" / f"{kind}.csv"


READER_METRICS = RESULTS / "reader.csv"  # exact (percent), f1, ...
RERANKER_METRICS = RESULTS / "reranker.csv"  # dev_accuracy (share), ...
READER_RELIABILITY = Path("plots/reader_calibration.csv")  # per bin of confidence: share right


def filter_metrics(kind: str) -> Path:
    """Generated (count), after_reader, kept (percent), ..."""
    return RESULTS / "filter" / f"{kind}.csv"


def filter_plot(kind: str) -> Path:
    """Share of questions by sentence of the answer, before and after each filter, as CSV."""
    return Path("plots/filter") / f"{kind}.csv"


MIX_METRICS = RESULTS / "mix.csv"  # counts of uncon and mixed
REPORT = RESULTS / "report.md"
ACCURACY_PICTURE = Path("plots/accuracy.png")
ACCURACY_PLOT = Path("plots/accuracy.csv")  # all systems, test sets and k
ENTROPY_PLOT = Path("plots/entropy.csv")  # all dual encoders
BY_SENTENCE_PLOT = Path("plots/attention_by_sentence.csv")  # all dual encoders


def attention_by_sentence(system: str) -> Path:
    """CSV: system, sentence (from 1), density (1: uniform), share (percent), passages."""
    return Path("plots/attention_by_sentence") / f"{system}.csv"


ENTITY_QUESTIONS = DATA / "analysis" / "entity-questions.jsonl"  # as `generated`, any attention


def entity_scores(system: str) -> Path:
    """CSV, a row for each of ENTITY_QUESTIONS: see ecqg.analysis.entity_scores."""
    return DATA / "analysis" / "entity-scores" / f"{system}.csv"


EXPLANATION = RESULTS / "analysis" / "explanation.csv"
EXPLANATION_PICTURE = Path("plots/analysis/explanation.png")
SELECTION_METRICS = RESULTS / "selection.csv"
ENTITY_POSITION = Path("plots/entity_position.csv")  # which, position, share (percent)
HEATMAP_HTML = Path("plots/heatmap.html")
HEATMAP_PNG = Path("plots/heatmap.png")


CORPUS_METRICS = RESULTS / "corpus.csv"  # counts of passages, questions and examples
QUESTION_POSITION = Path("plots/question_position.csv")  # thesis tab. 4.2 of the gold questions
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
