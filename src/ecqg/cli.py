"""The command line: one command per DVC stage, and a few for people."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ecqg.errors import InputError, printable
from ecqg.files import write_text
from ecqg.paths import SUPERVISED
from ecqg.systems import DUALS, FIRST_STAGES, TRAINED, evaluated


class _OneLine(typer.Typer):
    """What a command cannot help is one line: a disk that is full."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().__call__(*arguments, **options)
        except Exception as error:
            from ecqg.space import explain_full_disk

            if full := explain_full_disk(error):
                with suppress(OSError):  # where this goes may be on that disk
                    _complain(full)
                sys.exit(1)
            raise


app = _OneLine(
    help="Entity-conditioned question generation for dense retrieval: the stages of dvc.yaml. "
    "'dvc repro' runs them in order; each also runs by itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
profile = typer.Typer(help="Choose a profile: a complete params.yaml.", no_args_is_help=True)
app.add_typer(profile, name="profile", rich_help_panel="For people")


def _one_of(*known: str) -> Callable[[str], str]:
    """A check that an argument is one of `known`, or a supervised system."""

    def check(name: str) -> str:
        if name in known or name.startswith(f"{SUPERVISED}-"):
            return name
        raise typer.BadParameter(f"must be {', '.join(known)} or {SUPERVISED}-TESTSET")

    return check


Dual = Annotated[str, typer.Argument(help="a dual encoder", callback=_one_of(*DUALS))]
Finetuned = Annotated[Literal["dpr", "uncon", "mixed"], typer.Argument(help="a dual encoder")]
Trained = Annotated[str, typer.Argument(help="a dual encoder of ours", callback=_one_of(*TRAINED))]
System = Annotated[
    str,
    typer.Argument(help="a retrieval system", callback=_one_of(*evaluated(DUALS, FIRST_STAGES))),
]
FirstStage = Annotated[
    str, typer.Argument(help="a retrieval system", callback=_one_of(*FIRST_STAGES))
]
Examples = Annotated[
    str, typer.Argument(help="training examples", callback=_one_of("gold", *TRAINED[1:]))
]
Synthetic = Annotated[Literal["uncon", "mixed"], typer.Argument(help="a pre-trained dual encoder")]
Kind = Annotated[
    Literal["unconditioned", "conditioned"], typer.Argument(help="a kind of synthetic question")
]
Collection = Annotated[
    str, typer.Argument(help="main or a zero-shot set; where the system belongs if not named")
]
DATA, TRAIN, SYNTH, TEST = "Stages: data", "Stages: retriever", "Stages: synthesis", "Stages: study"
PEOPLE = "For people"


def _run(
    stage: str, *items: str, collection: str | None = None, supervised: str | None = None
) -> None:
    """Load params.yaml and run a stage; bad input becomes one line and exit status 1.

    A stage of a collection has that as its item behind `items`; "" is where the system belongs.
    The last item may be a test set, whose `supervised` system is meant.
    """
    from ecqg.libraries import check_recorded
    from ecqg.params import collection_of, load_params

    # torch and transformers make a million objects that stay. By default Python looks through
    # them for garbage again and again, for a fifth of a short stage's time, and takes half a
    # second for it when it ends.
    gc.set_threshold(100_000, 50, 100)
    atexit.register(gc.freeze)
    try:
        params = load_params()  # first: a mistake there should not wait for heavy imports
        system = f"{SUPERVISED}-{supervised}" if supervised else items[0] if items else ""
        where = collection_of(params, system, collection or "")
        check_recorded(stage)
        named = (*items, where if collection is not None else None, supervised)
        run = importlib.import_module(f"ecqg.stages.{stage}").run
        run(params, *(name for name in named if name is not None))
    except InputError as error:
        _fail(error)


def _say(text: str) -> None:
    """Print lines, in which names from files may stand."""
    typer.echo("\n".join(map(printable, text.splitlines())))


def _fail(error: InputError) -> None:
    _complain(error)
    raise typer.Exit(1)


def _complain(error: InputError) -> None:
    """On a line of its own, below the bars of what was under way."""
    if "tqdm" in sys.modules:
        for bar in list(sys.modules["tqdm"].tqdm._instances):
            bar.close()
    typer.echo(f"ecqg: {error}", err=True)


@app.command(rich_help_panel=DATA)
def check() -> None:
    """Check params.yaml whole, and list the code and the libraries of each stage for DVC."""
    _run("check")


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
    """Read one zero-shot collection, its test questions and their judgements."""
    _run("zero_shot", name)


@app.command(rich_help_panel=DATA)
def reading_set(name: str) -> None:
    """Read one more folder of examples for the reader."""
    _run("reading_set", name)


@app.command(rich_help_panel=DATA)
def corpus() -> None:
    """Build the collection, gold examples, reading examples, test sets and their judgements."""
    _run("corpus")


@app.command(rich_help_panel=DATA)
def supervised_gold(test_set: str) -> None:
    """Read the gold questions of a test set's own training split."""
    _run("supervised_gold", test_set)


@app.command(rich_help_panel=DATA)
def entities() -> None:
    """Find the named entities of all passages."""
    _run("entities")


@app.command(rich_help_panel=TEST)
def tfidf(collection: Collection = "") -> None:
    """Retrieve with DrQA's TF-IDF."""
    _run("tfidf", collection=collection)


@app.command(rich_help_panel=TEST)
def bm25(collection: Collection = "") -> None:
    """Retrieve with Lucene's BM25."""
    _run("bm25", collection=collection)


@app.command(rich_help_panel=TRAIN)
def negatives(name: Examples, collection: Collection = "") -> None:
    """Add BM25 hard negatives to training examples."""
    _run("negatives", name, collection=collection)


@app.command(rich_help_panel=TRAIN)
def encoder_start() -> None:
    """Make the encoders' starting weights."""
    _run("encoder_start")


@app.command(rich_help_panel=TRAIN)
def pretrain(system: Synthetic) -> None:
    """Pre-train a dual encoder on synthetic questions."""
    _run("pretrain", system)


@app.command(rich_help_panel=TRAIN)
def finetune(system: Finetuned) -> None:
    """Fine-tune a dual encoder on gold questions."""
    _run("finetune", system)


@app.command(rich_help_panel=TRAIN)
def pretrain_aug() -> None:
    """Pre-train AugDPR on its synthetic questions."""
    _run("pretrain_aug")


@app.command(rich_help_panel=TRAIN)
def supervised_finetune(test_set: str) -> None:
    """Train a dual encoder on a test set's own gold questions, for reference."""
    _run("supervised_finetune", test_set)


@app.command(rich_help_panel=TRAIN)
def finetune_aug() -> None:
    """Fine-tune AugDPR on gold questions."""
    _run("finetune_aug")


@app.command(rich_help_panel=SYNTH)
def baseline() -> None:
    """Take our DPR, or a public retriever, as the baseline that steers the synthesis."""
    _run("baseline")


@app.command(rich_help_panel=SYNTH)
def attend(system: Dual = "baseline") -> None:
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
def train_generator(
    kind: Annotated[
        Literal["unconditioned", "conditioned", "answer_sentence"],
        typer.Argument(help="a kind of synthetic question"),
    ],
) -> None:
    """Fine-tune a question generator on gold questions."""
    _run("train_generator", kind)


@app.command(rich_help_panel=SYNTH)
def generate(kind: Kind) -> None:
    """Sample synthetic questions."""
    _run("generate", kind)


@app.command(rich_help_panel=SYNTH)
def generate_answer_sentence() -> None:
    """Sample AugDPR's synthetic questions."""
    _run("generate_answer_sentence")


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
def encode(system: Dual, collection: Collection = "") -> None:
    """Encode a collection's passages."""
    _run("encode", system, collection=collection)


@app.command(rich_help_panel=TEST)
def retrieve(system: Dual, collection: Collection = "") -> None:
    """Search a collection for its test questions."""
    _run("retrieve", system, collection=collection)


@app.command(rich_help_panel=TEST)
def train_reranker() -> None:
    """Train the cross-encoder that re-ranks."""
    _run("train_reranker")


@app.command(rich_help_panel=TEST)
def rerank(system: FirstStage, collection: Collection = "") -> None:
    """Put the first passages that a system retrieved in the cross-encoder's order."""
    _run("rerank", system, collection=collection)


@app.command(rich_help_panel=TEST)
def evaluate(
    collection: Collection = "",
    supervised: Annotated[
        str | None, typer.Option(help="a test set: only the system trained for it, on it")
    ] = None,
) -> None:
    """Find where in their rankings all systems have an answer, question by question."""
    _run("evaluate", collection=collection, supervised=supervised)


@app.command(rich_help_panel=TEST)
def attention(system: Dual) -> None:
    """Measure where the [CLS] attention of a dual encoder goes."""
    _run("attention", system)


@app.command(rich_help_panel=TEST)
def entity_questions() -> None:
    """Ask about every entity of a sample of passages."""
    _run("entity_questions")


@app.command(rich_help_panel=TEST)
def entity_scores(system: Dual) -> None:
    """Score these questions, and attribute the passages' vectors to their entities."""
    _run("entity_scores", system)


@app.command(rich_help_panel=TEST)
def explanation() -> None:
    """Tell whether attention explains which questions are answered."""
    _run("explanation")


@app.command(rich_help_panel=TEST)
def heatmap() -> None:
    """Draw the attention of the systems analysed on the same passage."""
    _run("heatmap")


@app.command(rich_help_panel=TEST)
def overlap(system: Dual = "dpr") -> None:
    """Measure how far questions repeat passages that a dual encoder finds, and misses."""
    _run("overlap", system)


@app.command(rich_help_panel=TEST)
def coverage(collection: Collection = "") -> None:
    """Measure how much of a question stands in the passage that answers it."""
    _run("coverage", collection=collection)


@app.command(rich_help_panel=TEST)
def vocabulary(collection: Annotated[str, typer.Argument(help="a zero-shot set")]) -> None:
    """Measure how much vocabulary a collection shares with the main one."""
    _run("vocabulary", collection=collection)


@app.command(rich_help_panel=TEST)
def examples() -> None:
    """Show passages with their entities by attention, and questions with their scores."""
    _run("examples")


@app.command(rich_help_panel=TEST)
def judge() -> None:
    """Put intervals around what was measured: accuracy, rankings, attention, overlap."""
    _run("judge")


@app.command(rich_help_panel=TEST)
def headline() -> None:
    """Write the headline, which DVC shows as metrics."""
    _run("headline")


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
    from ecqg.params import load_params
    from ecqg.report.table import show
    from ecqg.stages.report import study

    try:
        show(study(load_params()))
    except InputError as error:
        _fail(error)


@app.command(rich_help_panel=PEOPLE)
def dag() -> None:
    """Draw dvc.yaml in steps: here, and for README and docs as docs/pipeline.svg and .md."""
    from ecqg.pipeline import drawing, steps

    try:
        stages = steps.read_stages(Path("dvc.yaml"))
    except InputError as error:
        _fail(error)
    else:
        edges = steps.edges(stages)
        write_text(Path("docs/pipeline.svg"), drawing.picture(edges))
        write_text(Path("docs/pipeline.md"), drawing.page(edges, stages))
        typer.echo(drawing.in_characters(edges))


@app.command("plots-page", rich_help_panel=PEOPLE)
def plots_page() -> None:
    """Let 'dvc plots show' work without a network: write its page, with Vega inside."""
    from ecqg.report.plots_page import write_plots_page

    try:
        page = write_plots_page(Path(".dvc"))
    except InputError as error:
        _fail(error)
    else:
        typer.echo(f"{page}: 'dvc plots show' and 'dvc plots diff' use it")


@app.command(rich_help_panel=PEOPLE)
def experiments(
    system: Annotated[str, typer.Option(help="whose metrics: a file of metrics/")] = "mixed",
) -> None:
    """Compare experiments: the parameters that differ, and the headline of a system."""
    from ecqg.report.experiments import show_experiments

    try:
        show_experiments(system)
    except InputError as error:
        _fail(error)


@app.command("import", rich_help_panel=PEOPLE)
def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="docs/data.md lists the formats")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="also as .gz")],
    output: Annotated[Path, typer.Option(help="the data folder; made if it is not there")],
    name: Annotated[str, typer.Option(help="split or test set: test, for dpr-train train")] = "",
    entities: Annotated[
        Path | None, typer.Option(help="wikimovies: entities.txt, for answers with commas")
    ] = None,
    encoding: Annotated[
        str, typer.Option(help="bioasq, bioasq-articles: that of the files, such as latin-1")
    ] = "utf-8",
) -> None:
    """Convert public files of questions or passages to a data folder."""
    from ecqg.corpus.formats.importer import FORMATS, import_files

    try:
        if form not in FORMATS:
            raise InputError(f"no format {form}", remedy=f"choose one of {', '.join(FORMATS)}")
        written = import_files(form, files, output, name, entities, encoding)
    except InputError as error:
        _fail(error)
    else:
        skipped = f" ({written.unanswered:,} without an answer skipped)"
        _say(f"{written.path}: {written.records:,} records{skipped if written.unanswered else ''}")


