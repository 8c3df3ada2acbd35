"""The tables of a finished study, made up."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from ecqg import paths
from ecqg.attention.positions import HISTOGRAM
from ecqg.evaluation import headers
from ecqg.evaluation.test_sets import split
from ecqg.files import write_text
from ecqg.params import Collection, Dense, Params, Systems, load_params
from ecqg.report.plots import ANSWER_COLUMNS, LOSS_COLUMNS
from ecqg.report.results import Study
from ecqg.tables import read_table, write_table, write_values

PROFILE = Path(__file__).parents[2] / "src/ecqg/profiles/microcosm.yaml"
SYSTEMS = ["tfidf", "bm25", "dpr", "uncon", "mixed"]
SETS = ["nq_like", "nq_like_no_answer_overlap", "nq_like_no_question_overlap"]
SETS += ["tail", "trivia_like", "uniform", "webq_like"]
KS = (1, 5, 20, 100)
LOSSES = [  # of STUDY, in the order to be shown
    *("init-encoder", "pretrain-uncon", "pretrain-mixed"),
    *("finetune-dpr", "finetune-uncon", "finetune-mixed", "init-generator"),
    *("generator-unconditioned", "generator-conditioned", "reader", "reranker"),
]
HEADERS = {
    paths.ACCURACY: headers.ACCURACY,
    paths.RANKING: headers.RANKING,
    paths.ATTENTION: headers.ATTENTION,
    paths.COMPARISONS: headers.COMPARISONS,
}
STUDY = Study(
    lexical=("tfidf", "bm25"),
    dense=("dpr", "uncon", "mixed"),
    references=(),
    reranked=(),
    collections={
        paths.MAIN: ("nq_like", "webq_like", "trivia_like", "tail", "uniform"),
        "covid": ("covid",),
    },
    analysed=("dpr", "mixed"),
    asked=("unconditioned", "conditioned"),
    about="conditioned",
    pretrained=("uncon", "mixed"),
    generators=("unconditioned", "conditioned"),
    ks=KS,
    embedded=True,
)


def params_of(study: Study = STUDY, source: str = "microcosm") -> Params:
    """The default parameters with what a study names."""
    params = load_params(PROFILE)
    gold = {system: system if system in study.references else paths.MAIN for system in study.dense}
    dense = {system: Dense("init", of) for system, of in gold.items()}
    return dataclasses.replace(
        params,
        source=source,
        collections={
            name: Collection("", dict.fromkeys(sets, ""))
            for name, sets in study.collections.items()
        },
        question_sets={name: params.question_sets[name] for name in study.asked},
        pretrained={name: params.pretrained[name] for name in study.pretrained},
        systems=Systems(study.lexical, dense, study.reranked),
        generator=dataclasses.replace(params.generator, kinds=study.generators),
        evaluation=dataclasses.replace(params.evaluation, ks=study.ks),
        analysis=dataclasses.replace(params.analysis, systems=study.analysed),
        published=study.published,
    )


def value(system: str, test_set: str, k: int) -> float:
    """Some percentage that grows with k and differs everywhere."""
    base = 20 + 5 * SYSTEMS.index(system) + 1.5 * len(test_set) / (1 + SETS.index(test_set))
    return base + {1: 0, 5: 22.5, 20: 30.25, 100: 35.125}[k]


def write_dense(system: str, later: float = 0.9, entropy: float = 4.09) -> None:
    """Write a dual encoder's losses and its attention, that on two sentences too."""
    write_losses(f"finetune-{system}", 4.5)
    measures = {"entropy": entropy, "first_sentence": 1.5, "later_sentences": later}
    measures |= {"passages": 2000}
    variants = {"all_tokens": {"entropy": 3.5, "later_sentences": later}}
    write_values(paths.attention_means(system), measures | {"variants": variants})
    lines = ["system,sentence,density,share,passages", f"{system},1,1.5,60.0,2000"]
    lines.append(f"{system},2,{later},40.0,1900")
    write_text(paths.attention_by_sentence(system), "\n".join(lines) + "\n")


