"""A command for each stage, taken from its module: its name, its docstring and what `run` takes.

Modules are parsed, not imported: `ecqg --help` must not wait for torch.
"""

from __future__ import annotations

import ast
import atexit
import gc
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from ecqg.items import ITEMS

FOLDER = Path(__file__).with_name("stages")


@dataclass(frozen=True)
class Stage:
    """What a stage's module says of itself."""

    module: str
    summary: str
    items: dict[str, tuple[str, bool]]  # name -> kind, a key of ITEMS, and whether it is optional

    @property
    def command(self) -> str:
        """What people type."""
        return self.module.replace("_", "-")


def read_stages() -> Iterator[Stage]:
    """All stages, in the order of their names."""
    for file in sorted(FOLDER.glob("[!_]*.py")):
        yield _read(file)


def _read(file: Path) -> Stage:
    tree = ast.parse(file.read_bytes())
    (run,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "run")
    given = run.args.args
    needed = len(given) - len(run.args.defaults)
    items = {
        argument.arg: (ast.unparse(argument.annotation or ast.Name("")), place >= needed)
        for place, argument in enumerate(given)
        if place > 0  # after the parameters
    }
    return Stage(file.stem, (ast.get_docstring(tree) or "").partition("\n\n")[0], items)


def names() -> list[str]:
    """What people type for the stages."""
    return sorted(file.stem.replace("_", "-") for file in FOLDER.glob("[!_]*.py"))


def command(name: str) -> Callable[..., None]:
    """The command of one stage."""
    return _command(_read(FOLDER / f"{name.replace('-', '_')}.py"))


def find(name: str) -> Any:
    """The command of that name as Typer's groups hold one, hidden from help; None for no stage.

    Only that stage is read: a run starts a hundred, and to read all takes 20 ms each time.
    """
    if name not in names():
        return None
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(name, hidden=True)(command(name))
    return typer.main.get_command(app)


def show() -> None:
    """List the stages in the order of dvc.yaml; 'ecqg STAGE --help' says what one takes."""
    from ecqg.pipeline.steps import read_stages as read_pipeline

    stages = {stage.command: stage for stage in read_stages()}
    order = [name for name in read_pipeline(Path("dvc.yaml")) if name in stages]
    width = max(map(len, stages))
    for name in [*order, *(name for name in stages if name not in order)]:
        typer.echo(f"{name:{width}}  {stages[name].summary}")


def run_stage(stage: Stage, **items: str | None) -> None:
    """Load params.yaml and run a stage; items that are None are left to it.

    Raises InputError for what is wrong in params.yaml and for items that it does not have, before
    what is heavy is imported.
    """
    from ecqg.closure import check_recorded
    from ecqg.params import load_params
    from ecqg.processes import TOGETHER, refuse_copies, wanted_processes

    refuse_copies()

    # torch and transformers make a million objects that stay. By default Python looks through
    # them for garbage again and again, for a fifth of a short stage's time, and takes half a
    # second for it when it ends.
    gc.set_threshold(100_000, 50, 100)
    atexit.register(gc.freeze)
    params = load_params()
    named = {name: item for name, item in items.items() if item is not None}
    for name, item in named.items():
        ITEMS[stage.items[name][0]].find(item, params)
    check_recorded(stage.module)
    if stage.module in TOGETHER and (processes := wanted_processes()) > 1:
        from ecqg.training.distributed import launched
        from ecqg.training.launch import launch

        if not launched():
            raise typer.Exit(launch(processes, [stage.command, *named.values()]))
    run = importlib.import_module(f"ecqg.stages.{stage.module}").run
    run(params, **named)


def _command(stage: Stage) -> Callable[..., None]:
    """A function with the stage's items, as Typer reads its arguments off one."""

    def command(**items: str | None) -> None:
        run_stage(stage, **items)

    parameters = []
    for name, (kind, optional) in stage.items.items():
        hint = str | None if optional else str
        annotation = Annotated[hint, ITEMS[kind].argument()]  # type: ignore[valid-type]
        default = None if optional else Parameter.empty
        parameters.append(
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    command.__doc__ = stage.summary
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command
