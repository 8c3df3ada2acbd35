from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.questions.backbone import SPECIAL_TOKENS, train_tokenizer

TEXTS = [
    "Wick | Wick lies in Valdoria; * Clara Moss * made Wick rich.",
    "Moss Works | Clara Moss founded Moss Works in Wick. Wick's wool was * dear *.",
] * 3
TOKENIZER = train_tokenizer(TEXTS, 340, 64)


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_any_text_survives_but_for_case_and_its_first_space(text: str) -> None:
    from unicodedata import normalize

    expected = normalize("NFC", text)
    expected = "".join(c.lower() for c in expected)
    back = TOKENIZER.decode(TOKENIZER(text, add_special_tokens=False).input_ids)
    assert back.removeprefix(" ") == expected.removeprefix(" ")


def test_a_name_is_the_same_tokens_in_passage_and_question() -> None:
    tokens = TOKENIZER.tokenize("Clara Moss | who is clara moss")
    assert tokens[:2] == tokens[-2:] == ["Ġclara", "Ġmoss"]
    assert "Ġ|" in tokens
    assert "Ġ*" in TOKENIZER.tokenize("by * Clara Moss *")


def test_special_tokens_are_barts() -> None:
    ids = TOKENIZER("moss").input_ids
    assert (ids[0], ids[-1]) == (0, 2)
    assert TOKENIZER.convert_ids_to_tokens(list(range(5))) == list(SPECIAL_TOKENS)
    assert TOKENIZER.pad_token_id == 1
    assert len(TOKENIZER) <= 340
    assert len(train_tokenizer(TEXTS, 280, 64)) == 280


@pytest.mark.slow
def test_two_processes_learn_the_same_vocabulary() -> None:
    code = (
        "from ecqg.questions.backbone import train_tokenizer as t\n"
        f"print(sorted(t({TEXTS!r}, 340, 64).get_vocab().items()))"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for _ in range(2)
    }
    assert runs == {f"{sorted(TOKENIZER.get_vocab().items())}\n".encode()}
