"""HTTPS proxies: their own certificate, and their request for a client certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, Roots, open_through
from Integration.wire import Peer, RemoteError, many, password
from Support.certificates import Authority
from Support.nginx import Nginx
from Support.squid import Squid

Connect = Callable[..., Peer]


@pytest.fixture(scope="session")
def strange_squid(run_directory: Path) -> Iterator[Squid]:
    """Its certificate is of an authority that no session knows."""
    strangers = Authority(run_directory / "proxy-strangers")
    squid = Squid(run_directory / "squid-strange", PROXY_USER, PROXY_PASSWORD, (), strangers.issue("strange"))
    yield squid
    squid.stop()


@pytest.fixture(scope="session")
def open_squid(run_directory: Path, authority: Authority) -> Iterator[Squid]:
    """It asks nobody for a password."""
    certificate = authority.issue("squid-open")
    squid = Squid(run_directory / "squid-open", PROXY_USER, PROXY_PASSWORD, (), certificate)
    yield squid
    squid.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls", "http2"])
def test_a_trusted_https_proxy_is_used_for_every_origin(
    connect: Connect, basic_squid: Squid, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, basic_squid.https, "basic", **roots)
    fetch = peer.start_fetch(session, getattr(nginx, scheme) + "/small")
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["proxyType"], space["protocol"], space["port"]) == ("https", "https", basic_squid.tls_port)
    assert space["receivesCredentialSecurely"] is True
    peer.answer(challenge, password(PROXY_USER, PROXY_PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert len(peer.metrics(session, getattr(nginx, scheme) + "/small")["exchanges"]) == 1


def test_fetches_that_begin_together_all_go_on(
    connect: Connect, open_squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    """libcurl 7.88 forgets some that wait for a connection of HTTP/2 through such a proxy."""
    peer = connect()
    for _ in range(many(20)):
        session = open_through(peer, open_squid.https, **roots)
        fetches = [peer.start_fetch(session, nginx.http2 + "/small") for _ in range(8)]
        assert [peer.result(fetch)["status"] for fetch in fetches] == [200] * 8


def test_its_certificate_is_refused_like_an_origins(
    connect: Connect, strange_squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, strange_squid.https, **roots)
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, nginx.tls + "/small")
    data = failed.value.data
    assert (failed.value.kind, data["hop"]) == ("serverTrustRejected", "proxy")
    assert "unknownIssuer" in [reason["reason"] for reason in data["reasons"]]


@pytest.mark.parametrize("persistence", ["none", "forSession"])
def test_its_certificate_is_asked_about_before_the_origins(
    connect: Connect, strange_squid: Squid, nginx: Nginx, persistence: str
) -> None:
    peer = connect()
    session = peer.open(
        configuration={"proxies": {"all": strange_squid.https}},
        delegate={"tasks": ["serverTrust"], "session": [], "trustVerdicts": "refused"},
    )
    fetch = peer.start_fetch(session, nginx.tls + "/small")
    asked = []
    for _ in range(2):
        challenge = peer.challenge()
        asked.append((challenge["protectionSpace"]["isProxy"], challenge["origin"]))
        peer.answer(challenge, {"trust": "certificate", "persistence": persistence})
    assert asked == [(True, strange_squid.https), (False, nginx.tls)]
    assert peer.result(fetch)["status"] == 200
    if persistence == "forSession":
        assert peer.fetch(session, nginx.tls + "/small")["status"] == 200
        peer.nothing_asked()
        origins = [entry["origin"] for entry in peer.call("trust/list", {"session": session})["trust"]]
        assert sorted(origins) == sorted([strange_squid.https, nginx.tls])
    else:
        peer.start_fetch(session, nginx.tls + "/small")
        assert peer.challenge()["protectionSpace"]["isProxy"]


def test_every_other_reply_to_a_proxys_certificate_fails_closed(
    connect: Connect, strange_squid: Squid, nginx: Nginx
) -> None:
    peer = connect()
    session = peer.open(
        configuration={"proxies": {"all": strange_squid.https}},
        delegate={"tasks": ["serverTrust"], "session": [], "trustVerdicts": "refused"},
    )
    for disposition in ("performDefaultHandling", "cancelAuthenticationChallenge", "rejectProtectionSpace"):
        fetch = peer.start_fetch(session, nginx.plain + "/small")
        peer.dispose(peer.challenge(), disposition)
        with pytest.raises(RemoteError) as failed:
            peer.result(fetch)
        assert failed.value.kind == "serverTrustRejected"
        assert failed.value.data["hop"] == "proxy"
