"""A word-piece tokenizer and a one-layer BERT folder, small enough to make in every session."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertTokenizerFast

from tiny_models import tiny_bert

WORDS = (
    "anna moor was born in velda . she wrote the harbour song at age 30 and died there , "
    "who ? where when what did do is author of tomas lind founded a bank"
)
PIECES = ["mo", "##or", "##e", "##s", "##a", "x", "##x", "'"]


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    tokens = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split(), *PIECES])
    vocabulary = {word: i for i, word in enumerate(tokens)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    fast = BertTokenizerFast(tokenizer_object=tokenizer)
    fast.save_pretrained(folder)
    tiny_bert(len(vocabulary), initializer_range=0.06).save_pretrained(folder)
    return folder
