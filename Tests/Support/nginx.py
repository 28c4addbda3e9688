"""nginx with `auth_basic`, over HTTP, over TLS with HTTP/1.1 and HTTP/2, and with client certificates."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from Support import documents, loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess

CONFIGURATION = """
{user}
daemon off; worker_processes 1; pid {run}/nginx.pid; error_log {run}/error.log warn;
events {{ worker_connections 4096; }}
http {{
  log_format exchange '$server_port|$request_method|$request_uri|$status|$remote_user|$http_authorization'
                      '|$connection|$server_protocol|$http_cookie';
  access_log {run}/access.log exchange;
  types {{ }} default_type application/octet-stream;
  {settings}
  sendfile on; keepalive_timeout 300s; keepalive_requests {requests}; client_max_body_size 64m;
  client_body_temp_path {run}/t1; proxy_temp_path {run}/t2; fastcgi_temp_path {run}/t3;
  uwsgi_temp_path {run}/t4; scgi_temp_path {run}/t5;
  ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  server {{ listen 127.0.0.1:{plain} backlog=4096; {locations} }}
  server {{ listen 127.0.0.1:{other} backlog=4096; {locations} }}
  server {{ listen 127.0.0.1:{tls} ssl backlog=4096; {locations} }}
  server {{ listen 127.0.0.1:{http2} ssl http2 backlog=4096; {locations} }}
  {mutual}
}}
"""

MUTUAL = """
  server {{
    listen 127.0.0.1:{port} ssl backlog=4096; root {root};
    ssl_client_certificate {clients}; ssl_verify_client on;
  }}
"""

LOCATIONS = """
    root {root};
    location /staff/ {{ auth_basic "staff"; auth_basic_user_file {run}/staff.users; }}
    location /archive/ {{ auth_basic "archive"; auth_basic_user_file {run}/archive.users; }}
    location /sink {{ proxy_method GET; proxy_pass http://127.0.0.1:{other}/small; }}
    location /moved {{ return 302 /staff/small; }}
    location /elsewhere {{ return 302 http://127.0.0.1:{other}/staff/small; }}
"""


@dataclass(frozen=True)
class LoggedExchange:
    """One line of the access log: what nginx says it was sent."""

    port: int
    method: str
    target: str
    status: int
    user: str
    authorization: str
    connection: str
    protocol: str
    cookie: str


class Nginx:
    """Documents in `/`, and again behind a password in `/staff/` and `/archive/` (two realms)."""

    def __init__(
        self,
        directory: Path,
        authority: Authority,
        user: str,
        password: str,
        settings: str = "",
        clients: Path | None = None,
        requests: int = 1_000_000,
    ) -> None:
        """`settings` are further lines for all of its hosts; `clients` is the authority for `mutual`.

        Each connection serves so many `requests`.
        """
        self.user, self.password = user, password
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o755)
        documents.lay_out(directory / "root", ("staff", "staff/deep", "archive"))
        self.directory = directory
        self.set_password(password)
        identity = authority.issue("nginx")
        ports = loopback.free_ports(5)
        self.plain_port, self.other_port, self.tls_port, self.http2_port, self.mutual_port = ports
        mutual = MUTUAL.format(port=self.mutual_port, clients=clients, root=directory / "root")
        locations = LOCATIONS.format(root=directory / "root", run=directory, other=self.other_port)
        configuration = directory / "nginx.conf"
        configuration.write_text(
            CONFIGURATION.format(
                user="user root;" if os.geteuid() == 0 else "",
                run=directory,
                settings=settings,
                requests=requests,
                certificate=identity.certificate,
                key=identity.key,
                plain=self.plain_port,
                other=self.other_port,
                tls=self.tls_port,
                http2=self.http2_port,
                locations=locations,
                mutual=mutual if clients else "",
            )
        )
        self.access_log = directory / "access.log"
        self.process = ChildProcess(
            ["/usr/sbin/nginx", "-c", str(configuration), "-e", str(directory / "error.log")],
            directory / "output.log",
        )
        self.process.wait_until(lambda: loopback.accepts(self.http2_port))

    @property
    def plain(self) -> str:
        return f"http://127.0.0.1:{self.plain_port}"

    @property
    def other(self) -> str:
        """The same documents and passwords on another port: another origin."""
        return f"http://127.0.0.1:{self.other_port}"

    @property
    def tls(self) -> str:
        return f"https://localhost:{self.tls_port}"

    @property
    def mutual(self) -> str:
        """The documents in `/`, for who shows a certificate of the clients' authority."""
        return f"https://localhost:{self.mutual_port}"

    @property
    def http2(self) -> str:
        return f"https://localhost:{self.http2_port}"

    def exchanges(self) -> list[LoggedExchange]:
        """Every exchange so far; nginx writes a line before it answers the next request."""
        found = []
        for line in self.access_log.read_text().splitlines():
            port, method, target, status, *rest = line.split("|")
            found.append(LoggedExchange(int(port), method, target, int(status), *rest))
        return found

    def set_password(self, password: str) -> None:
        """Of both realms; nginx reads it for each request."""
        for realm in ("staff", "archive"):
            changed = self.directory / f"{realm}.changed"
            changed.write_text(f"{self.user}:{{PLAIN}}{password}\n")
            changed.rename(self.directory / f"{realm}.users")

    def stop(self) -> None:
        self.process.stop()
