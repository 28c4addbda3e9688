"""Apache with `mod_auth_digest`: one host whose nonces last, one whose nonces go stale at once."""

from __future__ import annotations

import hashlib
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from Support import loopback
from Support.apache_process import ApacheProcess

REALM = "vault"
LONG_LIFETIME_SECONDS = 3600
SHORT_LIFETIME_SECONDS = 1

LOG = "%{local}p|%m|%U|%>s|%u|%{Authorization}i"

CONFIGURATION = """
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


class Apache(ApacheProcess):
    """Documents in `/`, and again behind Digest (MD5, qop auth) in `/digest/`."""

    def __init__(self, directory: Path, user: str, password: str) -> None:
        self.user, self.password = user, password
        self.steady_port, self.short_port = loopback.free_ports(2)
        directory.mkdir(parents=True, exist_ok=True)
        secret = hashlib.md5(f"{user}:{REALM}:{password}".encode()).hexdigest()
        (directory / "digest.users").write_text(f"{user}:{REALM}:{secret}\n")
        super().__init__(
            directory,
            CONFIGURATION.format(
                steady=self.steady_port,
                short=self.short_port,
                digest=DIGEST.format(realm=REALM, run=directory),
                steady_lifetime=LONG_LIFETIME_SECONDS,
                short_lifetime=SHORT_LIFETIME_SECONDS,
            ),
            ports=(self.steady_port, self.short_port),
            modules=("authn_file", "auth_digest"),
            folders=("digest",),
            log=LOG,
        )

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
        for line in self.lines():
            logged, method, path, status, user, authorization = line.split("|", 5)
            if int(logged) == port:
                found.append(LoggedExchange(port, method, path, int(status), user, authorization))
        return found
