"""The claims of claims.yaml, and the verdict on the run here by the committed seeds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.errors import InputError

if TYPE_CHECKING:
    from ecqg.report.claims import Claim
    from ecqg.report.verdict import Verdict

SEEDS = Path("docs/seeds.csv")  # those that are committed


def known_claims() -> tuple[Claim, ...]:
    """Those of claims.yaml, which may be about the study here or those of the profiles."""
    from ecqg.checking import parse_yaml
    from ecqg.params import build_params, load_params
    from ecqg.profiles import describe, whole
    from ecqg.report.claims import read_claims
    from ecqg.stages.report import study

    profiles = (build_params(parse_yaml(whole(name), name), name) for name, _ in describe())
    return read_claims([study(params) for params in (load_params(), *profiles)])


def judge(seeds: Path, *, finished: bool) -> Verdict:
    """That on the run here; it is `finished` where DVC need not be asked.

    Raises InputError where it cannot be compared with the seeds.
    """
    from ecqg.checking import read_yaml
    from ecqg.params import load_params
    from ecqg.report.results import read_results
    from ecqg.report.stale import complaints
    from ecqg.report.verdict import (
        check_parameters,
        judge_run,
        read_run,
        read_seeds,
    )
    from ecqg.stages.report import study

    params = load_params()
    names = check_parameters(read_yaml("params.yaml"), seeds)
    claims = known_claims()
    results = read_results(study(params))
    if not finished and (stale := complaints(results)):
        raise InputError(f"no finished run: {stale[0]}", remedy="run 'make repro'")
    return judge_run(read_run(results), names, read_seeds(names, seeds), claims)
