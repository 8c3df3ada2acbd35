"""A sample of the mutations; `python -m mutations` tries as many as one likes, of all kinds."""

from __future__ import annotations

import json
import tempfile
from collections import Counter

import pytest

from mutations.__main__ import GOOD, work
from mutations.kinds import KINDS

EACH = 8
SLOW_TO_START = ("encoder-", "pubmed", "allMeSH", "checkpoint")  # transformers, spaCy, torch


@pytest.mark.slow
def test_a_sample_is_accepted_or_refused() -> None:
    names = [name for name in KINDS if not name.startswith(SLOW_TO_START)]
    with tempfile.TemporaryFile("w+") as errors:
        code, lines = work([",".join(names), "sample", "0", str(EACH), ""], errors)
        errors.seek(0)
        assert code == 0, errors.read()
    outcomes = [found for found in map(json.loads, lines) if len(found) > 2]
    assert len(outcomes) == EACH * len(names)
    assert [found for found in outcomes if found[2] not in GOOD] == []
    # The mutations are no mere noise: readers take some files, and every one refuses some.
    counts = Counter(outcome for _, _, outcome, _ in outcomes)
    assert min(counts[outcome] for outcome in GOOD) > len(names)
    refused = {name for name, _, outcome, _ in outcomes if outcome == "refused"}
    assert refused >= set(names) - {"digests.json", "entities.txt"}
