"""Show passages with entities, questions and scores, chosen by a rule (SIGIR tabs. 1 and 2)."""

from __future__ import annotations

from itertools import chain

from ecqg import paths
from ecqg.analysis.examples import (
    PassageExample,
    choose_rows,
    examples_markdown,
    gold_questions,
    mean_scores,
    synthetic_questions,
)
from ecqg.analysis.examples_html import examples_html
from ecqg.attention.aggregate import rank_entities
from ecqg.attention.entities import Entities, EntityAttentionFile
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.score import score_pairs
from ecqg.files import write_text
from ecqg.params import Params
from ecqg.report.names import shown
from ecqg.synthesis.records import GENERATED, READ, read_aligned, read_generated
from ecqg.tables import write_values


def run(params: Params) -> None:
    """Write paths.EXAMPLES_HTML, EXAMPLES_MARKDOWN and EXAMPLE_METRICS.

    The passages are of the first question set that is about entities. Scores are those of
    analysis.systems and, as the last where it is none of them, of select.system.
    """
    passages = Passages(paths.collection() / PASSAGES)
    row_of = passages.rows_by_id()
    splits = [paths.gold(split) for split in ("train", "dev")]
    gold = list(chain.from_iterable(read_examples(split, passages) for split in splits))
    about = [name for name, of in params.question_sets.items() if of.entities is not None]
    filtered = (read_generated(paths.filtered(name), row_of) for name in about[:1])
    surviving = {record["row"] for record in chain.from_iterable(filtered)}
    with_gold = {example.positives[0] for example in gold}
    rows = choose_rows(surviving, with_gold, params.analysis.examples, params.seed)
    by_kind = [gold_questions(gold, set(rows))]
    for name in params.question_sets:
        passed = {r["id"] for r in read_generated(paths.filtered(name), row_of) if r["row"] in rows}
        pairs = read_aligned({paths.generated(name): GENERATED, paths.read(name): READ})
        by_kind.append(synthetic_questions(name, pairs, passed, set(rows)))

    attention = EntityAttentionFile(Entities(paths.ENTITIES), paths.ENTITY_ATTENTION)
    examples = []
    for row in rows:
        mentions = attention.mentions(row)
        ranked = rank_entities(mentions, params.select.aggregate)
        questions = [q for of_kind in by_kind for q in of_kind.get(row, [])]
        examples.append(PassageExample(passages[row], mentions, ranked, questions))
    displayed = [question for example in examples for question in example.questions]
    texts = [question.question for question in displayed]
    of = [example.passage.row for example in examples for _ in example.questions]
    systems = {s: shown(s) for s in (*params.analysis.systems, params.select.system)}
    for system in systems:
        scores = score_pairs(paths.retriever(system), texts, of, passages, params.encoder)
        for question, score in zip(displayed, scores, strict=True):
            question.scores[system] = float(score)

    write_text(paths.EXAMPLES_HTML, examples_html(examples, systems))
    write_text(paths.EXAMPLES_MARKDOWN, examples_markdown(examples, systems))
    counts = {"passages": len(examples), "questions": len(displayed)}
    write_values(paths.EXAMPLE_METRICS, counts | mean_scores(examples))
