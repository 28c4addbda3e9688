"""`openssl s_server` as an origin: what it staples and speaks is the test's choice."""

from __future__ import annotations

import re
from pathlib import Path

from Support import loopback
from Support.certificates import Identity
from Support.child_process import ChildProcess


class TLSServer:
    """Answers every request with a page, on a loopback port of its own."""

    def __init__(self, log: Path, identity: Identity, *options: str) -> None:
        self._process = ChildProcess(
            [
                *("openssl", "s_server", "-accept", f"{loopback.HOST}:0", "-www"),
                *("-cert", str(identity.certificate), "-key", str(identity.key), *options),
            ],
            log,
        )
        self._process.wait_until(lambda: self._port is not None)

    @property
    def _port(self) -> str | None:
        found = re.search(r"ACCEPT \S*:(\d+)", self._process.output())
        return found and found[1]

    @property
    def url(self) -> str:
        return f"https://localhost:{self._port}/"

    def stop(self) -> None:
        self._process.stop()
