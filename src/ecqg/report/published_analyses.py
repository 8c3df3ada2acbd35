"""The papers' numbers for the smaller analyses, as data, to stand beside ours."""

from __future__ import annotations

# Thesis tab. 4.2, NQ train, sentences 1 to 5 of the gold passage, in percent.
QUESTION_OVERLAP = (26.2, 22.5, 19.8, 16.9, 13.7)
ANSWER_LOCATION = (30.0, 29.4, 26.0, 21.4, 16.5)
# Thesis tab. 4.3, NQ dev: question overlap where DPR's top 20 have the gold passage, or not.
OVERLAP_FOUND = (27.9, 21.9, 19.7, 16.6, 13.1)
OVERLAP_MISSED = (16.1, 17.1, 16.3, 14.9, 10.4)
SENTENCES_MEAN = 5.3  # of the gold passages in NQ train and dev (thesis sec. 4.2)

# AugDPR paper, sec. 4.2, in percent.
COVERAGE = {"NQ": 58.6, "TriviaQA": 63.0, "BioASQ": 72.1}  # question words in the gold passage
VOCABULARY_OVERLAP = 17.0  # Wikipedia and PubMed
VOCABULARY_WORDS = 10_000  # most frequent words that are no stop words
VOCABULARY_PASSAGES = 3_000_000  # of either collection

# SIGIR sec. 2, DPR over 20k passages.
ENTITY_POSITIONS = (65.0, 60.0)  # highest-attended in the first half, lowest in the second, percent
ENTITY_SCORES = (73.7, 72.1)  # of questions about the highest- and the lowest-attended entity

# SIGIR tab. 1: DPR's scores of questions about the passage of figure 1.
GOLD_SCORE = 85.9
SYNTHETIC_SCORES = (78.0, 82.2, 86.8)  # the last about the highest-attended entity
