"""What weights/dvc.yaml runs: `python -m ecqg.weights world|generator|encoder`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ecqg import numerics
from ecqg.errors import InputError
from ecqg.params import EncoderPretraining, GeneratorPretraining, InitEncoder, InitGenerator

DEV = 1000  # questions that the generator does not train on
MIB = 2**20
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
Seed = Annotated[int, typer.Option(help="What weights and batches are drawn by.")]
Layers = Annotated[int, typer.Option(help="Layers (of encoder and decoder each).")]
Hidden = Annotated[int, typer.Option(help="Hidden units.")]
Heads = Annotated[int, typer.Option(help="Attention heads.")]
FeedForward = Annotated[int, typer.Option(help="Units of the feed-forward blocks.")]
Vocabulary = Annotated[int, typer.Option(help="Word pieces.")]
Epochs = Annotated[int, typer.Option(help="Times that all texts are read.")]
BatchSize = Annotated[int, typer.Option(help="Questions, or passages, a step.")]
Rate = Annotated[float, typer.Option(help="Learning rate.")]
Worlds = Annotated[list[Path], typer.Argument(help="What `world` wrote.")]


@app.command()
def world(
    output: Path,
    seed: Seed,
    passages: Annotated[int, typer.Option(help="Passages of the world.")],
    questions: Annotated[int, typer.Option(help="Questions on them.")],
    families: Annotated[str, typer.Option(help="Types of article, with commas between.")],
) -> None:
    """Write another world's passages and questions."""
    from ecqg.weights.worlds import write_world

    write_world(output, seed, passages, questions, families.split(","))


@app.command()
def generator(
    output: Path,
    worlds: Worlds,
    seed: Seed,
    layers: Layers,
    hidden: Hidden,
    heads: Heads,
    feed_forward: FeedForward,
    vocabulary: Vocabulary,
    epochs: Epochs,
    batch_size: BatchSize,
    lr: Rate,
) -> None:
    """Train the question generators' starting weights."""
    from ecqg import seeds
    from ecqg.training.checkpoint import resuming
    from ecqg.weights.generator import pretrain
    from ecqg.weights.worlds import read_worlds

    own = GeneratorPretraining(steps=1, batch_size=batch_size, lr=lr, precision="bf16")
    sizes = (layers, hidden, heads, feed_forward, vocabulary)
    settings = InitGenerator("random", "", *sizes, init_std=0.07, pretraining=own)
    passages, gold = read_worlds(worlds)
    order = seeds.python_rng(seed, "dev").sample(gold, len(gold))
    dev, train = order[:DEV], order[DEV:]
    with resuming("ecqg.weights.generator", "start", worlds, settings, epochs, seed) as checkpoint:
        history = pretrain(
            output, settings, passages, train, dev, epochs=epochs, seed=seed, checkpoint=checkpoint
        )
    typer.echo(f"{history.dev[-1].loss:.3f} nats a token on {DEV} further questions")


@app.command()
def encoder(
    output: Path,
    worlds: Worlds,
    seed: Seed,
    layers: Layers,
    hidden: Hidden,
    heads: Heads,
    feed_forward: FeedForward,
    vocabulary: Vocabulary,
    epochs: Epochs,
    batch_size: BatchSize,
    lr: Rate,
) -> None:
    """Train the encoders' and the reader's starting weights."""
    from ecqg.training.checkpoint import resuming
    from ecqg.weights.encoder import pretrain
    from ecqg.weights.worlds import read_worlds

    own = EncoderPretraining(epochs, batch_size, lr)
    sizes = (layers, hidden, heads, feed_forward, vocabulary)
    settings = InitEncoder("random", "", *sizes, initializer_range=0.06, pretraining=own)
    passages, gold = read_worlds(worlds)
    questions = [item.question for item in gold]
    with resuming("ecqg.weights.encoder", "start", worlds, settings, seed) as checkpoint:
        pretrain(
            output,
            settings,
            passages,
            questions,
            precision="bf16",
            seed=seed,
            checkpoint=checkpoint,
        )


def main() -> None:
    """Run a command; a wrong input is one line."""
    try:
        numerics.fix()
        app()
    except InputError as error:
        raise SystemExit(f"ecqg: {error}") from None


if __name__ == "__main__":
    main()
