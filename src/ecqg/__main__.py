"""The console command `ecqg`, also `python -m ecqg`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


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
    # Not imported for its name alone: an older checkout has no module of that kind.
    if address := os.environ.pop("ECQG_PRELOADED", ""):
        from ecqg.pipeline.handover import hand_over

        status = hand_over(address, sys.argv[1:])
        if status is not None:
            sys.exit(status)
    from ecqg.cli import app

    app()


if __name__ == "__main__":
    main()
