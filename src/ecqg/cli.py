"""The command line: one command per DVC stage, and a few for people."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Literal

import typer

from ecqg.errors import InputError

app = typer.Typer(
    help="Entity-conditioned question generation for dense retrieval: the stages of dvc.yaml. "
    "'dvc repro' runs them in order; each also runs by itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
profile = typer.Typer(help="Choose a profile: a complete params.yaml.", no_args_is_help=True)
app.add_typer(profile, name="profile", rich_help_panel="For people")

Dual = Annotated[Literal["dpr", "uncon", "mixed"], typer.Argument(help="a dual encoder")]
Synthetic = Annotated[Literal["uncon", "mixed"], typer.Argument(help="a pre-trained dual encoder")]
FirstStage = Annotated[
    Literal["tfidf", "bm25", "dpr", "uncon", "mixed"], typer.Argument(help="a retrieval system")
]
System = Annotated[
    Literal["tfidf", "bm25", "dpr", "uncon", "mixed", "bm25-reranked", "mixed-reranked"],
    typer.Argument(help="a retrieval system"),
]
Kind = Annotated[
    Literal["unconditioned", "conditioned"], typer.Argument(help="a kind of synthetic question")
]
Collection = Annotated[str, typer.Argument(help="main, or the name of a zero-shot set")]
DATA, TRAIN, SYNTH, TEST = "Stages: data", "Stages: retriever", "Stages: synthesis", "Stages: study"
PEOPLE = "For people"


def _run(stage: str, *items: str) -> None:
    """Load params.yaml and run a stage; bad input becomes one line and exit status 1."""
    from ecqg.params import load_params

    try:
        params = load_params()  # first: a mistake there should not wait for heavy imports
        importlib.import_module(f"ecqg.stages.{stage}").run(params, *items)
    except InputError as error:
        _fail(error)


def _fail(error: InputError) -> None:
    typer.echo(f"ecqg: {error}", err=True)
    raise typer.Exit(1)


@app.command(rich_help_panel=DATA)
def acquire() -> None:
    """Generate or download raw data."""
    _run("acquire")


@app.command(rich_help_panel=DATA)
def distractors(name: str) -> None:
    """Read one folder of distractor passages."""
    _run("distractors", name)


@app.command(rich_help_panel=DATA)
def zero_shot(name: str) -> None:
    """Read one zero-shot collection and its test questions."""
    _run("zero_shot", name)


@app.command(rich_help_panel=DATA)
def reading_set(name: str) -> None:
    """Read one more folder of examples for the reader."""
    _run("reading_set", name)


@app.command(rich_help_panel=DATA)
def corpus() -> None:
    """Build the collection, gold examples, reading examples and test sets."""
    _run("corpus")


@app.command(rich_help_panel=DATA)
def judgements() -> None:
    """Collect which passages answer the test questions, where the data tell."""
    _run("judgements")


@app.command(rich_help_panel=DATA)
def zero_shot_judgements(name: str) -> None:
    """Collect the judgements of one zero-shot collection."""
    _run("zero_shot_judgements", name)


@app.command(rich_help_panel=DATA)
def entities() -> None:
    """Find the named entities of all passages."""
    _run("entities")


@app.command(rich_help_panel=TEST)
def tfidf(collection: Collection = "main") -> None:
    """Retrieve with DrQA's TF-IDF."""
    _run("tfidf", collection)


@app.command(rich_help_panel=TEST)
def bm25(collection: Collection = "main") -> None:
    """Retrieve with Lucene's BM25."""
    _run("bm25", collection)


@app.command(rich_help_panel=TRAIN)
def negatives(name: Literal["gold", "uncon", "mixed"]) -> None:
    """Add BM25 hard negatives to training examples."""
    _run("negatives", name)


@app.command(rich_help_panel=TRAIN)
def encoder_start() -> None:
    """Make the encoders' starting weights."""
    _run("encoder_start")


@app.command(rich_help_panel=TRAIN)
def pretrain(system: Synthetic) -> None:
    """Pre-train a dual encoder on synthetic questions."""
    _run("pretrain", system)


@app.command(rich_help_panel=TRAIN)
def finetune(system: Dual) -> None:
    """Fine-tune a dual encoder on gold questions."""
    _run("finetune", system)


@app.command(rich_help_panel=SYNTH)
def attend(system: Dual = "dpr") -> None:
    """Measure the [CLS] attention that each entity receives."""
    _run("attend", system)


@app.command(rich_help_panel=SYNTH)
def select() -> None:
    """Choose the least-attended entities."""
    _run("select")


@app.command(rich_help_panel=SYNTH)
def generator_start() -> None:
    """Make the question generators' starting weights."""
    _run("generator_start")


@app.command(rich_help_panel=SYNTH)
def question_entities() -> None:
    """Find the entities in gold questions that condition the generator's training."""
    _run("question_entities")


@app.command(rich_help_panel=SYNTH)
def train_generator(kind: Kind) -> None:
    """Fine-tune a question generator on gold questions."""
    _run("train_generator", kind)


