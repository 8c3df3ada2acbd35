"""What weights/training/dvc.yaml runs: `python -m ecqg.weights world|train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ecqg import numerics, seeds
from ecqg.errors import InputError
from ecqg.files import atomic, write_text
from ecqg.params import EncoderPretraining, GeneratorPretraining, InitEncoder, InitGenerator
from ecqg.templates import fill

DEV = 1000  # questions that the generator does not train on
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
Seed = Annotated[int, typer.Option(help="What weights and batches are drawn by.")]
Kind = Literal["encoder", "generator"]


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
def train(
    kind: Annotated[Kind, typer.Argument(help="The encoders' and the reader's, or a generator's.")],
    output: Path,
    worlds: Annotated[list[Path], typer.Argument(help="What `world` wrote.")],
    seed: Seed,
    layers: Annotated[int, typer.Option(help="Layers (of encoder and decoder each).")],
    hidden: Annotated[int, typer.Option(help="Hidden units.")],
    heads: Annotated[int, typer.Option(help="Attention heads.")],
    feed_forward: Annotated[int, typer.Option(help="Units of the feed-forward blocks.")],
    vocabulary: Annotated[int, typer.Option(help="Word pieces.")],
    epochs: Annotated[int, typer.Option(help="Times that all texts are read.")],
    batch_size: Annotated[int, typer.Option(help="Questions, or passages, a step.")],
    lr: Annotated[float, typer.Option(help="Learning rate.")],
    time: Annotated[str, typer.Option(help="How long that takes, for the card.")] = "",
) -> None:
    """Train starting weights on other worlds, for a folder to be committed.

    It has weights, tokenizer, model card (README.md) and SHA256SUMS. fp16 halves what lies in git;
    its 11 bits move a weight by less than a step of training does.
    """
    from ecqg.training.checkpoint import resuming
    from ecqg.training.weights import save_model, write_digests
    from ecqg.weights import encoder, generator
    from ecqg.weights.worlds import read_worlds

    passages, gold = read_worlds(worlds)
    sizes = (layers, hidden, heads, feed_forward, vocabulary)
    steps = (epochs, batch_size, lr)
    facts = {
        "sizes": f"{layers} layers, {hidden} hidden units, {heads} heads, {vocabulary:,} pieces",
        "texts": f"{len(passages):,} passages and {len(gold):,} questions "
        f"of {len(worlds)} other worlds",
        "training": f"{epochs} epochs, batches of {batch_size}, learning rate {lr:g}, bf16",
        **({"time": time} if time else {}),
    }
    with resuming(f"ecqg.weights.{kind}", kind, worlds, sizes, steps, seed) as checkpoint:
        if kind == "encoder":
            title, about = "A small BERT that has read the microcosm's language", encoder.__doc__
            model, tokenizer = encoder.pretrain(
                InitEncoder(
                    *("random", "", *sizes),
                    initializer_range=0.06,
                    pretraining=EncoderPretraining(*steps),
                ),
                passages,
                [item.question for item in gold],
                precision="bf16",
                seed=seed,
                checkpoint=checkpoint,
            )
        else:
            title, about = "A small BART that has learned to ask", generator.__doc__
            order = seeds.python_rng(seed, "dev").sample(gold, len(gold))
            own = GeneratorPretraining(steps=1, batch_size=batch_size, lr=lr, precision="bf16")
            trained, score = generator.pretrain(
                InitGenerator(*("random", "", *sizes), init_std=0.07, pretraining=own),
                passages,
                order[DEV:],
                order[:DEV],
                epochs=epochs,
                seed=seed,
                checkpoint=checkpoint,
            )
            model, tokenizer = trained.model, trained.tokenizer
            facts["loss"] = f"{score.loss:.3f} nats a token on {DEV:,} questions of these worlds"
        about = (about or "").partition("\n\n")[0]
        card = fill(__file__, str, kind=kind, title=title, about=about, facts=facts)
        with atomic(output) as aside:
            save_model(aside, model.half(), tokenizer)
            write_text(aside / "README.md", card)
            write_digests(aside)


def main() -> None:
    """Run a command; a wrong input is one line."""
    try:
        numerics.fix()
        app()
    except InputError as error:
        raise SystemExit(f"ecqg: {error}") from None


if __name__ == "__main__":
    main()
