from __future__ import annotations

from ecqg.training.losslog import LossLog


def test_means_over_spans_of_steps(tmp_path):
    log = LossLog(every=2)
    for step, loss in enumerate([4.0, 2.0, 1.0], 1):
        log.add("train", step, loss)
    log.add("dev", 3, 0.5)
    log.write(tmp_path / "loss.csv")
    assert (tmp_path / "loss.csv").read_text().splitlines() == [
        "run,step,loss",
        "dev,4,0.500000",
        "train,2,3.000000",
        "train,4,1.000000",
    ]
