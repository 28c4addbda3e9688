"""407 as a challenge, on requests and on CONNECT, with squid and with proxies that a test thinks up."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.proxies.scene import (
    PROXY_PASSWORD,
    PROXY_USER,
    MakeProxy,
    Roots,
    basic,
    open_through,
)
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.apache import Apache
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply
from Support.squid import Squid

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]

PROXY = password(PROXY_USER, PROXY_PASSWORD)
ORIGIN = password(USER, PASSWORD)


@pytest.fixture(params=["basic", "digest"])
def squid(request: pytest.FixtureRequest) -> Squid:
    found: Squid = request.getfixturevalue(f"{request.param}_squid")
    return found


def answered(
    peer: Peer, session: str, url: str, *credentials: Json, **members: Json
) -> tuple[Json, list[Json]]:
    """The result of a fetch whose challenges are answered in this order, and their protection spaces."""
    fetch = peer.start_fetch(session, url, **members)
    spaces = []
    for credential in credentials:
        challenge = peer.challenge()
        spaces.append(challenge["protectionSpace"])
        peer.answer(challenge, credential)
    return peer.result(fetch), spaces


@pytest.mark.parametrize("scheme", ["plain", "tls", "http2"])
def test_a_proxy_asks_once_and_then_gets_its_credential_unasked(
    connect: Connect, squid: Squid, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, squid.url, "basic", "digest", **roots)
    url = getattr(nginx, scheme) + "/small"
    result, (space,) = answered(peer, session, url, PROXY)
    assert result["status"] == 200
    assert (space["isProxy"], space["proxyType"], space["protocol"]) == (True, "http", "http")
    assert (space["host"], space["port"], space["realm"]) == ("127.0.0.1", squid.plain_port, "proxy")
    assert space["receivesCredentialSecurely"] is False
    for other in (nginx.plain, nginx.tls, nginx.http2):
        again = peer.fetch(session, other + "/small", metrics=True)
        assert again["status"] == 200 and len(again["metrics"]["exchanges"]) == 1
    peer.nothing_asked()


def test_a_challenge_of_a_proxy_names_the_proxy_and_the_tasks_url(
    connect: Connect, basic_squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, basic_squid.url, "basic", **roots)
    peer.start_fetch(session, nginx.tls + "/small")
    challenge = peer.challenge()
    assert challenge["origin"] == basic_squid.url
    assert challenge["url"] == nginx.tls + "/small"
    assert challenge["failureResponse"]["status"] == 407
    assert challenge["offers"][0]["authenticationMethod"] == "basic"


def test_what_a_proxys_url_had_hides_no_credential_of_the_session(
    connect: Connect, basic_squid: Squid, nginx: Nginx
) -> None:
    peer = connect()
    session = peer.open()
    url = nginx.plain + "/small"
    named = {"all": basic_squid.url_of(PROXY_USER, PROXY_PASSWORD)}
    assert peer.fetch(session, url, proxies=named)["status"] == 200
    unnamed = {"all": basic_squid.url}
    assert kind_of(peer.fetch, session, url, proxies=unnamed) == "proxyAuthenticationFailed"
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": basic_squid.plain_port,
        "authenticationMethod": "default",
        "isProxy": True,
        "proxyType": "http",
    }
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": PROXY})
    assert peer.fetch(session, url, proxies=unnamed)["status"] == 200


def test_proxy_and_digest_origin_with_another_user_over_tls_in_one_task(
    connect: Connect, digest_squid: Squid, nginx: Nginx, apache: Apache, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, digest_squid.url, "basic", "digest", **roots)
    for url, methods in [
        (nginx.tls + "/staff/small", ["digest", "basic"]),
        (apache.steady + "/digest/small", ["digest"]),
    ]:
        credentials = [PROXY, ORIGIN] if len(methods) == 2 else [ORIGIN]
        result, spaces = answered(peer, session, url, *credentials)
        assert result["status"] == 200
        assert [space["authenticationMethod"] for space in spaces] == methods
        assert [space["isProxy"] for space in spaces] == [True, False][-len(methods) :]
        # Again, without a challenge.
        assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_407_that_remains_is_an_error_with_the_proxys_response(
    connect: Connect, squid: Squid, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, squid.url, **roots)
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, getattr(nginx, scheme) + "/small")
    assert failed.value.kind == "proxyAuthenticationFailed"
    data = failed.value.data
    assert (data["hop"], data["proxy"], data["status"]) == ("proxy", squid.url, 407)
    assert "Proxy-Authenticate" in [name for name, _ in data["headers"]]


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_userinfo_is_consent_and_is_sent_unasked_from_then_on(
    connect: Connect, squid: Squid, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, squid.url_of(PROXY_USER, PROXY_PASSWORD), **roots)
    url = getattr(nginx, scheme) + "/small"
    assert len(peer.metrics(session, url)["exchanges"]) == 2
    assert len(peer.metrics(session, url)["exchanges"]) == 1
    # It serves callers that name it, and no others.
    assert (
        kind_of(lambda: peer.fetch(session, url, proxies={"all": squid.url})) == "proxyAuthenticationFailed"
    )


def test_refused_userinfo_is_asked_about(connect: Connect, squid: Squid, nginx: Nginx, roots: Roots) -> None:
    peer = connect()
    session = open_through(peer, squid.url_of(PROXY_USER, "sentinel-wrong"), "basic", "digest", **roots)
    fetch = peer.start_fetch(session, nginx.tls + "/small")
    challenge = peer.challenge()
    assert challenge["proposedCredential"] == {"user": PROXY_USER, "source": "url"}
    assert challenge["previousFailureCount"] == 1
    peer.answer(challenge, PROXY)
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, nginx.plain + "/small")["status"] == 200
    peer.nothing_asked()


def test_whether_the_proxy_was_given_a_password_is_told(
    connect: Connect, squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    wrong = squid.url_of(PROXY_USER, "sentinel-wrong")
    for proxy, said in ((squid.url, "asks for a credential"), (wrong, "refused the user and password")):
        session = open_through(peer, proxy, **roots)
        with pytest.raises(RemoteError, match=said) as failed:
            peer.fetch(session, nginx.tls + "/small")
        assert "sentinel" not in str(failed.value.data)


def test_a_stored_credential_of_the_proxy_answers(
    connect: Connect, squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, squid.url, **roots)
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": squid.plain_port,
        "authenticationMethod": "default",
        "isProxy": True,
        "proxyType": "http",
    }
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": PROXY})
    assert peer.fetch(session, nginx.tls + "/small")["status"] == 200
    listed = peer.call("credential/list", {"session": session})["credentials"]
    assert {
        (entry["protectionSpace"]["isProxy"], entry["protectionSpace"]["proxyType"]) for entry in listed
    } == {(True, "http")}
    explained = peer.call("explain", {"session": session, "url": nginx.tls + "/small"})
    assert explained["proxyCredential"]["user"] == PROXY_USER and explained["proxyPreemptive"]
    assert explained["credential"] is None
    peer.call("credential/remove", {"session": session, "protectionSpace": space})
    assert kind_of(peer.fetch, session, nginx.tls + "/small") == "proxyAuthenticationFailed"


def test_a_407_of_an_origin_is_no_challenge(connect: Connect, open_squid: Squid, roots: Roots) -> None:
    peer = connect()
    session = open_through(peer, "none", "basic")
    from Support.scripted_origin import ScriptedOrigin
    from Support.scripts import reply

    origin = ScriptedOrigin()
    try:
        url = origin.serve("/odd", reply(407, b"odd", [("Proxy-Authenticate", 'Basic realm="odd"')]))
        result = peer.fetch(session, url)
    finally:
        origin.stop()
    assert (result["status"], result["body"]["text"]) == (407, "odd")
    peer.nothing_asked()


def test_a_thousand_fetches_through_one_proxy_raise_one_challenge(
    connect: Connect, basic_squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, basic_squid.url, "basic", **roots)
    fetches = [
        peer.start_fetch(session, (nginx.tls if number % 2 else nginx.plain) + "/small", output="discard")
        for number in range(1000)
    ]
    peer.answer(peer.challenge(), PROXY)
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {200}
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 1


CHALLENGE = b'Proxy-Authenticate: Basic realm="corp"\r\nContent-Length: 6\r\n\r\nsecret'


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_every_credential_asks_as_often_as_the_budget(
    connect: Connect, scripted_proxy: MakeProxy, scheme: str
) -> None:
    proxy = scripted_proxy(b"HTTP/1.1 407 No\r\nConnection: close\r\n" + CHALLENGE)
    peer = connect()
    session = open_through(peer, proxy.url, "basic", challenges={"refusalBudget": 3})
    fetch = peer.start_fetch(session, f"{scheme}://a.test/")
    for number in range(3):
        peer.answer(peer.challenge(), password("joe", f"sentinel-{number}"))
    assert kind_of(peer.result, fetch) == "proxyAuthenticationFailed"
    assert len(proxy.heads) == 4


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_changes_its_realm_for_ever_ends_the_task(
    connect: Connect, scripted_proxy: MakeProxy, scheme: str
) -> None:
    answers = [
        f'HTTP/1.1 407 No\r\nConnection: close\r\nProxy-Authenticate: Basic realm="{number}"\r\n'
        "Content-Length: 0\r\n\r\n".encode()
        for number in range(100)
    ]
    peer = connect()
    session = open_through(peer, scripted_proxy(*answers).url.replace("//", "//joe:sentinel-x@"))
    assert kind_of(peer.fetch, session, f"{scheme}://a.test/") == "proxyAuthenticationFailed"


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "https"])
def test_the_callers_field_for_the_proxy_goes_to_the_proxy_only(
    connect: Connect,
    basic_squid: Squid,
    origins: Origins,
    tls_context: ssl.SSLContext,
    roots: Roots,
    is_secure: bool,
) -> None:
    origin = origins(tls_context if is_secure else None)
    url = origin.serve("/", reply())
    peer = connect()
    session = open_through(peer, basic_squid.url, "basic", **roots)
    headers = [["Proxy-Authorization", basic(PROXY_USER, PROXY_PASSWORD)]]
    assert peer.fetch(session, url, headers=headers)["status"] == 200
    assert b"proxy-authorization" not in origin.received().lower()
    # It is this task's own: nothing is kept, and no other task uses its tunnel.
    assert peer.call("credential/list", {"session": session})["credentials"] == []
    fetch = peer.start_fetch(session, url)
    assert peer.challenge()["protectionSpace"]["isProxy"] is True
    peer.notify("$/cancelRequest", {"id": fetch})
    assert kind_of(lambda: peer.result(fetch)) == "requestCancelled"


def test_the_sessions_field_for_the_proxy_counts_before_what_is_stored(
    connect: Connect, basic_squid: Squid, nginx: Nginx, roots: Roots
) -> None:
    headers = [["Proxy-Authorization", basic(PROXY_USER, PROXY_PASSWORD)]]
    peer = connect()
    session = open_through(peer, basic_squid.url, "basic", headers=headers, **roots)
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": basic_squid.plain_port,
        "authenticationMethod": "basic",
        "isProxy": True,
    }
    wrong = password("joe", "sentinel-stored")
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": wrong})
    for url in (nginx.plain + "/small", nginx.tls + "/small"):
        assert peer.call("explain", {"session": session, "url": url})["proxyCredential"] is None
        assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()
    [stored] = peer.call("credential/list", {"session": session})["credentials"]
    assert stored["uses"] == 0


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_refused_field_of_the_callers_is_no_challenge(
    connect: Connect, scripted_proxy: MakeProxy, scheme: str
) -> None:
    proxy = scripted_proxy(
        b'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
    )
    peer = connect()
    session = open_through(peer, proxy.url, "*")
    headers = [["Proxy-Authorization", basic("joe", "sentinel-own")]]
    assert kind_of(lambda: peer.fetch(session, f"{scheme}://a.test/", headers=headers)) == (
        "proxyAuthenticationFailed"
    )
    peer.nothing_asked()
    [head] = proxy.heads
    assert f"Proxy-Authorization: {basic('joe', 'sentinel-own')}".encode() in head


def test_connect_carries_the_proxys_credential_and_the_origin_its_own(
    connect: Connect, scripted_proxy: MakeProxy
) -> None:
    proxy = scripted_proxy(b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
    peer = connect()
    session = open_through(peer, proxy.url)
    headers = [
        ["Authorization", basic("joe", "sentinel-origin")],
        ["Cookie", "a=sentinel-cookie"],
        ["X-Own", "1"],
    ]
    assert kind_of(lambda: peer.fetch(session, "https://a.test/", headers=headers)) == "proxyFailed"
    (head,) = proxy.heads
    assert head.startswith(b"CONNECT a.test:443 HTTP/1.1\r\n")
    for name in (b"authorization", b"cookie", b"x-own"):
        assert name not in head.lower()


def test_a_proxy_gets_no_key(connect: Connect, scripted_proxy: MakeProxy) -> None:
    """A key is for the origin behind the tunnel (storage.md 9.4.11)."""
    peer = connect()
    proxy = scripted_proxy(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    session = open_through(peer, proxy.url)
    space = {"protocol": "https", "host": "127.0.0.1", "authenticationMethod": "key", "field": "X-Api-Key"}
    members = {"session": session, "protectionSpace": space, "credential": {"token": PASSWORD}}
    assert peer.call("credential/set", members) == {}
    assert kind_of(peer.fetch, session, "https://127.0.0.1/x") == "proxyFailed"
    (head,) = proxy.heads
    assert head.startswith(b"CONNECT ") and PASSWORD.encode() not in head