@app.command(rich_help_panel=PEOPLE)
def repro(
    targets: Annotated[
        list[str] | None, typer.Argument(help="stages, with what they need; all where none")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="stages at a time; else one a processor, two with a GPU"
        ),
    ] = None,
) -> None:
    """Do what 'dvc repro' does, with independent stages side by side.

    A stage computes in one thread, or, with ECQG_NUMERICS=native, in its share of the processors.
    For large models, which fill memory or a GPU one by one, 'dvc repro' is the better command.
    """
    from ecqg.closure import list_again
    from ecqg.params import load_params
    from ecqg.pipeline.reproduce import default_jobs, reproduce_side_by_side
    from ecqg.signals import allow

    allow(1.5)  # seconds; stages have one
    try:
        load_params()  # before DVC puts names from it into paths
        list_again()
        outcomes = reproduce_side_by_side(targets or [], jobs or default_jobs())
    except InputError as error:
        _fail(error)
    else:
        if any(outcome.problem for outcome in outcomes):
            raise typer.Exit(1)


@app.command(rich_help_panel=PEOPLE)
def verify_cache() -> None:
    """Compare the files of DVC's cache with their digests, and name those to delete."""
    from ecqg.pipeline.verify import verify_cache as verify

    try:
        found = verify()
    except InputError as error:
        _fail(error)
    else:
        for path in found.damaged:
            typer.echo(f"damaged: {path}", err=True)
        if found.damaged:
            typer.echo("Delete these and what is linked to them, then run 'dvc repro'", err=True)
            raise typer.Exit(1)
        size = found.size / 1e6
        typer.echo(f"{found.files:,} files of {size:,.0f} MB hold what their names say")


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
def export_model(
    system: Trained,
    format: Annotated[Literal["dpr", "sentence-transformers"], typer.Option()],
    output: Annotated[Path, typer.Option(help="the folder to write, a new one")],
) -> None:
    """Write both encoders of a system as other packages load them."""
    from ecqg import paths
    from ecqg.params import load_params

    try:
        settings = load_params().encoder
        if output.exists():  # whole outputs replace what stands there
            raise InputError("exists already", file=output, remedy="name a new folder")
        if format == "dpr":
            from ecqg.encoder.export_dpr import export_dpr

            export_dpr(paths.retriever(system), output)
        else:
            from ecqg.encoder.export_sentence_transformers import export_sentence_transformers

            export_sentence_transformers(paths.retriever(system), output, settings)
    except InputError as error:
        _fail(error)


