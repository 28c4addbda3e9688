"""Revocation: stapled OCSP responses and lists, over TLS 1.2 and 1.3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority, Identity
from Support.daemon import Daemon
from Support.revocation import GOOD, REVOKED, UNKNOWN, ocsp_response, revocation_list
from Support.tls_server import TLSServer

pytestmark = [pytest.mark.core, pytest.mark.threads]

Governed = Callable[[Json], tuple[Daemon, Peer]]
Serve = Callable[..., TLSServer]
INSISTS = "tlsfeature=status_request\n"
VERSIONS = ["-tls1_2", "-tls1_3"]


@pytest.fixture
def issuer(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "issuer")


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    servers: list[TLSServer] = []

    def start(identity: Identity, *options: str) -> TLSServer:
        servers.append(TLSServer(tmp_path / f"server{len(servers)}.log", identity, *options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def checked(issuer: Authority, **tls: Json) -> Json:
    return {"tls": {"roots": {"certificates": issuer.pem, "exclusive": True}, **tls}}


def verdict(peer: Peer, url: str, configuration: Json) -> list[str]:
    """The reasons of a refusal; none when the page was fetched."""
    try:
        assert peer.fetch(peer.open(configuration=configuration), url)["status"] == 200
    except RemoteError as error:
        assert error.kind == "serverTrustRejected"
        return [reason["reason"] for reason in error.data["reasons"]]
    return []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("status", "reasons"),
    [(GOOD, []), (REVOKED, ["revoked"]), (UNKNOWN, ["revocationUnknown"])],
)
def test_a_stapled_response_is_believed(
    peer: Peer, serve: Serve, issuer: Authority, version: str, status: str, reasons: list[str]
) -> None:
    identity = issuer.issue()
    server = serve(identity, version, "-status_file", str(ocsp_response(issuer, identity, status)))
    for revocation in ("stapled", "required", "stapleRequired"):
        assert verdict(peer, server.url, checked(issuer, revocation=revocation)) == reasons
    # It was not asked for.
    assert verdict(peer, server.url, checked(issuer)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_missing_response_counts_where_one_is_required(
    peer: Peer, serve: Serve, issuer: Authority, version: str
) -> None:
    server = serve(issuer.issue(), version)
    assert verdict(peer, server.url, checked(issuer, revocation="stapled")) == []
    for revocation in ("required", "stapleRequired"):
        assert verdict(peer, server.url, checked(issuer, revocation=revocation)) == ["revocationUnknown"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_certificate_may_insist_on_a_response(
    peer: Peer, serve: Serve, issuer: Authority, version: str
) -> None:
    identity = issuer.issue(extensions=INSISTS)
    bare = serve(identity, version)
    assert verdict(peer, bare.url, checked(issuer)) == ["revocationUnknown"]
    stapling = serve(identity, version, "-status_file", str(ocsp_response(issuer, identity)))
    assert verdict(peer, stapling.url, checked(issuer)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_response_counts_from_whom_the_issuer_has_appointed_only(
    peer: Peer, serve: Serve, issuer: Authority, version: str
) -> None:
    identity = issuer.issue()
    appointed = issuer.issue("appointed", extensions="extendedKeyUsage=OCSPSigning\n")
    somebody = issuer.issue("somebody")
    for signer, reasons in ((appointed, []), (somebody, ["revocationUnknown"])):
        response = ocsp_response(issuer, identity, signer=signer)
        server = serve(identity, version, "-status_file", str(response))
        assert verdict(peer, server.url, checked(issuer, revocation="required")) == reasons


@pytest.mark.parametrize("version", VERSIONS)
def test_a_response_about_another_certificate_says_nothing(
    peer: Peer, serve: Serve, issuer: Authority, version: str, tmp_path: Path
) -> None:
    identity = issuer.issue()
    other = ocsp_response(issuer, issuer.issue("other"))
    server = serve(identity, version, "-status_file", str(other))
    assert verdict(peer, server.url, checked(issuer, revocation="stapled")) == ["revocationUnknown"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_delegate_hears_of_a_revoked_certificate_once_and_may_excuse_it(
    peer: Peer, serve: Serve, issuer: Authority, version: str
) -> None:
    identity = issuer.issue()
    server = serve(identity, version, "-status_file", str(ocsp_response(issuer, identity, REVOKED)))
    session = peer.open(tasks=["serverTrust"], configuration=checked(issuer, revocation="stapled"))
    fetch = peer.start_fetch(session, server.url)
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["serverTrust"]["reasons"] == [{"reason": "revoked", "depth": 0}]
    peer.answer(challenge, {"trust": "certificate", "persistence": "forSession"})
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, server.url)["status"] == 200
    assert peer.counter("challenges.raised") == 1


def test_a_list_revokes_and_satisfies(peer: Peer, serve: Serve, issuer: Authority, tmp_path: Path) -> None:
    good, bad = issuer.issue("good"), issuer.issue("bad")
    lists = revocation_list(issuer, tmp_path, bad)
    for identity, reasons in ((good, []), (bad, ["revoked"])):
        url = serve(identity).url
        assert verdict(peer, url, checked(issuer, revocationLists=lists)) == reasons
        assert verdict(peer, url, checked(issuer, revocationLists=lists, revocation="required")) == reasons
        insisting = checked(issuer, revocationLists=lists, revocation="stapleRequired")
        assert verdict(peer, url, insisting) == [*reasons, "revocationUnknown"]
        assert verdict(peer, url, checked(issuer)) == []


def test_lists_and_their_places_are_bounded(peer: Peer, issuer: Authority, tmp_path: Path) -> None:
    """OpenSSL compares lists with each other, and the places of one with those of a certificate."""
    lists = revocation_list(issuer, tmp_path)
    for given, is_taken in (
        (lists * 512, True),
        (lists * 513, False),
        (revocation_list(issuer, tmp_path, places=64), True),
        (revocation_list(issuer, tmp_path, places=65), False),
    ):
        if is_taken:
            peer.open(configuration=checked(issuer, revocationLists=given))
            continue
        with pytest.raises(RemoteError) as caught:
            peer.open(configuration=checked(issuer, revocationLists=given))
        assert caught.value.kind == "invalidParams"
        assert "tls.revocationLists" in str(caught.value)


def test_a_list_of_another_issuer_is_no_help_and_no_harm(
    peer: Peer, serve: Serve, issuer: Authority, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    lists = revocation_list(Authority(tmp_path / "stranger", name="stranger"), tmp_path / "other")
    url = serve(issuer.issue()).url
    assert verdict(peer, url, checked(issuer, revocationLists=lists)) == []
    configuration = checked(issuer, revocationLists=lists, revocation="required")
    assert verdict(peer, url, configuration) == ["revocationUnknown"]


def test_an_expired_list_is_a_fault(peer: Peer, serve: Serve, issuer: Authority, tmp_path: Path) -> None:
    url = serve(issuer.issue()).url
    lists = revocation_list(issuer, tmp_path, expired=True)
    assert verdict(peer, url, checked(issuer, revocationLists=lists)) == ["revocationUnknown"]


def test_a_policy_may_require_what_no_reply_can_excuse(
    governed: Governed, serve: Serve, issuer: Authority
) -> None:
    _, peer = governed({"defaults": {"requiresRevocationCheck": True}})
    session = peer.open(tasks=["serverTrust"], configuration=checked(issuer))
    identity = issuer.issue()
    fetch = peer.start_fetch(session, serve(identity).url)
    challenge = peer.challenge()
    reasons = [reason["reason"] for reason in challenge["protectionSpace"]["serverTrust"]["reasons"]]
    assert reasons == ["revocationUnknown", "policy"]
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"trust": "certificate"})
    assert caught.value.kind == "dispositionNotAllowed"
    assert caught.value.data["rule"] == "transportSecurity.defaults.requiresRevocationCheck"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError):
        peer.result(fetch)
    response = ocsp_response(issuer, identity)
    assert verdict(peer, serve(identity, "-status_file", str(response)).url, checked(issuer)) == []
