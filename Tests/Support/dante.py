"""Dante as a SOCKS proxy, open or with a user and a password that the system does not know (nss_wrapper)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from Support import loopback
from Support.child_process import ChildProcess

CONFIGURATION = """
logoutput: {run}/dante.log
internal: 127.0.0.1 port = {port}
external: lo
socksmethod: {method}
clientmethod: none
user.privileged: {account}
user.unprivileged: {account}
client pass {{
  from: 127.0.0.0/8 to: 0.0.0.0/0
}}
socks pass {{
  from: 127.0.0.0/8 to: 0.0.0.0/0
  log: connect error
}}
"""


class Dante:
    """SOCKS4, SOCKS4a and SOCKS5; with a `password` SOCKS5 for this user only."""

    def __init__(self, directory: Path, user: str, password: str | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        (self.port,) = loopback.free_ports(1)
        account = "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody")
        hashed = subprocess.run(
            ["openssl", "passwd", "-6", "-stdin"],
            input=password or "",
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        accounts = f"{account}:x:{os.geteuid()}:{os.getegid()}::/:/bin/false\n"
        (directory / "passwd").write_text(f"{accounts}{user}:{hashed}:64000:64000::/:/bin/false\n")
        (directory / "group").write_text(f"{account}:x:{os.getegid()}:\n{user}:x:64000:\n")
        (directory / "shadow").write_text(f"{user}:{hashed}:19000:0:99999:7:::\n")
        configuration = directory / "danted.conf"
        configuration.write_text(
            CONFIGURATION.format(
                run=directory, port=self.port, method="username" if password else "none", account=account
            )
        )
        self.log = directory / "dante.log"
        environment = {
            **os.environ,
            "LD_PRELOAD": "libnss_wrapper.so",
            "NSS_WRAPPER_PASSWD": str(directory / "passwd"),
            "NSS_WRAPPER_GROUP": str(directory / "group"),
            "NSS_WRAPPER_SHADOW": str(directory / "shadow"),
        }
        self.process = ChildProcess(
            ["/usr/sbin/danted", "-f", str(configuration), "-p", str(directory / "danted.pid")],
            directory / "output.log",
            environment,
        )
        self.process.wait_until(lambda: loopback.accepts(self.port))

    def url(self, scheme: str = "socks5h") -> str:
        return f"{scheme}://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.stop()
