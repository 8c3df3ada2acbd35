"""Generate or download raw data; nothing where folders are given."""

from __future__ import annotations

from ecqg import paths
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.resume import resumable


def run(params: Params) -> None:
    """Write paths.RAW: the data folders of the source, or nothing."""
    with atomic(paths.RAW) as raw:
        raw.mkdir()
        if params.source == "microcosm":
            from ecqg.microcosm import write_all
            from ecqg.microcosm.families import files

            settings = (params.microcosm, params.seed)
            families = files(params.microcosm.families)
            with resumable(__name__, "acquire", families, *settings) as resume_dir:
                write_all(raw, *settings, resume_dir)
        elif params.source == "squad":
            from ecqg.corpus.squad import download_squad

            (raw / "squad").mkdir()
            download_squad(raw / "squad", paths.DOWNLOADS)
