"""ECQG_PROCESSES: training by several processes is training by one."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

import psutil
import pytest
import torch
from safetensors.torch import load_file

from ecqg import paths
from ecqg.processes import refuse_copies
from ecqg.tables import read_values
from small_training import TOGETHER, WITHOUT_EFFECT, python, write_training

COUNTS = (1, 2, 4)
LISTENING, SCRATCH = "listening", "scratch"


def ecqg(folder, *arguments, **variables):
    return python("-m", "ecqg", *arguments, cwd=folder, **variables)


@contextmanager
def listening(file: Path) -> Iterator[None]:
    """Write the addresses at which processes below this one listen meanwhile."""
    found: set[str] = set()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.3):
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    sockets = process.net_connections()
                    found.update(s.laddr.ip for s in sockets if s.status == psutil.CONN_LISTEN)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    file.write_text("\n".join(found))


@pytest.fixture(scope="module")
def trained(tmp_path_factory, tokenizer):
    """Folders by number of processes: steps of four micro-batches of two, and one of a single.

    One and two processes are those of ECQG_PROCESSES; four are forks, which are ready sooner.
    """
    folders = {}
    for count in COUNTS:
        folder = folders[count] = tmp_path_factory.mktemp(f"processes{count}")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            write_training(tokenizer, 0.1, batch_size=8, accumulation=4)
        if count < 4:
            (folder / SCRATCH).mkdir()
            scratch = str(folder / SCRATCH)
            with listening(folder / LISTENING):
                done = ecqg(folder, "finetune", "dpr", ECQG_PROCESSES=str(count), TMPDIR=scratch)
        else:
            done = python(TOGETHER, "--fork", json.dumps([{"folders": [str(folder)] * count}]))
            assert json.loads(done.stdout)[0], done.stderr
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("train, 3 epochs: 100%") == 1
    return folders


def weights(folder):
    parts = sorted((folder / paths.retriever("dpr")).rglob("model.safetensors"))
    return {f"{p.parent.name}.{k}": v for p in parts for k, v in load_file(p).items()}


def curve(folder):
    lines = (folder / paths.loss_curve("finetune-dpr")).read_text().splitlines()[1:]
    return [float(cell) for line in lines for cell in line.split(",")[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS[1:])
def test_weights_and_losses_are_those_of_one_process(trained, count):
    """Dropout masks too: whole micro-batches are dealt out."""
    one, several = weights(trained[1]), weights(trained[count])
    start = load_file(trained[1] / paths.start() / "model.safetensors")
    assert one.keys() == several.keys() and len(one) == 2 * len(start)
    for name, want in one.items():
        if name.endswith(WITHOUT_EFFECT):
            continue
        torch.testing.assert_close(several[name], want, atol=1e-6, rtol=0, msg=name)
    assert curve(trained[count]) == pytest.approx(curve(trained[1]), abs=1e-6)
    scores = [read_values(trained[n] / paths.training_metrics("finetune-dpr")) for n in (1, count)]
    assert scores[0]["dev_loss"] == pytest.approx(scores[1]["dev_loss"], abs=1e-6)
    moved = one["question_encoder.embeddings.LayerNorm.weight"]
    assert (moved - start["embeddings.LayerNorm.weight"]).abs().max() > 1e-3


@pytest.mark.slow
def test_what_one_process_says_is_said_once_and_nothing_is_written(trained, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        (tmp_path / "params.yaml").write_bytes((trained[1] / "params.yaml").read_bytes())
    done = ecqg(tmp_path, "finetune", "dpr", ECQG_PROCESSES="2")
    assert done.returncode == 1
    assert "ecqg: " in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / paths.retriever("dpr")).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sockets of other processes")
def test_processes_listen_on_the_loopback_alone(trained):
    addresses = (trained[2] / LISTENING).read_text().split()
    assert addresses
    assert all(ip_address(ip.removeprefix("::ffff:")).is_loopback for ip in addresses)


@pytest.mark.slow
def test_no_temporary_file_stays(trained):
    assert not [*(trained[2] / SCRATCH).iterdir()]


@pytest.mark.slow
@pytest.mark.parametrize("count", ["0", "x", "-1"])
def test_a_number_of_processes_that_is_none_is_refused(trained, count):
    done = ecqg(trained[1], "finetune", "dpr", ECQG_PROCESSES=count)
    wrong = f"ecqg: ECQG_PROCESSES={count}; set it to a whole number from 1 on"
    assert done.stderr.splitlines()[-1] == wrong


@pytest.mark.parametrize(
    ("variable", "starter"), [("SLURM_STEP_NUM_TASKS", "srun"), ("OMPI_COMM_WORLD_SIZE", "mpirun")]
)
def test_copies_are_refused(tmp_path: Path, variable: str, starter: str) -> None:
    for command in (["finetune", "dpr"], ["repro"]):
        done = ecqg(tmp_path, *command, **{variable: "8"})
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"ecqg: {starter} started 8 copies of this command")


def test_one_task_and_processes_of_torchrun_are_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "1")
    refuse_copies()
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "8")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "x")
    refuse_copies()
