"""Servers that refuse a handshake or an identity, and the bodies on their way."""

from __future__ import annotations

import base64
import contextlib
import os
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import add
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.openssl_server import OpenSSLServer
from Support.refusing_origin import RefusingOrigin

pytestmark = [pytest.mark.core, pytest.mark.threads]


@pytest.fixture(params=["tls1_2", "tls1_3"])
def insisting(
    request: pytest.FixtureRequest, tmp_path: Path, authority: Authority, staff: ClientAuthority
) -> Iterator[OpenSSLServer]:
    made = OpenSSLServer(tmp_path / "insisting", authority, staff.certificate, request.param)
    yield made
    made.stop()


def failure(peer: Peer, fetch: int) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    return caught.value.kind, caught.value.data.get("reason")


def test_a_server_that_insists_says_so(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, alice: ClientIdentity
) -> None:
    opened = session(peer)
    assert failure(peer, peer.start_fetch(opened, insisting.url)) == ("tlsFailed", "certificateRequired")
    add(peer, opened, alice)
    assert peer.fetch(opened, insisting.url)["status"] == 200


def test_a_session_of_tls_is_not_resumed_beyond_the_limits_of_its_identity(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, alice: ClientIdentity
) -> None:
    opened = session(peer, configuration={"connectionsPerHost": 1})
    peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": {"maximumUses": 1}})
    # The second waits in line for the connection of the first, which the server closes.
    first, second = (peer.start_fetch(opened, insisting.url) for _ in range(2))
    assert peer.result(first)["status"] == 200
    assert failure(peer, second) == ("tlsFailed", "certificateRequired")


def test_a_server_that_refuses_a_permanent_identity_does_not_end_it(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, gil: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    peer.answer(peer.challenge(), {"identity": gil.plain, "persistence": "permanent"})
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert failure(peer, fetch)[0] == "userCancelledAuthentication"
    (kept,) = peer.call("identity/list", {"session": opened})["identities"]
    assert (kept["subject"], kept["persistence"]) == ("CN=gil", "permanent")
    entries = peer.call("credential/history")["entries"]
    seen = {one["outcome"] for one in entries if one.get("identity") == kept["identity"]}
    assert seen == {"presented", "refused"}


def test_a_refused_identity_is_asked_about_again(
    peer: Peer,
    session: Callable[..., str],
    insisting: OpenSSLServer,
    alice: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 0
    peer.answer(challenge, {"identity": gil.plain})
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    peer.answer(challenge, {"identity": gil.plain, "persistence": "none"})
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 2
    peer.answer(challenge, {"identity": alice.plain})
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(opened, insisting.url)["status"] == 200
    peer.nothing_asked()


#: More than the buffers of a connection hold.
BODY = bytes(range(256)) * 2048


def pipe_of(content: bytes) -> int:
    """The end of a pipe from which `content` comes, and then nothing."""
    reader, writer = os.pipe()

    def write() -> None:
        with os.fdopen(writer, "wb") as opened, contextlib.suppress(BrokenPipeError):
            opened.write(content)

    threading.Thread(target=write, daemon=True).start()
    return reader


def file_of(path: Path, content: bytes) -> int:
    path.write_bytes(content)
    return os.open(path, os.O_RDONLY)


@pytest.fixture(params=[ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def refusing(
    request: pytest.FixtureRequest, authority: Authority, staff: ClientAuthority
) -> Iterator[RefusingOrigin]:
    made = RefusingOrigin(authority.issue("refusing"), staff.certificate, request.param)
    yield made
    made.stop()


@pytest.mark.parametrize("size", [100, len(BODY)])
@pytest.mark.parametrize("source", ["inline", "file", "pipe"])
def test_a_body_arrives_whole_after_a_refusal_or_not_at_all(
    peer: Peer,
    session: Callable[..., str],
    refusing: RefusingOrigin,
    alice: ClientIdentity,
    gil: ClientIdentity,
    tmp_path: Path,
    source: str,
    size: int,
) -> None:
    """A server on TLS 1.3 says only when the request is on its way that it does not take the certificate."""
    content = BODY[:size]
    opened = session(peer, tasks=["clientCertificate"])
    body: Json = {"descriptor": 0}
    descriptors = []
    if source == "inline":
        body = {"base64": base64.b64encode(content).decode()}
    elif source == "file":
        descriptors = [file_of(tmp_path / "body", content)]
    else:
        descriptors = [pipe_of(content)]
    parameters = {"session": opened, "url": refusing.url, "method": "POST", "body": body}
    fetch = peer.request("fetch", parameters, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    for identity in (gil, alice):
        peer.answer(peer.challenge(), {"identity": identity.plain})
    try:
        assert peer.result(fetch)["status"] == 200
        assert refusing.bodies == [content]
    except RemoteError as error:
        assert (source, error.kind) == ("pipe", "bodyNotReplayable")
        assert refusing.bodies == []


def test_a_request_that_the_server_has_not_taken_is_an_exchange_without_a_status(
    peer: Peer,
    session: Callable[..., str],
    insisting: OpenSSLServer,
    alice: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url, metrics=True)
    for identity in (gil, alice):
        peer.answer(peer.challenge(), {"identity": identity.plain})
    exchanges = peer.result(fetch)["metrics"]["exchanges"]
    # Before TLS 1.3, nothing is sent before the server has taken the certificate.
    written = [0] if insisting.version == "tls1_3" else []
    assert [exchange["status"] for exchange in exchanges] == [*written, 200]
    assert all(exchange["bytesSent"] > 0 for exchange in exchanges)


def test_none_is_not_asked_about_again(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    peer.answer(peer.challenge(), None)
    assert failure(peer, fetch) == ("tlsFailed", "certificateRequired")
    peer.nothing_asked()


def test_a_server_that_takes_nothing_is_left_in_the_end(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, gil: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    for count in range(8):
        challenge = peer.challenge()
        assert challenge["previousFailureCount"] == count
        peer.answer(challenge, {"identity": gil.plain})
    assert failure(peer, fetch)[0] == "tlsFailed"
