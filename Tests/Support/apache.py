"""Apache with `mod_auth_digest`: one host whose nonces last, one whose nonces go stale at once."""

from __future__ import annotations

import hashlib
import os
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from Support import documents, loopback
from Support.child_process import ChildProcess

REALM = "vault"
LONG_LIFETIME_SECONDS = 3600
SHORT_LIFETIME_SECONDS = 1

MODULES = [
    "mpm_event",
    "authn_core",
    "authn_file",
    "authz_core",
    "authz_user",
    "auth_digest",
    "alias",
]

CONFIGURATION = """
ServerRoot {run}
ServerName localhost
PidFile {run}/apache.pid
DefaultRuntimeDir {run}
Mutex file:{run} default
Listen 127.0.0.1:{steady}
Listen 127.0.0.1:{short}
{modules}
{account}
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 300
LogLevel warn
ErrorLog {run}/error.log
LogFormat "%{{local}}p|%m|%U|%>s|%u|%{{Authorization}}i" exchange
CustomLog {run}/access.log exchange
DocumentRoot {root}
<Directory {root}>
  Require all granted
</Directory>
<VirtualHost 127.0.0.1:{steady}>
  <Location /digest>
    {digest}
    AuthDigestNonceLifetime {steady_lifetime}
  </Location>
</VirtualHost>
<VirtualHost 127.0.0.1:{short}>
  <Location /digest>
    {digest}
    AuthDigestNonceLifetime {short_lifetime}
  </Location>
</VirtualHost>
"""

DIGEST = """AuthType Digest
    AuthName "{realm}"
    AuthDigestProvider file
    AuthUserFile {run}/digest.users
    AuthDigestQop auth
    Require valid-user"""


@dataclass(frozen=True)
class LoggedExchange:
    """One line of the access log."""

    port: int
    method: str
    path: str
    status: int
    user: str
    authorization: str


class Apache:
    """Documents in `/`, and again behind Digest (MD5, qop auth) in `/digest/`."""

    def __init__(self, directory: Path, user: str, password: str) -> None:
        self.user, self.password = user, password
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o755)
        documents.lay_out(directory / "root", ("digest",))
        secret = hashlib.md5(f"{user}:{REALM}:{password}".encode()).hexdigest()
        (directory / "digest.users").write_text(f"{user}:{REALM}:{secret}\n")
        self.steady_port, self.short_port = loopback.free_ports(2)
        configuration = directory / "apache.conf"
        library = "/usr/lib/apache2/modules"
        configuration.write_text(
            CONFIGURATION.format(
                run=directory,
                root=directory / "root",
                steady=self.steady_port,
                short=self.short_port,
                modules="\n".join(f"LoadModule {name}_module {library}/mod_{name}.so" for name in MODULES),
                account="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
                digest=DIGEST.format(realm=REALM, run=directory),
                steady_lifetime=LONG_LIFETIME_SECONDS,
                short_lifetime=SHORT_LIFETIME_SECONDS,
            )
        )
        self.access_log = directory / "access.log"
        self.process = ChildProcess(
            ["/usr/sbin/apache2", "-f", str(configuration), "-D", "FOREGROUND"], directory / "output.log"
        )
        self.process.wait_until(lambda: loopback.accepts(self.short_port))

    @property
    def steady(self) -> str:
        return f"http://127.0.0.1:{self.steady_port}"

    @property
    def short(self) -> str:
        """The host whose nonces go stale after a second."""
        return f"http://127.0.0.1:{self.short_port}"

    def outlive_a_nonce(self) -> None:
        """Waits until the server calls a nonce stale that it gives out now."""
        path = "/digest/outlived"
        given = self._challenge(path, None)
        self.process.wait_until(lambda: "stale=true" in self._challenge(path, given))

    def _challenge(self, path: str, answered: str | None) -> str:
        """What a request is challenged with that answers a challenge, or none; empty when it is let in."""
        headers = {}
        if answered is not None:
            nonce = re.findall('nonce="([^"]*)"', answered)[0]
            first = hashlib.md5(f"{self.user}:{REALM}:{self.password}".encode()).hexdigest()
            second = hashlib.md5(f"GET:{path}".encode()).hexdigest()
            response = hashlib.md5(f"{first}:{nonce}:00000001:c:auth:{second}".encode()).hexdigest()
            headers["Authorization"] = (
                f'Digest username="{self.user}", realm="{REALM}", nonce="{nonce}", uri="{path}",'
                f' algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="{response}"'
            )
        try:
            urllib.request.urlopen(urllib.request.Request(self.short + path, headers=headers)).close()
        except urllib.error.HTTPError as error:
            with error:
                return error.headers.get("WWW-Authenticate", "")
        return ""

    def exchanges(self, port: int) -> list[LoggedExchange]:
        found = []
        for line in self.access_log.read_text().splitlines():
            logged, method, path, status, user, authorization = line.split("|", 5)
            if int(logged) == port:
                found.append(LoggedExchange(port, method, path, int(status), user, authorization))
        return found

    def stop(self) -> None:
        self.process.stop()
