"""TF-IDF against DrQA's formula, computed densely with the tokenizer that Pyserini took over."""

import math
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyserini.eval.evaluate_dpr_retrieval import SimpleTokenizer
from sklearn.utils import murmurhash3_32

from ecqg import columns
from ecqg.errors import InputError
from ecqg.lexical import postings, tfidf
from ecqg.lexical.hits import top
from ecqg.lexical.tfidf import STOP_WORDS, TfIdf, hashed_ngrams

pytestmark = pytest.mark.slow

WORDS = [
    "The",
    "the",
    "Río",
    "Ri\u0301o",
    "Greta",
    "of",
    "who",
    "cello",
    "1852",
    "$",
    "?",
    "--",
    "'s",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def drqa_ngrams(text: str, longest: int) -> list[str]:
    def skip(gram: list[str]) -> bool:
        normal = [unicodedata.normalize("NFD", word) for word in gram]
        return any(regex.match(r"^\p{P}+$", w) or w.lower() in STOP_WORDS for w in normal)

    tokens = SimpleTokenizer().tokenize(unicodedata.normalize("NFD", text))
    grams: list[str] = tokens.ngrams(n=longest, uncased=True, filter_fn=skip)
    return grams


def drqa_buckets(text: str, longest: int, bits: int) -> list[int]:
    grams = drqa_ngrams(text, longest)
    return [murmurhash3_32(gram, positive=True) % 2**bits for gram in grams]


def drqa_scores(passages: list[str], question: str, longest: int, bits: int) -> np.ndarray:
    counts = [Counter(drqa_buckets(text, longest, bits)) for text in passages]
    scores = np.zeros(len(passages))
    for bucket, frequency in Counter(drqa_buckets(question, longest, bits)).items():
        held_by = sum(bucket in count for count in counts)
        idf = max(0.0, math.log((len(passages) - held_by + 0.5) / (held_by + 0.5)))
        for row, count in enumerate(counts):
            scores[row] += math.log(frequency + 1) * idf * math.log(count[bucket] + 1) * idf
    return scores


def search(
    passages: list[str], question: str, depth: int, bits: int = 24
) -> list[tuple[int, float]]:
    ((rows, scores),) = TfIdf(passages, ngrams=2, hash_bits=24).search([question], depth)
    return list(zip(rows.tolist(), scores.tolist(), strict=True))


def test_ngrams_with_a_stop_word_or_punctuation_are_left_out() -> None:
    text = "The Río Greta, of 1852 fame"
    rio = unicodedata.normalize("NFD", "río")
    grams = [rio, f"{rio} greta", "greta", "1852", "1852 fame", "fame"]
    expected = [murmurhash3_32(gram, positive=True) % 2**24 for gram in grams]
    assert hashed_ngrams(text, 2, 24).tolist() == expected


@settings(deadline=None)
@given(st.one_of(TEXT, st.text(max_size=30)), st.integers(1, 3), st.sampled_from([5, 24, 32]))
def test_buckets_are_drqas(text: str, longest: int, bits: int) -> None:
    assert hashed_ngrams(text, longest, bits).tolist() == drqa_buckets(text, longest, bits)


def test_a_score_by_hand() -> None:
    passages = ["cello cello", "flute", "drum", "horn", "harp"]
    idf = math.log((5 - 1 + 0.5) / (1 + 0.5))
    expected = math.log(2) * idf * math.log(3) * idf
    assert search(passages, "Cello?", 5) == [(0, np.float32(expected))]


def test_a_word_in_most_passages_has_no_weight() -> None:
    passages = ["cello flute", "cello", "cello drum"]
    assert search(passages, "cello", 3) == []
    assert [row for row, _ in search(passages, "cello drum", 3)] == [2]


def test_equal_passages_stand_in_the_collections_order() -> None:
    passages = ["horn", *["cello flute"] * 12, *["drum"] * 40]
    assert [row for row, _ in search(passages, "flute", 5)] == [1, 2, 3, 4, 5]


def test_questions_without_a_known_word_find_nothing() -> None:
    index = TfIdf(["cello", "flute", "drum"], ngrams=2, hash_bits=24)
    found = list(index.search(["", "the of", "trombone", "cello"], 3))
    assert [len(rows) for rows, _ in found] == [0, 0, 0, 1]


def test_without_a_folder_the_index_goes_with_the_object(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    index = TfIdf(["cello", "flute", "drum"], ngrams=2, hash_bits=24)
    assert len(list(tmp_path.rglob("weights"))) == 1
    del index
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stops", [[0], [3], [7, 2], [8, 9]])
def test_passages_that_were_counted_are_not_counted_again(tmp_path, monkeypatch, stops) -> None:
    monkeypatch.setattr(postings, "BLOCK", 4)
    passages = [" ".join(["cello", "flute", "drum", "horn"][i % 4 :]) + f" w{i}" for i in range(19)]
    questions = ["cello horn", "drum w3", "flute drum w18"]
    whole = TfIdf(passages, ngrams=2, hash_bits=14)
    counted: list[str] = []
    grams = tfidf.hashed_ngrams

    def until_stopped(text: str, *settings: int) -> object:
        if len(counted) == limit:
            raise KeyboardInterrupt
        counted.append(text)
        return grams(text, *settings)

    monkeypatch.setattr(tfidf, "hashed_ngrams", until_stopped)
    done = 0
    for stop in stops:
        counted, limit = [], stop
        with pytest.raises(KeyboardInterrupt):
            TfIdf(passages, ngrams=2, hash_bits=14, folder=tmp_path)
        done += stop // 4 * 4
        with (tmp_path / "counted/buckets").open("ab") as file:  # a block that was being written
            file.write(b"torn")
    counted, limit = [], 19
    TfIdf(passages, ngrams=2, hash_bits=14, folder=tmp_path)
    assert counted == passages[done:]
    counted, limit = [], 0
    index = TfIdf(passages, ngrams=2, hash_bits=14, folder=tmp_path)  # stopped while it searched
    monkeypatch.setattr(tfidf, "hashed_ngrams", grams)
    for (rows, scores), (same, equal) in zip(
        index.search(questions, 9), whole.search(questions, 9), strict=True
    ):
        assert rows.tolist() == same.tolist()
        assert scores.tolist() == equal.tolist()


def test_postings_that_were_merged_are_not_merged_again(tmp_path, monkeypatch) -> None:
    """Stopped in each of its writings, an index has the bytes of one that never was."""
    monkeypatch.setattr(postings, "BLOCK", 4)
    monkeypatch.setattr(postings, "PART", 5)
    passages = [" ".join(["cello", "flute", "drum", "horn"][i % 4 :]) + f" w{i}" for i in range(19)]
    write, written = columns.write_json, []

    def until_stopped(path: Path, value: object) -> None:
        written.append(path)
        if len(written) == stop:
            raise KeyboardInterrupt  # the entries are there, but not that they are
        write(path, value)

    def build(name: str) -> dict[str, bytes]:
        TfIdf(passages, ngrams=2, hash_bits=6, folder=tmp_path / name)
        files = (path for path in (tmp_path / name).rglob("*") if path.is_file())
        return {str(path.relative_to(tmp_path / name)): path.read_bytes() for path in files}

    monkeypatch.setattr(columns, "write_json", until_stopped)
    stop = 0
    whole = build("whole")
    writings = [path.parent.name for path in written]
    assert writings.count("counted") == 5
    assert writings.count("merged") > 5
    for number in range(1, len(writings) + 1):
        stop = number
        written.clear()
        with pytest.raises(KeyboardInterrupt):
            build(str(number))
        stop = 0
        written.clear()
        assert build(str(number)) == whole
        assert [path.parent.name for path in written] == writings[number - 1 :]


@pytest.mark.parametrize(("ngrams", "bits"), [(0, 24), (2, 0), (2, 33)])
def test_impossible_parameters_are_refused(ngrams: int, bits: int) -> None:
    with pytest.raises(InputError, match=r"tfidf\.hash_bits must be"):
        TfIdf(["cello"], ngrams=ngrams, hash_bits=bits)


@settings(deadline=None)
@example(["The Río Greta", "cello 1852", "Greta who"], "Río Greta cello", 2, 24, 2, 2, 3)
@given(
    st.lists(TEXT, min_size=1, max_size=12),
    TEXT,
    st.integers(1, 2),
    st.sampled_from([4, 14]),  # with many collisions, with hardly any
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 40),
)
def test_scores_are_drqas(
    passages: list[str], question: str, longest: int, bits: int, depth: int, block: int, part: int
) -> None:
    expected = drqa_scores(passages, question, longest, bits)
    with patch.multiple(postings, BLOCK=block, PART=part):
        index = TfIdf(passages, ngrams=longest, hash_bits=bits)
    # A second question, so that rows of the product are kept apart.
    (rows, scores), (other_rows, _) = index.search([question, "Greta Río"], depth)
    with patch.object(tfidf, "CELLS", 1):  # a question at a time
        (rows_alone, scores_alone), (others_alone, _) = index.search([question, "Greta Río"], depth)
    assert (rows.tolist(), scores.tolist()) == (rows_alone.tolist(), scores_alone.tolist())
    assert other_rows.tolist() == others_alone.tolist()
    assert len(rows) == min(depth, np.count_nonzero(expected))
    assert np.allclose(scores, expected[rows], rtol=1e-6)
    assert np.allclose(scores, np.sort(expected)[::-1][: len(rows)], rtol=1e-6)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 35), st.randoms())
