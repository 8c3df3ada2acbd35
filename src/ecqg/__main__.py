"""The console command `ecqg`, also `python -m ecqg`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the command line with the sources of the checkout that one stands in.

    `dvc exp run --queue` and `--temp` run stages in a copy of the repository, whose code may be
    another than that of the editable installation; results must come from the copy's code.
    """
    here = Path(__file__).resolve().parent
    local = Path("src").resolve()
    if (local / "ecqg" / "cli.py").is_file() and local != here.parent:
        sys.path.insert(0, str(local))
        for name in [n for n in sys.modules if n == "ecqg" or n.startswith("ecqg.")]:
            del sys.modules[name]
    # An older checkout may have one without the other, or neither.
    with suppress(ModuleNotFoundError):
        _fix_numerics()
    with suppress(ModuleNotFoundError):
        from ecqg.signals import end_on_signals

        end_on_signals()
    sys.unraisablehook = _unraisable
    if any("@" in argument for argument in sys.argv[1:]):
        from ecqg.items import fill_in

        sys.argv[1:] = fill_in(sys.argv[1:], os.environ)
    from ecqg.cli import app

    app()


def _unraisable(found: Any) -> None:
    """Say nothing of an interrupt where Python cannot raise it: ecqg.signals ends the process."""
    if not isinstance(found.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(found)


def _fix_numerics() -> None:
    """Have libraries compute as ecqg.numerics says; those that are loaded must be loaded anew."""
    from ecqg.errors import InputError
    from ecqg.numerics import fix

    try:
        if not fix():
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except InputError as error:
        print(f"ecqg: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
