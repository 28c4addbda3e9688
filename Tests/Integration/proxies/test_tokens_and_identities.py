"""Bearer tokens at a proxy, and client certificates at an HTTPS proxy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, Roots
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.nginx import Nginx
from Support.relaying_proxy import RelayingProxy, wants
from Support.squid import Squid

Connect = Callable[..., Peer]


def open_through(peer: Peer, url: str, *methods: str, **configuration: Json) -> str:
    return peer.open(
        configuration={"proxies": {"all": url}, **configuration},
        delegate={"tasks": list(methods), "session": []},
    )


# Bearer


@pytest.fixture
def bearer_proxy() -> Iterator[RelayingProxy]:
    proxy = RelayingProxy(wants(f"Bearer {sentinels.TOKEN}", 'Bearer realm="corp", scope="web"'))
    yield proxy
    proxy.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_token_opens_the_way_and_goes_ahead_of_later_requests(
    connect: Connect, bearer_proxy: RelayingProxy, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, bearer_proxy.url, "bearer", **roots)
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["isProxy"], space["realm"]) == ("bearer", True, "corp")
    assert space["parameters"]["scope"] == "web"
    peer.answer(challenge, {"token": sentinels.TOKEN})
    assert peer.result(fetch)["status"] == 200
    for other in (nginx.plain, nginx.tls):
        assert peer.fetch(session, other + "/small")["status"] == 200
    given = [request.authorization for request in bearer_proxy.requests]
    assert given[0] is None and set(given[1:]) == {f"Bearer {sentinels.TOKEN}"}
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_an_expired_token_is_asked_for_again(
    connect: Connect, bearer_proxy: RelayingProxy, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, bearer_proxy.url, "bearer", **roots)
    fetch = peer.start_fetch(session, getattr(nginx, scheme) + "/small")
    peer.answer(peer.challenge(), {"token": sentinels.WRONG_TOKEN})
    again = peer.challenge()
    assert again["previousFailureCount"] == 1
    peer.answer(again, {"token": sentinels.TOKEN})
    assert peer.result(fetch)["status"] == 200


# Client certificates


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory, "proxy-staff")


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def strict_squid(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[Squid]:
    squid = Squid(
        run_directory / "squid-clients",
        PROXY_USER,
        PROXY_PASSWORD,
        (),
        authority.issue("squid-clients"),
        staff.certificate,
    )
    yield squid
    squid.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_an_https_proxy_asks_for_a_client_certificate(
    connect: Connect,
    strict_squid: Squid,
    staff: ClientAuthority,
    alice: ClientIdentity,
    nginx: Nginx,
    roots: Roots,
    scheme: str,
) -> None:
    peer = connect()
    session = open_through(peer, strict_squid.https, "clientCertificate", **roots)
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["isProxy"], space["proxyType"]) == (
        "clientCertificate",
        True,
        "https",
    )
    assert (challenge["origin"], space["port"]) == (strict_squid.https, strict_squid.tls_port)
    assert space["distinguishedNames"] == [staff.distinguished_name]
    peer.answer(challenge, {"identity": alice.plain})
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_stored_identity_is_presented_to_a_proxy_that_names_its_issuer(
    connect: Connect, strict_squid: Squid, alice: ClientIdentity, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, strict_squid.https, **roots)
    url = getattr(nginx, scheme) + "/small"
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, url)
    assert failed.value.data["hop"] == "proxy"
    peer.call("identity/add", {"session": session, "identity": alice.plain})
    assert peer.fetch(session, url)["status"] == 200


def test_an_identity_for_the_proxy_is_not_for_an_origin_behind_it(
    connect: Connect,
    strict_squid: Squid,
    staff: ClientAuthority,
    alice: ClientIdentity,
    authority: Authority,
    roots: Roots,
    run_directory: Path,
) -> None:
    mutual = Nginx(run_directory / "nginx-behind", authority, "joe", "x", clients=staff.certificate)
    peer = connect()
    session = open_through(peer, strict_squid.https, "clientCertificate", **roots)
    fetch = peer.start_fetch(session, mutual.mutual + "/small")
    first = peer.challenge()
    assert first["protectionSpace"]["isProxy"]
    peer.answer(first, {"identity": alice.plain})
    second = peer.challenge()
    assert not second["protectionSpace"]["isProxy"]
    assert second["protectionSpace"]["port"] == mutual.mutual_port and second["identities"] == []
    peer.dispose(second, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    mutual.stop()
