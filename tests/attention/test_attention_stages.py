"""The stages entity-attention, attention and heatmap, with a tiny BERT on passages written here."""

from __future__ import annotations

import csv
import dataclasses
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

import ecqg
from ecqg import paths, resume, shards
from ecqg.attention import passage_attention
from ecqg.attention.aggregate import Aggregated
from ecqg.attention.entities import Entity, write_entities, write_entity_attention
from ecqg.attention.heatmap import HeatMap
from ecqg.attention.passage_attention import PassageAttention
from ecqg.corpus.examples import Example, write_examples
from ecqg.corpus.passages import PASSAGES, Passage, write_passages
from ecqg.encoder.tokens import Tokens
from ecqg.errors import InputError
from ecqg.files import read_as
from ecqg.params import Params, load_params
from ecqg.stages import attention, entity_attention, heatmap
from ecqg.tables import read_values

PROFILE = Path(ecqg.__file__).parent / "profiles" / "microcosm.yaml"
NAMES = ["Harriet Vale", "Ann Bellmont", "Arden", "Anna", "Belltonville", "Vale"]
FIRST = "Harriet Vale met Ann Bellmont in the old opera house. "
TEXTS = [
    FIRST + f"{'Arden was built by the river. ' * (i % 3)}It is Anna and Belltonville, by Vale."
    for i in range(12)
]
LONG = 11  # the row of a text beyond the length limit


