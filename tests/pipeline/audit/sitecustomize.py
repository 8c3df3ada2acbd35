"""Records which files of the repository a DVC stage opens (imported by Python at start-up).

Active only where ECQG_AUDIT_LOG names a log and DVC_STAGE a stage. Libraries that open files in
native code (Arrow memory maps, Lucene, safetensors) do not raise the audited event.
"""

import os
import sys

_log = os.environ.get("ECQG_AUDIT_LOG")
_stage = os.environ.get("DVC_STAGE")
if _log and _stage:
    _sink = os.open(_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    _root = os.getcwd() + os.sep

    def _record(event, arguments):  # type: ignore[no-untyped-def]
        if event != "open" or not isinstance(arguments[0], str | bytes):
            return
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if path.startswith(_root):
            flags = arguments[2] if isinstance(arguments[2], int) else 0
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            # shutil.rmtree opens folders by names that are relative to other ones.
            if not (writes or os.path.isfile(path)):
                return
            line = f"{_stage}\t{'w' if writes else 'r'}\t{path[len(_root) :]}\n"
            os.write(_sink, line.encode())

    sys.addaudithook(_record)
