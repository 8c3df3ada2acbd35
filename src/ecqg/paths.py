"""Where stages keep what they write, relative to the repository's root; dvc.yaml says the same.

A path of a group of stages is a pattern, called with the item's name: `retriever("dpr")`.
"""

from __future__ import annotations

from pathlib import Path

MAIN = "main"  # the collection and the gold questions that the study is about
WORLD = "world"  # the generator that is not trained: the embedded encyclopedia asks about itself
INIT = "init"  # the weights of init_encoder, among what encoders start from


class _Of:
    """The path of an item {0}, or of a split or system {0} and an item {1}.

    The last one may be left out where it has a default.
    """

    def __init__(self, pattern: str, *default: str) -> None:
        self._pattern, self._default = pattern, default

    def __call__(self, *names: str) -> Path:
        return Path(self._pattern.format(*names, *self._default))


DATA = Path("data")
RAW = DATA / "raw"  # RAW/microcosm or RAW/squad: a folder in the formats of docs/data.md
CODE = DATA / "code"  # CODE/STAGE.txt: what ecqg/stages/STAGE.py runs with, see ecqg.closure

# Scratch that may be deleted at any time, the first two by the digest of what they hold.
LUCENE = Path(".cache/ecqg/lucene")  # indexes
TOKENS = Path(".cache/ecqg/tokens")  # of passages, by collection, too
DOWNLOADS = Path(".cache/ecqg/downloads")  # verified files; DVC clears what stages make

# --- collections, gold sets, reading sets
# passages.arrow, questions/TESTSET.qa.tsv and annotations.json, what its folder says of them:
# see ecqg.corpus.collection
collection = _Of("data/collections/{0}", MAIN)
# TESTSET.qrels for each test set of a collection that has relevance judgements
qrels = _Of("data/qrels/{0}", MAIN)
# {"TESTSET": {"no_answer_overlap": [question ids], ...}}, by what the main gold set has
subsets = _Of("data/subsets/{0}.json", MAIN)
# A distractor folder's passages.arrow
distractors = _Of("data/distractors/{0}")
# Gold examples without negatives (ecqg.corpus.examples), by split: train or dev
gold = _Of("data/gold/{1}/{0}.jsonl", MAIN)
# With hard negatives, of passages.arrow beside them
gold_negatives = _Of("data/negatives/gold/{1}/{0}.jsonl", MAIN)
# Reading examples as SQuAD JSON, by split: train or, of the main set, dev
reading = _Of("data/reading/{1}/{0}.json", MAIN)
# Entities of a split's gold questions in their passages: {question, entities}, a line per question
question_entities = _Of("data/questions/gold-entities-{0}.jsonl")
ENTITIES = Path("data/entities/entities.arrow")

# --- models
# What a dual encoder starts from: question_encoder/ and passage_encoder/, which others trained, or
# which are pre-trained on generated questions; of the name INIT a Hugging Face folder, BERT-type,
# with tokenizer, for both
start = _Of("data/start/{0}", INIT)
# A finished dual encoder: question_encoder/ and passage_encoder/
retriever = _Of("data/models/retriever/{0}")
INIT_GENERATOR = Path("data/init-generator")  # Hugging Face folder, BART-type or causal
# A fine-tuned question generator, by kind: unconditioned, conditioned or answer_sentence; of the
# name WORLD what the embedded world follows from (ecqg.questions.world)
generator = _Of("data/models/generator/{0}")
READER = Path("data/models/reader")
RERANKER = Path("data/models/reranker")  # a cross-encoder

# --- generated questions
# Per-entity [CLS] attention of the system that selects, a column file aligned with ENTITIES
ENTITY_ATTENTION = Path("data/entity_attention.arrow")
# What a question set asks about: {passage_id, row} and, of entities, {entity, start, ...}; see
# ecqg.synthesis.select
selected = _Of("data/selected/{0}.jsonl")
# Synthetic questions: {id, passage_id, entity, start, question, answer}
generated = _Of("data/generated/{0}.jsonl")
# The reader on `generated`: {id, answer, start, confidence, null_margin}
read = _Of("data/read/{0}.jsonl")
# The selecting system on `generated`: {id, score}
scored = _Of("data/scored/{0}.jsonl")
# The rows of `generated` that passed the filters
filtered = _Of("data/filtered/{0}.jsonl")
# Examples that an encoder is pre-trained on, without negatives, and with hard ones
synthetic = _Of("data/synthetic/{0}.jsonl")
synthetic_negatives = _Of("data/negatives/synthetic/{0}.jsonl")

# --- retrieval, by system and collection
# Passage vectors, float32 or float16 [passages, hidden], row by row
embeddings = _Of("data/embeddings/{1}/{0}.npy", MAIN)
# TREC runs, TESTSET.trec each
runs = _Of("data/runs/{1}/{0}", MAIN)
# Beside runs of an approximate index, {TESTSET: {"recall@1": percent, ...}}: ecqg.search.index
INDEX_RECALL = "index-recall.json"
# TESTSET.csv and, where questions are judged, relevant/TESTSET.csv: see ecqg.evaluation.topk.
# Subsets are TESTSET_SUBSET; INDEX_RECALL is copied here
PER_QUERY = Path("data/per_query")
per_query = _Of("data/per_query/{1}/{0}", MAIN)

