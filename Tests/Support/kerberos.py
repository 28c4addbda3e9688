"""A Kerberos realm of MIT krb5."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from Support import loopback
from Support.child_process import ChildProcess

REALM = "WATCHWORD.TEST"

CONFIGURATION = """
[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  rdns = false
  {options}
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
  SILENT.TEST = {{
    kdc = 127.0.0.1:{silent}
  }}
[domain_realm]
  .watchword.test = {realm}
"""

KDC_CONFIGURATION = """
[kdcdefaults]
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {run}/principal
    key_stash_file = {run}/stash
    max_life = 10h
  }}
"""


def with_clock(clock: str | None, command: Sequence[str]) -> list[str]:
    """The command with a clock of its own, such as `+1d`."""
    if clock is None:
        return list(command)
    # The program `faketime` would stay in between, and leave the server running when it is ended.
    return ["/usr/bin/env", "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1", f"FAKETIME={clock}", *command]


class Realm:
    """The realm's server, its principals and their tickets, in a folder of its own.

    `clock` is the server's; `options` are lines of `[libdefaults]`.
    """

    def __init__(self, directory: Path, clock: str | None = None, options: str = "") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o755)
        self.directory = directory
        self.port, self.silent_port = loopback.free_ports(2)
        (directory / "krb5.conf").write_text(
            CONFIGURATION.format(realm=REALM, port=self.port, silent=self.silent_port, options=options)
        )
        (directory / "kdc.conf").write_text(
            KDC_CONFIGURATION.format(realm=REALM, port=self.port, run=directory)
        )
        #: What every process of the realm has in its environment.
        self.environment = {
            "KRB5_CONFIG": str(directory / "krb5.conf"),
            "KRB5_KDC_PROFILE": str(directory / "kdc.conf"),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        }
        self.clock = clock
        self._run(["kdb5_util", "create", "-s", "-r", REALM, "-P", "master"])
        self.process = self.start()

    def start(self) -> ChildProcess:
        command = with_clock(self.clock, ["/usr/sbin/krb5kdc", "-n"])
        self.process = ChildProcess(command, self.directory / "kdc.log", self.environment)
        self.process.wait_until(lambda: loopback.accepts(self.port))
        return self.process

    def stop(self) -> None:
        self.process.stop()

    def administer(self, query: str) -> str:
        return self._run(["kadmin.local", "-r", REALM, "-q", query])

    def add_user(self, name: str, password: str) -> None:
        self.administer(f"addprinc +requires_preauth -pw {password} {name}")

    def add_keytab(self, principal: str) -> Path:
        """A new principal with random keys, and the file that holds them."""
        path = self.directory / (principal.replace("/", "_") + ".keytab")
        self.administer(f"addprinc -randkey {principal}")
        self.administer(f"ktadd -k {path} {principal}")
        path.chmod(0o644)
        return path

    def kinit(self, name: str, password: str, cache: Path, options: Sequence[str] = ()) -> None:
        self._run(["kinit", "-c", str(cache), *options, name], password + "\n")

    def wait_until_expired(self, cache: Path) -> None:
        """Waits for the end of the tickets in a cache."""
        command = ["klist", "-s", "-c", str(cache)]
        self.process.wait_until(lambda: subprocess.run(command, env=self.environment).returncode != 0)

    def _run(self, command: Sequence[str], text: str = "") -> str:
        done = subprocess.run(
            command, env=self.environment, input=text, text=True, capture_output=True, timeout=60
        )
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stderr}")
        return done.stdout
