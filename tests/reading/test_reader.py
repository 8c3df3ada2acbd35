"""A tiny reader from start to saved folder, and how windows are put together."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForQuestionAnswering,
    AutoTokenizer,
    BertForQuestionAnswering,
    BertModel,
)

from ecqg.corpus.reading import Answer, ReadingExample
from ecqg.errors import InputError
from ecqg.params import ReadingPhase
from ecqg.reading import calibrate, model
from ecqg.reading.calibrate import Calibration, features
from ecqg.reading.predict import Prediction, predict
from ecqg.reading.train import build_training_set, train_phase
from ecqg.reading.windows import Lengths, Window, cut, pad
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.losslog import LossLog

TEXT = "Anna Moor was born in Velda. She wrote the Harbour Song at age 30."
OTHER = "Tomas Lind founded a bank in Velda."
SETTINGS = model.Settings(Lengths(40, 12, 10), 6, "fp32", True)
PHASE = ReadingPhase("train_set", 3e-3, 60, 4, 40, 12, 10)


def example(question: str, context: str, answer: str | None) -> ReadingExample:
    answers = () if answer is None else (Answer(answer, context.index(answer)),)
    return ReadingExample(question, question, "", context, answers)


def padded(windows: list[Window], pad_id: int) -> dict[str, torch.Tensor]:
    return pad([w.ids for w in windows], [w.types for w in windows], pad_id)


EXAMPLES = [
    example("Where was Anna Moor born?", TEXT, "Velda"),
    example("What did Anna Moor do?", TEXT, "wrote the Harbour Song"),
    example("When did she do it?", TEXT, "age 30"),
    example("Who founded a bank?", TEXT, None),
    example("Who founded a bank?", OTHER, "Tomas Lind"),
    example("Where is the bank?", OTHER, "Velda"),
    example("Where was Anna Moor born?", OTHER, None),
    example("Who wrote the Harbour Song?", OTHER, None),
]
PAIRS = [(e.question, e.context) for e in EXAMPLES]


def new_reader(folder: Path, layers: int | None = 2, settings=SETTINGS) -> model.Reader:
    torch.manual_seed(3)
    return model.start(folder, settings, layers)


@pytest.fixture(scope="module")
def trained(encoder_folder: Path) -> tuple[model.Reader, LossLog]:
    reader, log = new_reader(encoder_folder), LossLog()
    train_phase(reader, EXAMPLES, PHASE, name="phase 1", seed=1, checkpoint=Checkpoint(log=log))
    return reader, log


def test_eight_examples_are_learned_by_heart(trained, tmp_path: Path) -> None:
    reader, log = trained
    got = predict(reader, PAIRS)
    final = [p.answer if p.null_margin > 0 else "" for p in got]
    assert final == [e.answers[0].text if e.answers else "" for e in EXAMPLES]
    for prediction, (_, context) in zip(got, PAIRS, strict=True):
        assert context.startswith(prediction.answer, prediction.start)
        assert prediction.log_share <= 0
    log.write(tmp_path / "loss.csv")
    rows = (tmp_path / "loss.csv").read_text().splitlines()[1:]
    losses = [float(row.split(",")[2]) for row in rows]
    assert losses[-1] < losses[0] / 10


def test_a_saved_reader_needs_transformers_alone(trained, tmp_path: Path) -> None:
    reader, _ = trained
    calibration = Calibration(-0.25, 0.5, 2.0)
    model.save(reader, calibration, tmp_path)
    assert not list(tmp_path.glob("*.bin"))
    plain = AutoModelForQuestionAnswering.from_pretrained(tmp_path).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    assert type(plain) is BertForQuestionAnswering
    windows = list(cut(tokenizer, PAIRS, SETTINGS.lengths, mark_overlap=True))
    with torch.inference_mode():
        out = plain(**padded(windows, tokenizer.pad_token_id))
    best = [
        int(s[1 : len(w.ids) - 1].argmax()) + 1
        for s, w in zip(out.start_logits, windows, strict=True)
    ]
    starts = [w.spans[b - w.first][0] for b, w in zip(best, windows, strict=True) if b >= w.first]
    expected = [p.start for p in predict(reader, PAIRS)]
    answerable = [i for i, e in enumerate(EXAMPLES) if e.answers]
    assert [starts[i] for i in answerable] == [expected[i] for i in answerable]
    again, loaded = model.load(tmp_path)
    assert again.settings == reader.settings
    assert loaded == calibration
    assert predict(again, PAIRS) == predict(reader, PAIRS)
    (tmp_path / "calibration.json").write_text('{"bias": 1}')
    with pytest.raises(InputError, match="no calibration"):
        model.load(tmp_path)


def test_training_twice_gives_the_same_weights(encoder_folder: Path) -> None:
    phase = ReadingPhase("train_set", 3e-3, 2, 4, 40, 12, 10)
    states = []
    for _ in range(2):
        reader = new_reader(encoder_folder)
        train_phase(reader, EXAMPLES, phase, name="phase 1", seed=1)
        states.append(reader.model.state_dict())
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_start_keeps_the_encoder_and_adds_what_it_lacks(encoder_folder: Path) -> None:
    source = BertModel.from_pretrained(encoder_folder, add_pooling_layer=False).state_dict()
    deeper = new_reader(encoder_folder, layers=3).model
    assert deeper.config.num_hidden_layers == 3
    got = deeper.bert.state_dict()
    types = "embeddings.token_type_embeddings.weight"
    assert torch.equal(got[types], source[types][[0, 1, 1, 0]])
    assert all(torch.equal(got[name], source[name]) for name in source if name != types)
    as_it_is = new_reader(
        encoder_folder, None, model.Settings(Lengths(40, 12, 10), 6, "fp32", False)
    )
    assert as_it_is.model.config.type_vocab_size == 2
    assert all(torch.equal(as_it_is.model.bert.state_dict()[n], source[n]) for n in source)


def test_more_tokens_than_positions_are_refused(encoder_folder: Path) -> None:
    with pytest.raises(InputError, match="64 positions"):
        new_reader(encoder_folder, settings=model.Settings(Lengths(65, 12, 10), 6, "fp32", True))


def test_no_encoder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no tokenizer"):
        new_reader(tmp_path)
    with pytest.raises(InputError, match="no reader"):
        model.load(tmp_path)


def test_predictions_do_not_depend_on_company(trained) -> None:
    reader, _ = trained
    together = predict(reader, PAIRS)
    alone = [predict(reader, [pair])[0] for pair in PAIRS]
    assert [(p.answer, p.start) for p in together] == [(p.answer, p.start) for p in alone]
    assert features(together) == pytest.approx(features(alone), abs=1e-4)


def test_too_little_memory_names_the_parameter(trained) -> None:
    def too_much(*_):
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 2 GiB")

    reader, _ = trained
    handle = reader.model.register_forward_pre_hook(too_much)
    try:
        with pytest.raises(InputError, match=r"out of memory \(CUDA.*\); lower max_tokens of the"):
            predict(reader, PAIRS)
    finally:
        handle.remove()


def test_several_windows_are_one_reading(trained) -> None:
    """The definition worked out again from single windows that are read by themselves."""
    reader, _ = trained
    filler = "she was there and she died there . " * 5
    question, context = "Where was Anna Moor born?", filler + TEXT
    windows = list(
        cut(reader.tokenizer, [(question, context)], SETTINGS.lengths, mark_overlap=True)
    )
    assert len(windows) > 2
    best, null, total = -math.inf, math.inf, 0.0
    answer = ""
    for window in windows:
        with torch.inference_mode():
            out = reader.model(**padded([window], 0))
        start, end = out.start_logits[0].tolist(), out.end_logits[0].tolist()
        null = min(null, start[0] + end[0])
        for i in range(len(window.spans)):
            for j in range(i, min(len(window.spans), i + SETTINGS.max_answer_tokens)):
                if window.word_starts[i] and window.word_ends[j]:
                    score = start[window.first + i] + end[window.first + j]
                    total += math.exp(score)
                    if score > best:
                        best, answer = score, context[window.spans[i][0] : window.spans[j][1]]
    (got,) = predict(reader, [(question, context)])
    assert got.answer == answer
    assert got.null_margin == pytest.approx(best - null, abs=1e-4)
    assert got.log_share == pytest.approx(best - math.log(total), abs=1e-4)


def test_a_context_without_words_has_no_answer(trained) -> None:
    (got,) = predict(trained[0], [("who?", " \n")])
    assert (got.answer, got.start) == ("", 0)
    assert got.null_margin < -50


def test_windows_without_the_answer_are_trained_towards_null(trained) -> None:
    reader, _ = trained
    long = example("where?", "she was there . " * 10 + TEXT, "Velda")
    made = build_training_set(reader.tokenizer, [long], Lengths(30, 4, 10), mark_overlap=True)
    windows, _, targets = made.batch(range(len(made.targets)))
    tokens = [reader.tokenizer.convert_ids_to_tokens(ids) for ids in windows]
    for names, (first, last) in zip(tokens, targets.tolist(), strict=True):
        assert names[first] == names[last] == ("velda" if "velda" in names else "[CLS]")
    assert 0 < (targets[:, 0] > 0).sum() < len(windows)


def test_training_windows_on_disk_are_those_of_the_examples(
    trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, lengths = trained[0], Lengths(20, 8, 6)
    expected = list(cut(reader.tokenizer, PAIRS, lengths, mark_overlap=True))
    assert len(expected) > 10
    monkeypatch.setattr("ecqg.reading.train.BLOCK", 3)
    made = build_training_set(reader.tokenizer, EXAMPLES, lengths, mark_overlap=True)
    assert np.diff(made.offsets).tolist() == [len(w.ids) for w in expected]
    rows = [*range(len(expected))][::-1]
    for row, ids, types, target in zip(rows, *made.batch(rows), strict=True):
        assert ids.tolist() == expected[row].ids.tolist()
        assert types.tolist() == expected[row].types.tolist()
        begin = 0, 0
        for answer in EXAMPLES[expected[row].example].answers:
            begin = expected[row].locate(answer.start, answer.start + len(answer.text))
        assert tuple(target.tolist()) == begin


def test_no_examples_is_one_line(encoder_folder: Path) -> None:
    with pytest.raises(InputError, match="no examples"):
        train_phase(new_reader(encoder_folder), [], PHASE, name="x", seed=1)


def test_scores_by_hand() -> None:
    examples = [
        example("a", TEXT, "Velda"),  # answered, right
        example("b", TEXT, "Harbour Song"),  # answered, half right
        example("c", TEXT, "Anna Moor"),  # right span, but null wins
        example("d", TEXT, None),  # null, right
        example("e", TEXT, None),  # answered, wrong
    ]
    got = [
        Prediction("Velda", 22, 3.0, 0.0),
        Prediction("Song", 50, 1.0, 0.0),
        Prediction("Anna Moor", 0, -1.0, 0.0),
        Prediction("Velda", 22, -2.0, 0.0),
        Prediction("Velda", 22, 2.0, 0.0),
    ]
    right = calibrate.outcomes(examples, got)
    assert right.tolist() == [1, 0, 1, 0, 0]
    scores = calibrate.scores(examples, got, np.array([0.9, 0.6, 0.4, 0.2, 0.6]), right)
    assert scores["exact"] == pytest.approx(100 * 2 / 5)
    assert scores["f1"] == pytest.approx(100 * (1 + 2 / 3 + 1) / 5)
    assert scores["span_exact"] == pytest.approx(100 * 2 / 3)
    assert scores["span_f1"] == pytest.approx(100 * (1 + 2 / 3 + 1) / 3)
    assert scores["answered"] == pytest.approx(100 * 2 / 3)
    assert scores["no_answer_accuracy"] == 50
    # margins 3, 1, -1 against -2, 2: four of six pairs are in order
    assert scores["answerability_auc"] == pytest.approx(4 / 6)
    # confidences .9, .4 against .6, .2, .6: four of six
    assert scores["confidence_auc"] == pytest.approx(4 / 6)
    assert scores["brier"] == pytest.approx((0.01 + 0.36 + 0.36 + 0.04 + 0.36) / 5)
    answerable = calibrate.scores(examples[:3], got[:3], np.array([0.9, 0.6, 0.4]), right[:3])
    assert "no_answer_accuracy" not in answerable


def test_a_missing_weight_is_one_line(encoder_folder: Path, tmp_path: Path) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    broken = shutil.copytree(encoder_folder, tmp_path / "broken")
    weights = load_file(broken / "model.safetensors")
    del weights["encoder.layer.0.output.dense.weight"]
    save_file(weights, broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"weight bert.encoder.layer.0.output.dense.weight is mis"):
        new_reader(broken)
    (broken / "model.safetensors").write_bytes(b"half a file")
    with pytest.raises(InputError, match="no encoder to start from"):
        new_reader(broken)
