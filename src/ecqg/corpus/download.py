"""Download a file whose checksum is known: resumed, verified, whole or not there."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from pathlib import Path

from ecqg.errors import InputError
from ecqg.files import sha256
from ecqg.progress import track

BLOCK = 1 << 16
TIMEOUT = 60  # seconds without a byte


def download(url: str, checksum: str, folder: str | Path) -> Path:
    """Fetch `url` to `folder`, where it is named after its checksum, unless it lies there already.

    A transfer that broke is taken up where it ended if the server can. Nothing is read from the
    file before its SHA-256 is found to be `checksum`. Raises InputError for a host that cannot be
    reached, a file that is not there, a broken transfer and a wrong checksum.
    """
    target = Path(folder) / f"{checksum[:16]}-{url.rsplit('/', 1)[-1]}"
    if target.is_file() and sha256(target) == checksum:
        return target
    partial = target.with_name(target.name + ".part")
    partial.parent.mkdir(parents=True, exist_ok=True)
    try:
        _transfer(url, partial)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"cannot download {url} ({reason})",
            remedy="check the connection, or bring the data by hand (docs/data.md)",
        ) from None
    found = sha256(partial)
    if found != checksum:
        partial.unlink()
        raise InputError(
            f"{url} has the sha256 {found} where {checksum} is expected",
            remedy="the file was changed or damaged on the way: try again or use another mirror",
        )
    partial.replace(target)
    return target


def _transfer(url: str, partial: Path) -> None:
    """Append to `partial` what it lacks, or write it anew where the server sends everything."""
    have = partial.stat().st_size if partial.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # nothing lies beyond what we have
            return
        raise
    with response:
        resumed = getattr(response, "status", None) == 206
        length = int(response.headers.get("Content-Length") or 0)
        with partial.open("ab" if resumed else "wb") as out:
            blocks = iter(lambda: response.read(BLOCK), b"")
            total = -(-length // BLOCK) or None
            received = 0
            for block in track(blocks, f"Download {url}", total=total, unit="block"):
                out.write(block)
                received += len(block)
    if length and received < length:
        raise OSError(f"broken off after {received} of {length} bytes")
