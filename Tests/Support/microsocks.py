"""MicroSocks as a SOCKS5 proxy, open or with a user and a password."""

from __future__ import annotations

from pathlib import Path

from Support import loopback
from Support.child_process import ChildProcess


class MicroSocks:
    """SOCKS5; with a `password` for this user only."""

    def __init__(self, directory: Path, user: str, password: str | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        (self.port,) = loopback.free_ports(1)
        # It connects to the first address of a name that the address it binds can reach.
        command = ["microsocks", "-i", loopback.HOST, "-p", str(self.port), "-b", loopback.HOST]
        if password:
            command += ["-u", user, "-P", password]
        self.process = ChildProcess(command, directory / "output.log")
        self.process.wait_until(lambda: loopback.accepts(self.port))

    def url(self, scheme: str = "socks5h") -> str:
        return f"{scheme}://{loopback.HOST}:{self.port}"

    def stop(self) -> None:
        self.process.stop()
