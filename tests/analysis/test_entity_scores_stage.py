"""The stage entity-scores on three passages, beside transformers' own forward pass."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

import public_encoders as public
import tiny_models as models
from ecqg import paths
from ecqg.analysis.entity_scores import read_scores
from ecqg.attention.entities import Entity, write_entities
from ecqg.corpus.passages import PASSAGES, write_passages
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.files import write_jsonl
from ecqg.params import Params, load_params
from ecqg.stages import encode, entity_scores
from small_passages import make_passages

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
TITLED = [
    ("bridge", "the king built the bridge past the old mill"),
    ("", "queen song ship sails past the town"),
    ("hill", "the castle hill flows"),
]
ASKED = [  # row, entity, question
    (0, "king", "king built"),
    (0, "mill", "the old mill"),
    (1, "queen", "queen song"),
    (1, "town", "ship sails"),
]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    monkeypatch.chdir(tmp_path)
    passages = make_passages(*TITLED)
    write_passages(paths.collection() / PASSAGES, passages)
    tokenizer = public.bert_tokenizer()
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "initializer_range": 0.4}
    halves = [models.tiny_bert(len(tokenizer), seed=s, biases=0.3, **sizes) for s in (1, 2)]
    models.dual_encoder(*halves, tokenizer).save(paths.retriever("dpr"))
    spots = [(row, TITLED[row][1].index(entity), entity) for row, entity, _ in ASKED]
    write_entities(
        paths.ENTITIES, [Entity(r, s, s + len(e), "PERSON", e) for r, s, e in sorted(spots)]
    )
    records = [
        {"id": f"{row}.{start}-0", "row": row, "start": start, "question": question}
        for (row, start, _), (*_, question) in zip(spots, ASKED, strict=True)
    ]
    write_jsonl(paths.ENTITY_QUESTIONS, records)
    full = load_params(PROFILE)
    settings = dataclasses.replace(
        full.encoder, max_question_tokens=12, max_passage_tokens=24, precision="fp32"
    )
    select = dataclasses.replace(full.select, aggregate="mean")
    return dataclasses.replace(full, encoder=settings, select=select)


def test_scores_ranks_and_attention_are_those_of_transformers(params: Params) -> None:
    encode.run(params, "dpr")
    entity_scores.run(params, "dpr")
    folder = paths.retriever("dpr")
    ask, know = (
        AutoModel.from_pretrained(folder / half, attn_implementation="eager")
        .eval()
        .requires_grad_(False)
        for half in (QUESTION, PASSAGE)
    )
    tokenizer = AutoTokenizer.from_pretrained(folder / PASSAGE)

    def seen(title: str, text: str):
        """A passage's vector, its last attention from [CLS], and the places of its text."""
        pair = (title, text) if title else (text,)
        encoded = tokenizer(*pair, return_tensors="pt", return_offsets_mapping=True)
        offsets, kinds = encoded.pop("offset_mapping")[0].tolist(), encoded.sequence_ids()
        out = know(**encoded, output_attentions=True)
        return out.last_hidden_state[0, 0], out.attentions[-1][0, :, 0].mean(0), offsets, kinds

    passages = [seen(*titled) for titled in TITLED]
    factor = (params.encoder.score_scale == "sqrt_hidden" and 16**-0.5) or 1.0
    found = read_scores(paths.entity_scores("dpr"))
    assert [one.row for one in found] == [row for row, *_ in ASKED]
    for one, (row, entity, question) in zip(found, ASKED, strict=True):
        vector = ask(**tokenizer(question, return_tensors="pt")).last_hidden_state[0, 0]
        scores = torch.stack([of @ vector for of, *_ in passages])
        assert one.score == pytest.approx(float(scores[row]) * factor, rel=1e-4)
        assert one.rank == 1 + int((scores > scores[row]).sum())
        start = TITLED[row][1].index(entity)
        end = start + len(entity)
        assert one.place == pytest.approx((start + end) / 2 / len(TITLED[row][1]))
        _, weights, offsets, kinds = passages[row]
        own = [
            float(weights[i])
            for i, ((a, b), kind) in enumerate(zip(offsets, kinds, strict=True))
            if kind == kinds[-2] and a < end and b > start
        ]
        assert one.attention == pytest.approx(np.mean(own), rel=1e-4)
        assert np.isfinite(one.gradient) and np.isfinite(one.left_out)


def test_what_was_stopped_goes_on_to_the_same_bytes(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode.run(params, "dpr")
    entity_scores.run(params, "dpr")
    whole = paths.entity_scores("dpr").read_bytes()
    paths.entity_scores("dpr").unlink()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(entity_scores, "write_scores", stop)
        with pytest.raises(KeyboardInterrupt):
            entity_scores.run(params, "dpr")
    assert not paths.entity_scores("dpr").exists()
    entity_scores.run(params, "dpr")
    assert paths.entity_scores("dpr").read_bytes() == whole
