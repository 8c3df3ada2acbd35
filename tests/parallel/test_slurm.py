"""docs/cluster/slurm.sh, with commands that note what they are told in the place of SLURM's."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs/cluster/slurm.sh"
COMMANDS = {
    "scontrol": 'printf "n1\\nn2\\nn3\\n"',
    # hostname answers at once; a Ray process stays until it is ended.
    "srun": """
        echo "srun $*" >> calls
        echo "$RAY_AUTH_MODE $RAY_AUTH_TOKEN" >> tokens
        case "$*" in
          *"hostname --ip-address") echo "10.0.0.1 fe80::1" ;;
          *"ray start"*) exec sleep 20 ;;
        esac
        """,
    "ecqg": """
        echo "ecqg $* at $RAY_ADDRESS" >> calls
        echo "$RAY_AUTH_MODE $RAY_AUTH_TOKEN" >> tokens
        exit "${STATUS:-0}"
        """,
}


def submit(folder: Path, nodes: int, *arguments: str, status: int = 0) -> tuple[int, list[str]]:
    """Exit status and calls of a job on that many nodes."""
    programs = folder / "programs"
    programs.mkdir()
    for name, text in COMMANDS.items():
        (programs / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        ["bash", str(SCRIPT), *arguments],
        cwd=folder,
        env={
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "SLURM_JOB_NODELIST": "n[1-3]",
            "SLURM_JOB_NUM_NODES": str(nodes),
            "ECQG_RAY_WAIT": "0.3",
            "STATUS": str(status),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, (folder / "calls").read_text().splitlines()


def test_ray_is_on_each_node_and_the_study_on_the_first(tmp_path: Path) -> None:
    status, calls = submit(tmp_path, 3)
    assert status == 0
    assert calls[0] == "srun --nodes 1 --ntasks 1 --nodelist n1 hostname --ip-address"
    head, others = (line for line in calls if "ray start" in line)
    assert "--nodelist n1" in head and "--head --node-ip-address 10.0.0.1 --port 6379" in head
    assert "--include-dashboard false" in head
    assert "--nodes 2 --ntasks 2 --exclude n1" in others and "--address 10.0.0.1:6379" in others
    assert "ecqg repro at 10.0.0.1:6379" in calls
    (first, *of_ray, of_study) = (tmp_path / "tokens").read_text().splitlines()
    assert not first.strip() and {*of_ray} == {of_study}
    assert re.fullmatch("token [0-9a-f]{64}", of_study)


def test_one_node_is_a_cluster_too_and_what_fails_fails(tmp_path: Path) -> None:
    status, calls = submit(tmp_path, 1, "ecqg", "repro", "encode@dpr-main", status=3)
    assert status == 3
    assert sum("ray start" in line for line in calls) == 1
    assert "ecqg repro encode@dpr-main at 10.0.0.1:6379" in calls