# --- figures by question and passage
# A CSV row per sampled passage: see ecqg.attention.per_passage
attention_per_passage = _Of("data/attention/{0}.csv")
# A CSV row per gold dev question: see ecqg.analysis.overlap
overlap_per_question = _Of("data/analysis/overlap/{0}.csv")
# CSV: system, sentence (from 1), density (1: uniform), share (percent), passages
attention_by_sentence = _Of("data/analysis/attention-by-sentence/{0}.csv")
# Where the highest- and lowest-attended entities stand: CSV of which, position, share
entity_positions = _Of("data/analysis/entity-positions/{0}.csv")
# Share of questions by sentence of the answer, before and after each filter, as CSV
answer_positions = _Of("data/analysis/answer-positions/{0}.csv")
ENTITY_QUESTIONS = Path("data/analysis/entity-questions.jsonl")  # as `generated`, any attention
# CSV, a row for each of ENTITY_QUESTIONS: see ecqg.analysis.entity_scores
entity_scores = _Of("data/analysis/entity-scores/{0}.csv")
# A training run's losses: CSV of run, step, loss
loss_curve = _Of("data/loss/{0}.csv")

# --- what is judged from these, with intervals and tests: large tables, see ecqg.evaluation.headers
JUDGED = Path("data/judged")
ACCURACY = JUDGED / "accuracy.csv"
RANKING = JUDGED / "ranking.csv"
ATTENTION = JUDGED / "attention.csv"
COMPARISONS = Path("data/comparisons.csv")
# The headline, which DVC shows and compares as metrics: SYSTEM.json, see ecqg.stages.headline
METRICS = Path("metrics")
NUMERICS = "numerics.json"  # in it: how they were computed

# --- what is measured besides, in small tables of name and value (ecqg.tables), and for people
RESULTS = Path("results")
REPORT = RESULTS / "report.md"  # the essence
REPORT_HTML = Path("plots/report.html")  # all tables and charts
RUN_HTML = Path("plots/run.html")  # the same, with this run's times; neither DVC's nor Git's
# Passages (counts and means), test/TESTSET/questions (count)
collection_metrics = _Of("results/collections/{0}.csv", MAIN)
# Questions of train and dev, what was dropped, and thesis tab. 4.2 by sentence
gold_metrics = _Of("results/gold/{0}.csv", MAIN)
# Examples of train and dev (counts), answerable and not
reading_metrics = _Of("results/reading/{0}.csv", MAIN)
# Entropy (nats), first_sentence, ... (ecqg.attention.per_passage), entity_density, ...
# (ecqg.attention.among_entities)
attention_means = _Of("results/attention/{0}.csv")
# A dual encoder's training: dev_average_rank, best_epoch, ...
training_metrics = _Of("results/training/{0}.csv")
# Questions (count), malformed (percent), ...; see ecqg.questions.statistics
generation_metrics = _Of("results/generation/{0}.csv")
# Passages (count), entities, selected, highest_first_half (percent), ...
selection_metrics = _Of("results/selection/{0}.csv")
# Generated (count), after_reader, kept (percent), ...
filter_metrics = _Of("results/filter/{0}.csv")
# The papers' premises, and whether they hold here: ecqg.analysis.premises
PREMISES = RESULTS / "premises.csv"
TRAINING_SETS = RESULTS / "training_sets.csv"  # NAME/examples (count), NAME/passages, ...
READER_METRICS = RESULTS / "reader.csv"  # exact (percent), f1, ...
RERANKER_METRICS = RESULTS / "reranker.csv"  # dev_accuracy (share), ...

# --- what ecqg.analysis measures
OVERLAP = RESULTS / "analysis/overlap.csv"  # SYSTEM/found (percent), SYSTEM/sentence_1/found
# TESTSET/questions (count), TESTSET/words (percent), ...
coverage_metrics = _Of("results/analysis/coverage/{0}.csv", MAIN)
# Against the main collection: overlap (percent), words (count), ...
vocabulary_metrics = _Of("results/analysis/vocabulary/{0}.csv")
EXAMPLE_METRICS = RESULTS / "analysis/examples.csv"  # mean scores of example questions, by system
EXAMPLES_MARKDOWN = RESULTS / "examples.md"
EXAMPLES_HTML = Path("plots/examples.html")
EXPLANATION = RESULTS / "analysis/explanation.csv"

# --- plots, of all systems and collections
ACCURACY_PICTURE = Path("plots/accuracy.png")
ACCURACY_PLOT = Path("plots/accuracy.csv")  # by test set and k
READER_RELIABILITY = Path("plots/reader_calibration.csv")  # per bin of confidence: share right
ENTROPY_PLOT = Path("plots/entropy.csv")
BY_SENTENCE_PLOT = Path("plots/attention_by_sentence.csv")
ENTITY_POSITION_PLOT = Path("plots/entity_position.csv")  # which, position, share (percent)
QUESTION_POSITION_PLOT = Path("plots/question_position.csv")  # thesis tab. 4.2 of gold questions
ANSWER_POSITION_PLOT = Path("plots/answer_position.csv")  # all question sets, by filter
LOSS_PLOT = Path("plots/loss.csv")  # all trainings
HEATMAP = Path("data/heatmap.json")  # the figure's words with their densities
HEATMAP_HTML = Path("plots/heatmap.html")
HEATMAP_PNG = Path("plots/heatmap.png")
ANALYSIS_PLOTS = Path("plots/analysis")
QUESTION_OVERLAP_PLOT = ANALYSIS_PLOTS / "question_overlap.csv"  # thesis tabs. 4.2 and 4.3
COVERAGE_PLOT = ANALYSIS_PLOTS / "coverage.csv"  # source, test_set, words, coverage (percent)
VOCABULARY_PLOT = ANALYSIS_PLOTS / "vocabulary.csv"  # source, collection, words, overlap (percent)
