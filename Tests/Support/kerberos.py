"""A Kerberos realm of MIT krb5, and Apache with `mod_auth_gssapi` in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from Support import documents, loopback
from Support.certificates import Identity
from Support.child_process import ChildProcess

REALM = "WATCHWORD.TEST"
#: Not in the DNS: the sessions resolve it.
HOST = "web.watchword.test"

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
    return list(command) if clock is None else ["/usr/bin/faketime", "-f", clock, *command]


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


MODULES = [
    "mpm_event",
    "authn_core",
    "authz_core",
    "authz_user",
    "auth_gssapi",
    "alias",
    "ssl",
    "http2",
    "headers",
]

APACHE_CONFIGURATION = """
ServerRoot {run}
ServerName {host}
PidFile {run}/apache.pid
DefaultRuntimeDir {run}
Mutex file:{run} default
Listen 127.0.0.1:{plain}
Listen 127.0.0.1:{secure}
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
LogFormat "%p|%H|%m|%U|%>s|%u|%k|%{{remote}}p" exchange
CustomLog {run}/access.log exchange
DocumentRoot {root}
<Directory {root}>
  Require all granted
</Directory>
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


class KerberosApache:
    """Documents in `/`, behind Negotiate in `/negotiate/`, and once for each connection in `/bound/`."""

    def __init__(self, directory: Path, realm: Realm, identity: Identity, clock: str | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o755)
        documents.lay_out(directory / "root", ("negotiate", "bound"))
        keytab = realm.add_keytab(f"HTTP/{HOST}")
        self.plain_port, self.secure_port = loopback.free_ports(2)
        configuration = directory / "apache.conf"
        library = "/usr/lib/apache2/modules"
        configuration.write_text(
            APACHE_CONFIGURATION.format(
                run=directory,
                host=HOST,
                root=directory / "root",
                plain=self.plain_port,
                secure=self.secure_port,
                modules="\n".join(f"LoadModule {name}_module {library}/mod_{name}.so" for name in MODULES),
                account="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
                negotiate=NEGOTIATE.format(keytab=keytab),
                certificate=identity.certificate,
                key=identity.key,
            )
        )
        self.access_log = directory / "access.log"
        self.process = ChildProcess(
            with_clock(clock, ["/usr/sbin/apache2", "-f", str(configuration), "-D", "FOREGROUND"]),
            directory / "output.log",
            realm.environment,
        )
        self.process.wait_until(lambda: loopback.accepts(self.secure_port))

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
        return [line.split("|") for line in self.access_log.read_text().splitlines()]

    def stop(self) -> None:
        self.process.stop()
