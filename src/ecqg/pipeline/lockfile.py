"""dvc.lock, written for several stages at a time.

DVC reads and writes the whole file anew for each stage that ends. With 136 stages that takes
1.4 s, longer than most of them work. Here it is written when the stages that it lacks have worked
for a minute, and at the end. A process that is killed before it has written loses no stage
that depends on anything: DVC keeps what it made in its run cache as well, and takes it from there
instead of running it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ecqg.files import write_text
from ecqg.pipeline.worker import Outcome

UNWRITTEN = 60.0  # seconds of work


class LockFiles:
    """What to write of stages that ended; their files are beside those that define them."""

    def __init__(self, repo: Any, stages: Mapping[str, Any]) -> None:
        """`repo` is an open dvc.repo.Repo, `stages` its stages by their addresses."""
        self._repo = repo
        self._stages = stages
        self._entries: dict[Path, dict[str, Any]] = defaultdict(dict)
        self._seconds = 0.0

    def __enter__(self) -> LockFiles:
        return self

    def __exit__(self, *exception: object) -> None:
        self.write()

    def add(self, outcome: Outcome) -> None:
        """Note a stage that ended."""
        if outcome.entry:
            path = Path(self._stages[outcome.name].path).with_suffix(".lock")
            self._entries[path].update(outcome.entry)
            self._seconds += outcome.seconds

    def write_if_due(self) -> None:
        """Write if much is noted."""
        if self._seconds >= UNWRITTEN:
            self.write()

    def write(self) -> None:
        """Write what is noted, in the form in which DVC writes it."""
        from dvc.utils.serialize import dumps_yaml, parse_yaml_for_update

        if not self._entries:
            return
        with self._repo.lock:
            for path, entries in self._entries.items():
                text = path.read_text(encoding="utf-8") if path.exists() else ""
                tree = parse_yaml_for_update(text, path)
                tree.setdefault("schema", "2.0")
                tree.setdefault("stages", {}).update(entries)
                write_text(path, dumps_yaml(tree))
        self._entries.clear()
        self._seconds = 0.0
