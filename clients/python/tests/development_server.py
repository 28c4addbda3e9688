"""A server for https with a self-signed certificate, as a developer runs one."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DevelopmentServer:
    """An https server with an untrusted certificate."""

    url: str
    pin: str
    context: ssl.SSLContext
    directory: Path

    def swap(self, name: str) -> None:
        """Gets a certificate with another key, as the server of an attacker has."""
        self.context.load_cert_chain(*self_signed(self.directory, name))


def self_signed(directory: Path, name: str, use: str = "serverAuth") -> tuple[Path, Path]:
    """The files of a new certificate for localhost and its key; needs the openssl command."""
    certificate, key = directory / f"{name}.pem", directory / f"{name}.key"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
    names = ["-addext", "subjectAltName=DNS:localhost", "-addext", f"extendedKeyUsage={use}"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), f"/CN={name}", *names, *files], check=True, capture_output=True)
    return certificate, key


@contextlib.contextmanager
def serving(directory: Path) -> Iterator[DevelopmentServer]:
    """One that answers every GET."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"fine\n")

        def log_message(self, *_: object) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> tuple[ssl.SSLSocket, object]:
            connection, address = super().get_request()
            # The handshake is for the thread of the connection: it may be stopped in the middle.
            secure = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            return secure, address

        def handle_error(self, *_: object) -> None:
            pass  # a handshake that the daemon stopped

    certificate, key = self_signed(directory, "dev")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    context.options |= ssl.OP_NO_TICKET
    context.load_cert_chain(certificate, key)
    public = subprocess.run(
        ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"], check=True, capture_output=True
    ).stdout
    pin = "sha256/" + base64.b64encode(hashlib.sha256(public).digest()).decode()
    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield DevelopmentServer(f"https://localhost:{server.server_port}", pin, context, directory)
    server.shutdown()
    thread.join()
    server.server_close()
