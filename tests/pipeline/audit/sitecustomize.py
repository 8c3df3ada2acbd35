"""Records what a DVC stage opens of the repository, and imports (imported by Python at start-up).

Active only where ECQG_AUDIT_LOG names a log and, at the time, DVC_STAGE a stage. Libraries that
open files in native code (Arrow memory maps, Lucene, safetensors) do not raise the audited event.
"""

import os
import sys

_log = os.environ.get("ECQG_AUDIT_LOG")
if _log:
    _sink = os.open(_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def _record(event, arguments):  # type: ignore[no-untyped-def]
        stage = os.environ.get("DVC_STAGE")  # set later where a process forks into a stage
        if stage and event == "import" and arguments[0].startswith("ecqg."):
            os.write(_sink, f"{stage}\ti\t{arguments[0]}\n".encode())
        if not stage or event != "open" or not isinstance(arguments[0], str | bytes):
            return
        path, root = os.path.abspath(os.fsdecode(arguments[0])), os.getcwd() + os.sep
        if path.startswith(root):
            flags = arguments[2] if isinstance(arguments[2], int) else 0
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            # shutil.rmtree opens folders by names that are relative to other ones.
            if not (writes or os.path.isfile(path)):
                return
            line = f"{stage}\t{'w' if writes else 'r'}\t{path[len(root) :]}\n"
            os.write(_sink, line.encode())

    sys.addaudithook(_record)