def questions(name: str) -> int:
    return 64 if split(name)[1] else 94


def accuracy_rows(system: str, collection: str, name: str, values: dict[int, float]) -> list[list]:
    """With intervals from 4 points below to 3.5 above."""
    where = [system, collection, *split(name)]
    return [
        [*where, k, questions(name), *(f"{v:.4f}" for v in (a, a - 4, a + 3.5))]
        for k, a in values.items()
    ]


def comparison_rows(a: str, b: str, collection: str, name: str) -> list[list]:
    where = [a, b, collection, *split(name)]
    return [
        [*where, "top1", 1.25, "", -0.5, 3.0, 0.17, 9, questions(name) - 14, 5],
        [*where, "top5", 1.25, "", 0.25, 3.0, 0.01, 9, questions(name) - 14, 5],
    ]


def write_study() -> None:
    """Write them beneath the working directory."""
    where = [*((paths.MAIN, name, name) for name in SETS), ("covid", "covid", "uniform")]
    accuracy = []
    for system in SYSTEMS:
        for collection, name, like in where:
            values = {k: value(system, like, k) for k in KS}
            accuracy += accuracy_rows(system, collection, name, values)
    write_table(paths.ACCURACY, headers.ACCURACY, accuracy)
    write_table(paths.RANKING, headers.RANKING, [])
    bounds = []
    for system, later in (("dpr", 0.9), ("uncon", 0.95), ("mixed", 0.99)):
        entropy = 4 + later / 10
        write_dense(system, later, entropy)
        bounds.append([system, "entropy", 2000, entropy, entropy - 0.01, entropy + 0.02])
    write_table(paths.ATTENTION, headers.ATTENTION, bounds)
    comparisons = []
    for b in ("dpr", "uncon"):
        for collection, name, _ in where:
            comparisons += comparison_rows("mixed", b, collection, name)
        for measure, low, p in (
            ("entropy", 0.25, 0.01),
            ("first_sentence", -0.5, 0.17),
            ("later_sentences", -0.5, 0.17),
        ):
            outcome = [1.25, "", low, 3.0, p, 9, 80, 5]
            comparisons.append(["mixed", b, "", "", "", measure, *outcome])
    write_table(paths.COMPARISONS, headers.COMPARISONS, comparisons)
    write_synthesis()


def write_synthesis() -> None:
    """Write where entities and answers stand, what encoders are pre-trained on, and the losses."""
    write_table(paths.entity_positions("unconditioned"), HISTOGRAM, [])
    write_table(paths.entity_positions("conditioned"), HISTOGRAM, [["lowest", 0.95, 50.0]])
    for name, questions in (("unconditioned", 8), ("conditioned", 4)):
        row = ["generated", 1, questions, 100.0]
        write_table(paths.answer_positions(name), ANSWER_COLUMNS, [row])
    of_mixed = {"unconditioned": 1000, "conditioned": 1000, "passages": 1234}
    of_uncon = {"unconditioned": 2000, "passages": 1500}
    both = {"uncon": {"examples": 2000} | of_uncon, "mixed": {"examples": 2000} | of_mixed}
    write_values(paths.TRAINING_SETS, both)
    for name in LOSSES:
        write_losses(name, 4.5)


def write_losses(name: str, *losses: float) -> None:
    """Write a loss curve; one of a model that is not trained has no losses."""
    rows = [["train", 20 * step, loss] for step, loss in enumerate(losses, 1)]
    write_table(paths.loss_curve(name), LOSS_COLUMNS, rows)


def add_rows(table: Path, rows: list[list]) -> None:
    """Write more rows to the end of a table."""
    kept = [list(row.values()) for row in read_table(table, HEADERS[table])]
    write_table(table, HEADERS[table], [*kept, *rows])


def keep_rows(table: Path, wanted: Callable[[dict[str, str]], bool]) -> None:
    """Leave out the rows of a table that are not wanted."""
    kept = [row.values() for row in read_table(table, HEADERS[table]) if wanted(row)]
    write_table(table, HEADERS[table], kept)