@app.command(rich_help_panel=SYNTH)
def generate(kind: Kind) -> None:
    """Sample synthetic questions."""
    _run("generate", kind)


@app.command(rich_help_panel=SYNTH)
def train_reader() -> None:
    """Train and calibrate the reader of the round trip."""
    _run("train_reader")


@app.command(rich_help_panel=SYNTH)
def read(kind: Kind) -> None:
    """Let the reader answer synthetic questions on their passages."""
    _run("read", kind)


@app.command(rich_help_panel=SYNTH)
def score(kind: Kind) -> None:
    """Score synthetic questions against their passages with the baseline retriever."""
    _run("score", kind)


@app.command(rich_help_panel=SYNTH)
def filter(kind: Kind) -> None:
    """Keep the synthetic questions that are answerable and hard."""
    _run("filter", kind)


@app.command(rich_help_panel=SYNTH)
def mix() -> None:
    """Compose the synthetic training sets."""
    _run("mix")


@app.command(rich_help_panel=TEST)
def encode(system: Dual, collection: Collection = "main") -> None:
    """Encode a collection's passages."""
    _run("encode", system, collection)


@app.command(rich_help_panel=TEST)
def retrieve(system: Dual, collection: Collection = "main") -> None:
    """Search a collection for its test questions."""
    _run("retrieve", system, collection)


@app.command(rich_help_panel=TEST)
def train_reranker() -> None:
    """Train the cross-encoder that re-ranks."""
    _run("train_reranker")


@app.command(rich_help_panel=TEST)
def rerank(system: FirstStage, collection: Collection = "main") -> None:
    """Put the first passages that a system retrieved in the cross-encoder's order."""
    _run("rerank", system, collection)


@app.command(rich_help_panel=TEST)
def evaluate(system: System, collection: Collection = "main") -> None:
    """Measure top-k accuracy."""
    _run("evaluate", system, collection)


@app.command(rich_help_panel=TEST)
def rank_metrics(system: System, collection: Collection = "main") -> None:
    """Measure precision, recall, MRR, MAP and nDCG where there are judgements."""
    _run("rank_metrics", system, collection)


@app.command(rich_help_panel=TEST)
def attention(system: Dual) -> None:
    """Measure where the [CLS] attention of a dual encoder goes."""
    _run("attention", system)


@app.command(rich_help_panel=TEST)
def heatmap() -> None:
    """Draw the attention of DPR and Mixed-DPR on the same passage."""
    _run("heatmap")


@app.command(rich_help_panel=TEST)
def compare() -> None:
    """Test differences between systems."""
    _run("compare")


@app.command(rich_help_panel=TEST)
def report() -> None:
    """Write the report: our rows beside the published ones."""
    _run("report")


@app.command(rich_help_panel=PEOPLE)
def table() -> None:
    """Show the results of the last run, and where the pictures are."""
    from ecqg.report.table import show

    try:
        show()
    except InputError as error:
        _fail(error)


@app.command(rich_help_panel=PEOPLE)
def export(
    system: System,
    test_set: str,
    out: Annotated[Path, typer.Argument(help="the JSON file to write")],
    collection: Annotated[str, typer.Option(help="main, or the name of a zero-shot set")] = "main",
    depth: Annotated[int, typer.Option(min=1, help="passages a question")] = 100,
) -> None:
    """Write a run as DPR's retrieval JSON, for anyone's evaluator."""
    from ecqg.evaluation.dpr_json import export_dpr

    try:
        export_dpr(system, test_set, collection, out, depth)
    except InputError as error:
        _fail(error)


@app.command(rich_help_panel=PEOPLE)
def seeds(
    revisions: Annotated[
        list[str], typer.Argument(help="Git revisions or DVC experiments, one a seed")
    ],
) -> None:
    """Print mean, spread and tests over runs that differ in their seed, as Markdown."""
    import tempfile

    from ecqg.report.revisions import commit_of, extract_results, seed_of
    from ecqg.report.seeds import summarise_seeds

    try:
        with tempfile.TemporaryDirectory() as folder:
            trees = {}
            for name in revisions:
                commit = commit_of(name)
                seed = seed_of(commit)
                if seed in trees:
                    raise InputError(
                        f"{name} has seed {seed} as a revision before it has",
                        remedy="give one run a seed",
                    )
                trees[seed] = Path(folder) / str(seed)
                extract_results(commit, trees[seed])
            typer.echo(summarise_seeds(trees))
    except InputError as error:
        _fail(error)


@profile.command("list")
def profile_list() -> None:
    """Name the profiles."""
    from ecqg.profiles import describe

    for name, what in describe():
        typer.echo(f"{name:10} {what}")


@profile.command("use")
def profile_use(
    name: str,
    data: Annotated[
        Path | None,
        typer.Option(help="folder that holds the profile's data sets, each a folder of its own"),
    ] = None,
) -> None:
    """Write a profile to params.yaml, checked, and show what changed.

    A params.yaml with edits of yours is kept beside it as params.yaml.bak.
    """
    from ecqg.profiles import use

    try:
        for line in use(name, data=data):
            typer.echo(line)
    except InputError as error:
        _fail(error)
