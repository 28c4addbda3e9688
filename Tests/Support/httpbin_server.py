"""httpbin from PyPI behind waitress, a threaded WSGI server."""

from __future__ import annotations

import sys
from pathlib import Path

from Support import loopback
from Support.child_process import ChildProcess


class Httpbin:
    """Its auth, redirect, cookie, streaming and coding paths, on a port of its own."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        (self.port,) = loopback.free_ports(1)
        self.process = ChildProcess(
            [
                sys.executable,
                "-m",
                "waitress",
                f"--listen={loopback.HOST}:{self.port}",
                "--threads=16",
                "httpbin:app",
            ],
            directory / "httpbin.log",
        )
        self.process.wait_until(lambda: loopback.accepts(self.port), seconds=60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.stop()