@pytest.fixture
def params(encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    params = load_params(PROFILE)
    monkeypatch.chdir(tmp_path)
    texts = [*TEXTS[:LONG], FIRST * 3 + "It is in Belltonville."]
    passages = [
        Passage(i, f"p{i}", "Arden" if i % 2 else "", text, (0, len(FIRST)))
        for i, text in enumerate(texts)
    ]
    write_passages(paths.collection() / PASSAGES, passages)
    spans = [(p.row, p.text.find(name), name) for p in passages for name in NAMES]
    found = [Entity(r, at, at + len(n), "PERSON", n) for r, at, n in sorted(spans) if at >= 0]
    paths.ENTITIES.parent.mkdir()
    write_entities(paths.ENTITIES, found)
    for system in ("dpr", "mixed"):
        shutil.copytree(encoder_folder, paths.retriever(system) / "passage_encoder")
    asked = Example("0", "who met ann?", ("Harriet Vale",), (4,))
    write_examples(paths.gold("train"), [asked])
    write_examples(paths.gold("dev"), [])
    return dataclasses.replace(
        params,
        encoder=dataclasses.replace(params.encoder, max_passage_tokens=40, precision="fp32"),
        attention_statistics=dataclasses.replace(params.attention_statistics, passages=10),
    )


def test_each_entity_has_a_row(params: Params) -> None:
    entity_attention.run(params)
    before = paths.ENTITY_ATTENTION.read_bytes()
    table = pa.ipc.open_file(str(paths.ENTITY_ATTENTION)).read_all().to_pylist()
    entities = pa.ipc.open_file(str(paths.ENTITIES)).read_all().to_pylist()
    assert len(table) == len(entities)
    for entity, row in zip(entities, table, strict=True):
        unseen = entity["row"] == LONG and entity["text"] == "Belltonville"
        assert (row["sum"] is None) == (row["mean"] is None) == (row["pieces"] == 0) == unseen
        if not unseen:
            assert row["mean"] == pytest.approx(row["sum"] / row["pieces"])
    pieces = {e["text"]: r["pieces"] for e, r in zip(entities, table, strict=True) if r["pieces"]}
    assert pieces["Harriet Vale"] == 2 and pieces["Ann Bellmont"] == 3 and pieces["Anna"] == 2
    entity_attention.run(params)
    assert paths.ENTITY_ATTENTION.read_bytes() == before


def test_the_attention_is_that_of_the_system_that_selects(params: Params) -> None:
    entity_attention.run(params)
    of_dpr = paths.ENTITY_ATTENTION.read_bytes()
    move(paths.retriever("mixed") / "passage_encoder")
    entity_attention.run(selected_by(params, "mixed"))
    assert paths.ENTITY_ATTENTION.read_bytes() != of_dpr
    entity_attention.run(params)
    assert paths.ENTITY_ATTENTION.read_bytes() == of_dpr


def stopped_and_again(
    monkeypatch: pytest.MonkeyPatch, run: Callable[[], None], files: Sequence[Path]
) -> None:
    """A run that is stopped after each second batch, in blocks of several, computes none twice.

    What it writes is what one writes that nobody stops.
    """
    monkeypatch.setattr(passage_attention, "BLOCK_PASSAGES", 5)
    monkeypatch.setitem(passage_attention.BATCH_TOKENS, "cpu", 25)
    monkeypatch.setattr(shards, "SECONDS", 0)
    computed: list[list[int]] = []
    weights, until = PassageAttention._weights, 10**6

    def noted(self: PassageAttention, tokens: Tokens, rows: NDArray[np.int64]) -> Any:
        if len(computed) == until:
            raise KeyboardInterrupt
        computed.append(rows.tolist())
        return weights(self, tokens, rows)

    monkeypatch.setattr(PassageAttention, "_weights", noted)
    run()
    expected, whole = [file.read_bytes() for file in files], computed[:]
    assert len(whole) > 5
    for file in files:
        file.unlink()
    computed.clear()
    starts = 0
    until = 2
    while not all(file.exists() for file in files):
        assert not any(file.exists() for file in files)
        starts += 1
        with suppress(KeyboardInterrupt):
            run()
        until += 2
    assert starts == 1 + (len(whole) - 1) // 2
    assert computed == whole
    assert [file.read_bytes() for file in files] == expected
    assert not list(resume.FOLDER.iterdir())


def test_stopped_work_goes_on(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_and_again(monkeypatch, lambda: entity_attention.run(params), [paths.ENTITY_ATTENTION])


def test_stopped_measuring_goes_on(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        paths.attention_means("dpr"),
        paths.attention_per_passage("dpr"),
        paths.attention_by_sentence("dpr"),
    ]
    stopped_and_again(monkeypatch, lambda: attention.run(params, "dpr"), files)


def test_attention_metrics_are_means_of_the_passages(params: Params) -> None:
    attention.run(params, "dpr")
    metrics = read_values(paths.attention_means("dpr"))
    with paths.attention_per_passage("dpr").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == metrics["passages"] == 10
    for measure in ("entropy", "first_sentence", "later_sentences"):
        values = [float(row[measure]) for row in rows]
        assert metrics[measure] == pytest.approx(np.mean(values))
    for share in ("highest_first_half", "lowest_second_half"):
        known = [int(row[share]) for row in rows if row[share]]
        assert len(known) == metrics["ranked_passages"]
        assert metrics[share] == pytest.approx(100 * np.mean(known))
    logs = [np.log(int(row["tokens"])) for row in rows]
    assert metrics["max_entropy"] == pytest.approx(np.mean(logs))
    assert metrics["entropy"] < metrics["max_entropy"]
    # All tokens, or the text's alone: what the parameters choose stands at the top.
    assert metrics["variants"]["text"]["entropy"] == metrics["entropy"]
    section = dataclasses.replace(
        params.attention_statistics, special_tokens="include", title="include"
    )
    attention.run(dataclasses.replace(params, attention_statistics=section), "dpr")
    changed = read_values(paths.attention_means("dpr"))
    assert changed["entropy"] == metrics["variants"]["all_tokens"]["entropy"] != metrics["entropy"]
    assert changed["variants"] == metrics["variants"]


def test_attention_by_sentence(params: Params) -> None:
    attention.run(params, "dpr")
    with paths.attention_by_sentence("dpr").open() as lines:
        rows = list(csv.DictReader(lines))
    metrics = read_values(paths.attention_means("dpr"))
    assert [(row["system"], row["sentence"], row["passages"]) for row in rows] == [
        ("dpr", "1", "10"),
        ("dpr", "2", "10"),
    ]
    assert float(rows[0]["density"]) == pytest.approx(metrics["first_sentence"], abs=1e-5)
    assert sum(float(row["share"]) for row in rows) == pytest.approx(100, abs=1e-3)


def selected_by(params: Params, system: str) -> Params:
    return dataclasses.replace(params, select=dataclasses.replace(params.select, system=system))


def move(encoder: Path) -> None:
    """Make another encoder of it."""
    weights = load_file(encoder / "model.safetensors")
    weights["embeddings.position_embeddings.weight"] *= 2
    save_file(weights, encoder / "model.safetensors", {"format": "pt"})


def with_systems(params: Params, *systems: str, selector: str = "dpr") -> Params:
    """All passages measured, of these systems, and entities selected by one of them or another."""
    for system in systems:
        attention.run(params, system)
    analysis = dataclasses.replace(params.analysis, systems=systems)
    dense = dict.fromkeys(("dpr", *systems), params.systems.dense["dpr"])
    named = dataclasses.replace(params.systems, dense=dense)
    return selected_by(dataclasses.replace(params, analysis=analysis, systems=named), selector)


@pytest.fixture
def all_measured(params: Params) -> Params:
    section = dataclasses.replace(params.attention_statistics, passages=12)
    return dataclasses.replace(params, attention_statistics=section)


def write_attention(least: set[str]) -> None:
    """Of a system that attends to these names less than to all others, to each one more."""
    names = [e["text"] for e in pa.ipc.open_file(str(paths.ENTITIES)).read_all().to_pylist()]
    sums = [0.01 * (i + 1) + (0 if name in least else 1) for i, name in enumerate(names)]
    whole = Aggregated(np.array(sums, np.float32), np.full(len(names), 2, np.int16))
    write_entity_attention(paths.ENTITY_ATTENTION, [whole])


def marked() -> list[str]:
    """Names in bold on the page: the selected ones."""
    return re.findall("<b>([^<]*)</b></th>", paths.HEATMAP_HTML.read_text())


def test_heatmap_of_the_passage_with_a_gold_question(all_measured: Params) -> None:
    params = with_systems(all_measured, "dpr", "mixed")
    entity_attention.run(params)
    heatmap.run(params)
    page = paths.HEATMAP_HTML.read_text()
    assert "who met ann?" in page
    assert page.index(">DPR ") < page.index(">Mixed-DPR ")
    assert paths.HEATMAP_PNG.read_bytes().startswith(b"\x89PNG")
    # Marked are those that DPR attends to least, by its own numbers on the page.
    of_dpr = re.findall(
        r"<tr><th scope=row>(?:<b>)?([^<]*).*?</svg></td><td class=n>([\d.]+)", page
    )
    by_attention = sorted(of_dpr, key=lambda row: float(row[1]))
    assert {name for name, _ in by_attention[: params.select.per_passage]} == set(marked())
    assert "underlined, the least attended ones have" in page


@pytest.mark.slow
def test_heatmap_shows_the_systems_analysed_and_marks_what_is_selected(
    all_measured: Params,
) -> None:
    shutil.copytree(paths.retriever("dpr"), paths.retriever("other"))
    params = with_systems(all_measured, "other", "mixed", selector="other")
    params = dataclasses.replace(params, select=dataclasses.replace(params.select, per_passage=2))
    pages = []
    for least in ({"Arden", "Vale"}, {"Harriet Vale", "Anna"}):
        write_attention(least)
        heatmap.run(params)
        assert set(marked()) == least
        pages.append(paths.HEATMAP_HTML.read_text())
    assert pages[0].index(">other ") < pages[0].index(">Mixed-DPR ")
    assert ">DPR " not in pages[0]
    assert "underlined, the least attended ones have" in pages[0]


@pytest.mark.slow
def test_heatmap_names_the_selector_where_it_is_not_shown_first(all_measured: Params) -> None:
    shutil.copytree(paths.retriever("dpr"), paths.retriever("uncon"))
    write_attention({"Anna"})
    heatmap.run(with_systems(all_measured, "dpr", "uncon", selector="other"))
    page = paths.HEATMAP_HTML.read_text()
    assert page.index(">DPR ") < page.index(">UnCon-DPR ")
    assert "Mixed-DPR" not in page
    assert "the least attended ones (other) have" in page
    heatmap.run(with_systems(all_measured, "uncon"))
    assert "the least attended ones (DPR) have" in paths.HEATMAP_HTML.read_text()


@pytest.mark.slow
def test_uncon_stands_before_mixed_and_the_figure_is_kept(all_measured: Params) -> None:
    shutil.copytree(paths.retriever("dpr"), paths.retriever("uncon"))
    params = with_systems(all_measured, "dpr", "mixed")
    dense = params.systems.dense | {"uncon": params.systems.dense["dpr"]}
    params = dataclasses.replace(params, systems=dataclasses.replace(params.systems, dense=dense))
    write_attention({"Anna"})
    heatmap.run(params)
    page = paths.HEATMAP_HTML.read_text()
    assert page.index(">DPR ") < page.index(">UnCon-DPR ") < page.index(">Mixed-DPR ")
    assert read_as(paths.HEATMAP, HeatMap, "").html() == page


def test_heatmap_wants_systems_measured_on_the_same_passages(all_measured: Params) -> None:
    params = with_systems(all_measured, "dpr", "mixed")
    file = paths.attention_per_passage("mixed")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]))
    with pytest.raises(InputError, match=r"mixed\.csv: other passages than dpr's"):
        heatmap.run(params)
