"""Several processes that train together, started by torch's elastic launcher.

All of it stays on this machine: processes find each other through a file, and what they send each
other goes through the loopback.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ecqg.training.distributed import STORE

LOOPBACK = {
    "GLOO_SOCKET_IFNAME": "lo",
    "NCCL_SOCKET_IFNAME": "lo",
    # The launcher would else listen for its processes on every address of the machine.
    "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1",
}


def launch(processes: int, arguments: Sequence[str]) -> int:
    """Run `ecqg ARGUMENTS` in that many processes at once; 0, or 1 where one failed.

    The others are ended then. Each says itself what it has to say.
    """
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    with TemporaryDirectory(prefix="ecqg-") as folder:
        os.environ.update({**LOOPBACK, STORE: str(Path(folder) / "store")})
        config = LaunchConfig(
            min_nodes=1,
            max_nodes=1,
            nproc_per_node=processes,
            run_id=uuid.uuid4().hex,
            rdzv_backend="c10d",
            rdzv_endpoint=str(Path(folder) / "meeting"),
            rdzv_configs={"store_type": "file"},
            local_addr="localhost",
            logs_specs=DefaultLogsSpecs(log_dir=folder),  # else in a folder that stays
            max_restarts=0,
            monitor_interval=0.1,
        )
        with suppress(ChildFailedError):
            elastic_launch(config, sys.executable)("-m", "ecqg", *arguments)
            return 0
        return 1
