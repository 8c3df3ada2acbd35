"""Where stages keep what they write, relative to the repository's root; dvc.yaml says the same."""

from __future__ import annotations

from pathlib import Path

DATA = Path("data")
RAW = DATA / "raw"  # RAW/microcosm or RAW/squad: a folder in the formats of docs/data.md
CODE = DATA / "code"  # CODE/STAGE.txt: digests of the modules of ecqg/stages/STAGE.py
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
    """SYSTEM/TESTSET.csv each: id, question, rank of the first passage with an answer (0: none)."""
    return DATA / "per_query" / name


def retrieval_metrics(name: str = MAIN) -> Path:
    """{"SYSTEM": {"TESTSET": {"top1": percent, ...}}}.

    Where an index is an approximate one, also {"SYSTEM index": {"TESTSET": {"recall@1": ...}}}.
    """
    return Path("metrics/retrieval") / f"{name}.json"


def ranking_metrics(name: str = MAIN) -> Path:
    """{"SYSTEM": {"TESTSET": {"MRR@10": share, ...}}} of a collection: ecqg.evaluation.ranking."""
    return Path("metrics/ranking") / f"{name}.json"


def attention_metrics(system: str) -> Path:
    """{"SYSTEM": {"entropy": nats, "first_sentence": ..., "later_sentences": ..., ...}}."""
    return Path("metrics/attention") / f"{system}.json"


def loss_curve(name: str) -> Path:
    """A training run's losses: CSV of run, step, loss."""
    return Path("plots/loss") / f"{name}.csv"


def training_metrics(name: str) -> Path:
    """A dual encoder's training: {NAME: {"dev_average_rank": ..., "best_epoch": ..., ...}}."""
    return Path("metrics/training") / f"{name}.json"


def generation_metrics(kind: str) -> Path:
    """{KIND: {"questions": count, "malformed": percent, ...}}; see ecqg.questions.statistics."""
    return Path("metrics/generation") / f"{kind}.json"


READER_METRICS = Path("metrics/reader.json")  # {"reader": {"exact": percent, "f1": ..., ...}}
RERANKER_METRICS = Path("metrics/reranker.json")  # {"reranker": {"dev_accuracy": share, ...}}
READER_RELIABILITY = Path("plots/reader_calibration.csv")  # per bin of confidence: share right


def filter_metrics(kind: str) -> Path:
    """{KIND: {"generated": count, "read": ..., "kept": ..., ...}}."""
    return Path("metrics/filter") / f"{kind}.json"


def filter_plot(kind: str) -> Path:
    """Share of questions by sentence of the answer, before and after each filter, as CSV."""
    return Path("plots/filter") / f"{kind}.csv"


MIX_METRICS = Path("metrics/mix.json")  # {"uncon": {...counts}, "mixed": {...counts}}


def retrieval_plot(name: str = MAIN) -> Path:
    """CSV: system, test_set, k, accuracy, low, high (percent; bounds of the interval)."""
    return Path("plots/retrieval") / f"{name}.csv"


COMPARISON = Path("metrics/comparison.json")  # {"A_vs_B": {"TESTSET": {"top1": {...}, ...}}}
REPORT = Path("metrics/report.md")
ACCURACY_PICTURE = Path("plots/accuracy.png")
ACCURACY_PLOT = Path("plots/accuracy.csv")  # all systems, test sets and k
ENTROPY_PLOT = Path("plots/entropy.csv")  # all dual encoders


def attention_per_passage(system: str) -> Path:
    """A CSV row per sampled passage: see ecqg.attention.per_passage."""
    return DATA / "attention" / f"{system}.csv"


def attention_by_sentence(system: str) -> Path:
    """CSV: system, sentence (from 1), density (1: uniform), share (percent), passages."""
    return Path("plots/attention_by_sentence") / f"{system}.csv"


ENTITY_QUESTIONS = DATA / "analysis" / "entity-questions.jsonl"  # as `generated`, any attention


def entity_scores(system: str) -> Path:
    """CSV, a row for each of ENTITY_QUESTIONS: see ecqg.analysis.entity_scores."""
    return DATA / "analysis" / "entity-scores" / f"{system}.csv"


EXPLANATION = Path("metrics/analysis/explanation.json")
EXPLANATION_PICTURE = Path("plots/analysis/explanation.png")
SELECTION_METRICS = Path("metrics/selection.json")
ENTITY_POSITION = Path("plots/entity_position.csv")  # which, position, share (percent)
HEATMAP_HTML = Path("plots/heatmap.html")
HEATMAP_PNG = Path("plots/heatmap.png")


CORPUS_METRICS = Path("metrics/corpus.json")  # counts of passages, questions and examples
QUESTION_POSITION = Path("plots/question_position.csv")  # thesis tab. 4.2 of the gold questions
DOWNLOADS = Path(".cache/ecqg/downloads")  # verified files, kept because DVC clears what it makes


ANALYSIS = Path("metrics/analysis")  # what ecqg.analysis measures; pictures in ANALYSIS_PLOTS
ANALYSIS_PLOTS = Path("plots/analysis")


def overlap_metrics(system: str) -> Path:
    """{"SYSTEM": {"questions": count, "found": ..., "sentence_1": {"found": percent, ...}}}."""
    return ANALYSIS / "overlap" / f"{system}.json"


def coverage_metrics(name: str = MAIN) -> Path:
    """{"COLLECTION": {"TESTSET": {"questions": count, "words": percent, ...}}}."""
    return ANALYSIS / "coverage" / f"{name}.json"


def vocabulary_metrics(name: str) -> Path:
    """{"COLLECTION": {"overlap": percent, "words": count, ...}}, against the main collection."""
    return ANALYSIS / "vocabulary" / f"{name}.json"


EXAMPLE_METRICS = ANALYSIS / "examples.json"  # mean scores of the example questions, by system
EXAMPLES_HTML = Path("plots/examples.html")
EXAMPLES_MARKDOWN = Path("metrics/examples.md")
ATTENTION_PICTURE = ANALYSIS_PLOTS / "attention.png"
WORDS_PICTURE = ANALYSIS_PLOTS / "words.png"  # coverage and vocabularies
QUESTION_OVERLAP_PLOT = ANALYSIS_PLOTS / "question_overlap.csv"  # thesis tabs. 4.2 and 4.3
QUESTION_OVERLAP_PICTURE = ANALYSIS_PLOTS / "question_overlap.png"
COVERAGE_PLOT = ANALYSIS_PLOTS / "coverage.csv"  # source, test_set, words, coverage (percent)
VOCABULARY_PLOT = ANALYSIS_PLOTS / "vocabulary.csv"  # source, collection, words, overlap (percent)
