"""HTTPS origins with a certificate each: prints lines `port NAME NUMBER`, and the authority's certificate."""

from __future__ import annotations

import socket
import ssl
import threading
from pathlib import Path
from typing import Any

from Support.for_swift.program import ELLIPTIC, folder, openssl, serve_until_told


def authority(name: str) -> None:
    openssl(
        *("req", "-x509", "-newkey", *ELLIPTIC, "-nodes", "-days", "30", "-subj", f"/CN={name}"),
        *("-keyout", f"{name}.key", "-out", f"{name}.pem"),
        *("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"),
    )


def leaf(
    name: str,
    issuer: str = "authority",
    names: str = "DNS:localhost,IP:127.0.0.1",
    usage: str = "serverAuth",
    start: str = "20250101000000Z",
    end: str = "20900101000000Z",
    key: tuple[str, ...] = ELLIPTIC,
    common: str = "leaf",
    digest: str = "sha256",
) -> None:
    openssl(
        *("req", "-newkey", *key, "-nodes", "-subj", f"/CN={common}"),
        *("-keyout", f"{name}.key", "-out", f"{name}.csr"),
    )
    extensions = f"[e]\nbasicConstraints=CA:FALSE\nextendedKeyUsage={usage}\n"
    if names:
        extensions += f"subjectAltName={names}\n"
    database = Path(f"{name}.d")
    database.mkdir(exist_ok=True)
    (database / "index").touch()
    Path(f"{name}.cnf").write_text(
        f"[ca]\ndefault_ca=d\n[d]\ndatabase={database}/index\nnew_certs_dir={database}\nrand_serial=yes\n"
        f"default_md={digest}\npolicy=p\n[p]\ncommonName=supplied\n{extensions}"
    )
    openssl(
        *("ca", "-batch", "-config", f"{name}.cnf", "-cert", f"{issuer}.pem", "-keyfile", f"{issuer}.key"),
        *("-startdate", start, "-enddate", end, "-extensions", "e", "-in", f"{name}.csr"),
        *("-out", f"{name}.pem", "-notext"),
    )


def mint() -> None:
    """Every certificate that there is an origin for: the name says what is right or wrong with it."""
    authority("authority")
    authority("unknown")
    leaf("good")
    leaf("otherName", names="DNS:other.test")
    leaf("expired", end="20250601000000Z")
    leaf("notYetValid", start="20800101000000Z")
    leaf("expiredOtherName", names="DNS:other.test", end="20250601000000Z")
    leaf("commonName", names="", common="localhost")
    leaf("addressAsName", names="DNS:127.0.0.1")
    leaf("wildcard", names="DNS:*.sub.test")
    leaf("clientOnly", usage="clientAuth")
    leaf("weakKey", key=("rsa:1024",))
    leaf("weakSignature", digest="sha1")
    leaf("stranger", issuer="unknown")
    leaf("rsa", key=("rsa:2048",))
    openssl(
        *("req", "-newkey", *ELLIPTIC, "-nodes", "-subj", "/CN=middle"),
        *("-keyout", "middle.key", "-out", "middle.request"),
    )
    Path("middle.cnf").write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
    openssl(
        *("x509", "-req", "-in", "middle.request", "-CA", "authority.pem", "-CAkey", "authority.key"),
        *("-days", "30", "-CAcreateserial", "-extfile", "middle.cnf", "-out", "middle.pem"),
    )
    leaf("chained", issuer="middle")
    chain = Path("chained.pem")
    chain.write_text(chain.read_text() + Path("middle.pem").read_text())
    openssl(
        *("req", "-x509", "-newkey", *ELLIPTIC, "-nodes", "-days", "30", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost", "-keyout", "selfSigned.key", "-out", "selfSigned.pem"),
    )


def answer(connection: socket.socket, context: ssl.SSLContext, gathering: threading.Barrier) -> None:
    """Says which version was spoken, and whether a TLS session was resumed."""
    try:
        connection.recv(1, socket.MSG_PEEK)
        gathering.wait()
        with context.wrap_socket(connection, server_side=True) as peer:
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    more = peer.recv(65536)
                    if not more:
                        return
                    data += more
                head, data = data.split(b"\r\n\r\n", 1)
                body = f"{peer.version()} {peer.session_reused}".encode()
                field = b"Connection: close\r\n" if b"Connection: close" in head else b""
                peer.sendall(b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (field, len(body), body))
                if field:
                    peer.unwrap()
                    return
    except OSError:
        connection.close()


def serve(listener: socket.socket, context: ssl.SSLContext, gathering: threading.Barrier) -> None:
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection, context, gathering), daemon=True).start()


def listen(
    name: str, certificate: str, ciphers: str = "DEFAULT@SECLEVEL=0", clients: int = 1, **settings: Any
) -> None:
    """Every handshake is answered once as many clients have begun theirs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(ciphers)
    for key, value in settings.items():
        setattr(context, key, value)
    context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=serve, args=(listener, context, threading.Barrier(clients)), daemon=True).start()
    print("port", name, listener.getsockname()[1])


def main() -> None:
    with folder() as here:
        mint()
        for name in sorted({file.stem for file in here.glob("*.csr")} | {"selfSigned"}):
            listen(name, name)
        listen("tls12", "good", maximum_version=ssl.TLSVersion.TLSv1_2)
        listen("rsaKeyExchange", "rsa", "AES128-GCM-SHA256", maximum_version=ssl.TLSVersion.TLSv1_2)
        listen("chained12", "chained", maximum_version=ssl.TLSVersion.TLSv1_2)
        listen("together", "stranger", clients=24)
        listen("together12", "stranger", clients=24, maximum_version=ssl.TLSVersion.TLSv1_2)
        listen("tls13", "good", minimum_version=ssl.TLSVersion.TLSv1_3)
        print(Path("authority.pem").read_text(), end="")
    serve_until_told()


main()