@app.command(rich_help_panel=PEOPLE)
def amounts(
    revisions: Annotated[
        list[str], typer.Argument(help="Git revisions or DVC experiments that differ in aug")
    ],
    test_set: Annotated[
        str | None, typer.Option(help="default: the first of corpus.test_sets")
    ] = None,
) -> None:
    """Print AugDPR's accuracy by the number of passages with synthetic questions, as Markdown."""
    from ecqg.report.amounts import summarise_amounts

    try:
        _say(summarise_amounts(revisions, test_set))
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

    from ecqg.report.revisions import commit_of, extract_results, parameter_at
    from ecqg.report.seeds import summarise_seeds

    try:
        with tempfile.TemporaryDirectory() as folder:
            trees = {}
            for name in revisions:
                commit = commit_of(name)
                seed = parameter_at(commit, "seed")
                if seed in trees:
                    raise InputError(
                        f"{name} has seed {seed} as a revision before it has",
                        remedy="give one run a seed",
                    )
                trees[seed] = Path(folder) / str(seed)
                extract_results(commit, trees[seed])
            _say(summarise_seeds(trees))
    except InputError as error:
        _fail(error)


@profile.command("list")
def profile_list() -> None:
    """Name the profiles."""
    from ecqg.profiles import describe

    for name, what in describe():
        _say(f"{name:10} {what}")


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
            _say(line)
    except InputError as error:
        _fail(error)
