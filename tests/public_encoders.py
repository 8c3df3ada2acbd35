"""Tiny random encoders in the formats of public ones, and transformers' own word on each.

Every maker writes a folder and returns a function from the tokenizer's output for one text to its
vector, computed by transformers' own classes and, for heads, by formulas written here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

WORDS = "the river flows past town bridge old mill king built castle hill queen song ship sails"
SIZE = {"num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32}
Reference = Callable[[Any], torch.Tensor]


def bert_tokenizer() -> Any:
    from ecqg.training.wordpiece import train_tokenizer

    return train_tokenizer([WORDS] * 3, 120)


def roberta_tokenizer() -> Any:
    """Byte-level pieces with a few merges; padding has id 1, as RoBERTa's."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaTokenizer

    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("i", "n"), ("Ġ", "k"), ("Ġk", "in")]
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    pieces += [a + b for a, b in merges]
    return RobertaTokenizer(vocab={p: i for i, p in enumerate(pieces)}, merges=merges)


def distilbert_tokenizer() -> Any:
    from transformers import DistilBertTokenizer

    return DistilBertTokenizer(vocab=bert_tokenizer().get_vocab())


def random_model(kind: str, seed: int = 0) -> tuple[Any, Any]:
    """A backbone of 2 layers with 16 dimensions and 70 positions, and its tokenizer."""
    import transformers as t

    torch.manual_seed(seed)
    if kind == "distilbert":
        tokenizer = distilbert_tokenizer()
        sizes = {"dim": 16, "n_heads": 4, "hidden_dim": 32, "n_layers": 2}
        config = t.DistilBertConfig(
            vocab_size=len(tokenizer), max_position_embeddings=70, initializer_range=0.4, **sizes
        )
        return noisy(t.DistilBertModel(config)), tokenizer
    tokenizer = roberta_tokenizer() if kind == "roberta" else bert_tokenizer()
    general = {"hidden_size": 16, "initializer_range": 0.4, "vocab_size": len(tokenizer), **SIZE}
    if kind == "roberta":
        more = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "type_vocab_size": 1}
        config = t.RobertaConfig(**general, **more, max_position_embeddings=72)
        return noisy(t.RobertaModel(config, add_pooling_layer=False)), tokenizer
    config = t.BertConfig(**general, max_position_embeddings=70)
    return noisy(t.BertModel(config, add_pooling_layer=False)), tokenizer


def noisy(model: Any) -> Any:
    """Biases are 0 and norms 1 in a new model, which would hide a forgotten one."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


def make_dpr(folder: Path, half: str, projection: int) -> Reference:
    """As facebook/dpr-ctx_encoder-* and facebook/dpr-question_encoder-*."""
    import transformers as t

    tokenizer = bert_tokenizer()
    torch.manual_seed(3)
    config = t.DPRConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        initializer_range=0.4,
        max_position_embeddings=70,
        projection_dim=projection,
        **SIZE,
    )
    model = noisy(getattr(t, f"DPR{half}Encoder")(config))
    model.save_pretrained(folder)
    own = getattr(t, f"DPR{half}EncoderTokenizerFast")
    own(vocab=tokenizer.get_vocab()).save_pretrained(folder)
    # Without token types, which are 0 then, as in DPR's own code and in Pyserini.
    return lambda encoded: model(input_ids=encoded["input_ids"]).pooler_output[0]


def make_ance(folder: Path) -> Reference:
    """As ANCE's RobertaDot_NLL_LN: roberta.*, a classifier left over, embeddingHead.*, norm.*."""
    from safetensors.torch import save_file

    model, tokenizer = random_model("roberta", 5)
    head, norm = torch.nn.Linear(16, 24), noisy(torch.nn.LayerNorm(24))
    parts = {"roberta": model, "embeddingHead": head, "norm": norm}
    parts["classifier"] = torch.nn.Linear(16, 2)
    tensors = {f"{n}.{k}": v for n, part in parts.items() for k, v in part.state_dict().items()}
    folder.mkdir(parents=True)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)

    def reference(encoded: Any) -> torch.Tensor:
        vector = head(model(**encoded).last_hidden_state[0, 0])
        centred = vector - vector.mean()
        return centred / (centred.square().mean() + 1e-5).sqrt() * norm.weight + norm.bias

    return reference


def make_plain(folder: Path, kind: str) -> Reference:
    """A backbone alone, [CLS]; of DistilBERT: as TAS-B."""
    model, tokenizer = random_model(kind, 7)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return lambda encoded: model(**encoded).last_hidden_state[0, 0]


def make_sentence_transformer(folder: Path, kind: str, pooling: str) -> Reference:
    """Transformer, Pooling, Dense with Tanh, Normalize, in the files of version 2 to 5.

    As all-MiniLM, without Dense, where `pooling` is "mean, no head".
    """
    from safetensors.torch import save_file

    model, tokenizer = random_model(kind, 9)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    dense = torch.nn.Linear(16, 12)
    pooling, _, bare = pooling.partition(", ")
    names = ["Transformer", "Pooling", *["Dense"] * (not bare), "Normalize"]
    places = [f"{i}_{name}" if i else "" for i, name in enumerate(names)]
    modules = [
        {"idx": i, "name": str(i), "path": p, "type": f"sentence_transformers.models.{n}"}
        for i, (n, p) in enumerate(zip(names, places, strict=True))
    ]
    for place in places[1:]:
        (folder / place).mkdir()
    modes = {"cls": "pooling_mode_cls_token", "mean": "pooling_mode_mean_tokens"}
    settings = {"word_embedding_dimension": 16, **{m: k == pooling for k, m in modes.items()}}
    linear = {"in_features": 16, "out_features": 12, "bias": True}
    tanh = {"activation_function": "torch.nn.modules.activation.Tanh"}
    files = {
        "modules.json": modules,
        "sentence_bert_config.json": {"max_seq_length": 60, "do_lower_case": False},
        "1_Pooling/config.json": settings,
    }
    if not bare:
        files["2_Dense/config.json"] = {**linear, **tanh}
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value))
    weights = {f"linear.{k}": v for k, v in dense.state_dict().items()}
    if not bare:
        save_file(weights, folder / "2_Dense" / "model.safetensors", metadata={"format": "pt"})

    def reference(encoded: Any) -> torch.Tensor:
        tokens = model(**encoded).last_hidden_state[0]
        pooled = tokens[0] if pooling == "cls" else tokens.mean(0)
        vector = pooled if bare else torch.tanh(dense.weight @ pooled + dense.bias)
        return vector / vector.square().sum().sqrt()

    return reference


MAKERS: dict[str, Callable[[Path], Reference]] = {
    "ours": lambda folder: make_plain(folder, "bert"),
    "dpr context": lambda folder: make_dpr(folder, "Context", 0),
    "dpr question": lambda folder: make_dpr(folder, "Question", 0),
    "dpr projected": lambda folder: make_dpr(folder, "Context", 24),
    "ance": make_ance,
    "tas-b": lambda folder: make_plain(folder, "distilbert"),
    "sbert mean": lambda folder: make_sentence_transformer(folder, "bert", "mean"),
    "sbert cls": lambda folder: make_sentence_transformer(folder, "distilbert", "cls"),
    "sbert bare": lambda folder: make_sentence_transformer(folder, "bert", "mean, no head"),
    "sbert roberta": lambda folder: make_sentence_transformer(folder, "roberta", "mean"),
}
