"""Our encoders in the formats of other packages: transformers' DPR and sentence-transformers."""

from __future__ import annotations

from pathlib import Path

from ecqg.encoder.load import load_encoder
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.encoder.text_encoder import MODULES
from ecqg.files import atomic, write_json
from ecqg.params import Encoder
from ecqg.training.weights import save_model

SETTINGS: dict[str, object] = {
    "prompts": {},
    "default_prompt_name": None,
    "similarity_fn_name": "dot",
}
POOLINGS = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")


def export_dpr(retriever: Path, output: Path) -> None:
    """Write `output`/question_encoder and /passage_encoder, each with a DPR tokenizer.

    They are transformers' DPRQuestionEncoder and DPRContextEncoder. With the tokenizer's own token
    types (title 0, text 1) the vectors are ours; as public DPRs have type 0 alone,
    model_input_names in tokenizer_config.json say which. Raises InputError where the retriever is
    missing or no BERT.
    """
    import transformers

    with atomic(output) as aside:
        for half, name, part in (
            (QUESTION, "DPRQuestionEncoder", "question_encoder"),
            (PASSAGE, "DPRContextEncoder", "ctx_encoder"),
        ):
            bert, own = load_encoder(retriever / half)
            settings = bert.config.to_dict()
            for key in ("model_type", "architectures", "_name_or_path", "transformers_version"):
                settings.pop(key, None)
            config = transformers.DPRConfig(**{**settings, "projection_dim": 0})
            model = getattr(transformers, name)(config)
            getattr(model, part).bert_model.load_state_dict(bert.state_dict(), strict=True)
            tokenizer = getattr(transformers, f"{name}TokenizerFast").from_pretrained(
                retriever / half,
                local_files_only=True,
                model_input_names=list(own.model_input_names),
            )
            save_model(aside / half, model, tokenizer)


def export_sentence_transformers(retriever: Path, output: Path, settings: Encoder) -> None:
    """Write `output`/question_encoder and /passage_encoder, one SentenceTransformer each.

    A question is a text there; a passage is a pair (title, text), or its text where it has no
    title. Vectors are ours, save of a pair beyond the length limit: there the longer of title and
    text gives way, with us always the text. Raises InputError where the retriever is missing or no
    BERT.
    """
    limits = {QUESTION: settings.max_question_tokens, PASSAGE: settings.max_passage_tokens}
    # Here and below, names that every version since 2.0 reads; version 6 writes others too.
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate((("", "Transformer"), ("1_Pooling", "Pooling")))
    ]
    with atomic(output) as aside:
        for half, limit in limits.items():
            folder = aside / half
            model, tokenizer = load_encoder(retriever / half)
            save_model(folder, model, tokenizer)
            pooling = {f"pooling_mode_{name}": name == "cls_token" for name in POOLINGS}
            size = {"word_embedding_dimension": model.config.hidden_size}
            write_json(folder / "1_Pooling" / "config.json", {**size, **pooling})
            cut = {"max_seq_length": limit, "do_lower_case": False}
            write_json(folder / "sentence_bert_config.json", cut)
            write_json(folder / "config_sentence_transformers.json", SETTINGS)
            write_json(folder / MODULES, modules)
