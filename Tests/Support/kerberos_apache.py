"""Apache with `mod_auth_gssapi` in a realm."""

from __future__ import annotations

from pathlib import Path

from Support import loopback
from Support.apache_process import ApacheProcess
from Support.certificates import Identity
from Support.kerberos import Realm, with_clock

#: Not in the DNS: the sessions resolve it.
HOST = "web.watchword.test"
LOG = "%p|%H|%m|%U|%>s|%u|%k|%{remote}p"

CONFIGURATION = """
<Location /negotiate>
  {negotiate}
</Location>
<Location /bound>
  {negotiate}
  GssapiConnectionBound On
</Location>
<VirtualHost 127.0.0.1:{plain}>
</VirtualHost>
<VirtualHost 127.0.0.1:{secure}>
  Protocols h2 http/1.1
  SSLEngine on
  SSLCertificateFile {certificate}
  SSLCertificateKeyFile {key}
</VirtualHost>
"""

NEGOTIATE = """AuthType GSSAPI
  AuthName "realm"
  GssapiCredStore keytab:{keytab}
  GssapiAllowedMech krb5
  Require valid-user"""


class KerberosApache(ApacheProcess):
    """Documents in `/`, behind Negotiate in `/negotiate/`, and once for each connection in `/bound/`."""

    def __init__(self, directory: Path, realm: Realm, identity: Identity, clock: str | None = None) -> None:
        self.plain_port, self.secure_port = loopback.free_ports(2)
        keytab = realm.add_keytab(f"HTTP/{HOST}")
        super().__init__(
            directory,
            CONFIGURATION.format(
                plain=self.plain_port,
                secure=self.secure_port,
                negotiate=NEGOTIATE.format(keytab=keytab),
                certificate=identity.certificate,
                key=identity.key,
            ),
            ports=(self.plain_port, self.secure_port),
            modules=("auth_gssapi", "ssl", "http2", "headers"),
            folders=("negotiate", "bound"),
            log=LOG,
            host=HOST,
            environment=realm.environment,
            wrap=lambda command: with_clock(clock, command),
        )

    @property
    def plain(self) -> str:
        return f"http://{HOST}:{self.plain_port}"

    @property
    def secure(self) -> str:
        return f"https://{HOST}:{self.secure_port}"

    @property
    def addresses(self) -> dict[str, object]:
        """A session's setting that resolves the host."""
        ports = (self.plain_port, self.secure_port)
        return {"resolve": {f"{HOST}:{port}": "127.0.0.1" for port in ports}}

    def exchanges(self) -> list[list[str]]:
        """Port, protocol, method, path, status, user, requests of the connection before, the peer's port."""
        return [line.split("|") for line in self.lines()]
