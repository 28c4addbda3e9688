"""nginx that asks for client certificates, and says whose it was shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from Support import loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess
from Support.client_identities import ClientAuthority

CONFIGURATION = """
{user}
daemon off; worker_processes 1; pid {run}/nginx.pid; error_log {run}/error.log warn;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_timeout 300s; default_type text/plain;
  client_body_temp_path {run}/t1; proxy_temp_path {run}/t2; fastcgi_temp_path {run}/t3;
  uwsgi_temp_path {run}/t4; scgi_temp_path {run}/t5;
  ssl_certificate {certificate}; ssl_certificate_key {key};
  {servers}
}}
"""

SERVER = """
  server {{
    listen 127.0.0.1:{port} ssl{http2} backlog=4096; ssl_protocols {version};
    ssl_client_certificate {authorities}; ssl_verify_client {verification};
    location / {{ return 200 "$ssl_client_s_dn|$ssl_protocol|$server_protocol|$connection"; }}
  }}
"""


@dataclass(frozen=True)
class Shown:
    """What the server saw of one request."""

    subject: str
    protocol: str
    http: str
    connection: str

    @classmethod
    def read(cls, body: bytes) -> Shown:
        return cls(*body.decode().split("|"))


class MutualTLS:
    """One host for each TLS version, HTTP version and strictness; all take the same authorities."""

    def __init__(self, directory: Path, authority: Authority, clients: Sequence[ClientAuthority]) -> None:
        directory.mkdir(parents=True)
        directory.chmod(0o755)
        bundle = directory / "clients.pem"
        bundle.write_text("".join(client.certificate.read_text() for client in clients))
        kinds = [
            (version, http, verification)
            for version in ("TLSv1.2", "TLSv1.3")
            for http in ("1.1", "2")
            for verification in ("on", "optional")
        ]
        self._ports = dict(zip(kinds, loopback.free_ports(len(kinds)), strict=True))
        servers = [
            SERVER.format(
                port=port,
                http2=" http2" if http == "2" else "",
                version=version,
                authorities=bundle,
                verification=verification,
            )
            for (version, http, verification), port in self._ports.items()
        ]
        identity = authority.issue("mutual")
        configuration = directory / "nginx.conf"
        configuration.write_text(
            CONFIGURATION.format(
                user="user root;" if os.geteuid() == 0 else "",
                run=directory,
                certificate=identity.certificate,
                key=identity.key,
                servers="".join(servers),
            )
        )
        self.process = ChildProcess(
            ["/usr/sbin/nginx", "-c", str(configuration), "-e", str(directory / "error.log")],
            directory / "output.log",
        )
        self.process.wait_until(lambda: loopback.accepts(max(self._ports.values())))

    def url(self, version: str = "TLSv1.3", http: str = "2", verification: str = "on") -> str:
        return f"https://localhost:{self._ports[version, http, verification]}/"

    def stop(self) -> None:
        self.process.stop()