def test_top_is_the_head_of_the_full_order(values: list[int], depth: int, random: object) -> None:
    rows = list(range(len(values)))
    random.shuffle(rows)  # type: ignore[attr-defined]
    expected = sorted(zip(rows, values, strict=True), key=lambda hit: (-hit[1], hit[0]))[:depth]
    found = top(np.array(rows, np.int32), np.array(values, np.float32), depth)
    assert list(zip(*(part.tolist() for part in found), strict=True)) == expected


def test_an_index_of_two_billion_postings_has_longer_numbers(tmp_path: Path) -> None:
    texts, question = ["the engine", "an engine of war", "a war"], ["engine of war"]
    short = TfIdf(texts, ngrams=2, hash_bits=10, folder=tmp_path / "short")
    with patch.object(postings, "INT32", 2):  # as if there were so many
        long = TfIdf(texts, ngrams=2, hash_bits=10, folder=tmp_path / "long")
    assert long._by_bucket.indices.dtype == long._by_bucket.indptr.dtype == np.int64
    (found,), (expected,) = long.search(question, 3), short.search(question, 3)
    assert [part.tolist() for part in found] == [part.tolist() for part in expected]


def test_the_index_is_read_where_it_lies(tmp_path: Path) -> None:
    """No part of it is copied into memory, as scipy does where types differ."""
    texts = ["the engine", "an engine of war", "a piano"]
    index = TfIdf(texts, ngrams=2, hash_bits=10, folder=tmp_path)
    matrix = index._by_bucket
    assert matrix.nnz == 2  # war and piano; an engine is in most of the texts
    assert {matrix.indices.dtype, matrix.indptr.dtype} == {np.dtype(np.int32)}
    weights = index._weights(["the engine of war"])
    assert {weights.indices.dtype, weights.indptr.dtype} == {np.dtype(np.int32)}
    for part in (matrix.data, matrix.indices, matrix.indptr):
        while not isinstance(part, np.memmap):
            assert part.base is not None
            part = part.base
