import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.evaluation.runs import Ranking, parts, rank, read_run, write_run

GOOD = ["0 Q0 p7 1 2.5 bm25", "0 Q0 p3 2 2.5 bm25", "1 Q0 p7 1 -1 bm25"]
ROWS = {"p7": 0, "p3": 1, "p9": 2}


def test_a_run_is_written_in_trec_format(tmp_path: Path) -> None:
    path = tmp_path / "nq.trec"
    write_run(path, [Ranking("12", ("p7", "p3"), (10.5, -0.25)), Ranking("13", (), ())], "dpr")
    assert path.read_text() == "12 Q0 p7 1 10.5 dpr\n12 Q0 p3 2 -0.25 dpr\n"


def test_ir_measures_reads_what_we_write(tmp_path: Path) -> None:
    import ir_measures

    path = tmp_path / "nq.trec"
    write_run(path, [Ranking("12", ("p7", "p3"), (10.5, -0.25))], "dpr")
    docs = list(ir_measures.read_trec_run(str(path)))
    assert [(d.query_id, d.doc_id, d.score) for d in docs] == [
        ("12", "p7", 10.5),
        ("12", "p3", -0.25),
    ]


def test_equal_scores_stand_in_the_order_of_the_collection() -> None:
    ids = pa.chunked_array([["a", "b"], ["c"], [], ["d", "e"]])
    rows, scores = np.array([4, 2, 0, 3]), np.array([1.5, 2.5, 1.5, 2.5], np.float32)
    assert rank("q", rows, scores, ids) == Ranking("q", ("c", "d", "a", "e"), (2.5, 2.5, 1.5, 1.5))
    assert rank("q", rows[:0], scores[:0], ids) == Ranking("q", (), ())


FLOAT32 = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 40), FLOAT32), unique_by=lambda h: h[0])))
def test_what_is_ranked_and_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, found: list[list[tuple[int, float]]]
) -> None:
    ids = pa.chunked_array([[f"p{i}" for i in range(20)], [f"p{i}" for i in range(20, 41)]])
    rankings = []
    for number, hits in enumerate(found):
        rows = np.array([row for row, _ in hits], np.int64)
        scores = np.array([score for _, score in hits], np.float32)
        rankings.append(rank(str(number), rows, scores, ids))
        expected = sorted(hits, key=lambda hit: (-hit[1], hit[0]))
        assert rankings[-1].passage_ids == tuple(f"p{row}" for row, _ in expected)
    path = tmp_path_factory.mktemp("run") / "run.trec"
    write_run(path, rankings, "tag")
    if not any(found):
        with pytest.raises(InputError, match="a run without results"):
            list(read_run(path))
        return
    read = list(read_run(path, {f"p{i}": i for i in range(41)}))
    written = [ranking for ranking in rankings if ranking.passage_ids]
    assert [r.question_id for r in read] == [w.question_id for w in written]
    for r, w in zip(read, written, strict=True):
        assert r.passage_ids == w.passage_ids
        scores, before = np.float32(r.scores), np.float32(w.scores)
        assert scores[0] == before[0]
        # Only what is not below its predecessor is another, the highest number that is.
        lower = scores[1:] < scores[:-1]
        assert (lower | np.isneginf(scores[:-1])).all()
        changed = scores[1:] != before[1:]
        assert (before[1:][changed] >= scores[:-1][changed]).all()
        assert (np.nextafter(scores[1:], np.float32(np.inf)) == scores[:-1])[changed & lower].all()


def test_neighbouring_float32_scores_stay_apart(tmp_path: Path) -> None:
    scores = [np.float32(17.3)]
    for _ in range(3):
        scores.append(np.nextafter(scores[-1], np.float32(0)))
    names = ("d", "c", "b", "a")
    write_run(tmp_path / "r", [Ranking("0", names, tuple(map(float, scores)))], "tag")
    (read,) = read_run(tmp_path / "r")
    assert all(a > b for a, b in itertools.pairwise(read.scores))


def test_a_good_run_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("\n".join(GOOD) + "\n")
    assert list(read_run(path, ROWS)) == [
        Ranking("0", ("p7", "p3"), (2.5, 2.5)),
        Ranking("1", ("p7",), (-1.0,)),
    ]


@pytest.mark.parametrize(
    ("line", "text", "what"),
    [
        (2, "0 Q0 p3 2 2.5", "not a line of a TREC run"),
        (2, "0 Q0 p3 two 2.5 bm25", "not a line of a TREC run"),
        (2, "0 Q0 p3 3 2.5 bm25", "rank 3 where 2 belongs"),
        (2, "0 Q0 p3 2 2.6 bm25", "higher than the one before"),
        (2, "0 Q0 p3 2 nan bm25", "no number"),
        (1, "0 Q0 p7 1 inf bm25", "no number"),
        (2, "0 Q0 p7 2 2.5 bm25", "passage p7 for the second time"),
        (2, "0 Q0 p8 2 2.5 bm25", "p8 is not in the collection"),
        (3, "0 Q0 p9 2 2.5 bm25", "rank 2 where 3 belongs"),
        (4, "0 Q0 p7 1 2.5 bm25", "question 0 for the second time"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: int, text: str, what: str) -> None:
    path = tmp_path / "run.trec"
    path.write_text("\n".join([*GOOD[: line - 1], text]) + "\n")
    with pytest.raises(InputError, match=what) as error:
        list(read_run(path, ROWS))
    assert str(error.value).startswith(f"{path}:{line}: ")


@given(st.lists(st.integers(1, 5), max_size=30), st.integers(1, 400))
def test_the_parts_of_a_run_are_the_run(
    tmp_path_factory: pytest.TempPathFactory, depths: list[int], size: int
) -> None:
    path = tmp_path_factory.mktemp("run") / "run.trec"
    names = [f"p{i}" for i in range(5)]
    rankings = [Ranking(str(i), (*names[:n],), (*range(n, 0, -1),)) for i, n in enumerate(depths)]
    write_run(path, rankings, "tag")
    found = list(parts(path, size))
    ends = [0, *(part.end for part in found)]
    assert ends == [*(part.begin for part in found), len(path.read_bytes())]
    assert all(part.end - part.begin >= size for part in found[:-1])
    assert [r for part in found for r in read_run(path, part=part)] == rankings


def test_a_bad_line_of_a_part_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("\n".join([*GOOD, "2 Q0 p7 1 1 bm25", "2 Q0 p3 3 1 bm25"]) + "\n")
    first, last = parts(path, 1)
    assert [ranking.question_id for ranking in read_run(path, part=first)] == ["0"]
    with pytest.raises(InputError, match=f"{path}:5: rank 3 where 2 belongs"):
        list(read_run(path, part=last))


def test_equal_scores_must_follow_the_collection(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("0 Q0 p3 1 2.5 bm25\n0 Q0 p7 2 2.5 bm25\n")
    assert len(list(read_run(path))) == 1  # without the collection the order cannot be judged
    with pytest.raises(InputError, match="out of the collection's order"):
        list(read_run(path, ROWS))


def test_a_missing_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run"):
        list(read_run(tmp_path / "none.trec"))


def test_a_passage_id_with_a_space_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="white space"):
        write_run(tmp_path / "run.trec", [Ranking("0", ("a b",), (1.0,))], "tag")
    assert not (tmp_path / "run.trec").exists()
