"""Retrieval by terms (TF-IDF as DrQA's, BM25 by Pyserini) and hard negatives found by BM25."""
