"""The tables of a finished study, made up."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from ecqg import paths
from ecqg.attention.aggregate import Mention
from ecqg.attention.heatmap import HeatMap, Panel, Word
from ecqg.attention.positions import HISTOGRAM
from ecqg.corpus.passages import PASSAGES, write_passages
from ecqg.evaluation import headers
from ecqg.evaluation.test_sets import split
from ecqg.files import write_json, write_jsonl, write_text
from ecqg.params import Collection, Dense, Params, Systems, load_params
from ecqg.report.plots import ANSWER_COLUMNS, LOSS_COLUMNS
from ecqg.report.results import Study
from ecqg.tables import read_table, write_table, write_values
from small_passages import make_passages

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
# question, the reader's answer (x is the generated one), confidence and score, and what follows
QUESTIONS = [
    ("who <b>kept</b> it?", "x", 0.9, 4.0, "kept"),
    ("who is unsure?", "x", 0.25, 4.0, "reader unsure"),
    ("who differs?", "b", 0.9, 4.0, "reader answers otherwise"),
    ("who is elsewhere?", "x", 0.9, 4.0, "answered elsewhere"),
    ("who is easy?", "x", 0.9, 12.0, "too easy for the retriever"),
]
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


def write_explanation() -> None:
    half = {"score": 7.0, "top1": 40.0, "median_rank": 3}
    gap = {"score": 0.5, "low": -0.25, "high": 1.25, "p": 0.0001}
    extremes = {"passages": 9, "highest": half | {"score": 7.5}, "lowest": half, "difference": gap}
    attention = {"mean": 0.125, "low": 0.1, "high": 0.15, "passages": 8}
    found = {"extremes": extremes, "explains_rank": {"attention": attention}}
    write_values(paths.EXPLANATION, {"dpr": found, "mixed": found | {"same_questions": extremes}})


def write_analyses() -> None:
    write_explanation()
    position = {
        f"sentence_{i}": {"question_overlap": 40 - i, "answer_location": 30 - i, "answer_start": 1}
        for i in range(1, 7)
    }
    write_values(paths.gold_metrics(), {"position": position})
    overlaps = {}
    for system, missed in (("dpr", 12.5), ("mixed", None)):
        row = {"found": 50.0, "missed": missed, "difference": None, "low": None, "high": None}
        if missed:
            row |= {"difference": 50 - missed, "low": -1.25, "high": 60.0}
        row |= {"found_questions": 36, "missed_questions": 24 if missed else 0}
        metrics = {"questions": 40, "depth": 7, "found": 90.0, "sentences_mean": 5.56}
        overlaps[system] = (
            metrics
            | {f"sentence_{i}": row for i in range(1, 6)}
            | {"sentence_6": row | {"missed_questions": 4}}
        )
    write_values(paths.OVERLAP, overlaps)
    values = {"questions": 77, "words": 61.25, "content_words": None, "without_passage": 3}
    values["judged"] = 1
    names = ["gold_train", "nq_like", "gone"]
    write_values(paths.coverage_metrics(), dict.fromkeys(names, values))
    for name in ("covid", "gone"):
        other = values | {"questions": 5, "judged": 0}
        write_values(paths.coverage_metrics(name), {name: other})
        overlap = {"overlap": 33.3, "words": 2500, "passages": 1200, "main_passages": 5000}
        overlap |= {"by_words": {"1000": 44.4, "2500": 33.3}}
        write_values(paths.vocabulary_metrics(name), overlap)
    scores = {"dpr": {"gold": 16.0, "conditioned": 10.0}, "mixed": {"gold": 17.0}}
    write_values(paths.EXAMPLE_METRICS, {"passages": 2, "questions": 9} | scores)


def write_questions(times: int = 1) -> None:
    """QUESTIONS of the set conditioned, `times` over, each about one of two passages."""
    path = paths.collection() / PASSAGES
    path.parent.mkdir(parents=True)
    about = make_passages(("One", "It is here. So is a."), ("Two & more", "It is late. So is a."))
    write_passages(path, (dataclasses.replace(p, sentence_starts=(0, 12)) for p in about))
    rows = [(str(i), *QUESTIONS[i % len(QUESTIONS)]) for i in range(times * len(QUESTIONS))]
    write_jsonl(paths.generated("conditioned"), (
        {"id": i, "passage_id": f"p{int(i) % 2}", "row": int(i) % 2, "entity": "It",
         "question": question, "answer": "x"} for i, question, *_ in rows
    ))  # fmt: skip
    write_jsonl(paths.read("conditioned"), (
        {"id": i, "answer": answer, "start": 18 * (fate == "answered elsewhere"),
         "confidence": confidence}
        for i, _, answer, confidence, _, fate in rows
    ))  # fmt: skip
    write_jsonl(paths.scored("conditioned"), ({"id": row[0], "score": row[4]} for row in rows))


def write_heat_map() -> None:
    """Two words under three systems, one of them an entity; its title would like to be HTML."""
    words = [Word(0, 4, 0.5), Word(5, 10, 1.5)]
    shown = {"DPR": "#0072B2", "UnCon-DPR": "#E69F00", "Mixed-DPR": "#D55E00"}
    panels = [
        Panel(name, colour, "entropy 4.00 nats", words, {"there": 1.5})
        for name, colour in shown.items()
    ]
    mention = Mention("there", "GPE", 5, 10, 0.5, 1)
    asked = [("where <i>is</i> it?", "there")]
    found = HeatMap("A <b>title</b>", "What there", [mention], {"there"}, "DPR", asked, panels)
    write_json(paths.HEATMAP, dataclasses.asdict(found) | {"selected": ["there"]})
