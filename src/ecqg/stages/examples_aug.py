"""AugDPR's synthetic training set: every question of every sampled passage, unfiltered."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import write_examples
from ecqg.corpus.passages import Passages
from ecqg.files import read_jsonl
from ecqg.params import Params
from ecqg.synthesis.examples import synthetic_examples


def run(params: Params) -> None:
    """Write paths.synthetic("aug"), DPR JSON without negatives, in the order of the passages."""
    passages = Passages(paths.collection() / "passages.arrow")
    records = read_jsonl(paths.generated("answer_sentence"))
    write_examples(paths.synthetic("aug"), synthetic_examples(records, passages))
