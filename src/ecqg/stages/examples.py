"""Passages with their entities, questions and scores, chosen by a rule (SIGIR tabs. 1 and 2)."""

from __future__ import annotations

from itertools import chain

from ecqg import paths
from ecqg.analysis.examples import (
    PassageExample,
    answer_sentence_questions,
    choose_rows,
    gold_questions,
    mean_scores,
    synthetic_questions,
)
from ecqg.analysis.examples_html import examples_html
from ecqg.analysis.examples_markdown import examples_markdown
from ecqg.attention.aggregate import rank_entities
from ecqg.attention.attended import Attended
from ecqg.attention.entities import Entities
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passages
from ecqg.encoder.score import score_pairs
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.names import SYSTEMS, steering
from ecqg.synthesis.join import read_aligned
from ecqg.synthesis.records import GENERATED, READ, read_generated
from ecqg.tables import write_values

BASELINE = "baseline"  # whose attention is shown
SYNTHETIC = ("unconditioned", "conditioned")


def run(params: Params) -> None:
    """Write paths.EXAMPLES_HTML, EXAMPLES_MARKDOWN and EXAMPLE_METRICS.

    Scores are those of analysis.systems and, as the last where it is none of them, of the
    retriever by whose scores questions are filtered.
    """
    passages = Passages(paths.collection() / "passages.arrow")
    row_of = passages.rows_by_id()
    filtered = read_generated(paths.filtered("conditioned"), row_of)
    surviving = {record["passage_id"]: record["row"] for record in filtered}
    splits = [paths.gold(split) for split in ("train", "dev")]
    asked = (e.positives[0].passage_id for e in chain.from_iterable(map(read_examples, splits)))
    rows = choose_rows(surviving, asked, params.analysis.examples, params.seed)
    names = {passages[row].id for row in rows}

    gold = chain.from_iterable(map(read_examples, splits))
    by_kind = [gold_questions(gold, names)]
    for kind in SYNTHETIC:
        filtered = read_generated(paths.filtered(kind), row_of)
        kept = {record["id"] for record in filtered if record["passage_id"] in names}
        pairs = read_aligned({paths.generated(kind): GENERATED, paths.read(kind): READ})
        by_kind.append(synthetic_questions(kind, pairs, kept, names))

    made = read_generated(paths.generated("answer_sentence"), row_of)
    by_kind.append(answer_sentence_questions(made, names))

    attended = Attended(Entities(paths.ENTITIES), paths.attended(BASELINE), BASELINE)
    examples = []
    for row in rows:
        mentions = attended.mentions(row)
        ranked = rank_entities(mentions, params.select.aggregate)
        questions = [q for of_kind in by_kind for q in of_kind.get(passages[row].id, [])]
        examples.append(PassageExample(passages[row], mentions, ranked, questions))
    shown = [(q, example.passage.row) for example in examples for q in example.questions]
    scoring = (*params.analysis.systems, steering(params.baseline.source))
    systems = {system: SYSTEMS[system] for system in scoring}
    for system in systems:
        texts, of = [q.question for q, _ in shown], [row for _, row in shown]
        scores = score_pairs(paths.retriever(system), texts, of, passages, params.encoder)
        for (question, _), score in zip(shown, scores, strict=True):
            question.scores[system] = float(score)

    write_text(paths.EXAMPLES_HTML, examples_html(examples, systems))
    write_text(paths.EXAMPLES_MARKDOWN, examples_markdown(examples, systems))
    counts = {"passages": len(examples), "questions": len(shown)}
    write_values(paths.EXAMPLE_METRICS, counts | mean_scores(examples))
