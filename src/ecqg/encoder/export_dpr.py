"""Our encoders as transformers' DPRQuestionEncoder and DPRContextEncoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ecqg.encoder.load import load_encoder
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.files import atomic


def export_dpr(retriever: Path, output: Path) -> None:
    """Write `output`/question_encoder and /passage_encoder, each with a DPR tokenizer.

    With the tokenizer's own token types (title 0, text 1) the vectors are ours; as public DPRs
    have type 0 alone, model_input_names in tokenizer_config.json say which. Raises InputError where
    the retriever is missing or no BERT.
    """
    import transformers

    classes: dict[str, tuple[Any, Any, str]] = {
        QUESTION: (
            transformers.DPRQuestionEncoder,
            transformers.DPRQuestionEncoderTokenizerFast,
            "question_encoder",
        ),
        PASSAGE: (
            transformers.DPRContextEncoder,
            transformers.DPRContextEncoderTokenizerFast,
            "ctx_encoder",
        ),
    }
    with atomic(output) as aside:
        for half, (encoder, tokenizer_class, part) in classes.items():
            bert, own = load_encoder(retriever / half)
            settings = bert.config.to_dict()
            for key in ("model_type", "architectures", "_name_or_path", "transformers_version"):
                settings.pop(key, None)
            model = encoder(transformers.DPRConfig(**{**settings, "projection_dim": 0}))
            getattr(model, part).bert_model.load_state_dict(bert.state_dict(), strict=True)
            model.save_pretrained(aside / half)
            tokenizer = tokenizer_class.from_pretrained(
                retriever / half,
                local_files_only=True,
                model_input_names=list(own.model_input_names),
            )
            for key in ("is_local", "local_files_only"):
                tokenizer.init_kwargs.pop(key, None)
            tokenizer.save_pretrained(aside / half)
