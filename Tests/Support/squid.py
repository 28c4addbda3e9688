"""squid as a proxy: HTTP and HTTPS on two ports, open or behind Basic, Digest or Negotiate."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from Support import loopback
from Support.certificates import Identity
from Support.child_process import ChildProcess

REALM = "proxy"

CONFIGURATION = """
http_port 127.0.0.1:{plain}
{tls}
{account}
pid_filename none
coredump_dir {run}
visible_hostname localhost
hosts_file {run}/hosts
cache deny all
shutdown_lifetime 0 seconds
client_persistent_connections on
logformat exchange %rm|%ru|%>Hs|%[un|%{{Proxy-Authorization}}>h|%{{Authorization}}>h
access_log stdio:{run}/access.log logformat=exchange
cache_log {run}/cache.log
{authentication}
http_access allow {who}
http_access deny all
"""

BASIC = """
auth_param basic program /usr/lib/squid/basic_ncsa_auth {run}/basic.users
auth_param basic realm {realm}
"""

DIGEST = """
auth_param digest program /usr/lib/squid/digest_file_auth -c {run}/digest.users
auth_param digest realm {realm}
auth_param digest nonce_max_count 10000
"""

NEGOTIATE = """
auth_param negotiate program /usr/lib/squid/negotiate_kerberos_auth -k {keytab} -s HTTP/{host}
auth_param negotiate children 8 startup=1
auth_param negotiate keep_alive on
"""

#: The name of the proxy in a Kerberos realm; not in the DNS.
HOST = "proxy.watchword.test"


@dataclass(frozen=True)
class LoggedExchange:
    """One line of the access log: what squid says it was sent."""

    method: str
    target: str
    status: int
    user: str
    proxy_authorization: str
    authorization: str


class Squid:
    """Lets every client through, or those that answer `methods`; `https` only with an `identity`."""

    def __init__(
        self,
        directory: Path,
        user: str,
        password: str,
        methods: tuple[str, ...] = (),
        identity: Identity | None = None,
        clients: Path | None = None,
        keytab: Path | None = None,
        environment: dict[str, str] | None = None,
        hosts: tuple[str, ...] = (),
    ) -> None:
        """`clients` is the authority whose certificates the HTTPS port demands, `keytab` for `negotiate`;
        `hosts` are on this one."""
        directory.mkdir(parents=True, exist_ok=True)
        self.plain_port, self.tls_port = loopback.free_ports(2)
        hashed = subprocess.run(
            ["openssl", "passwd", "-apr1", "-stdin"],
            input=password,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        (directory / "basic.users").write_text(f"{user}:{hashed}\n")
        secret = hashlib.md5(f"{user}:{REALM}:{password}".encode()).hexdigest()
        (directory / "digest.users").write_text(f"{user}:{REALM}:{secret}\n")
        parts = {"basic": BASIC, "digest": DIGEST, "negotiate": NEGOTIATE}
        authentication = "".join(
            parts[method].format(run=directory, realm=REALM, keytab=keytab, host=HOST) for method in methods
        )
        if methods:
            authentication += "acl known proxy_auth REQUIRED\n"
        tls = ""
        if identity:
            tls = (
                f"https_port 127.0.0.1:{self.tls_port} tls-cert={identity.certificate} tls-key={identity.key}"
            )
            tls += f" clientca={clients} sslcontext=watchword" if clients else ""
        # Of two addresses squid knows the last one only, and the tests' origins listen on this one.
        (directory / "hosts").write_text(" ".join(["127.0.0.1", "localhost", *hosts]) + "\n")
        configuration = directory / "squid.conf"
        configuration.write_text(
            CONFIGURATION.format(
                plain=self.plain_port,
                tls=tls,
                account="cache_effective_user proxy" if os.geteuid() == 0 else "",
                run=directory,
                authentication=authentication,
                who="known" if methods else "all",
            )
        )
        # squid gives its rights away before it opens its files.
        directory.chmod(0o777)
        for file in directory.iterdir():
            file.chmod(0o644)
        self.access_log = directory / "access.log"
        self._command = ["/usr/sbin/squid", "-N", "-f", str(configuration)]
        self._output = directory / "output.log"
        self._environment = environment
        self.process = self.start()

    def start(self) -> ChildProcess:
        """Starts it on the same ports, after `kill` again."""
        self.process = ChildProcess(self._command, self._output, self._environment)
        self.process.wait_until(lambda: loopback.accepts(self.plain_port))
        return self.process

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.plain_port}"

    @property
    def named_url(self) -> str:
        """With the name that its keys in the realm have."""
        return f"http://{HOST}:{self.plain_port}"

    @property
    def addresses(self) -> dict[str, object]:
        """A session's setting that resolves this name."""
        return {"resolve": {f"{HOST}:{port}": "127.0.0.1" for port in (self.plain_port, self.tls_port)}}

    @property
    def https(self) -> str:
        return f"https://localhost:{self.tls_port}"

    def url_of(self, user: str, password: str) -> str:
        return f"http://{user}:{password}@127.0.0.1:{self.plain_port}"

    def exchanges(self) -> list[LoggedExchange]:
        """Every exchange so far that has ended; a tunnel is one that lasts as long as its connection."""
        if not self.access_log.exists():
            return []
        found = []
        for line in self.access_log.read_text().splitlines():
            method, target, status, user, proxy, origin = line.split("|", 5)
            if not target.startswith("error:"):
                found.append(LoggedExchange(method, target, int(status), user, proxy, origin))
        return found

    def kill(self) -> None:
        self.process.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.stop()
