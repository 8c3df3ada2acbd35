"""Our encoders in the formats of other packages: transformers' DPR and sentence-transformers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from ecqg.encoder.load import load_encoder
from ecqg.encoder.model import PASSAGE, QUESTION
from ecqg.encoder.modules import is_list
from ecqg.errors import InputError
from ecqg.files import atomic, write_text
from ecqg.params import Encoder
from ecqg.training.weights import save_model


def export_dpr(retriever: Path, output: Path, card: str = "") -> None:
    """Write `output`/question_encoder and /passage_encoder, each with a DPR tokenizer.

    They are transformers' DPRQuestionEncoder and DPRContextEncoder. With the tokenizer's own token
    types (title 0, text 1) the vectors are ours; as public DPRs have type 0 alone,
    model_input_names in tokenizer_config.json say which. Raises InputError where the retriever is
    missing or no BERT. Here and below, `card` is the text of README.md; none where it is empty.
    """
    import transformers

    with atomic(output) as aside:
        for half, name, part in (
            (QUESTION, "DPRQuestionEncoder", "question_encoder"),
            (PASSAGE, "DPRContextEncoder", "ctx_encoder"),
        ):
            bert, own = load_encoder(retriever / half)
            if is_list(retriever / half):
                what = "its vectors are no [CLS] of a BERT, as a DPR's are"
                remedy = "--format sentence-transformers"
                raise InputError(what, file=retriever / half, remedy=remedy)
            others = ("model_type", "architectures", "_name_or_path", "transformers_version")
            settings = {k: v for k, v in bert.config.to_dict().items() if k not in others}
            config = transformers.DPRConfig(**{**settings, "projection_dim": 0})
            model = getattr(transformers, name)(config)
            getattr(model, part).bert_model.load_state_dict(bert.state_dict(), strict=True)
            tokenizer = getattr(transformers, f"{name}TokenizerFast").from_pretrained(
                retriever / half,
                local_files_only=True,
                model_input_names=list(own.model_input_names),
            )
            save_model(aside / half, model, tokenizer)
        if card:
            write_text(aside / "README.md", card)


def export_sentence_transformers(
    retriever: Path, output: Path, settings: Encoder, card: str = ""
) -> None:
    """Write one SentenceTransformer: a Router with a question and a passage side, made by its code.

    encode_query takes a text; encode_document takes pairs (title, text), or the text of a passage
    without title. Vectors are ours, save of a pair beyond the length limit: there the longer of
    title and text gives way, with us always the text. Raises InputError where the retriever is
    missing or no BERT.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Module, Router, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from transformers.models.bert.modeling_bert import BertPooler

    def side(half: str, limit: int, scratch: Path) -> list[Module]:
        if is_list(retriever / half):  # as that package writes them already
            own = SentenceTransformer(str(retriever / half), device="cpu")
            own.max_seq_length = limit
            return cast("list[Module]", list(own))
        bert, tokenizer = load_encoder(retriever / half)
        # BERT's pooler, which nothing reads: without weights for it transformers warns at loading.
        bert.pooler = BertPooler(bert.config)
        for weight in bert.pooler.parameters():
            torch.nn.init.zeros_(weight)
        save_model(scratch / half, bert, tokenizer)
        transformer = Transformer(str(scratch / half), max_seq_length=limit)
        return [transformer, Pooling(bert.config.hidden_size, "cls")]

    with TemporaryDirectory() as folder, atomic(output) as aside:
        router = Router.for_query_document(
            side(QUESTION, settings.max_question_tokens, Path(folder)),
            side(PASSAGE, settings.max_passage_tokens, Path(folder)),
        )
        model = SentenceTransformer(modules=[router], similarity_fn_name="dot", device="cpu")
        model.save(str(aside), create_model_card=False)
        if card:
            write_text(aside / "README.md", card)
