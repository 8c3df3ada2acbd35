"""Read a zero-shot collection, its test questions and which passages answer them."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.build import PASSAGES
from ecqg.corpus.ingest import ingest_passages, passage_file
from ecqg.corpus.judgements import SUFFIX, judge, write_qrels
from ecqg.corpus.passages import Passages, write_passages
from ecqg.corpus.questions import read_questions, write_questions
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.items import Name
from ecqg.params import Params
from ecqg.resume import resumable

TEST = "test.qa.tsv"


def run(params: Params, name: Name) -> None:
    """Write paths.collection(name): passages.arrow and questions/NAME.qa.tsv, and its judgements.

    Goes on where it was killed. The folder of judgements is empty where nothing is judged.
    """
    if name not in params.zero_shot:
        raise InputError(
            f"zero_shot has no {name}", file="params.yaml", remedy="add 'name: folder' there"
        )
    folder = Path(params.zero_shot[name])
    questions = read_questions(folder / TEST)
    with (
        resumable(f"zero-shot-{name}", [passage_file(folder)]) as kept,
        atomic(paths.collection(name)) as out,
        atomic(paths.judgements(name)) as judgements,
    ):
        judgements.mkdir()
        write_passages(out / PASSAGES, ingest_passages(folder, kept=kept))
        write_questions(out / "questions" / f"{name}.qa.tsv", questions)
        judged = judge(folder, TEST, Passages(out / PASSAGES))
        if judged is not None:
            write_qrels(judgements / f"{name}{SUFFIX}", judged)
