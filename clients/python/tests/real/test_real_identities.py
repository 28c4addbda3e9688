"""A client certificate, the built daemon, and a server of the standard library that asks for one."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import watchword
from watchword import Answer, AsyncClient, Challenge, Client, Identity


def openssl(directory: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True)


class Asking(BaseHTTPRequestHandler):
    """Says whose certificate it was shown."""

    def do_GET(self) -> None:
        shown = self.connection.getpeercert()
        body = (dict(part[0] for part in shown["subject"])["commonName"] if shown else "nobody").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """A server's self-signed certificate, and a client's that is its own authority; its key is encrypted."""
    for name, purpose in (("server", "serverAuth"), ("alice", "clientAuth")):
        openssl(
            tmp_path,
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
            *(
                "-subj",
                f"/CN={name}",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-addext",
                f"extendedKeyUsage={purpose}",
            ),
            *("-keyout", f"{name}.key", "-out", f"{name}.pem"),
        )
    openssl(tmp_path, "pkcs8", "-topk8", "-in", "alice.key", "-passout", "pass:open", "-out", "alice.locked")
    return tmp_path


@pytest.fixture
def url(certificates: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.pem", certificates / "server.key")
    context.load_verify_locations(certificates / "alice.pem")
    context.verify_mode = ssl.CERT_OPTIONAL
    server = ThreadingHTTPServer(("127.0.0.1", 0), Asking)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def roots(certificates: Path) -> watchword.SessionConfiguration:
    return {"tls": {"roots": {"certificates": (certificates / "server.pem").read_text()}}}


def test_a_certificate_is_presented_and_its_passphrase_needed(daemon: str, url: str, certificates: Path) -> None:
    pem, key = (certificates / "alice.pem").read_text(), (certificates / "alice.locked").read_text()
    with Client(daemon) as client:
        session = client.session(None, roots(certificates))
        assert session.fetch(url).text == "nobody"
        with pytest.raises(watchword.CredentialUnusable) as caught:
            session.add_identity(Identity.from_pem(pem, key))
        assert caught.value.reason == "passphraseNeeded"
        added = session.add_identity(Identity.from_pem(pem, key, "open"))
        assert session.fetch(url).text == "alice"
        (stored,) = session.list_identities()
        assert (stored.id, stored.subject, stored.uses) == (added, "CN=alice", 1)
        explained = session.explain(url)["clientCertificate"]
        assert (explained["decisions"], explained["candidates"]) == ([], [added])
        assert session.remove_identity(stored) == 1
        assert session.fetch(url).text == "nobody"
        session.add_identity(Identity.from_pem(pem, key, "open"), limits=watchword.Limits(maximum_uses=1))
        assert [session.fetch(url).text for _ in range(2)] == ["alice", "nobody"]
        assert session.list_identities() == []


def test_a_permanent_one_serves_every_session(daemon: str, url: str, certificates: Path) -> None:
    identity = Identity.from_pem((certificates / "alice.pem").read_bytes(), (certificates / "alice.key").read_bytes())
    with Client(daemon) as client, Client(daemon) as other:
        added = client.session().add_identity(identity, persistence=watchword.Persistence.PERMANENT)
        session = other.session(None, roots(certificates))
        assert session.fetch(url).text == "alice"
        (stored,) = session.list_identities()
        assert (stored.id, stored.persistence, stored.uses) == (added, "permanent", 1)
        assert client.check_vault()["identities"] == 1
        assert session.remove_identity(stored) == 1
        assert session.fetch(url).text == "nobody"


def test_a_handler_chooses_one(daemon: str, url: str, certificates: Path) -> None:
    identity = Identity.from_pem((certificates / "alice.pem").read_bytes(), (certificates / "alice.key").read_bytes())

    async def handler(question: Challenge) -> Answer:
        assert question.protection_space.distinguished_names == []  # any: Python names none
        assert question.identities == []
        return watchword.use_identity(identity)

    async def main() -> None:
        async with AsyncClient(daemon) as client:
            session = await client.session(None, roots(certificates), on_challenge=handler)
            assert (await session.fetch(url)).text == "alice"
            (stored,) = await session.list_identities()
            assert stored.origin == url[:-1]
            assert await session.remove_identity() == 1

    asyncio.run(main())
