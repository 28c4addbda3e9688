"""nghttpd: an origin that speaks HTTP/2 and nothing else."""

from __future__ import annotations

from pathlib import Path

from Support import loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess


class Nghttpd:
    """Answers a POST with its own body, over HTTP/2 only."""

    def __init__(self, directory: Path, authority: Authority) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        documents = directory / "root"
        documents.mkdir(exist_ok=True)
        (documents / "index.html").write_text("small")
        identity = authority.issue("nghttpd")
        (self.port,) = loopback.free_ports(1)
        command = ["nghttpd", "--address", loopback.HOST, "--htdocs", str(documents), "--echo-upload"]
        command += [str(self.port), str(identity.key), str(identity.certificate)]
        self.process = ChildProcess(command, directory / "output.log")
        self.process.wait_until(lambda: loopback.accepts(self.port))

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def stop(self) -> None:
        self.process.stop()
