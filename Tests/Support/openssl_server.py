"""`openssl s_server`, which ends a handshake where others answer with a page."""

from __future__ import annotations

from pathlib import Path

from Support import loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess


class OpenSSLServer:
    """Insists on a client certificate of one authority: by an alert, on TLS 1.3 behind the handshake."""

    def __init__(self, directory: Path, authority: Authority, clients: Path, version: str) -> None:
        directory.mkdir(parents=True)
        self.version = version
        (self.port,) = loopback.free_ports(1)
        identity = authority.issue("insisting")
        self.process = ChildProcess(
            [
                *("openssl", "s_server", "-accept", f"127.0.0.1:{self.port}", "-www", "-quiet"),
                *(f"-{version}", "-cert", str(identity.certificate), "-key", str(identity.key)),
                *("-CAfile", str(clients), "-Verify", "1", "-verify_return_error"),
            ],
            directory / "output.log",
        )
        self.process.wait_until(lambda: loopback.accepts(self.port))

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/"

    def stop(self) -> None:
        self.process.stop()
